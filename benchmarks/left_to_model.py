"""What the same turn would cost with every step left to the model: the same prompts, filled with the same data.

The order of calls is that of a plain agent system: understand; plan, where there are several wishes; for each step
fill in the tool's parameters and word its rows; look at the results; write the reply. Tools' schemas are not counted.
"""

from dataclasses import dataclass
from datetime import datetime

from core.reasoning import model_inputs as parts
from core.shared.json_types import JsonObject
from core.shared.prompts import SmartVoyagePrompts, fenced
from core.shared.row_digest import digest_of
from core.shared.settings import Settings
from core.types.memory import NO_CONTEXT, Message
from core.types.network import AgentView
from core.types.plan import StepResult
from core.types.turn import Reply

_CORE = SmartVoyagePrompts("core.prompts")
_AGENTS = SmartVoyagePrompts("a2a_servers.prompts")
_ANSWER = 60
"""Tokens of an answer in JSON; wordings and replies are counted as they are."""


@dataclass(frozen=True)
class Cost:
    calls: int
    tokens: int
    chain: int


@dataclass
class Counter:
    """Counts the prompts of one turn."""

    settings: Settings
    now: datetime
    history: tuple[Message, ...]
    calls: int = 0
    tokens: int = 0

    def of(self, reply: Reply, agents: tuple[AgentView, ...]) -> Cost:
        tasks, results = reply.answer.understanding.tasks, reply.answer.results
        self._intent(reply, agents)
        if not tasks:
            return Cost(self.calls, self.tokens, 1)
        if len(tasks) > 1:
            self._plan(reply, ())
        for result in results:
            self._step(reply, result)
        waits = 2 if any(result.step.depends_on for result in results) else 1
        if len(tasks) > 1:
            self._plan(reply, results)
            self._summary(reply)
        return Cost(self.calls, self.tokens, 1 + 2 * waits + (3 if len(tasks) > 1 else 0))

    def _add(self, package: SmartVoyagePrompts, name: str, answer: int, **values: str) -> None:
        system, user = package.get(name).fill(**values)
        self.calls += 1
        self.tokens += parts.tokens_of(system) + parts.tokens_of(user) + answer

    def _intent(self, reply: Reply, agents: tuple[AgentView, ...]) -> None:
        skills = [skill for agent in agents for skill in agent.skills]
        offered = [(agent.name, [skill.name for skill in agent.skills]) for agent in agents]
        self._add(
            _CORE, "intent", _ANSWER * max(1, len(reply.answer.understanding.tasks)),
            tools=parts.tools_lines(offered), intents=parts.intents_lines(skills), today=parts.today_line(self.now),
            profile=parts.profile_part({}, ()), context=parts.context_part(NO_CONTEXT),
            history=parts.history_part(self.history), message=fenced("用户消息", reply.message.text),
        )  # fmt: skip

    def _plan(self, reply: Reply, results: tuple[StepResult, ...]) -> None:
        tasks = reply.answer.understanding.tasks
        self._add(
            _CORE, "plan", _ANSWER * (1 if results else len(tasks)), today=parts.today_line(self.now),
            next_number="1", history=parts.history_part(self.history), tasks=parts.tasks_part(tasks),
            message=fenced("用户消息", reply.message.text), observations=parts.observations_part(results),
        )  # fmt: skip

    def _step(self, reply: Reply, result: StepResult) -> None:
        self._add(
            _AGENTS, "parameters", _ANSWER, today=parts.today_line(self.now), tools="", known="",
            words=fenced("用户原话", result.step.query),
        )  # fmt: skip
        written = self.settings.a2a_servers.get(result.agent or "")
        wording = (written.prompt or "") if written else ""
        filled = wording.replace("{raw_response}", fenced("查询结果", _rows(result)))
        text = parts.tokens_of(result.text)
        self._add(_CORE, "agent_wording", text, today=parts.today_line(self.now), wording=filled)

    def _summary(self, reply: Reply) -> None:
        shown = fenced("结果", [_rows(result) for result in reply.answer.results])
        message = fenced("用户消息", reply.message.text)
        self._add(
            _CORE, "summary", parts.tokens_of(reply.answer.text), today=parts.today_line(self.now), message=message,
            results=shown,
        )  # fmt: skip


def _rows(result: StepResult) -> JsonObject:
    rows = result.data.rows[: parts.MOST_ROWS] if result.data else []
    return {"说明": result.text, **digest_of(rows)}
