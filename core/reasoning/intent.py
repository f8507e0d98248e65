"""Understanding by rules: the grammar's frames become tasks, or what is said instead."""

from dataclasses import replace

from core.language import read
from core.language.frames import Frame, ReadContext, Reading, SkillWords, Trouble
from core.reasoning.labels import abilities
from core.reasoning.questions import ask
from core.shared.clock import Clock
from core.types.network import Skill
from core.types.turn import UserMessage
from core.types.understanding import Task, Understanding, When

_SMALL_TALK = {
    "greeting": "您好，我是智途旅行助手。",
    "thanks": "不客气，祝您旅途愉快！",
    "farewell": "再见，祝您一路顺风！",
    "assistant": "我是智途旅行助手，专门帮您安排出行。",
    "travel": "这件事我还帮不上忙。",
    "memory": "我还不会记住或修改个人资料。",
    "other": "抱歉，这不在我的服务范围内。",
}

_ABOUT_ORDERS = frozenset({"query orders", "cancel order"})


class RuleUnderstander:
    """Implements the port Understander with the travel grammar alone."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def understand(self, message: UserMessage, skills: tuple[Skill, ...]) -> Understanding:
        reading = read(message.text, self._clock.now(), ReadContext(skills=tuple(_words(s) for s in skills)))
        if not reading.frames:
            return _without_tasks(reading, skills)
        tasks = tuple(_task(index, frame, reading) for index, frame in enumerate(reading.frames))
        if any(frame.troubles for frame in reading.frames):
            frames = tuple(_suspecting(frame, _unread(reading)) for frame in reading.frames)
            return Understanding(outcome="follow_up", tasks=tasks, message=ask(frames, skills))
        return Understanding(outcome="tasks", tasks=tasks)


def _without_tasks(reading: Reading, skills: tuple[Skill, ...]) -> Understanding:
    if reading.topic == "nothing":
        return Understanding(outcome="not_understood", message=f"抱歉，我没有听懂，请换个说法。{abilities(skills)}")
    said = _SMALL_TALK.get(reading.topic, _SMALL_TALK["other"])
    return Understanding(outcome="out_of_scope", message=said + abilities(skills))


def _unread(reading: Reading) -> str:
    """The longest stretch of the sentence that the grammar could do nothing with."""
    return max((reading.text[first:end] for first, end in reading.leftover), key=len, default="")


def _suspecting(frame: Frame, unread: str) -> Frame:
    """Where a city is missing and words were left over, those words are named: they were meant as a place, it seems."""
    if not unread:
        return frame
    suspect = Trouble("unknown_place", "city", unread)
    missing = Trouble("missing", "city")
    return replace(frame, troubles=tuple(suspect if t == missing else t for t in frame.troubles))


def _task(index: int, frame: Frame, reading: Reading) -> Task:
    when = When(of=_task_id(frame.when.frame), test=frame.when.test) if frame.when else None
    query = _as_said(frame, reading) if frame.intent in _ABOUT_ORDERS else frame.query
    return Task(id=_task_id(index), intent=frame.intent, query=query, slots=frame.slots, when=when)


def _as_said(frame: Frame, reading: Reading) -> str:
    """The frame's own words: which order is meant stands in words that no slot holds (我的火车票订单)."""
    if not frame.spans:
        return frame.query
    return reading.text[min(first for first, _ in frame.spans) : max(end for _, end in frame.spans)]


def _task_id(index: int) -> str:
    return f"t{index + 1}"


def _words(skill: Skill) -> SkillWords:
    return SkillWords(intent=skill.name, description=skill.description, tags=skill.tags, examples=skill.examples)
