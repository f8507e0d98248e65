"""A person's own work on the database: done on an engine of its own, and what fails is one clear line."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.shared.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import Engine


def on_database(settings: Settings, work: "Callable[[Engine], str]") -> int:
    """Do the work and print what came of it. The exit status: 1 when the database cannot be used."""
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.exc import TimeoutError as PoolTimeout

    from core.shared.sql import make_engine

    engine = make_engine(settings.database_url, patient=True)
    try:
        print(work(engine))
    except (DBAPIError, PoolTimeout, TimeoutError, RuntimeError) as error:  # the last: a driver that lacks a part
        cause = error.orig if isinstance(error, DBAPIError) else error
        why = " ".join(str(cause).split())
        print(f"smartvoyage: database.url: the database cannot be used ({why})", file=sys.stderr)
        return 1
    finally:
        engine.dispose()
    return 0
