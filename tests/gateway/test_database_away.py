"""A database that is away when the gateway starts, or goes later: said clearly, and over by itself."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Connection

from core.adapters.stores.database import LOOK_EVERY_S, open_database
from core.bootstrap import build_backend, sql_stores
from core.gateway.app import create_app
from core.service import Backend
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import parse_settings
from tests.support.network import InMemoryNetwork, answering


@dataclass
class House:
    file: Path
    clock: ManualClock
    client: httpx.AsyncClient

    async def looked_again(self) -> None:
        """Once the database has been looked at again."""
        self.clock.advance(LOOK_EVERY_S)
        await self.clock.somebody_sleeps()

    async def until(self, readiness: tuple[int, str]) -> None:
        """Let the database be looked at until the gateway says so."""
        self.clock.advance(LOOK_EVERY_S)
        while await self.readiness() != readiness:
            await self.clock.somebody_sleeps()

    async def ask(self) -> httpx.Response:
        return await self.client.post("/api/chat", json={"query": "明天上海天气"})

    async def readiness(self) -> tuple[int, str]:
        answer = await self.client.get("/health/ready")
        assert (await self.client.get("/health/live")).status_code == 200
        return answer.status_code, answer.json()["components"]["database"]["status"]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A gateway whose database file is none."""
    clock, network = ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12))), InMemoryNetwork()
    network.add("WeatherQueryAssistant", ["query weather"], answering("上海，晴。"))
    file = tmp_path / "core.db"
    file.write_text("this is no database\n" * 100, "utf-8")

    @contextlib.asynccontextmanager
    async def open_backend() -> AsyncIterator[Backend]:
        async with open_database(f"sqlite:///{file}", clock) as database:
            stores = sql_stores(database, clock)
            yield replace(build_backend(network, stores, parse_settings({}), clock), database=database)

    app = create_app(open_backend)
    asking = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8888")
    async with app.router.lifespan_context(app), asking as client:
        await clock.somebody_sleeps()
        yield House(file, clock, client)


async def test_the_gateway_starts_without_its_database_and_says_so(house: House) -> None:
    assert await house.readiness() == (503, "down")
    refused = await house.ask()
    assert (refused.status_code, refused.json()["code"]) == (503, "upstream_unavailable")
    assert refused.headers["retry-after"] == "5"
    assert "数据库暂时不可用" in refused.json()["detail"]
    stream = await house.client.post("/api/chat/stream", json={"query": "明天上海天气"})
    assert stream.status_code == 503


async def test_a_database_that_comes_gets_its_tables_and_all_is_well(house: House) -> None:
    house.file.unlink()
    await house.looked_again()
    assert await house.readiness() == (200, "ok")
    assert (await house.ask()).status_code == 200


def drop_everything(connection: Connection) -> None:
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    for (name,) in connection.exec_driver_sql(tables).all():
        connection.exec_driver_sql(f"DROP TABLE {name}")


async def test_a_database_that_loses_its_tables_is_noticed_and_set_up_again(house: House) -> None:
    house.file.unlink()
    await house.looked_again()
    async with open_database(f"sqlite:///{house.file}") as other:
        await other.run(drop_everything)
    lost = await house.ask()
    assert (lost.status_code, lost.headers["retry-after"]) == (503, "5")
    await house.until((503, "down"))
    await house.until((200, "ok"))
    assert (await house.ask()).status_code == 200
