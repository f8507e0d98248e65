"""A way to a server that a test can hold (it accepts and says nothing) or cut (nobody is there), and open again."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from tests.support.whole import free_port


class Relay:
    """Passes bytes on between whoever connects to `port` and the server behind."""

    def __init__(self, behind: int) -> None:
        self.port = free_port()
        self._behind = behind
        self._open = asyncio.Event()
        self._open.set()
        self._server: asyncio.Server | None = None
        self._passing: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)

    async def cut(self) -> None:
        """Nobody listens any more, and whoever was connected is not."""
        if self._server is not None:
            self._server.close()
        for task in list(self._passing):
            task.cancel()
        if self._passing:
            await asyncio.wait(set(self._passing))
        self._server = None

    def hold(self) -> None:
        self._open.clear()

    def release(self) -> None:
        self._open.set()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._pass(reader, writer))
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer), contextlib.suppress(OSError):  # a store that is gone ends the connection
            await self._open.wait()
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._behind)
            with contextlib.closing(far_writer):
                ways = (self._one_way(reader, far_writer), self._one_way(far_reader, writer))
                _, rest = await asyncio.wait(map(asyncio.ensure_future, ways), return_when=asyncio.FIRST_COMPLETED)
                for task in rest:
                    task.cancel()

    async def _one_way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(65_536):
                await self._open.wait()
                writer.write(piece)
                await writer.drain()


@contextlib.asynccontextmanager
async def relay(behind: int) -> AsyncIterator[Relay]:
    made = Relay(behind)
    await made.start()
    try:
        yield made
    finally:
        await made.cut()
