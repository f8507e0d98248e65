"""Understanding by rules: the grammar's frames become tasks, or what is said instead."""

from dataclasses import replace

from core.language import read
from core.language.frames import Frame, ReadContext, Reading, SkillWords, Trouble
from core.ports.reasoning import Recollection
from core.reasoning.labels import abilities
from core.reasoning.questions import ask
from core.types.memory import MemoryContext, Profile
from core.types.network import Skill
from core.types.turn import Turn
from core.types.understanding import Task, Understanding, When

_SMALL_TALK = {
    "greeting": "您好，我是智途旅行助手。",
    "thanks": "不客气，祝您旅途愉快！",
    "farewell": "再见，祝您一路顺风！",
    "assistant": "我是智途旅行助手，专门帮您安排出行。",
    "travel": "这件事我还帮不上忙。",
    "assent": "好的，请告诉我接下来想查什么。",
    "refusal": "好的，先不办。",
    "memory": "这件事我还没有记着。",
    "other": "抱歉，这不在我的服务范围内。",
}

_ABOUT_ORDERS = frozenset({"query orders", "cancel order"})


class RuleUnderstander:
    """Implements the port Understander with the travel grammar and what is remembered."""

    def __init__(self, recollection: Recollection) -> None:
        self._recollection = recollection

    async def understand(self, turn: Turn, skills: tuple[Skill, ...]) -> Understanding:
        heard = self.hear(turn, skills)
        return heard if isinstance(heard, Understanding) else self.understood(turn, heard, skills)

    def hear(self, turn: Turn, skills: tuple[Skill, ...]) -> Understanding | Reading:
        """The answer to what is about the memory alone, else what the grammar makes of the wish in the message."""
        text, memory = turn.message.text, turn.memory
        # Asked first: 我一般坐二等座 would else be a wish for a train with everything missing.
        if (told := self._recollection.told(text, memory)) is not None:
            return Understanding(outcome="told", message=told, leaned=True)
        wish = self._recollection.wish_part(text, memory.user_profile)
        return read(wish, turn.clock.now(), _context(memory, self._profile(turn), skills))

    def understood(self, turn: Turn, reading: Reading, skills: tuple[Skill, ...]) -> Understanding:
        """The frames of a reading as tasks, or what is said instead."""
        if not reading.frames:
            return _without_tasks(reading, skills)
        tasks = tuple(_task(index, frame, reading) for index, frame in enumerate(reading.frames))
        tasks, note = self._recollection.with_profile(tasks, self._profile(turn))
        frames = tuple(_still_troubled(f, t, _unread(reading)) for f, t in zip(reading.frames, tasks, strict=True))
        if any(frame.troubles for frame in frames):
            message = ask(frames, skills)
            return Understanding(outcome="follow_up", tasks=tasks, message=message, leaned=reading.leaned)
        return Understanding(outcome="tasks", tasks=tasks, note=note, leaned=reading.leaned)

    def _profile(self, turn: Turn) -> Profile:
        """What was known and what this very message adds."""
        learned = self._recollection.learned(turn.message.text, turn.memory, turn.clock.now())
        return {**turn.memory.user_profile, **learned.profile}


def _without_tasks(reading: Reading, skills: tuple[Skill, ...]) -> Understanding:
    if reading.topic == "nothing":
        return Understanding(outcome="not_understood", message=f"抱歉，我没有听懂，请换个说法。{abilities(skills)}")
    said = _SMALL_TALK.get(reading.topic, _SMALL_TALK["other"])
    return Understanding(outcome="out_of_scope", message=said + abilities(skills))


def _context(memory: MemoryContext, profile: Profile, skills: tuple[Skill, ...]) -> ReadContext:
    context, home = memory.task_context, profile.get("home_city")
    return ReadContext(
        skills=tuple(words_of(skill) for skill in skills),
        past=context.tasks,
        asked=context.asked,
        shown=context.shown,
        shown_kind=context.shown_kind,
        home_city=home if isinstance(home, str) else None,
    )


def _unread(reading: Reading) -> str:
    """The longest stretch of the sentence that the grammar could do nothing with."""
    return max((reading.text[first:end] for first, end in reading.leftover), key=len, default="")


def _still_troubled(frame: Frame, task: Task, unread: str) -> Frame:
    """The frame without what the profile has supplied.

    Where a city is missing and words were left over, those words are named: they were meant as a place, it seems.
    """
    suspect, missing_city = Trouble("unknown_place", "city", unread), Trouble("missing", "city")
    troubles = (suspect if unread and trouble == missing_city else trouble for trouble in frame.troubles)
    open_still = tuple(t for t in troubles if not (t.kind == "missing" and getattr(task.slots, t.slot, None)))
    return replace(frame, troubles=open_still)


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


def words_of(skill: Skill) -> SkillWords:
    """The skill as the grammar takes it."""
    return SkillWords(intent=skill.name, description=skill.description, tags=skill.tags, examples=skill.examples)
