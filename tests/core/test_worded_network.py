"""What a foreign agent brings is told by the prompt that config.yaml has for it, under the house's own check."""

import contextlib
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

import pytest

from core.adapters.agents.worded_network import worded
from core.adapters.llm.opening import open_model
from core.ports.agents import AgentNetwork, Unreachable
from core.shared.call_context import CallContext, new_traceparent
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import parse_settings
from core.types.agent_protocol import Action, AgentRequest, AgentResponse, Usage
from tests.support.model_server import Act, ModelServer, answer, error, model_server
from tests.support.network import InMemoryNetwork

ASK = AgentRequest(action_code=[Action(tool_name="query hotels", parameter={"city": "上海"}, job_desc="上海的酒店")])
HOTEL = {"item_id": "h-1", "title": "江畔云舍酒店", "price": "688.00", "remaining": 6, "city": "上海", "stars": 4}
OWN_WORDS = "1. 江畔云舍酒店，每晚¥688，余6间"
GOOD = "上海有一家江畔云舍酒店，四星级，每晚688元，还剩6间。"
LIE = "上海有一家江畔云舍酒店，四星级，每晚只要88元，还剩6间。"


def _response(**changes: Any) -> AgentResponse:
    whole = {"status": "completed", "observation": OWN_WORDS, "data": {"kind": "hotel", "rows": [HOTEL]}, **changes}
    return AgentResponse.model_validate(whole)


@contextlib.asynccontextmanager
async def _hotels(
    response: AgentResponse | Unreachable, act: Act, *, mcp_url: str | None = None
) -> AsyncIterator[tuple[AgentNetwork, ModelServer]]:
    async def agent(request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        return response

    network, clock = InMemoryNetwork(), ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12)))
    network.add("HotelAssistant", ["query hotels"], agent)
    async with model_server(clock) as server:
        server.plays(act)
        settings = parse_settings({
            "agents": [{"name": "HotelAssistant", "a2a_url": "http://127.0.0.1:7001", "mcp_url": mcp_url}],
            "a2a_servers": {"HotelAssistant": {"prompt": "说：{raw_response}"}},
            "llm": {"model": "m", "base_url": server.url, "api_key": "k", "max_retries": 0},
        })
        async with open_model(settings, clock) as model:
            yield worded(network, settings, clock, model), server


def _context(calls: int = 4, *, wording: bool = True) -> CallContext:
    return CallContext("u1", "s1", 20_000, new_traceparent(), model_calls_left=calls, wording=wording)


async def _told(network: AgentNetwork, context: CallContext | None = None) -> AgentResponse:
    response = await network.call("HotelAssistant", ASK, context or _context())
    assert isinstance(response, AgentResponse)
    return response


async def test_a_foreign_agents_rows_are_told_by_its_prompt() -> None:
    async with _hotels(_response(usage={"model_calls": 1, "model_tokens": 5}), answer(GOOD, tokens=20)) as (net, model):
        told = await _told(net)
        assert told.observation == GOOD
        assert told.usage == Usage(model_calls=2, model_tokens=25)
        assert "说：<资料 查询结果>" in model.calls[0].body["messages"][1]["content"]


@pytest.mark.parametrize("act", [answer(LIE), error(500)])
async def test_what_the_rows_do_not_hold_leaves_the_agents_own_words(act: Act) -> None:
    async with _hotels(_response(), act) as (network, _):
        told = await _told(network)
        assert (told.observation, told.usage.degraded) == (OWN_WORDS, True)


@pytest.mark.parametrize(
    "response",
    [
        _response(status="input_required"), _response(status="failed"), _response(data=None),
        _response(data={"kind": "hotel", "rows": []}), _response(data={"kind": "order", "rows": [HOTEL]}),
        _response(usage={"model_calls": 4}),
    ],
    ids=["a question", "a failure", "words alone", "nothing", "an order", "all calls spent"],
)
async def test_all_else_stands_as_the_agent_said_it(response: AgentResponse) -> None:
    async with _hotels(response, answer(GOOD)) as (network, model):
        assert (await _told(network)).observation == OWN_WORDS
        assert model.calls == []


@pytest.mark.parametrize("context", [_context(0), _context(wording=False)])
async def test_without_leave_no_model_is_asked(context: CallContext) -> None:
    async with _hotels(_response(), answer(GOOD)) as (network, model):
        assert (await _told(network, context)).observation == OWN_WORDS
        assert model.calls == []


async def test_an_agent_of_the_house_is_not_told_twice() -> None:
    async with _hotels(_response(), answer(GOOD), mcp_url="http://127.0.0.1:5001/mcp") as (network, model):
        assert (await _told(network)).observation == OWN_WORDS
        assert model.calls == []


async def test_an_agent_that_is_away_stays_away() -> None:
    away = Unreachable(agent="HotelAssistant", reason="连接中断")
    async with _hotels(away, answer(GOOD)) as (network, _):
        assert await network.call("HotelAssistant", ASK, _context()) == away
