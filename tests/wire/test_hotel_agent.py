"""A third party's agent joins by one entry of config.yaml: no code of ours knows it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.whole import free_port, free_settings, whole

pytestmark = pytest.mark.wire

AGENT = Path(__file__).parents[2] / "examples" / "hotel_agent" / "hotel_agent.py"


@pytest.fixture
def hotel_port() -> Iterator[int]:
    port = free_port()
    process = subprocess.Popen([sys.executable, str(AGENT), "--port", str(port)])
    try:
        yield port
    finally:
        process.terminate()
        process.wait(10)


async def test_hotels_are_understood_from_the_cards_tags_and_examples(hotel_port: int, tmp_path: Path) -> None:
    entry = {"name": "HotelAssistant", "a2a_url": f"http://127.0.0.1:{hotel_port}"}
    async with whole(free_settings(tmp_path, extra_agents=(entry,))) as started:
        await started.until("ok")
        body = await started.ask("上海的酒店")
        assert (body["status"], body["intents"]) == ("answered", ["query hotels"])
        assert body["steps"][0]["agent"] == "HotelAssistant"
        assert body["steps"][0]["data"]["rows"]
        both = await started.ask("明天上海天气，再看看上海的酒店")
        assert set(both["intents"]) == {"query weather", "query hotels"}
        assert both["status"] == "answered"


async def test_without_the_entry_hotels_are_not_offered(tmp_path: Path) -> None:
    async with whole(free_settings(tmp_path)) as started:
        body = await started.ask("上海的酒店")
        assert body["status"] in ("out_of_scope", "not_understood")
        assert body["steps"] == []
