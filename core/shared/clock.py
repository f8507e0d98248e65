"""The one clock: business time in Asia/Shanghai, monotonic time for budgets, and waiting; tests set it."""

import asyncio
import time
from datetime import date, datetime, timedelta
from typing import Protocol

import pytz

SHANGHAI = pytz.timezone("Asia/Shanghai")


class Clock(Protocol):
    """What the rest of the house may ask of time. Nobody calls `datetime.now` or `asyncio.sleep` for business waits."""

    def now(self) -> datetime:
        """The present moment, aware, in Asia/Shanghai."""
        ...

    def monotonic(self) -> float:
        """Seconds that never run backwards; only differences mean something."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait that many seconds of this clock."""
        ...


class SystemClock:
    """The machine's clock, moved so that it started at `start_at` when one is given (SMARTVOYAGE_NOW)."""

    def __init__(self, start_at: datetime | None = None) -> None:
        self._shift = start_at - datetime.now(SHANGHAI) if start_at else timedelta()

    def now(self) -> datetime:
        return datetime.now(SHANGHAI) + self._shift

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock that stands still until a test moves it; sleepers wake when it passes their moment."""

    def __init__(self, now: datetime) -> None:
        self._now = now.astimezone(SHANGHAI)
        self._elapsed = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self._asleep = asyncio.Event()

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._elapsed

    @property
    def sleeping(self) -> int:
        """How many tasks wait on this clock."""
        return len(self._sleepers)

    async def sleep(self, seconds: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = (self._elapsed + seconds, woken)
        self._sleepers.append(entry)
        self._asleep.set()
        try:
            await woken
        finally:
            self._sleepers.remove(entry)

    async def somebody_sleeps(self) -> None:
        """Return once a task has begun to wait on this clock since this was last asked."""
        await self._asleep.wait()
        self._asleep.clear()

    def advance(self, seconds: float) -> None:
        """Move on by `seconds` and wake everyone whose time has come."""
        self._elapsed += seconds
        self._now += timedelta(seconds=seconds)
        for due, woken in list(self._sleepers):
            if due <= self._elapsed and not woken.done():
                woken.set_result(None)


def today(clock: Clock) -> date:
    """The business date: Shanghai's calendar day."""
    return clock.now().date()


def seconds_to_midnight(now: datetime) -> float:
    """Seconds from `now` to Shanghai's next midnight."""
    local = now.astimezone(SHANGHAI)
    tomorrow = SHANGHAI.localize(datetime.combine(local.date() + timedelta(days=1), datetime.min.time()))
    return (tomorrow - local).total_seconds()
