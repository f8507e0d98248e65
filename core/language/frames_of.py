"""From drafts to frames: what is missing or wrong, conditions, and the rewritten query."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from core.language.domains import built_in
from core.language.drafts import Draft
from core.language.frames import Condition, Frame, Span, Trouble
from core.language.gazetteer import abroad
from core.language.rewrite import rewritten
from core.language.slots import Slots

_TESTS = ("rain", "dry", "found", "none_found", "hot", "cold", "snow")
_NEEDED = {
    "train": ("from_city", "to_city", "date"), "flight": ("from_city", "to_city", "date"), "weather": ("city",),
    "attraction": ("city",), "car": ("city",), "tour": ("destination",),
}


def frames_of(drafts: Sequence[Draft], today: date, spans: Sequence[tuple[Span, ...]]) -> tuple[Frame, ...]:
    """One frame for each draft; `spans` are the characters that each draft used."""
    finished = [_with_default_day(draft, today) for draft in drafts]
    return tuple(_frame(draft, finished, used) for draft, used in zip(finished, spans, strict=True))


def _with_default_day(draft: Draft, today: date) -> Draft:
    """Weather without a day is today's."""
    if draft.domain.name != "weather" or draft.slots.date or any(t.slot == "date" for t in draft.troubles):
        return draft
    return replace(draft, slots=replace(draft.slots, date=today))


def _frame(draft: Draft, drafts: Sequence[Draft], spans: tuple[Span, ...]) -> Frame:
    troubles = _troubles(draft)
    when = _condition(draft, drafts)
    slots = replace(draft.slots, condition=when.test) if when else draft.slots
    certainty = draft.certainty if not troubles else min(draft.certainty, 0.9)
    return Frame(draft.intent, slots, rewritten(draft, slots), spans, certainty, when, troubles)


def _condition(draft: Draft, drafts: Sequence[Draft]) -> Condition | None:
    test = next((name for name in _TESTS if name in draft.when), None)
    looked_at = next((n for n, other in enumerate(drafts) if other.wish == draft.looks_at), None)
    if test is None or looked_at is None or drafts[looked_at] is draft:
        return None
    return Condition(looked_at, test)  # type: ignore[arg-type]


def _troubles(draft: Draft) -> tuple[Trouble, ...]:
    slots = draft.slots
    found = list(draft.troubles)
    found.extend(_missing(draft, {trouble.slot for trouble in found}))
    found.extend(_abroad(draft, found))
    if slots.from_city and slots.from_city == slots.to_city and slots.from_station == slots.to_station:
        found.append(Trouble("same_place", "to_city", slots.to_city or ""))
    return tuple(found)


def _abroad(draft: Draft, found: Sequence[Trouble]) -> list[Trouble]:
    """五月天东京演唱会: a place that nobody here serves is said, though the wish could do without one.

    An insurance is shown all the same: what it covers stands in its row.
    """
    slot = draft.domain.place_slot if draft.domain.name != "insurance" else None
    if slot is None or getattr(draft.slots, slot) or any(trouble.kind == "unknown_place" for trouble in found):
        return []
    said = next((unknown.text for unknown in draft.unknown if abroad(unknown.text)), None)
    return [Trouble("unknown_place", slot, said)] if said else []


def is_complete(draft: Draft) -> bool:
    """Whether nothing that its kind cannot do without is left unsaid (a place that nobody knows was said)."""
    return all(trouble.kind != "missing" for trouble in _missing(draft, {trouble.slot for trouble in draft.troubles}))


def _missing(draft: Draft, troubled: set[str]) -> list[Trouble]:
    if draft.slots.item_id or "item_id" in troubled:
        return []  # a row that was shown says everything, and one that was not is asked about
    needed = _needed(draft)
    found = []
    for slot in needed:
        if slot not in troubled and not _is_filled(draft.slots, slot):
            found.append(_unknown_or_missing(draft, slot))
    return found


def _needed(draft: Draft) -> tuple[str, ...]:
    """What this kind cannot do without. A concert needs a city or an artist; a foreign skill its city."""
    name = draft.domain.name
    if name == "concert":
        return () if draft.slots.artist else ("city",)
    if name in built_in():
        return _NEEDED.get(name, ())
    return ("city",) if draft.domain.place_slot == "city" else ()


def _is_filled(slots: Slots, slot: str) -> bool:
    numbered = slot in ("from_city", "to_city") and (slots.train_no or slots.flight_no)
    return bool(getattr(slots, slot) or numbered)


def _unknown_or_missing(draft: Draft, slot: str) -> Trouble:
    names = {slot, "city"} if slot not in ("from_city", "to_city") else {slot}
    if slot in ("city", "destination"):
        names |= {"to_city"}
    said = next((unknown.text for unknown in draft.unknown if unknown.slot in names), None)
    if said is None and slot == "to_city":
        said = next((unknown.text for unknown in draft.unknown if unknown.slot == "city"), None)
    return Trouble("missing", slot) if said is None else Trouble("unknown_place", slot, said)
