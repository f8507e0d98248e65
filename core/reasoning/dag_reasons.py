"""Why a plan over the DAG is as it is: the paths that were compared for each task, and the decision in words."""

from collections.abc import Sequence

from core.reasoning.dag_chains import Chain
from core.reasoning.dag_search import Path
from core.types.plan import Considered, ConsideredPath
from core.types.understanding import Task


def considered(task: Task, chain: Chain | None) -> Considered | None:
    """The paths of a task's chain, the one that was taken first; None where no tool was searched for."""
    if chain is None or chain.found.best is None:
        return None
    paths = tuple(_shown(path) for path in chain.found.paths)
    return Considered(task.id, paths[0].tools[-1], paths, _why(chain, len(paths)))


def thought(tasks: Sequence[Task], compared: Sequence[Considered | None]) -> str:
    """Each wish with the tools that bring it about."""
    return "；".join(_said(task, one) for task, one in zip(tasks, compared, strict=True))


def _shown(path: Path) -> ConsideredPath:
    return ConsideredPath(tuple(tool.key for tool in path.tools), round(path.cost, 3), path.asked)


def _why(chain: Chain, paths: int) -> str:
    if not chain.found.exact:
        return f"the cheapest found in {chain.found.states} states, not proved"
    return f"the cheapest of {paths}" if paths > 1 else "no other way"


def _said(task: Task, compared: Considered | None) -> str:
    if compared is None or len(compared.paths[0].tools) == 1 == len(compared.paths):
        return task.query
    tools = " → ".join(key.split("/")[-1].split(":")[-1] for key in compared.paths[0].tools)
    others = f"（{len(compared.paths)} 条路里最省的）" if len(compared.paths) > 1 else ""
    return f"{task.query}：{tools}{others}"
