"""Rows as a reply puts them before a person, for the tests of what is said about them."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from core.shared.json_types import JsonValue

Rows = tuple[Mapping[str, JsonValue], ...]
_TABLE = Path(__file__).parent / "cases" / "shown.json"


@cache
def _shown() -> dict[str, tuple[str, Rows]]:
    table = json.loads(_TABLE.read_text("utf-8"))
    return {name: (entry["kind"], tuple(entry["rows"])) for name, entry in table.items()}


def shown(name: str) -> tuple[str, Rows]:
    """The kind and the rows that go by this name in the tables of dialogues."""
    return _shown()[name]
