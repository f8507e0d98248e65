"""JSON log lines on standard error, each with the trace id of what was being served."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import datetime

from core.shared.clock import SHANGHAI

trace_id: ContextVar[str] = ContextVar("trace_id", default="")

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """One line, one JSON object: time, level, logger, message, trace id, and what `extra` added."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, SHANGHAI).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if current := trace_id.get():
            line["trace_id"] = current
        line.update({key: value for key, value in vars(record).items() if key not in _STANDARD})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def configure(level: str = "INFO") -> None:
    """Set the root logger up. Call before any package that sets up logging by itself (the MCP client does)."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for noisy in ("httpx", "httpx2", "httpcore", "httpcore2", "openai", "mcp", "a2a", "uvicorn.error", "alembic"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
