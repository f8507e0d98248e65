"""The log as an operator reads it: JSON lines, caught while a block runs."""

import contextlib
import json
import logging
from collections.abc import Iterator
from typing import Any

from core.shared.logging import JsonFormatter


class _Collector(logging.Handler):
    def __init__(self, lines: list[dict[str, Any]]) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(JsonFormatter())
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(json.loads(self.format(record)))


@contextlib.contextmanager
def log_lines() -> Iterator[list[dict[str, Any]]]:
    """Every line of level INFO and above that is logged while the block runs."""
    lines: list[dict[str, Any]] = []
    root, handler = logging.getLogger(), _Collector(lines)
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield lines
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
