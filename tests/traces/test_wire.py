"""Over the real wire: a run shows which paths of tools were compared, and which tasks were not blindly trusted."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.support.whole import Whole, free_settings, whole

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Whole]:
    async with whole(free_settings(Path(tmp_path_factory.mktemp("traces")))) as started:
        yield started


async def test_the_run_of_an_answer_shows_the_paths_that_were_compared(running: Whole) -> None:
    reply = await running.ask("五月天演唱会那天当地的天气", user_id="alice", session_id="t")
    response = await running.client.get(f"/api/traces/{reply['trace_id']}", params={"user_id": "alice"})
    run = response.json()
    assert run["ending"] is None
    taken = run["rounds"][0]["considered"][1]["paths"][0]
    assert taken["tools"] == ["TicketAssistant/query_concert_tickets", "WeatherQueryAssistant/query_weather"]
    assert [action["trust_mode"] for action in run["rounds"][0]["action_code"]] == [0, 1]
