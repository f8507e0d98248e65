"""What a model is shown of a turn: the date, what is known of the person, what was said, each fenced as data."""

from collections.abc import Sequence
from datetime import datetime

from core.shared.json_types import JsonObject, JsonValue
from core.shared.prompts import fenced
from core.types.memory import Fact, Message, Profile, TaskContext
from core.types.network import Skill
from core.types.plan import StepResult
from core.types.turn import Turn
from core.types.understanding import Task

MOST_HISTORY_TOKENS = 1_500
MOST_MESSAGE_TOKENS = 400
MOST_ROWS = 12
"""Rows of one result that are shown; a summary speaks of a few, and the count says how many there are."""
MOST_SHOWN = 10
_EXAMPLES = 2
_WEEKDAYS = "一二三四五六日"


def today_line(now: datetime) -> str:
    """2026-08-16 星期日."""
    return f"{now.date().isoformat()} 星期{_WEEKDAYS[now.weekday()]}"


def message_part(turn: Turn) -> str:
    """The message as it was said."""
    return fenced("用户消息", turn.message.text)


def history_part(messages: Sequence[Message]) -> str:
    """The newest messages that fit, oldest first."""
    kept: list[JsonValue] = []
    spent = 0
    for message in reversed(messages):
        text = _shortened(message.content)
        spent += tokens_of(text)
        if spent > MOST_HISTORY_TOKENS:
            break
        kept.append({"role": "用户" if message.role == "user" else "助手", "content": text})
    return fenced("对话历史", kept[::-1])


def profile_part(profile: Profile, facts: Sequence[Fact]) -> str:
    """Preferences and durable facts."""
    preferences: JsonObject = {}
    for key, value in profile.items():
        preferences[key] = [*value] if isinstance(value, list) else value
    return fenced("用户画像", {"偏好": preferences, "事实": [fact.content for fact in facts]})


def context_part(context: TaskContext) -> str:
    """What the conversation is about: the last wishes, whether they wait for an answer, the rows last shown."""
    wishes: list[JsonValue] = [{"intent": task.intent, "slots": task.slots.to_json()} for task in context.tasks]
    shown: list[JsonValue] = [
        f"第{place}个：{row.get('title', '')}" for place, row in enumerate(context.shown[:MOST_SHOWN], 1)
    ]
    return fenced("任务上下文", {"上一次的任务": wishes, "正等待回答": context.asked, "刚列出的": shown})


def tasks_part(tasks: Sequence[Task]) -> str:
    """The tasks as they were understood."""
    return fenced("任务", [_task(task) for task in tasks])


def observations_part(results: Sequence[StepResult]) -> str:
    """What the steps so far have brought."""
    return fenced("观察", [_observed(result) for result in results])


def intents_lines(skills: Sequence[Skill]) -> str:
    """One line for each intent, in the words of the cards. Line breaks of a card are taken out."""
    return "\n".join(_one_line(skill) for skill in skills)


def tools_lines(offered: Sequence[tuple[str, Sequence[str]]]) -> str:
    """One line for each agent: who does what."""
    return "\n".join(f"- {_flat(name)}：{'、'.join(map(_flat, intents))}" for name, intents in offered)


def tokens_of(text: str) -> int:
    """About how many tokens a text costs: one for a Chinese character, one for four others."""
    wide = sum(ord(character) > 0x2E80 for character in text)
    return wide + (len(text) - wide + 3) // 4


def _task(task: Task) -> JsonObject:
    told: JsonObject = {"id": task.id, "intent": task.intent, "query": task.query, "slots": task.slots.to_json()}
    if task.when:
        told["when"] = {"task": task.when.of, "test": task.when.test}
    return told


def _observed(result: StepResult) -> JsonObject:
    rows = result.data.rows if result.data else []
    return {
        "step": result.step.number,
        "task": result.step.task,
        "intent": result.step.intent,
        "slots": result.step.slots.to_json(),
        "status": result.status,
        "text": result.error or result.text,
        "rows": len(rows),
    }


def _one_line(skill: Skill) -> str:
    examples = "；".join(_flat(example) for example in skill.examples[:_EXAMPLES])
    return f"- {_flat(skill.name)}：{_flat(skill.description)}" + (f"（例如：{examples}）" if examples else "")


def _flat(text: str) -> str:
    return " ".join(text.replace("<", "＜").replace(">", "＞").split())[:200]


def _shortened(text: str) -> str:
    if tokens_of(text) <= MOST_MESSAGE_TOKENS:
        return text
    return f"{text[:MOST_MESSAGE_TOKENS]}……"
