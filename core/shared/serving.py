"""Run several ASGI services in one process, each on its own port, and end them together."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

import uvicorn
from starlette.types import ASGIApp

# 75 s: with uvicorn's default of 5 s, pooled clients ran into connections that were just being closed.
KEEP_ALIVE_S = 75
START_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Service:
    """A service that can be started: heavy imports belong inside `make_app`, so that listing services stays cheap."""

    name: str
    host: str
    port: int
    make_app: Callable[[], ASGIApp]
    setting: str = "config.yaml"
    """What to change when the port is taken."""
    in_all: bool = True
    """Whether it runs where everything runs in one process; else only where it is asked for by name."""

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"


class PortInUse(Exception):
    """A port that somebody else holds; the message names the service and the setting to change."""


class _QuietServer(uvicorn.Server):
    """uvicorn without its signal handlers: one process has many servers and one owner of signals."""

    @contextlib.contextmanager
    def capture_signals(self):  # type: ignore[no-untyped-def]
        yield


@contextlib.asynccontextmanager
async def running(
    services: Sequence[Service], on_ready: Callable[[Service], None] = lambda service: None
) -> AsyncIterator[None]:
    """Start the services one after another, each ready before the next begins; stop them in reverse order."""
    async with contextlib.AsyncExitStack() as stack:
        for service in services:
            await stack.enter_async_context(_one_running(service))
            on_ready(service)
        yield


@contextlib.asynccontextmanager
async def _one_running(service: Service) -> AsyncIterator[None]:
    app = service.make_app()
    listener = _listen(service)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=20, lifespan="on", ws="none", server_header=False,
    )
    server = _QuietServer(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]), name=f"serve {service.name}")
    try:
        await _until_started(server, serving, service)
        yield
    finally:
        server.should_exit = True
        await serving
        listener.close()


async def _until_started(server: uvicorn.Server, serving: asyncio.Task[None], service: Service) -> None:
    async with asyncio.timeout(START_TIMEOUT_S):
        while not server.started:
            if serving.done():
                serving.result()
                raise RuntimeError(f"{service.name} ended while it was starting; its log says why")
            await asyncio.sleep(0.01)


def _listen(service: Service) -> socket.socket:
    family = socket.AF_INET6 if ":" in service.host else socket.AF_INET
    # The protocol must be named: else asyncio leaves TCP_NODELAY off, and a kept-alive call waits 40 ms for an ACK.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((service.host, service.port))
    except OSError as error:
        listener.close()
        raise PortInUse(
            f"{service.name} cannot listen on {service.host}:{service.port} ({error.strerror}); "
            f"free the port or change {service.setting}"
        ) from error
    listener.listen(2048)
    listener.setblocking(False)
    return listener


async def until_signalled() -> None:
    """Return when the process is asked to end (SIGINT or SIGTERM)."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, asked.set)
    await asked.wait()
