"""An agent with tools and a scripted language model, and the caller's metadata that lets it be asked."""

import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from a2a_servers.spec import AgentSpec
from core.adapters.stores.agent_memory_opening import SpareMemory
from core.shared.clock import SystemClock
from tests.a2a_servers.tool_server import ToolServer
from tests.a2a_servers.world import NOON, SPEC, TRACEPARENT, World, agent_with_tools
from tests.support.model_server import Act, ModelServer, answer, model_server

PROMPT = "请以天气预报员的口吻播报。\n问题：{query}\n结果：{raw_response}"
FORECAST = "上海8月17日白天多云，夜间小雨，气温24～31℃，相对湿度约78%，东南风3级，降水量6.5毫米。演示数据，仅供参考。"
SHANGHAI_TOMORROW = {"city": "上海", "date": "2026-08-17"}


@dataclass(frozen=True)
class Pair:
    """The agent and its model."""

    agent: World
    model: ModelServer

    def plays(self, *acts: Act) -> None:
        """As if nobody had asked anything yet."""
        self.model.plays(*acts)
        self.model.calls.clear()
        self.model.called.clear()
        self.model.left.clear()
        self.agent.tools.forget()

    @property
    def asked(self) -> list[str]:
        """What the model was told last by the user's side, call by call."""
        return [str(call.body["messages"][-1]["content"]) for call in self.model.calls]


def caller(calls: int = 4, **more: Any) -> dict[str, Any]:
    """The metadata of a caller that grants so many model calls."""
    return {"smartvoyage": {"remaining_ms": 20_000, "model_calls_left": calls, **more}, "traceparent": TRACEPARENT}


def filled(*calls: tuple[str, dict[str, Any]]) -> Act:
    """A good answer to the parameters prompt."""
    written = [{"tool": tool, "parameters": parameters} for tool, parameters in calls]
    return answer(json.dumps({"calls": written}, ensure_ascii=False))


@contextlib.asynccontextmanager
async def thinking_agent(
    spec: AgentSpec = SPEC, prompt: str | None = PROMPT, tools: ToolServer | None = None,
    memory: SpareMemory | None = None,
) -> AsyncIterator[Pair]:  # fmt: skip
    async with model_server(SystemClock(NOON)) as model:
        llm = {"model": "test-model", "base_url": model.url, "api_key": "sk-secret", "max_retries": 0}
        wording = {spec.name: {"prompt": prompt}}
        async with agent_with_tools(spec, tools, memory, llm=llm, a2a_servers=wording) as agent:
            yield Pair(agent, model)
