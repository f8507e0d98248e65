"""With a model, a single result comes in its agent's voice as config.yaml has it: one call, no code."""

from pathlib import Path

import pytest

from core.shared.clock import SystemClock
from core.shared.settings import load_settings, parse_settings
from tests.support.model_server import answer, error, model_server
from tests.support.whole import NOW, free_settings, whole

pytestmark = pytest.mark.wire

SHIPPED = load_settings(Path(__file__).parents[2] / "config.yaml", {}).a2a_servers
VOICES = {"上海明天天气": "天气预报员", "明天北京到上海的高铁": "售票", "明天三亚租车三天": "旅行社"}


async def test_a_clear_question_costs_one_call_and_is_told_in_the_agents_voice(tmp_path: Path) -> None:
    async with model_server(SystemClock(NOW)) as model:
        llm = {"model": "m", "base_url": model.url, "api_key": "k", "max_retries": 0}
        own = {"llm": parse_settings({"llm": llm}).llm, "a2a_servers": SHIPPED}
        async with whole(free_settings(tmp_path).model_copy(update=own)) as started:
            await started.until("ok")
            for place, (question, voice) in enumerate(VOICES.items()):
                model.plays(error(400))
                model.calls.clear()
                body = await started.ask(question, session_id=f"first-{place}")
                assert [voice in str(call.body["messages"][1]["content"]) for call in model.calls] == [True], question
                assert body["degraded"] is True
                template = body["reply"]
                model.plays(answer(template.replace("\n", "。").replace("·", "")[:300]))
                model.calls.clear()
                again = await started.ask(question, session_id=f"again-{place}")
                assert len(model.calls) == 1
                assert again["degraded"] is False, (question, again["reply"])
