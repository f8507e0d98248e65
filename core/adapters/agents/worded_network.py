"""Results of foreign agents, told by the prompt that config.yaml has for them. Agents of the house tell their own."""

from collections.abc import Mapping

from core.adapters.llm.allowance import Allowance
from core.adapters.llm.wording import Result, ResultWording
from core.ports.agents import AgentNetwork, Unreachable
from core.ports.language_model import LanguageModel
from core.shared.call_context import CallContext
from core.shared.clock import Clock
from core.shared.prompts import SmartVoyagePrompts
from core.shared.settings import Settings
from core.types.agent_protocol import AgentRequest, AgentResponse, Usage
from core.types.network import AgentView

_ORDER = "order"


class WordedNetwork:
    """Implements the port AgentNetwork around another one."""

    def __init__(
        self, inner: AgentNetwork, wordings: Mapping[str, ResultWording], model: LanguageModel, clock: Clock
    ) -> None:
        self._inner = inner
        self._wordings = wordings
        self._model = model
        self._clock = clock

    def agents(self) -> tuple[AgentView, ...]:
        return self._inner.agents()

    async def call(self, agent: str, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        ends_at = self._clock.monotonic() + context.remaining_ms / 1000
        response = await self._inner.call(agent, request, context)
        wording = self._wordings.get(agent)
        if wording is None or not context.wording or not isinstance(response, AgentResponse):
            return response
        left = context.model_calls_left - max(0, response.usage.model_calls)
        allowance = Allowance(self._clock, calls=left, seconds=ends_at - self._clock.monotonic())
        return await self._told(response, request, wording, allowance)

    async def _told(
        self, response: AgentResponse, request: AgentRequest, wording: ResultWording, allowance: Allowance
    ) -> AgentResponse:
        """Orders and offers are money: what an agent says of those stands."""
        data = response.data
        if response.status != "completed" or response.quotes or data is None or data.kind == _ORDER:
            return response
        action = request.action_code[0]
        result = Result(action.job_desc, data, action.parameter, response.observation)
        text = await wording.words(self._model, result, self._clock.now().date(), allowance)
        usage = _together(response.usage, allowance.usage())
        return response.model_copy(update={"observation": text or response.observation, "usage": usage})


def worded(network: AgentNetwork, settings: Settings, clock: Clock, model: LanguageModel | None) -> AgentNetwork:
    """The network as it is, unless some foreign agent has a prompt and there is a model to follow it."""
    frame = SmartVoyagePrompts("core.prompts").get("agent_wording")
    foreign = {entry.name for entry in settings.agents if entry.mcp_url is None}
    wordings = {
        name: ResultWording(frame, about.prompt)
        for name, about in settings.a2a_servers.items()
        if about.prompt and name in foreign
    }
    return WordedNetwork(network, wordings, model, clock) if wordings and model is not None else network


def _together(one: Usage, other: Usage) -> Usage:
    return Usage(
        model_calls=one.model_calls + other.model_calls, model_tokens=one.model_tokens + other.model_tokens,
        degraded=one.degraded or other.degraded,
    )
