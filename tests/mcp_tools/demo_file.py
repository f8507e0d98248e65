"""One filled demo database for all tests: made once, read by many, copied by those that change it.

It is an SQLite file; with SMARTVOYAGE_TEST_DATABASE=mariadb the same tests run over a real MariaDB, and the files'
names stand for its databases.
"""

import datetime as dt
import functools
import os
import shutil
import tempfile
import threading
from pathlib import Path

import pytest
from sqlalchemy import Engine

from core.shared.clock import SHANGHAI
from core.shared.sql import make_engine
from mcp_tools.demo.extend import extend_demo_data
from mcp_tools.migration import migrate_engine
from tests.mcp_tools import demo_mariadb

NOW = SHANGHAI.localize(dt.datetime(2026, 8, 16, 12, 0))
TODAY = NOW.date()
TOMORROW = TODAY + dt.timedelta(days=1)

ON_MARIADB = os.environ.get("SMARTVOYAGE_TEST_DATABASE") == "mariadb"
sqlite_only = pytest.mark.skipif(ON_MARIADB, reason="this is about the file on one's own machine")

_FILLED, _OWN = "filled.db", "own.db"
_holders: list[Path] = []
_folder = tempfile.TemporaryDirectory(prefix="demo-")


@functools.cache
def filled_by_two_at_once() -> tuple[Path, tuple[int, ...]]:
    """The database, and how many rows each of two writers added that started on the empty file together."""
    path = Path(_folder.name) / _FILLED
    return path, demo_mariadb.filled(fill_by_two)[1] if ON_MARIADB else fill_by_two(f"sqlite:///{path}")


def fill_by_two(url: str) -> tuple[int, ...]:
    """Rows that each of two added who began on the empty database together."""
    added: list[int] = []
    together = threading.Barrier(2)

    def fill() -> None:
        engine = make_engine(url)
        together.wait()
        migrate_engine(engine)
        added.append(extend_demo_data(engine, TODAY))
        engine.dispose()

    writers = [threading.Thread(target=fill) for _ in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    return tuple(added)


def mariadb_url() -> str:
    """A filled MariaDB for the tests that always run on one. They share it, and must not mind what others sell."""
    return demo_mariadb.own(fill_by_two) if ON_MARIADB else demo_mariadb.filled(fill_by_two)[0]


def copy_to(folder: Path) -> Path:
    """A database of one's own, filled. On MariaDB there is one; another folder's is made anew from it."""
    if ON_MARIADB:
        if _holders[-1:] != [folder]:
            demo_mariadb.own(fill_by_two)
            _holders.append(folder)
        return folder / _OWN
    return Path(shutil.copy(filled_by_two_at_once()[0], folder / _OWN))


def url_of(path: Path) -> str:
    """The address of a file, or of the database that its name stands for."""
    if ON_MARIADB and path.name in (_FILLED, _OWN):
        name = path.name.removesuffix(".db")
        return demo_mariadb.shared_server().url(name, name)
    return f"sqlite:///{path}"


def engine_of(path: Path) -> Engine:
    return make_engine(url_of(path))
