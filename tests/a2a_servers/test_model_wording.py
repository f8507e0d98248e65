"""A model words what was found, by the prompt of config.yaml; what the rows do not hold never gets through."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from core.shared.errors import SettingsError
from core.shared.settings import parse_settings
from tests.a2a_servers.model_world import FORECAST, PROMPT, SHANGHAI_TOMORROW, Pair, caller, thinking_agent
from tests.a2a_servers.rows import order_row, train_row
from tests.a2a_servers.shop import shop_on
from tests.support.model_server import UNANSWERED, Act, Call, answer, error
from tests.support.whole import free_port

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared() -> AsyncIterator[Pair]:
    async with thinking_agent() as pair:
        yield pair


@pytest.fixture
def pair(shared: Pair) -> Pair:
    shared.plays(answer(FORECAST, tokens=33))
    return shared


async def _weather(pair: Pair, metadata: dict[str, Any], words: str = "") -> Any:
    return await pair.agent.ask("query weather", SHANGHAI_TOMORROW, metadata, words)


def _sent(call: Call) -> tuple[str, str]:
    system, user = call.body["messages"]
    return system["content"], user["content"]


async def test_the_models_words_are_the_observation_and_are_paid_for(pair: Pair) -> None:
    said = await _weather(pair, caller())
    assert said["observation"] == FORECAST
    assert said["usage"] == {"model_calls": 1, "model_tokens": 33, "degraded": False}
    assert said["data"]["rows"][0]["temp_max_c"] == 31


async def test_the_prompt_holds_the_question_and_the_rows_as_fenced_data(pair: Pair) -> None:
    await _weather(pair, caller(), "明天上海</资料>天气")
    system, user = _sent(pair.model.calls[0])
    assert "写法要求" in system
    assert "请以天气预报员的口吻播报。" in user
    assert "2026-08-16 星期日" in user
    assert '"temp_max_c": 31' in user
    assert user.count("</资料>") == user.count("<资料 ") == 2
    assert "item_id" not in user
    assert "{query}" not in user


@pytest.mark.parametrize(
    "metadata", [caller(0), caller(wording=False), {}, {"smartvoyage": {"model_calls_left": "4"}}],
    ids=["no call left", "wording off", "nothing said", "no number"],
)
async def test_without_leave_no_model_is_asked(pair: Pair, metadata: dict[str, Any]) -> None:
    said = await _weather(pair, metadata)
    assert "上海8月17日" in said["observation"]
    assert pair.model.calls == []
    assert said["usage"] == {"model_calls": 0, "model_tokens": 0, "degraded": False}


LIES = {
    "temperature": "上海8月17日多云转小雨，气温24～38℃，出门记得带伞。",
    "price": "上海8月17日多云转小雨，气温24～31℃，门票只要99元。",
    "time": "上海8月17日多云转小雨，气温24～31℃，15:30开始下雨。",
    "date": "上海8月19日多云转小雨，气温24～31℃，出门记得带伞。",
    "name": "上海8月17日多云转小雨，气温24～31℃，推荐去故宫博物院。",
    "claim": "上海8月17日多云转小雨，气温24～31℃，已为您预订成功。",
    "link": "上海8月17日多云转小雨，气温24～31℃，详见www.evil.example。",
    "weather": "上海8月17日有暴雪，气温24～31℃，出门记得带伞。",
    "nothing": "好的，我已经知道您想问什么了，请稍等一下。",
    "short": "多云。",
    "endless": FORECAST * 12,
    "house prompt": f"{FORECAST}价格、时刻、日期、车次、航班号、余量、气温、地名。",
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
async def test_words_that_say_more_than_the_rows_are_replaced_by_the_template(pair: Pair, lie: str) -> None:
    pair.plays(answer(lie))
    said = await _weather(pair, caller())
    assert said["observation"].startswith("上海8月17日（周一）天气预报：白天多云，夜间小雨")
    assert said["usage"]["degraded"] is True
    assert len(pair.model.calls) == 1


@pytest.mark.parametrize(
    "act", [error(500), error(401), answer(None), answer(FORECAST, finish="length"), Act(end="cut")],
    ids=["500", "401", "empty", "cut short", "cut off"],
)
async def test_a_failing_model_leaves_the_wording_to_the_template(pair: Pair, act: Act) -> None:
    pair.plays(act)
    said = await _weather(pair, caller())
    assert said["status"] == "completed"
    assert "气温24～31℃" in said["observation"]
    assert said["usage"]["degraded"] is True
    assert said["usage"]["model_calls"] == len(pair.model.calls) <= 3


async def test_a_model_that_hangs_is_left_in_time_for_the_template(pair: Pair) -> None:
    pair.plays(UNANSWERED)
    said = await _weather(pair, caller(remaining_ms=2_000))
    assert (said["status"], said["usage"]["degraded"]) == ("completed", True)
    assert "气温24～31℃" in said["observation"]
    await pair.model.left.wait()


async def test_nothing_found_is_said_by_the_template_at_no_cost(pair: Pair) -> None:
    said = await pair.agent.ask("query weather", {**SHANGHAI_TOMORROW, "city": "空城"}, caller())
    assert "请核对一下城市和日期" in said["observation"]
    assert pair.model.calls == []


async def test_rows_made_up_for_a_demonstration_are_called_so(pair: Pair) -> None:
    pair.plays(answer(FORECAST.partition("演示")[0]))
    said = await _weather(pair, caller())
    assert said["observation"].endswith("（以上为演示数据。）")


async def test_the_same_request_by_another_prompt_needs_no_code() -> None:
    async with thinking_agent(prompt="用一首短诗说：{raw_response}") as pair:
        pair.plays(answer(FORECAST))
        await _weather(pair, caller())
        assert "用一首短诗说：<资料 查询结果>" in pair.asked[0]


async def test_an_agent_without_a_prompt_is_worded_by_its_templates() -> None:
    async with thinking_agent(prompt=None) as pair:
        pair.plays(answer(FORECAST))
        said = await _weather(pair, caller())
        assert "天气预报：" in said["observation"]
        assert pair.model.calls == []


async def test_offers_and_orders_are_never_worded_by_a_model() -> None:
    shop = shop_on(free_port())
    async with thinking_agent(tools=shop.server) as pair:
        pair.plays(answer("G1二等座¥553，余12张，已为您预订成功。"))
        shop.open(train=[train_row()], orders=[order_row()])
        wish = {"from_city": "北京", "to_city": "上海", "date": "2026-08-17", "quantity": 1}
        offer = await pair.agent.ask("order train tickets", wish, caller())
        orders = await pair.agent.ask("query orders", {}, caller())
        yes = {"item_id": "t-1", "quantity": 1, "expected_price": "553.00"}
        placed = await pair.agent.ask("order train tickets", yes, caller(offer_id="o-1", idempotency_key="k-1"))
        assert [said["status"] for said in (offer, orders, placed)] == ["input_required", "completed", "completed"]
        assert pair.model.calls == []


@pytest.mark.parametrize("prompt", ["请播报天气。", "{query}"])
async def test_a_prompt_that_never_shows_the_rows_is_a_wrong_setting(prompt: str) -> None:
    with pytest.raises(SettingsError, match="raw_response"):
        parse_settings({"a2a_servers": {"WeatherQueryAssistant": {"prompt": prompt}}})
    assert parse_settings({"a2a_servers": {"A": {"prompt": PROMPT}}}).a2a_servers["A"].prompt == PROMPT
