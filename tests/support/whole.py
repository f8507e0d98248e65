"""The whole of SmartVoyage on free loopback ports in a temporary folder, over the real wire."""

import asyncio
import contextlib
import os
import random
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx

import main
from core.shared.clock import SHANGHAI, Clock, SystemClock
from core.shared.serving import Service, running
from core.shared.settings import Settings, parse_settings

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
AGENTS = ("WeatherQueryAssistant", "TicketAssistant", "TripAssistant")


_given: set[int] = set()
"""Ports handed out: two parts of one installation must not be given the same before either listens."""


def free_port() -> int:
    """A port of 127.0.0.1 that nobody holds, below the range from which outgoing connections take theirs."""
    while True:
        port = random.randrange(15_000, 30_000)
        if port in _given:
            continue
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            _given.add(port)
            return port


def free_settings(
    data: Path, *, database_url: str = "", extra_agents: tuple[dict[str, Any], ...] = (), cache: bool = False
) -> Settings:
    """Settings like config.yaml's, on free ports, with a data folder of their own and a clock that starts at NOW.

    Without `cache` every answer is made anew, whatever was asked before.
    """
    agents = [
        {
            "name": name,
            "a2a_url": f"http://127.0.0.1:{free_port()}",
            "mcp_url": f"http://127.0.0.1:{free_port()}/mcp",
        }
        for name in AGENTS
    ]
    return parse_settings(
        {
            "agents": [*agents, *extra_agents],
            "gateway": {"port": free_port()},
            "database": {"url": database_url or _usual_database(data)},
            "limits": {"card_refresh_ms": 200},
            "cache": {"enabled": cache},
            "data": data,
            "now": NOW,
        }
    )


def _usual_database(data: Path) -> str:
    """Empty for the file in the data folder; the run's MariaDB where the tests are to run over one."""
    if os.environ.get("SMARTVOYAGE_TEST_DATABASE") != "mariadb":
        return ""
    from core.adapters.stores.migration import migrate
    from tests.mcp_tools.demo_file import copy_to, url_of

    url = url_of(copy_to(data))
    migrate(url)  # the business tables are there; the core's own are not
    return url


@dataclass(frozen=True)
class Whole:
    """A running installation and a client of its gateway."""

    settings: Settings
    client: httpx.AsyncClient

    async def ask(self, query: str, **more: Any) -> dict[str, Any]:
        response = await self.client.post("/api/chat", json={"query": query, **more})
        body: dict[str, Any] = response.json()
        assert response.status_code == 200, body
        return body

    async def until(self, status: str) -> None:
        """Wait until /health says so; the cards are read again every 200 ms."""
        async with asyncio.timeout(30):
            while (await self.client.get("/health")).json()["status"] != status:  # noqa: ASYNC110
                await asyncio.sleep(0.05)


def services_of(settings: Settings, clock: Clock | None = None) -> dict[str, Service]:
    """Every service by name, on one clock."""
    return main.all_services(settings, clock or SystemClock(settings.now))


@contextlib.asynccontextmanager
async def whole(settings: Settings, *, without: tuple[str, ...] = ()) -> AsyncIterator[Whole]:
    """Everything in one process, as `python main.py serve` has it."""
    services = [one for name, one in services_of(settings).items() if name not in without and one.in_all]
    async with running(services), httpx.AsyncClient(base_url=f"http://127.0.0.1:{settings.gateway.port}") as client:
        yield Whole(settings, client)
