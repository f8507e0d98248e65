"""A message as the cache sees it: by what digest its answer is kept, and what stands against sharing it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from core.cache.entry import FORM
from core.cache.meaning import accounts_for_all, meaning_of, says_more
from core.cache.policy import READ_ONLY, kinds_of
from core.language import read
from core.language.consent import read_consent
from core.language.frames import Frame, Reading
from core.language.normalise import normalise
from core.language.values import Note
from core.shared.clock import Clock, today
from core.shared.version import VERSION
from core.types.memory import MemoryContext
from core.types.network import Skill
from core.types.turn import Answer, Turn
from core.types.understanding import Task, Understanding

_NUMBERS = re.compile(r"\d(?:[\s-]?\d){6,}")
"""As long as an account, a card or a telephone has; dates with separators are shorter."""

_OWN = re.compile("[我俺咱]们?的|适合[我俺咱]")
_SWAPS = ("换", "改", "不要")
"""Words by which a message that leans on the conversation may change an offer that stands in it."""


class Hearing(Protocol):
    """The rules' understanding, without any model: the cache asks it first, as the core will after a miss."""

    def hear(self, turn: Turn, skills: tuple[Skill, ...]) -> Understanding | Reading: ...

    def understood(self, turn: Turn, reading: Reading, skills: tuple[Skill, ...]) -> Understanding: ...


@dataclass(frozen=True, slots=True)
class Question:
    """`key` and `meaning` are digests. `whole`: the grammar accounts for every content word, so that other wordings of
    the same meaning may share the answer. `elliptic`: completed from the conversation; it may read and never writes.
    """

    key: str
    meaning: str
    text: str
    kinds: tuple[str, ...]
    tasks: tuple[Task, ...]
    whole: bool
    elliptic: bool
    sees_history: bool
    """A model plans it and is shown what was said before: its answer is not for others."""

    def fits(self, answer: Answer) -> bool:
        """Whether the core understood what the rules had: else the meaning does not stand for the answer."""
        wishes = [(task.intent, task.slots) for task in answer.understanding.tasks]
        return wishes == [(task.intent, task.slots) for task in self.tasks]


class QuestionReader:
    """Reads messages as questions. `learns`: whether a message says something of its author for good."""

    def __init__(
        self,
        hearing: Hearing,
        skills: Callable[[], tuple[Skill, ...]],
        learns: Callable[[Turn], bool],
        clock: Clock,
        model: str = "",
    ) -> None:
        self._hearing = hearing
        self._skills = skills
        self._learns = learns
        self._clock = clock
        self._model = model

    def question(self, turn: Turn) -> Question | None:
        """None for what no cache may answer: orders, consent, what is about the person, what is no question."""
        if _is_personal(turn.message.text) or self._learns(turn):
            return None
        skills = self._skills()
        reading = self._hearing.hear(turn, skills)
        if isinstance(reading, Understanding) or not kinds_of([frame.intent for frame in reading.frames]):
            return None
        understood = self._hearing.understood(turn, reading, skills)
        if understood.outcome != "tasks" or understood.waiting:
            return None
        if understood.leaned:
            completed = _completed(turn, reading, self._clock)
            return None if completed is None else self._asked(turn, completed, understood, skills)
        if reading.text != turn.message.text:
            return None  # a part of it was heard as said of its author (带一个婴儿), and is not in the reading
        return self._asked(turn, reading, understood, skills)

    def _asked(
        self, turn: Turn, reading: Reading, understood: Understanding, skills: tuple[Skill, ...]
    ) -> Question | None:
        whole, memory = accounts_for_all(reading), turn.memory
        if self._model and not whole and _knows_anything(memory):
            return None  # a model reads it, with the profile and the conversation before it
        tasks = understood.tasks
        text = normalise(reading.text).text
        meaning = _digest(*self._scope(skills), meaning_of(reading), understood.note, *map(_wish, tasks))
        return Question(
            key=_digest(meaning, text, self._day(tasks)),
            meaning=meaning,
            text=text,
            kinds=kinds_of([task.intent for task in tasks]),
            tasks=tasks,
            whole=whole,
            elliptic=understood.leaned,
            sees_history=bool(self._model and memory.short_term and len(tasks) > 1),
        )

    def _scope(self, skills: Sequence[Skill]) -> tuple[str, ...]:
        """What answers: another release, model or set of skills answers otherwise."""
        return VERSION, str(FORM), self._model, *sorted(skill.name for skill in skills)

    def _day(self, tasks: Sequence[Task]) -> str:
        """The day on which it was asked, where that matters."""
        dated = any(READ_ONLY[task.intent].dated or task.slots.date for task in tasks)
        return today(self._clock).isoformat() if dated else ""


def _is_personal(text: str) -> bool:
    consent = read_consent(text)
    simple = normalise(text).text
    own = _NUMBERS.search(simple) or _OWN.search(simple)
    return consent.kind != "none" or consent.to is not None or own is not None


def _knows_anything(memory: MemoryContext) -> bool:
    return bool(memory.short_term or memory.user_profile or memory.long_term)


def _completed(turn: Turn, reading: Reading, clock: Clock) -> Reading | None:
    """那上海呢 as the whole question that it stands for; None where that cannot be said in words alone."""
    if any(mark in turn.message.text for mark in _SWAPS) or not _leans_on_plain_words(turn, reading, clock):
        return None
    complete = _in_plain_words(reading, clock)
    same = list(map(_frame_wish, complete.frames)) == list(map(_frame_wish, reading.frames))
    is_whole = same and accounts_for_all(complete) and not complete.leaned
    return complete if is_whole and not says_more(reading, complete) else None


def _leans_on_plain_words(turn: Turn, reading: Reading, clock: Clock) -> bool:
    """Whether the message before it asked no more than its slots hold: 北京有哪些免费的景点 asks for more."""
    said = [message.content for message in turn.memory.short_term if message.role == "user"]
    before = read(said[-1], clock.now()) if said else None
    if before is None or before.leaned or not accounts_for_all(before):
        return False
    same_wishes = {frame.intent for frame in reading.frames} <= {frame.intent for frame in before.frames}
    noted = any(isinstance(expression.value, Note) for expression in before.expressions)
    return same_wishes and not noted and not says_more(before, _in_plain_words(before, clock))


def _in_plain_words(reading: Reading, clock: Clock) -> Reading:
    return read("；".join(frame.query for frame in reading.frames), clock.now())


def _frame_wish(frame: Frame) -> tuple[str, object, object]:
    return frame.intent, frame.slots, frame.when


def _wish(task: Task) -> str:
    return f"{task.intent} {sorted(task.slots.to_json().items(), key=str)} {task.when}"


def _digest(*parts: str) -> str:
    return sha256("\x1f".join(parts).encode()).hexdigest()
