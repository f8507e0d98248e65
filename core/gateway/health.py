"""How the gateway's parts are, from what is known at the moment: a health check never waits for anybody."""

from typing import Literal

from core.gateway.schemas import ComponentOut, HealthOut
from core.service import Backend
from core.types.network import AgentView


def health_of(backend: Backend) -> HealthOut:
    """`down` when no agent can be reached, `degraded` when some cannot."""
    agents = backend.network.agents()
    components = {f"agent:{agent.name}": _component(agent) for agent in agents}
    components["language_model"] = ComponentOut(status="ok", detail="not configured: the rules answer alone")
    return HealthOut(status=_overall(agents), components=components)


def _component(agent: AgentView) -> ComponentOut:
    if not agent.healthy:
        return ComponentOut(status="down", detail="not reachable")
    if not agent.skills:
        return ComponentOut(status="degraded", detail="reachable, but its tools are not")
    return ComponentOut(status="ok")


def _overall(agents: tuple[AgentView, ...]) -> Literal["ok", "degraded", "down"]:
    working = [agent.healthy and bool(agent.skills) for agent in agents]
    if all(working):
        return "ok"
    return "degraded" if any(working) else "down"
