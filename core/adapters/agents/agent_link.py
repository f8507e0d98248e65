"""One configured agent: its card, kept fresh, and calls to it. Nothing is ever sent twice."""

import asyncio
import logging

import httpx
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.client.client import ClientCallContext
from a2a.client.errors import A2AClientError, A2AClientTimeoutError
from a2a.types.a2a_pb2 import AgentCard, SendMessageRequest
from a2a.utils.errors import A2AError

from core.adapters.agents.a2a_wire import (
    UnreadableAnswer,
    request_message,
    response_of_message,
    response_of_task,
    skills_of,
    tools_are_away,
)
from core.adapters.agents.own_health import says_degraded
from core.ports.agents import Unreachable
from core.shared.call_context import CallContext
from core.shared.clock import Clock
from core.shared.settings import AgentEntry
from core.shared.waiting import within
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.network import AgentView, Skill

log = logging.getLogger(__name__)

CARD_TIMEOUT_S = 5.0


class AgentLink:
    """Knows one agent. Its card survives its absence: an offered skill is then 暂不可用, not unknown."""

    def __init__(self, entry: AgentEntry, http: httpx.AsyncClient, clock: Clock) -> None:
        self.entry = entry
        self._http = http
        self._clock = clock
        self._card: AgentCard | None = None
        self._client: Client | None = None
        self._skills: tuple[Skill, ...] = ()
        self._healthy = False
        self._degraded = False

    @property
    def view(self) -> AgentView:
        card = self._card
        if card is None:
            return AgentView(name=self.entry.name, url=self.entry.a2a_url)
        return AgentView(
            name=self.entry.name, url=self.entry.a2a_url, description=card.description, version=card.version,
            healthy=self._healthy, skills=self._skills, degraded=self._degraded,
        )

    async def refresh(self) -> None:
        """Read the card again. An agent that does not answer is marked unhealthy; its last card stays."""
        resolver = A2ACardResolver(self._http, self.entry.a2a_url)
        asking = asyncio.create_task(says_degraded(self._http, self.entry.a2a_url, self._clock))
        try:
            card = await within(self._clock, CARD_TIMEOUT_S, resolver.get_agent_card())
            self._take(card)
            self._degraded = await asking
        except (A2AError, httpx.HTTPError, TimeoutError, ValueError) as error:
            self._note_health(False, type(error).__name__)
            return
        finally:
            asking.cancel()
        self._note_health(True, "card read")

    def _take(self, card: AgentCard) -> None:
        """An agent whose tools are away may send a card without skills: those it had before are still its own."""
        same = self._card is not None and self._card.name == card.name
        if card != self._card:
            self._client = ClientFactory(ClientConfig(httpx_client=self._http, streaming=False)).create(card)
            self._card = card
        keeps = same and tools_are_away(card)
        self._skills = skills_of(card) or (self._skills if keeps else ())

    async def call(self, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        """Send one request and wait for its answer, at most `context.remaining_ms`."""
        if self._client is None:
            return self._unreachable("还没有连上", sent=False)
        message = request_message(request, context)
        seconds = context.remaining_ms / 1000
        try:
            return await within(self._clock, seconds, self._send(self._client, message, seconds))
        except (TimeoutError, A2AClientTimeoutError):
            return self._unreachable("没有在限定时间内答复")
        except UnreadableAnswer as error:
            log.warning("unreadable answer", extra={"agent": self.entry.name, "why": str(error)})
            return self._unreachable("返回了无法识别的内容")
        except A2AClientError as error:
            self._note_health(False, str(error))
            return self._unreachable("连接中断", sent=not isinstance(error.__cause__, httpx.ConnectError))
        except A2AError as error:
            log.warning("agent refused", extra={"agent": self.entry.name, "why": type(error).__name__})
            return self._unreachable("拒绝了这个请求")

    async def _send(self, client: Client, message: SendMessageRequest, seconds: float) -> AgentResponse:
        answer: AgentResponse | None = None
        async for event in client.send_message(message, context=ClientCallContext(timeout=seconds + 1)):
            if event.HasField("task"):
                answer = response_of_task(event.task)
            elif event.HasField("message"):
                answer = response_of_message(event.message)
        if answer is None:
            raise UnreadableAnswer("no task and no message came back")
        return answer

    def _unreachable(self, reason: str, *, sent: bool = True) -> Unreachable:
        return Unreachable(agent=self.entry.name, reason=reason, sent=sent)

    def _note_health(self, healthy: bool, why: str) -> None:
        if healthy != self._healthy:
            log.info("agent is %s", "up" if healthy else "down", extra={"agent": self.entry.name, "why": why})
        self._healthy = healthy


async def refresh_all(links: list[AgentLink]) -> None:
    """Read all cards at once; no failure of one delays or ends another."""
    await asyncio.gather(*(link.refresh() for link in links))
