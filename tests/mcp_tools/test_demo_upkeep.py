"""The demo data grows with the calendar, by one writer, and leaves what was sold alone."""

import asyncio
import contextlib
import datetime as dt
import threading
from collections.abc import AsyncIterator
from pathlib import Path

from sqlalchemy import Engine, func, select, text, update

from core.shared.clock import SHANGHAI, ManualClock
from mcp_tools.demo.extend import extend_demo_data
from mcp_tools.demo.fresh import keep_demo_data_fresh
from mcp_tools.horizon import CONCERT_DAYS, FORECAST_DAYS, SALE_DAYS, days_from
from mcp_tools.tables import demo_batches, flight_cabins, train_seats, trains, weather_forecasts
from tests.mcp_tools.demo_file import NOW, TODAY, engine_of, filled_by_two_at_once


def _days(engine: Engine) -> list[dt.date]:
    with engine.connect() as connection:
        return sorted(connection.scalars(select(train_seats.c.date).distinct()))


def _count(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(train_seats)) or 0


def test_two_that_start_on_an_empty_file_share_the_work_and_double_nothing(engine: Engine) -> None:
    added = filled_by_two_at_once()[1]
    with engine.connect() as connection:
        noted = connection.scalar(select(func.sum(demo_batches.c.rows_written)))
        trains_there = connection.scalar(select(func.count()).select_from(trains))
        distinct = connection.scalar(select(func.count(func.distinct(trains.c.train_no))))
    assert sum(added) == noted
    assert trains_there == distinct


def test_a_repetition_adds_nothing(own_engine: Engine) -> None:
    assert extend_demo_data(own_engine, TODAY) == 0


def test_an_old_installation_is_extended_to_the_new_horizon(own_engine: Engine) -> None:
    later = TODAY + dt.timedelta(days=45)
    assert extend_demo_data(own_engine, later) > 0
    assert _days(own_engine) == days_from(TODAY, SALE_DAYS) + days_from(later, SALE_DAYS)
    with own_engine.connect() as connection:
        forecast = set(connection.scalars(select(weather_forecasts.c.date).distinct()))
    assert set(days_from(later, FORECAST_DAYS)) <= forecast


def test_what_was_sold_stays_sold(own_engine: Engine) -> None:
    with own_engine.begin() as connection:
        item = connection.scalar(select(train_seats.c.item_id).where(train_seats.c.remaining > 5).limit(1))
        one = train_seats.c.item_id == item
        connection.execute(update(train_seats).where(one).values(remaining=3, price_fen=12_300))
    extend_demo_data(own_engine, TODAY + dt.timedelta(days=1))
    with own_engine.connect() as connection:
        row = connection.execute(select(train_seats.c.remaining, train_seats.c.price_fen).where(one)).one()
    assert tuple(row) == (3, 12_300)


def test_two_writers_at_once_write_a_day_once(own_engine: Engine, tmp_path: Path) -> None:
    next_day = TODAY + dt.timedelta(days=1)
    before = _count(own_engine)
    together = threading.Barrier(3)
    added: list[int] = []

    def write() -> None:
        engine = engine_of(tmp_path / "own.db")
        together.wait()
        added.append(extend_demo_data(engine, next_day))
        engine.dispose()

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    per_day = before // SALE_DAYS
    assert _count(own_engine) == before + per_day
    with own_engine.connect() as connection:
        names = [f"{table}:{_last(next_day, days)}" for table, days in (
            ("train_seats", SALE_DAYS), ("flight_cabins", SALE_DAYS), ("tour_departures", SALE_DAYS),
            ("weather_forecasts", FORECAST_DAYS), ("car_days", SALE_DAYS), ("concerts", CONCERT_DAYS),
            ("concert_areas", CONCERT_DAYS),
        )]
        noted = connection.scalar(select(func.sum(demo_batches.c.rows_written)).where(demo_batches.c.name.in_(names)))
    assert sum(added) == noted


def _last(first: dt.date, count: int) -> str:
    return days_from(first, count)[-1].isoformat()


def test_a_writer_that_fails_leaves_nothing_and_the_next_one_fills_in(own_engine: Engine) -> None:
    day = TODAY + dt.timedelta(days=SALE_DAYS)
    name = f"flight_cabins:{day.isoformat()}"
    with own_engine.connect() as connection:
        connection.execute(demo_batches.insert(), {"name": name, "rows_written": 1})
        connection.rollback()
    extend_demo_data(own_engine, TODAY + dt.timedelta(days=1))
    with own_engine.connect() as connection:
        there = connection.scalar(select(func.count()).where(flight_cabins.c.date == day))
    assert there


class _WatchedClock(ManualClock):
    """Says when somebody goes to sleep: then the work before is done."""

    def __init__(self, now: dt.datetime) -> None:
        super().__init__(now)
        self.naps: asyncio.Queue[float] = asyncio.Queue()

    async def sleep(self, seconds: float) -> None:
        self.naps.put_nowait(seconds)
        await super().sleep(seconds)


@contextlib.asynccontextmanager
async def _upkeep(engine: Engine, clock: ManualClock) -> AsyncIterator[None]:
    task = asyncio.create_task(keep_demo_data_fresh(engine, clock))
    try:
        async with asyncio.timeout(20):
            yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def test_at_shanghais_midnight_the_next_day_is_there(own_engine: Engine) -> None:
    clock = _WatchedClock(SHANGHAI.localize(dt.datetime(2026, 8, 16, 23, 59, 30)))
    async with _upkeep(own_engine, clock):
        assert await clock.naps.get() == 30
        clock.advance(30)
        await clock.naps.get()
    assert _days(own_engine)[-1] == TODAY + dt.timedelta(days=SALE_DAYS)


async def test_nothing_is_added_before_midnight(own_engine: Engine) -> None:
    clock = _WatchedClock(NOW)
    async with _upkeep(own_engine, clock):
        for _ in range(11):
            clock.advance(await clock.naps.get())
        await clock.naps.get()
    assert clock.now().hour == 23
    assert _days(own_engine)[-1] == TODAY + dt.timedelta(days=SALE_DAYS - 1)


async def test_a_database_that_is_away_is_tried_again(own_engine: Engine) -> None:
    clock = _WatchedClock(SHANGHAI.localize(dt.datetime(2026, 8, 16, 23, 59, 30)))
    with own_engine.begin() as connection:
        connection.execute(text("ALTER TABLE demo_batches RENAME TO away"))
    async with _upkeep(own_engine, clock):
        clock.advance(await clock.naps.get())
        pause = await clock.naps.get()
        with own_engine.begin() as connection:
            connection.execute(text("ALTER TABLE away RENAME TO demo_batches"))
        clock.advance(pause)
        await clock.naps.get()
    assert pause <= 3600
    assert _days(own_engine)[-1] == TODAY + dt.timedelta(days=SALE_DAYS)
