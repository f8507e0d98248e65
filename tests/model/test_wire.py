"""The model's rooms in a whole installation: real agents, real wire, a scripted address."""

from pathlib import Path

import pytest

from core.shared.clock import SystemClock
from core.shared.settings import LlmSettings
from tests.model.world import KEY
from tests.support.model_server import error, model_server
from tests.support.whole import free_settings, whole

pytestmark = pytest.mark.wire


async def test_a_model_that_is_down_costs_nothing_but_its_words(tmp_path: Path) -> None:
    async with model_server(SystemClock()) as server:
        server.plays(error(401, f"Incorrect API key provided: {KEY}"))
        llm = LlmSettings.model_validate({"model": "test-model", "base_url": server.url, "api_key": KEY})
        settings = free_settings(tmp_path).model_copy(update={"llm": llm})
        async with whole(settings) as running:
            await running.until("ok")
            body = await running.ask("明天北京到上海的高铁，还有上海天气")
            assert (body["status"], body["degraded"]) == ("answered", True)
            assert body["model_calls"] == len(server.calls) > 0
            assert "北京" in body["reply"]
            assert KEY not in repr(body)
            health = (await running.client.get("/health")).json()
            assert "language_model" in health["components"]
            assert KEY not in repr(health)
