"""How the gateway's parts are, from what is known at the moment: a health check never waits for anybody."""

from typing import Literal

from core.gateway.schemas import ComponentOut, HealthOut
from core.ports.cache import PartState
from core.ports.database import DatabaseState
from core.ports.language_model import LanguageModel
from core.service import Backend
from core.types.network import AgentView


def health_of(backend: Backend) -> HealthOut:
    """`down` without a database or without any agent, `degraded` when some are missing or the model does not answer."""
    agents = backend.network.agents()
    components = {f"agent:{agent.name}": _component(agent) for agent in agents}
    components["language_model"] = model = _model(backend.model)
    status = _overall(agents)
    if backend.database is not None:
        components["database"] = database = _database(backend.database)
        status = "down" if database.status == "down" else status
    if backend.cache is not None:
        components["redis"], components["milvus"] = map(_part, backend.cache.states)
    besides = [model, *(components[name] for name in ("redis", "milvus") if name in components)]
    fine = all(component.status == "ok" for component in besides)
    return HealthOut(status="degraded" if status == "ok" and not fine else status, components=components)


def _model(model: LanguageModel | None) -> ComponentOut:
    """The rules stand in for a model that fails, so that it never takes the whole down."""
    if model is None:
        return ComponentOut(status="ok", detail="not configured: the rules answer alone")
    known = model.health()
    return ComponentOut.model_validate({"status": known["status"], "detail": known.get("detail") or None})


def _part(state: PartState) -> ComponentOut:
    """Without its cache everything is still answered."""
    return ComponentOut(status=state.status, detail=state.detail)


def _database(database: DatabaseState) -> ComponentOut:
    if database.answers:
        return ComponentOut(status="ok")
    return ComponentOut(status="down", detail="not reachable; it is tried again every few seconds")


def _component(agent: AgentView) -> ComponentOut:
    if not agent.healthy:
        return ComponentOut(status="down", detail="not reachable")
    if not agent.working:
        return ComponentOut(status="degraded", detail="reachable, but its tools are not")
    return ComponentOut(status="ok")


def _overall(agents: tuple[AgentView, ...]) -> Literal["ok", "degraded", "down"]:
    working = [agent.working for agent in agents]
    if all(working):
        return "ok"
    return "degraded" if any(working) else "down"
