"""Planning over the DAG of tools: each task's chain becomes steps; a plain wish has one step, as its agent does it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.ports.reasoning import Planner, PlanningInput
from core.reasoning.dag_chains import Chain, Chains
from core.reasoning.dag_reasons import considered, thought
from core.reasoning.dag_search import Link
from core.reasoning.next_task import watched
from core.reasoning.plan_check import ImpossiblePlan, check_plan
from core.reasoning.planner import first_step
from core.reasoning.reflection import without
from core.types.plan import Bind, Considered, Plan, Step, StepResult
from core.types.understanding import Task

_LEFT_OPEN = re.compile(r"根据|取决于|视.{0,8}而定|看情况|再决定|再说")
"""Words by which wishes hang together in a way that no type tells."""


class DagPlanner:
    """Implements the port Planner. `then` reflects, and plans what the DAG cannot: it takes over."""

    def __init__(self, chains: Chains, then: Planner) -> None:
        self._chains = chains
        self._then = then

    async def plan(self, given: PlanningInput) -> Plan:
        if given.results or self._beyond(given):
            return await self._then.plan(given)
        text = given.turn.message.text
        draft = _Draft(given)
        compared: list[Considered | None] = []
        for task in given.tasks:
            chain = await self._chains.of(task, given.tasks, text)
            compared.append(considered(task, chain))
            draft.add(task, chain)
        steps = draft.steps()
        try:
            check_plan(steps)
        except ImpossiblePlan:
            return await self._then.plan(given)
        return Plan(watched(steps), thought(given.tasks, compared), tuple(filter(None, compared)))

    async def next(self, given: PlanningInput, step: Step) -> Plan:
        """Where what was to feed the step brought nothing and no wish can be given up, another path is searched."""
        plan = await self._then.next(given, step)
        lost = {result.step.intent for result in given.results if _brought_nothing(result, step)}
        if plan.steps != (step,) or not lost:
            return plan
        task = next((replace(one, intent=step.intent) for one in given.tasks if one.id == step.task), None)
        if task is None:
            return plan
        chain = await self._chains.of(task, given.tasks, given.turn.message.text, frozenset(lost))
        if chain is None or chain.asked or lost & {tool.intent for tool in chain.tools}:
            return plan
        draft = _Draft(given)
        draft.add(task, chain)
        if not (steps := draft.instead_of(step)):
            return plan
        compared = considered(task, chain)
        return Plan(steps, f"换一条路：{thought([task], [compared])}", tuple(filter(None, [compared])))

    def _beyond(self, given: PlanningInput) -> bool:
        tasks, text = given.tasks, given.turn.message.text
        open_still = len(tasks) > 1 and not any(task.when for task in tasks) and _LEFT_OPEN.search(text)
        return bool(open_still) or any(self._chains.tools.left_out(task.intent) for task in tasks)


@dataclass(slots=True)
class _Draft:
    """Steps under way, by the key of what they do: a task's own, or what feeds one."""

    given: PlanningInput
    _parts: list["_Part"] = field(default_factory=list)

    def add(self, task: Task, chain: Chain | None) -> None:
        """The task's own step, and before it those that feed it and that no other task is about."""
        tools = chain.tools if chain else ()
        feeds = [tool for tool in tools[:-1] if not self._task_about(tool.intent, task)]
        names = {tool.key: f"{task.id}<{tool.key}" for tool in feeds}
        for tool in tools[:-1]:
            if tool.key not in names and (other := self._task_about(tool.intent, task)):
                names[tool.key] = other.id
        if tools:
            names[tools[-1].key] = task.id
        links = chain.links if chain else ()
        for tool in feeds:
            self._parts.append(_Part(names[tool.key], task, tool.intent, _sources(links, tool.key, names)))
        own = _sources(links, tools[-1].key, names) if tools else ()
        intent = tools[-1].intent if tools else task.intent
        self._parts.append(_Part(task.id, task, intent, own, chain.unsaid if chain else frozenset()))

    def steps(self) -> tuple[Step, ...]:
        """Numbered in the order in which they were added; what they wait for is by number."""
        numbers = {part.key: self.given.next_number + place for place, part in enumerate(self._parts)}
        return tuple(part.step(numbers) for part in self._parts)

    def instead_of(self, step: Step) -> tuple[Step, ...]:
        """The same for one task whose step has its number, and of which a part may be done already; empty where what
        it leans on is not."""
        done = {(r.step.task, r.step.intent): r.step.number for r in self.given.results if r.has_rows}
        numbers = {task.id: done[task.id, task.intent] for task in self.given.tasks if (task.id, task.intent) in done}
        numbers |= {part.key: at for part in self._parts if (at := done.get((part.task.id, part.intent))) is not None}
        fresh = [part for part in self._parts[:-1] if part.key not in numbers]
        numbers |= {part.key: self.given.next_number + place for place, part in enumerate(fresh)}
        numbers[self._parts[-1].key] = step.number
        if any(source.part not in numbers for part in self._parts for source in part.sources):
            return ()
        *first, own = [part.step(numbers) for part in (*fresh, self._parts[-1])]
        return (*watched([*first, own])[:-1], replace(own, when=step.when, trust_mode=step.trust_mode))

    def _task_about(self, intent: str, but: Task) -> Task | None:
        return next((task for task in self.given.tasks if task.intent == intent and task.id != but.id), None)


@dataclass(frozen=True, slots=True)
class _Source:
    slot: str
    part: str
    field: str


@dataclass(frozen=True, slots=True)
class _Part:
    key: str
    task: Task
    intent: str
    sources: tuple[_Source, ...]
    unsaid: frozenset[str] = frozenset()

    def step(self, numbers: dict[str, int]) -> Step:
        own = self.key == self.task.id
        task = replace(self.task, id=self.key, intent=self.intent, when=self.task.when if own else None)
        step = replace(first_step(task, numbers), task=self.task.id)
        bind = tuple(Bind(source.slot, numbers[source.part], source.field) for source in self.sources)
        if not bind:
            return step
        taken = {source.slot for source in self.sources} | self.unsaid
        said = step.slots.date.isoformat() if step.slots.date and "date" in taken else None
        query = step.query.replace(said, "当天") if said else step.query
        slots = without(step.slots, taken & set(step.slots.to_json()))
        waits = tuple(dict.fromkeys([*step.depends_on, *(one.step for one in bind)]))
        return replace(step, bind=bind, depends_on=waits, slots=slots, query=query, action=query)


def _brought_nothing(result: StepResult, step: Step) -> bool:
    """Whether the step was to take something from this result, and there is nothing; an offer is not made twice."""
    if result.step.intent.startswith(("order ", "cancel ")) or result.status == "input_required":
        return False
    return not result.has_rows and any(bind.step == result.step.number for bind in step.bind)


def _sources(links: Sequence[Link], key: str, names: Mapping[str, str]) -> tuple[_Source, ...]:
    return tuple(_Source(link.need, names[link.source], link.field) for link in links if link.tool == key)
