"""Code checks the model: a model's tasks laid over the grammar's frames.

What the grammar reads without doubt wins. The model fills what it left open, adds wishes for words that it could not
read, and where the two differ in something that the grammar doubts, the person is asked.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from core.language.domains import Domain, built_in, domain_of
from core.language.drafts import Draft
from core.language.frames import Condition, Frame, ReadContext, Reading, SkillWords, Trouble
from core.language.frames_of import frames_of
from core.language.reader import read
from core.language.slots import Slots
from core.language.values import Amount, Days, Where, Window
from core.reasoning.model_answers import Heard, HeardTask
from core.reasoning.model_evidence import PLACES, Evidence
from core.reasoning.model_names import ORDER, is_order, sibling
from core.reasoning.model_slots import is_city
from core.reasoning.model_stage import Unfit

FURTHEST_DAYS = 366
"""Nothing is sold so far ahead; a model that names such a day has lost its calendar."""

_LONGEST_QUERY = 200
_ASIDE = frozenset({"condition", "action", "item_id", "sort", "seat_pref"})
_DOUBT: tuple[tuple[type, tuple[str, ...]], ...] = (
    (Days, ("date", "date_end")),
    (Where, PLACES),
    (Amount, ("quantity", "adults", "children", "days")),
    (Window, ("time_after", "time_before", "arrive_after", "arrive_before")),
)


@dataclass(frozen=True, slots=True)
class Merging:
    """What the merge looks at besides the two readings."""

    evidence: Evidence
    skills: tuple[SkillWords, ...]
    now: dt.datetime

    def offers(self, intent: str) -> bool:
        return any(skill.intent == intent for skill in self.skills)

    def believes(self, intent: str, slot: str, value: Any) -> bool:
        """Whether the person may have said it. The places of an order must have been named: that is money."""
        if slot in PLACES and is_order(intent) and not self.evidence.names(str(value)):
            return False
        return self.evidence.speaks_for(slot, value)


def merged(heard: Heard, reading: Reading, merging: Merging) -> Reading:
    """The reading with the model's share in it. Raises Unfit for a date of the model's that cannot be meant."""
    frames = list(reading.frames)
    places: dict[str, int] = {}
    extra: list[HeardTask] = []
    for task in heard.tasks:
        place = _match(task, reading.frames, set(places.values()))
        if place is None:
            extra.append(task)
        else:
            places[task.id] = place
            frames[place] = _filled(frames[place], task, merging)
    if reading.leftover or not reading.frames:
        for task in extra:
            if (added := _added(task, merging)) is not None:
                places[task.id] = len(frames)
                frames.append(added)
    return replace(reading, frames=tuple(_with_conditions(frames, heard.tasks, places)))


def _match(task: HeardTask, frames: Sequence[Frame], taken: set[int]) -> int | None:
    """The frame that speaks of the same: of several the one with most in common."""
    fitting = [place for place, frame in enumerate(frames) if place not in taken and _akin(task.intent, frame.intent)]
    return max(fitting, key=lambda place: _common(task.slots, frames[place].slots), default=None)


def _akin(said: str, read_as: str) -> bool:
    return read_as.startswith("order ") if said == ORDER else sibling(said) == sibling(read_as)


def _common(one: Slots, other: Slots) -> int:
    return sum(getattr(one, f.name) == getattr(other, f.name) not in (None, {}) for f in fields(Slots))


def _filled(frame: Frame, task: HeardTask, merging: Merging) -> Frame:
    """The frame with its gaps filled by the model, and with a question where they differ in what is doubtful."""
    domain = _domain(frame.intent, merging.skills)
    stuck = {t.slot for t in frame.troubles if t.kind not in ("missing", "unknown_place")}
    wanted = {
        name: value
        for name, value in _said(task.slots)
        if name in domain.slots and name not in stuck and not getattr(frame.slots, name)
    }
    _refuse_far_days(wanted, merging.now.date())
    news = {name: value for name, value in wanted.items() if merging.believes(frame.intent, name, value)}
    asked = _differences(frame, task, merging.evidence.reading)
    if not news and not asked:
        return frame
    slots = replace(frame.slots, **news)
    kept = [t for t in frame.troubles if t.kind != "missing" and not getattr(slots, t.slot, None)]
    rebuilt = _rebuilt(frame.intent, slots, [*kept, *asked, *_strange_cities(news)], domain, merging.now.date())
    return replace(
        rebuilt, spans=frame.spans, when=frame.when, slots=replace(rebuilt.slots, condition=frame.slots.condition),
        query=_query(task, rebuilt, merging),
    )


def _differences(frame: Frame, task: HeardTask, reading: Reading) -> list[Trouble]:
    """One question for each slot that the grammar doubts and the model reads otherwise."""
    doubtful = {
        name
        for expression in reading.expressions
        if expression.certainty < 1 and expression.span in frame.spans
        for kind, names in _DOUBT
        if isinstance(expression.value, kind)
        for name in names
    }
    found = []
    for name in sorted(doubtful):
        ours, theirs = getattr(frame.slots, name), getattr(task.slots, name)
        if ours and theirs and ours != theirs:
            found.append(Trouble("ambiguous", name, f"{_in_words(ours)}还是{_in_words(theirs)}"))
    return found


def _added(task: HeardTask, merging: Merging) -> Frame | None:
    """A wish that only the model has heard; None where it cannot be had."""
    intent = _own_words_only(task.intent, merging)
    if intent is None:
        return None
    domain = _domain(intent, merging.skills)
    wanted = {name: value for name, value in _said(task.slots) if name in domain.slots}
    _refuse_far_days(wanted, merging.now.date())
    slots = {name: value for name, value in wanted.items() if merging.believes(intent, name, value)}
    frame = _rebuilt(intent, Slots(**slots), _strange_cities(slots), domain, merging.now.date())
    return replace(frame, query=_query(task, frame, merging))


def _own_words_only(intent: str, merging: Merging) -> str | None:
    """An order is never a model's idea: without the person's own word for it, it is only looked up."""
    if intent == ORDER:
        raise Unfit("intent 要写出是哪一种预订，例如 order train tickets。")
    meant = merging.evidence.cancels if intent.startswith("cancel ") else merging.evidence.orders
    if not is_order(intent) or meant:
        return intent
    looked_up = "query orders" if intent.startswith("cancel ") else f"query {sibling(intent)}"
    return looked_up if merging.offers(looked_up) else None


def _rebuilt(intent: str, slots: Slots, troubles: list[Trouble], domain: Domain, today: dt.date) -> Frame:
    """The frame of these slots, by the grammar's own rules for what is missing and how it is worded."""
    orders = intent == domain.order != domain.query
    draft = Draft(domain=domain, orders=orders, slots=slots, wish=0, founds=[], troubles=troubles)
    return replace(frames_of([draft], today, [()])[0], intent=intent)


