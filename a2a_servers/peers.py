"""Asking another agent, in the same form in which the master asks: by the settings' addresses, never round in a ring.

The master is no agent of the settings: only a person speaks to it.
"""

import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import httpx

from a2a_servers.caller import CallerGone, while_waited_for
from a2a_servers.outcome import NO_TIME, Errand
from core.adapters.agents.agent_link import AgentLink, refresh_all
from core.ports.agents import Unreachable
from core.shared.call_context import MOST_HOPS, CallContext
from core.shared.clock import Clock
from core.shared.settings import AgentEntry
from core.types.agent_protocol import REFUSED, UNAVAILABLE, Action, AgentRequest, AgentResponse

log = logging.getLogger(__name__)

TOO_FAR = "这件事已经在几位助手之间转问了{hops}次，到这里就停下了，没有得到结果。请把要问的分开说。"
IN_A_RING = "助手之间互相转问，绕回了原处（{path}），已经停下，没有得到结果。请把要问的分开说。"
NOBODY = "现在没有别的助手能回答这一步。"
AWAY = "要转问的助手现在联系不上（{reason}），请稍后再试。"

_SHARE = 0.6
"""Of the time that is left, what the other agent may take: its answer is there to be worked with."""

_LENT = 1
"""Model calls that another agent may make for us: what it is asked is told in full."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Another agent's answer; `agent` is empty where nobody was asked."""

    agent: str
    response: AgentResponse


class Peers(Protocol):
    async def ask(self, intent: str, action: Action, thought: str, errand: Errand) -> Asked:
        """Have another agent do this for us. Whatever goes wrong is an answer that failed."""
        ...


class NoPeers:
    """Implements Peers for an agent that asks nobody."""

    async def ask(self, intent: str, action: Action, thought: str, errand: Errand) -> Asked:
        return _failed("", NOBODY)


class NetworkPeers:
    """Implements Peers over A2A. Cards are read when somebody is first needed, and again once they are old."""

    def __init__(self, own_name: str, entries: Sequence[AgentEntry], clock: Clock, refresh_s: float) -> None:
        self._own_name = own_name
        self._entries = [entry for entry in entries if entry.name != own_name]
        self._clock = clock
        self._refresh_s = refresh_s
        self._links: list[AgentLink] = []
        self._read_at = float("-inf")

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """With a client of its own until the context ends; nothing is connected to yet."""
        async with httpx.AsyncClient(timeout=10, trust_env=False) as http:
            self._links = [AgentLink(entry, http, self._clock) for entry in self._entries]
            yield
        self._links = []

    async def ask(self, intent: str, action: Action, thought: str, errand: Errand) -> Asked:
        if errand.context.hops >= MOST_HOPS:
            return _failed("", TOO_FAR.format(hops=errand.context.hops), REFUSED)
        remaining_ms = int(errand.budget.remaining_ms() * _SHARE)
        if remaining_ms <= 0:
            return _failed("", NO_TIME)
        lent = errand.allowance.lent(_LENT)
        context = errand.context.onward(self._own_name, remaining_ms=remaining_ms, model_calls=lent)
        request = AgentRequest(thought=thought, action_code=[action])
        try:
            asked = await while_waited_for(self._send(intent, request, context))
        except CallerGone:
            return _failed("", NO_TIME)
        errand.allowance.settle(lent, asked.response.usage)
        return asked

    async def _send(self, intent: str, request: AgentRequest, context: CallContext) -> Asked:
        link = await self._offering(intent)
        if link is None:
            return _failed("", NOBODY)
        answer = await link.call(request, context)
        log.info("asked another agent", extra={"agent": link.entry.name, "intent": intent, "hops": context.hops})
        if isinstance(answer, Unreachable):
            return _failed(link.entry.name, AWAY.format(reason=answer.reason))
        return Asked(link.entry.name, answer)

    async def _offering(self, intent: str) -> AgentLink | None:
        """An agent with that skill, one that works before one that does not."""
        now = self._clock.monotonic()
        if now - self._read_at > self._refresh_s or self._first(intent) is None:
            await refresh_all(self._links)
            self._read_at = now
        return self._first(intent)

    def _first(self, intent: str) -> AgentLink | None:
        offering = [link for link in self._links if link.view.offers(intent)]
        return min(offering, key=lambda link: not link.view.working, default=None)


def refusal_of(own_name: str, context: CallContext) -> AgentResponse | None:
    """Why a request is not taken up: it has been here before, or has come too far; None for one that is."""
    if own_name in context.path:
        since = context.path[context.path.index(own_name) :]
        path = " → ".join([*since, own_name])
        log.warning("a request came back in a ring", extra={"path": path})
        return _failed(own_name, IN_A_RING.format(path=path), REFUSED).response
    if context.hops > MOST_HOPS:
        log.warning("a request came too far", extra={"path": " → ".join(context.path)})
        return _failed(own_name, TOO_FAR.format(hops=context.hops), REFUSED).response
    return None


def _failed(agent: str, words: str, code: str = UNAVAILABLE) -> Asked:
    return Asked(agent, AgentResponse(status="failed", observation=words, code=code))
