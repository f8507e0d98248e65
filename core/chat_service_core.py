"""VoyageChatCore: the order of the rooms and nothing else."""

import contextlib
from dataclasses import replace

from core.language.guard_words import without_links
from core.orders.desk import OrderDesk
from core.orders.wording import put_offers, set_aside
from core.ports.reasoning import Planner, PlanningInput, Summarizer, Understander
from core.reasoning.executor import NextTask, RoundScope, StepExecutor
from core.reasoning.labels import abilities, label
from core.reasoning.reflection import all_clear
from core.reasoning.routing import Router
from core.reasoning.verdict import verdict
from core.types.events import Delta, Emit, Planned, Understood
from core.types.plan import MAX_ROUNDS, Plan, Step, StepResult
from core.types.turn import Answer, ReplyStatus, Turn
from core.types.understanding import Outcome, Task, Understanding

_STATUS: dict[Outcome, ReplyStatus] = {
    "tasks": "answered",
    "told": "answered",
    "withdrawn": "answered",
    "follow_up": "follow_up",
    "out_of_scope": "out_of_scope",
    "not_understood": "not_understood",
}


class VoyageChatCore:
    """Answers one message: understand, plan, act, reflect, word. Holds no state of any turn."""

    def __init__(
        self,
        understander: Understander,
        planner: Planner,
        executor: StepExecutor,
        summarizer: Summarizer,
        router: Router,
        desk: OrderDesk,
    ) -> None:
        self._understander = understander
        self._planner = planner
        self._executor = executor
        self._summarizer = summarizer
        self._router = router
        self._desk = desk

    async def answer(self, turn: Turn, emit: Emit) -> Answer:
        """The answer to `turn.message`; what happens on the way is told to `emit`."""
        if (decided := await self._desk.hear(turn)) is not None:
            emit(Understood(decided.understanding))
            return _spoken(decided, emit)
        understanding = await self._intent_agent(turn)
        if understanding.outcome == "not_understood" and (put_again := await self._desk.remind(turn)) is not None:
            emit(Understood(put_again.understanding))
            return _spoken(put_again, emit)
        emit(Understood(understanding))
        withdrawn = await self._desk.set_aside(turn, understanding)
        if understanding.outcome != "tasks":
            after = set_aside() if withdrawn else ""
            if understanding.outcome == "out_of_scope":
                after = await self._desk.pending(turn)
            return self._say(turn, understanding, emit, after)
        tasks = understanding.ready
        if len(tasks) == 1:
            rounds, results = await self._run_single_intent(turn, tasks[0], emit)
        else:
            rounds, results = await self._react_loop(turn, tasks, emit)
        text = await self._told(turn, results, emit)
        earlier = await self._desk.earlier(turn) if any(result.quotes for result in results) else ""
        offers = await self._desk.offer(turn, results)
        after = put_offers(offers) if offers else set_aside() if withdrawn else ""
        if not after and any(task.intent.startswith("order ") for task in tasks):
            after = await self._desk.still_open(turn)
        for line in filter(None, map(without_links, (understanding.note, understanding.asking, earlier, after))):
            emit(Delta(f"\n{line}"))
            text += f"\n{line}"
        status = "confirmation_required" if offers else verdict(results, asking=bool(understanding.asking))
        degraded = understanding.degraded or turn.budget.degraded
        return Answer(text, status, understanding, results, rounds, degraded, offers)

    async def _told(self, turn: Turn, results: tuple[StepResult, ...], emit: Emit) -> str:
        """The results in words, each piece handed out the moment it comes."""
        pieces: list[str] = []
        async with contextlib.aclosing(self._summarizer.words(turn, results)) as words:
            async for piece in words:
                emit(Delta(piece))
                pieces.append(piece)
        return "".join(pieces)

    async def _intent_agent(self, turn: Turn) -> Understanding:
        """What is asked for; when nobody offers any of it, that is said instead."""
        skills = self._router.skills()
        understanding = await self._understander.understand(turn, skills)
        intents = {task.intent for task in understanding.tasks}
        if not intents or any(self._router.route(intent).standing != "not_offered" for intent in intents):
            return understanding
        names = "、".join(label(intent, skills) for intent in sorted(intents))
        message = f"{names}目前还没有开通。{abilities(skills)}"
        return Understanding(outcome="out_of_scope", tasks=understanding.tasks, message=message)

    async def _run_single_intent(
        self, turn: Turn, task: Task, emit: Emit
    ) -> tuple[int, tuple[StepResult, ...]]:
        """One wish: run directly, worded in full by its agent; an empty result is reflected upon."""
        return await self._react_loop(turn, (task,), emit)

    async def _react_loop(
        self, turn: Turn, tasks: tuple[Task, ...], emit: Emit
    ) -> tuple[int, tuple[StepResult, ...]]:
        """Plan, act, look at what came, plan again; at most MAX_ROUNDS rounds. No completed step runs again."""
        results: tuple[StepResult, ...] = ()
        number = 0
        while number < MAX_ROUNDS:
            number += 1
            plan = await self._plan_or_reflect(turn, tasks, results)
            if not plan.steps:
                return number - 1, results
            emit(Planned(number, plan.steps, plan.thought, plan.considered))
            scope = RoundScope(turn, number, len(tasks) > 1, emit, self._next_task(turn, tasks))
            results += await self._executor.run(scope, plan.steps, results)
            number = max(result.round for result in results)
            if all_clear(results):
                break
        return number, results

    def _next_task(self, turn: Turn, tasks: tuple[Task, ...]) -> NextTask:
        """How what waits for a step is planned anew from what that brought."""

        async def predicted(step: Step, came: tuple[StepResult, ...], free: int) -> Plan:
            given = PlanningInput(turn=turn, tasks=tasks, results=came, next_number=free)
            return await self._planner.next(given, step)

        return predicted

    async def _plan_or_reflect(
        self, turn: Turn, tasks: tuple[Task, ...], results: tuple[StepResult, ...]
    ) -> Plan:
        next_number = max((result.step.number for result in results), default=0) + 1
        given = PlanningInput(turn=turn, tasks=tasks, results=results, next_number=next_number)
        return await self._planner.plan(given)

    @staticmethod
    def _say(turn: Turn, understanding: Understanding, emit: Emit, after: str) -> Answer:
        text = "\n".join(part for part in (understanding.message, after) if part)
        status: ReplyStatus = _STATUS[understanding.outcome]
        degraded = understanding.degraded or turn.budget.degraded
        return _spoken(Answer(text=text, status=status, understanding=understanding, degraded=degraded), emit)


def _spoken(answer: Answer, emit: Emit) -> Answer:
    """The answer said in one piece, without addresses that a row or the person's own words brought along."""
    said = replace(answer, text=without_links(answer.text))
    emit(Delta(said.text))
    return said
