"""Understanding by rules: the grammar's frames become tasks, or what is said instead."""

import re
from dataclasses import replace
from functools import partial

from core.language import read
from core.language.frames import Frame, ReadContext, Reading, SkillWords, Trouble
from core.language.values import Days, Mention
from core.ports.reasoning import Recollection
from core.reasoning.carried import answers_nothing, when_of
from core.reasoning.order_choice import of_orders
from core.reasoning.questions import ask
from core.reasoning.rebooking import rebooked
from core.reasoning.small_talk import without_wish
from core.reasoning.waiting import held_back
from core.types.memory import Learned, MemoryContext, Profile
from core.types.network import Skill
from core.types.turn import Turn
from core.types.understanding import Task, Understanding, When

_MAY_BE_A_NAME = re.compile(r"(?![零一二两三四五六七八九十几某])[^\W\d_]{2,}")
_BEFORE = re.compile(r"[去在到游玩查看对从往飞]$")
_AFTER = re.compile(r"[的之]?(?:有|哪|景|天气|好玩|旅|周边|附近|那边|这边|怎么)")
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
            plain = Understanding(outcome="told", message=told, leaned=True)
            return self._from_home(turn, told, skills) or plain
        wish = self._recollection.wish_part(text, memory.user_profile)
        now, known, context = turn.clock.now(), _context(memory, self._profile(turn), skills), memory.task_context
        bare = partial(read, wish, now, ReadContext(known.skills))
        reading = answers_nothing(read(wish, now, known), context, bare)
        return rebooked(of_orders(reading, context), context)

    def _from_home(self, turn: Turn, told: str, skills: tuple[Skill, ...]) -> Understanding | None:
        """我住杭州, where we had asked from where the journey goes: kept, and the answer to that question too."""
        context, home = turn.memory.task_context, self._learned(turn).profile.get("home_city")
        open_start = any(task.slots.to_city and not task.slots.from_city for task in context.tasks)
        if not (context.asked and open_start and isinstance(home, str) and home):
            return None
        known = _context(turn.memory, self._profile(turn), skills)
        understood = self.understood(turn, read(f"从{home}出发", turn.clock.now(), known), skills)
        if understood.outcome == "tasks":
            return replace(understood, note="\n".join(filter(None, (understood.note, told))))
        return replace(understood, message=f"{told}\n{understood.message}") if understood.tasks else None

    def understood(self, turn: Turn, reading: Reading, skills: tuple[Skill, ...]) -> Understanding:
        """The frames of a reading as tasks, or what is said instead."""
        if not reading.frames:
            return without_wish(reading, skills)
        tasks = tuple(_task(index, reading) for index in range(len(reading.frames)))
        tasks, note = self._recollection.with_profile(tasks, self._profile(turn))
        frames = tuple(_still_troubled(f, t, _unread(reading)) for f, t in zip(reading.frames, tasks, strict=True))
        troubled = {task.id for frame, task in zip(frames, tasks, strict=True) if frame.troubles}
        if not troubled:
            return Understanding(outcome="tasks", tasks=tasks, note=note, leaned=reading.leaned)
        message, waiting = ask(frames, skills), held_back(tasks, troubled)
        if len(waiting) == len(tasks):
            return Understanding(outcome="follow_up", tasks=tasks, message=message, leaned=reading.leaned)
        return Understanding("tasks", tasks, note=note, leaned=reading.leaned, asking=message, waiting=waiting)

    def _profile(self, turn: Turn) -> Profile:
        """What was known and what this very message adds."""
        return {**turn.memory.user_profile, **self._learned(turn).profile}

    def _learned(self, turn: Turn) -> Learned:
        return self._recollection.learned(turn.message.text, turn.memory, turn.clock.now())


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
    """The longest stretch of the sentence that the grammar could do nothing with and that may be a name."""
    elsewhere = {e.span for e in reading.expressions if isinstance(e.value, Mention)}
    stretches = [(first, end) for first, end in reading.leftover if (first, end) not in elsewhere]
    days = {e.span[0] for e in reading.expressions if isinstance(e.value, Days)}
    named = [
        reading.text[first:end] for first, end in stretches
        if end in days or _stands_as_a_place(reading.text, first, end)
    ]
    return max((said for said in named if _MAY_BE_A_NAME.fullmatch(said)), key=len, default="")


def _stands_as_a_place(text: str, first: int, end: int) -> bool:
    """日本有什么好玩的, 去珠峰玩: where a place would stand."""
    return bool(_BEFORE.search(text[:first]) or _AFTER.match(text[end:]))


def _still_troubled(frame: Frame, task: Task, unread: str) -> Frame:
    """The frame without what the profile has supplied.

    Where a city is missing and words were left over, those words are named: they were meant as a place, it seems.
    """
    suspect, missing_city = Trouble("unknown_place", "city", unread), Trouble("missing", "city")
    troubles = (suspect if unread and trouble == missing_city else trouble for trouble in frame.troubles)
    open_still = tuple(t for t in troubles if not (t.kind == "missing" and getattr(task.slots, t.slot, None)))
    return replace(frame, troubles=open_still)


def _task(index: int, reading: Reading) -> Task:
    frame, condition = reading.frames[index], when_of(index, reading.frames)
    when = When(of=_task_id(condition[0]), test=condition[1]) if condition else None
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
