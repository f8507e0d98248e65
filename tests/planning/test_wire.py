"""A chain over the real wire: one agent's rows tell another what to look up."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.support.whole import Whole, free_settings, whole

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Whole]:
    async with whole(free_settings(Path(tmp_path_factory.mktemp("planning")))) as started:
        yield started


async def test_the_weather_is_looked_up_where_and_when_the_concert_is(running: Whole) -> None:
    reply = await running.ask("五月天演唱会那天当地的天气", user_id="alice", session_id="s")
    steps = reply["steps"]
    assert [step["intent"] for step in steps] == ["query concert tickets", "query weather"]
    first = steps[0]["data"]["rows"][0]
    looked = steps[1]["data"]["rows"]
    assert all((row["city"], row["date"]) == (first["city"], first["date"]) for row in looked)
