"""The collector as a process: it fills the table by itself, and /health tells how old the rows are."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client

import main
from core.shared.clock import ManualClock
from core.shared.serving import Service, running
from core.shared.settings import Settings, parse_settings
from mcp_server.weather_collector import provider_of as provider_named
from mcp_tools.weather.open_meteo import OpenMeteo
from tests.mcp_server.servers import config_on_free_ports, said, services_by_name, settings_on_free_ports
from tests.mcp_tools.demo_file import NOW, TOMORROW, copy_to, engine_of, url_of
from tests.mcp_tools.weather_world import Provider, open_meteo_usual, provider_of, rows_of
from tests.support.log_lines import log_lines
from tests.support.whole import free_port

pytestmark = pytest.mark.wire


@dataclass
class _World:
    provider: Provider
    settings: Settings
    clock: ManualClock
    services: dict[str, Service]

    async def health(self, name: str) -> dict[str, Any]:
        async with httpx.AsyncClient(trust_env=False) as http:
            body: dict[str, Any] = (await http.get(f"{self.services[name].url}/health")).json()
        return body

    async def until_collected(self, days: int) -> None:
        """All of that many forecasts are in the table."""
        engine = engine_of(self.settings.data / "own.db")
        async with asyncio.timeout(30):
            while sum(row["origin"] == "collected" for row in rows_of(engine, "澳门")) < days:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        engine.dispose()


@contextlib.asynccontextmanager
async def _world(tmp_path: Path, **collector: Any) -> AsyncIterator[_World]:
    async with provider_of(open_meteo_usual) as provider:
        more = {"base_url": provider.address, "port": free_port(), **collector}
        settings = settings_on_free_ports(url_of(copy_to(tmp_path)), tmp_path, collector=more)
        clock = ManualClock(NOW)
        yield _World(provider, settings, clock, services_by_name(settings, clock))


async def test_the_first_round_begins_at_once_and_says_how_far_it_is(tmp_path: Path) -> None:
    async with _world(tmp_path) as world:
        with log_lines() as lines:
            async with running([world.services["weather-collector"]]):
                await world.until_collected(15)
    told = [line["message"] for line in lines if line["message"].startswith("weather: ")]
    assert "the first fill of 479 cities begins" in told[0]
    assert "weather: 100 of 479 cities, 1500 days written" in told


async def test_health_tells_the_age_of_what_was_collected(tmp_path: Path) -> None:
    async with _world(tmp_path) as world:
        collector, weather = world.services["weather-collector"], world.services["mcp-weather"]
        async with running([weather]):
            before = await world.health("mcp-weather")
            async with running([collector]):
                await world.until_collected(15)
            world.clock.advance(95 * 60)
            after = await world.health("mcp-weather")
            async with Client(f"{weather.url}/mcp") as client:
                result = await client.call_tool("query_weather", {"city": "澳门", "date": TOMORROW.isoformat()})
    assert before == {"status": "ok", "forecast": {"origin": "demo", "collected_at": None, "age_minutes": None}}
    assert after["forecast"] == {
        "origin": "collected", "collected_at": "2026-08-16T12:00:00+08:00", "age_minutes": 95,
    }
    assert (result.structured_content or {})["origin"] == "collected", said(result)


async def test_a_provider_that_is_away_leaves_the_service_well_and_the_rows_as_they_are(tmp_path: Path) -> None:
    async with _world(tmp_path, base_url=f"http://127.0.0.1:{free_port()}") as world:
        collector = world.services["weather-collector"]
        async with running([collector]):
            await world.clock.somebody_sleeps()  # it waits before it asks again
            assert (await world.health("weather-collector"))["status"] == "ok"
    engine = engine_of(tmp_path / "own.db")
    assert {row["origin"] for row in rows_of(engine, "北京")} == {"demo"}
    engine.dispose()


async def test_without_the_demo_fallback_there_is_no_demo_weather(tmp_path: Path) -> None:
    async with _world(tmp_path, demo_fallback=False) as world:
        world.provider.answers = [(500, {})] * 5
        async with running([world.services["weather-collector"]]):
            await world.clock.somebody_sleeps()
    engine = engine_of(tmp_path / "own.db")
    assert rows_of(engine, "北京") == []
    engine.dispose()


def test_the_usual_provider_needs_no_setting() -> None:
    assert provider_named(parse_settings({}).collector) == OpenMeteo("https://api.open-meteo.com")


def test_qweather_without_its_key_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_on_free_ports(tmp_path)
    monkeypatch.setenv("COLLECTOR_PROVIDER", "qweather")
    for key in ("", "k"):
        monkeypatch.setenv("COLLECTOR_API_KEY", key)
        assert main.main(["--config", str(config), "serve", "weather-collector"]) == 2
        wrong = capsys.readouterr().err
        assert wrong.startswith("smartvoyage: collector: for the provider qweather")
        assert wrong.count("\n") == 1


def test_a_key_does_not_belong_in_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("collector: {api_key: abc}\n", "utf-8")
    assert main.main(["--config", str(config), "serve", "weather-collector"]) == 2
    assert "set COLLECTOR_API_KEY instead" in capsys.readouterr().err
