"""One filled demo database for all tests: made once, read by many, copied by those that change it."""

import datetime as dt
import functools
import shutil
import tempfile
import threading
from pathlib import Path

from sqlalchemy import Engine

from core.shared.clock import SHANGHAI
from core.shared.sql import make_engine
from mcp_tools.demo.extend import extend_demo_data
from mcp_tools.migration import migrate_engine

NOW = SHANGHAI.localize(dt.datetime(2026, 8, 16, 12, 0))
TODAY = NOW.date()
TOMORROW = TODAY + dt.timedelta(days=1)

_folder = tempfile.TemporaryDirectory(prefix="demo-")


@functools.cache
def filled_by_two_at_once() -> tuple[Path, tuple[int, ...]]:
    """The database, and how many rows each of two writers added that started on the empty file together."""
    path = Path(_folder.name) / "filled.db"
    added: list[int] = []
    together = threading.Barrier(2)

    def fill() -> None:
        engine = make_engine(url_of(path))
        together.wait()
        migrate_engine(engine)
        added.append(extend_demo_data(engine, TODAY))
        engine.dispose()

    writers = [threading.Thread(target=fill) for _ in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    return path, tuple(added)


def copy_to(folder: Path) -> Path:
    """A database of one's own, filled."""
    return Path(shutil.copy(filled_by_two_at_once()[0], folder / "own.db"))


def url_of(path: Path) -> str:
    return f"sqlite:///{path}"


def engine_of(path: Path) -> Engine:
    return make_engine(url_of(path))
