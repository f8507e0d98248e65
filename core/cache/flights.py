"""Equal questions that are asked at once share one run; it ends when the last who waits for it has left."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Flights(Generic[T]):
    """Runs under way in this process, by the name of what they answer."""

    def __init__(self) -> None:
        self._under_way: dict[str, _Flight[T]] = {}

    def is_under_way(self, name: str) -> bool:
        return name in self._under_way

    async def begin(self, name: str, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` for everybody who joins until it ends. There must be none of that name under way."""
        flight = _Flight(asyncio.create_task(work, name=f"flight {name[:12]}"))
        self._under_way[name] = flight
        flight.task.add_done_callback(lambda _: self._land(name, flight))
        return await self._wait(name, flight)

    async def join(self, name: str) -> T:
        """What the run under way brings; what it raises is raised for everybody."""
        return await self._wait(name, self._under_way[name])

    async def _wait(self, name: str, flight: "_Flight[T]") -> T:
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                self._land(name, flight)  # who comes from now on starts anew
                flight.task.cancel()
                await asyncio.wait({flight.task})

    def _land(self, name: str, flight: "_Flight[T]") -> None:
        if self._under_way.get(name) is flight:
            del self._under_way[name]


class _Flight(Generic[T]):
    def __init__(self, task: asyncio.Task[T]) -> None:
        self.task = task
        self.waiting = 0