def _domain(intent: str, skills: Sequence[SkillWords]) -> Domain:
    own = next((d for name, d in built_in().items() if name != "change" and intent in (d.query, d.order)), None)
    return own or domain_of(intent, skills)


def _said(slots: Slots) -> list[tuple[str, Any]]:
    values = ((f.name, getattr(slots, f.name)) for f in fields(Slots))
    return [(name, value) for name, value in values if value not in (None, {}) and name not in _ASIDE - {"sort"}]


def _strange_cities(slots: dict[str, Any]) -> list[Trouble]:
    return [Trouble("unknown_place", name, str(slots[name])) for name in PLACES if name in slots
            and not is_city(str(slots[name]))]


def _refuse_far_days(slots: dict[str, Any], today: dt.date) -> None:
    for name in ("date", "date_end"):
        day = slots.get(name)
        if isinstance(day, dt.date) and not today <= day <= today + dt.timedelta(days=FURTHEST_DAYS):
            raise Unfit(f"{name} 写的是 {day.isoformat()}，而今天是 {today.isoformat()}：请从今天推算日期。")


def _query(task: HeardTask, frame: Frame, merging: Merging) -> str:
    """The model's wording where the grammar reads exactly these slots in it, else the grammar's."""
    if not 0 < len(task.query) <= _LONGEST_QUERY:
        return frame.query
    again = read(task.query, merging.now, ReadContext(skills=merging.skills)).frames
    same = len(again) == 1 and again[0].intent == frame.intent and _essence(again[0].slots) == _essence(frame.slots)
    return task.query if same else frame.query


def _essence(slots: Slots) -> dict[str, Any]:
    return {name: value for name, value in _said(slots) if name not in _ASIDE}


def _with_conditions(frames: list[Frame], tasks: Sequence[HeardTask], places: dict[str, int]) -> list[Frame]:
    """The model's conditions, on frames that have none of the grammar's and look at another frame."""
    for task in tasks:
        place, of = places.get(task.id), places.get(task.when.of) if task.when else None
        if task.when and place is not None and of is not None and of < place and frames[place].when is None:
            frame = frames[place]
            slots = replace(frame.slots, condition=task.when.test)
            frames[place] = replace(frame, when=Condition(of, task.when.test), slots=slots)  # type: ignore[arg-type]
    return frames


def _in_words(value: object) -> str:
    if isinstance(value, dt.date):
        return f"{value.month}月{value.day}日"
    return value.isoformat("minutes") if isinstance(value, dt.time) else str(value)
