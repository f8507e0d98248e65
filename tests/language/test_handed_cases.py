"""The handed cases, those with a history played through: intents and slots right, nothing forbidden done."""

import json
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import pytest

from core.language.consent import read_consent
from core.language.frames import Reading
from core.shared.clock import SHANGHAI
from tests.language.talk import Talk

CASES = Path(__file__).parent / "cases" / "user_inputs.jsonl"
SHARE_WANTED = 0.95
# What a history's reply says → the rows that it put before the person.
LISTED = {"1. G7301": "trains", "已下单": "order"}

# The cases' short names → the intents of this project that answer them. "order" is anything about orders.
INTENTS = {
    "train": {"query train tickets", "order train tickets"},
    "flight": {"query flight tickets", "order flight tickets"},
    "concert": {"query concert tickets", "order concert tickets"},
    "weather": {"query weather"},
    "attraction": {"attraction"},
}
ORDERS = {"create": "order ", "query": "query orders", "cancel": "cancel order", "change": "query orders"}
# Names without a frame: the topics that stand for them.
TOPICS = {
    "chitchat": {"greeting", "thanks", "farewell", "assistant", "other"},
    "out_of_scope": {"other", "assistant", "nothing"},
    "memory": {"memory"},
    "itinerary": {"travel"},
}
SORTS = {"earliest": "depart"}
# Facts of the whole turn, which no single reading holds.
NOT_OF_THE_GRAMMAR = {"parallel", "depends", "confirmed"}


@dataclass(frozen=True)
class Outcome:
    intents: bool
    slots: bool
    forbidden: tuple[str, ...]

    @property
    def right(self) -> bool:
        return self.intents and self.slots


def all_cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]


def talk_before(case: dict[str, Any]) -> Talk:
    """The conversation that the case's history tells, played: wishes, rows that were listed, an order that was made."""
    moment = datetime.fromisoformat(case.get("now") or f"{case['today']}T12:00:00+08:00")
    talk = Talk(moment.astimezone(SHANGHAI))
    for turn in case.get("history", []):
        said = turn["content"]
        if turn["role"] == "user" and read_consent(said).kind == "none":
            talk.say(said)
        for words, rows in LISTED.items():
            if turn["role"] == "assistant" and words in said:
                talk.show(rows)
        if "一般从苏州出发" in said:  # what memory makes of it
            talk.context = replace(talk.context, home_city="苏州")
    return talk


def reading_of(case: dict[str, Any]) -> Reading:
    return talk_before(case).say(case["text"])


def offered_in(case: dict[str, Any]) -> Literal["place", "cancel"] | None:
    """What the last words before the message offer: those cases are the order desk's."""
    last = case.get("history", [{"content": ""}])[-1]["content"]
    if "为您取消" in last:
        return "cancel"
    return "place" if "请确认" in last else None


def has_intents(reading: Reading, names: list[str], slots: dict[str, Any]) -> bool:
    mine = [frame.intent for frame in reading.frames]
    if not mine:
        return not names or all(reading.topic in TOPICS.get(name, set()) for name in names)
    wanted = [_wanted(name, slots) for name in names]
    each_is_there = all(any(_fits(intent, want) for intent in mine) for want in wanted)
    return each_is_there and all(any(_fits(intent, want) for want in wanted) for intent in mine)


def _wanted(name: str, slots: dict[str, Any]) -> set[str]:
    if name == "order":
        return {ORDERS.get(slots.get("action", "create"), "order ")}
    return INTENTS.get(name, {f"none for {name}"})


def _fits(intent: str, wanted: set[str]) -> bool:
    return any(intent == want or (want == "order " and intent.startswith(want)) for want in wanted)


def has_slots(reading: Reading, slots: dict[str, Any]) -> bool:
    legs = slots.get("legs")
    if legs is not None:
        found = [frame.slots.to_json() for frame in reading.frames]
        return len(found) == len(legs) and all(leg.items() <= one.items() for leg, one in zip(legs, found, strict=True))
    return all(_has_slot(reading, name, value) for name, value in slots.items())


def _has_slot(reading: Reading, name: str, value: Any) -> bool:
    if name in NOT_OF_THE_GRAMMAR or name == "action":
        return True
    if name == "region":  # a province is named in the question that is asked back
        return any(trouble.said == value for frame in reading.frames for trouble in frame.troubles)
    if name == "date" and not reading.frames:
        return any(value in str(getattr(e.value, "start", "")) for e in reading.expressions)
    if name == "seat_pref" and not reading.frames:
        return any(getattr(e.value, "value", "") == value for e in reading.expressions)
    wanted = SORTS.get(value, value) if name == "sort" else value
    return any(frame.slots.to_json().get(name) == wanted for frame in reading.frames)


def has_follow_up(reading: Reading, wanted: bool | None) -> bool:
    """Only what a reading can know: a trouble must be there where the person is to be asked, and not elsewhere."""
    asks = any(frame.troubles for frame in reading.frames)
    ordering = any(frame.intent.startswith(("order", "cancel")) for frame in reading.frames)
    if wanted is None or not reading.frames:
        return True
    return (asks or ordering) if wanted else not asks


def forbidden(reading: Reading, names: list[str]) -> tuple[str, ...]:
    """What the grammar itself could break of a case's must_not."""
    intents = {frame.intent for frame in reading.frames}
    broken = []
    if "flight" in names and any("flight" in intent for intent in intents):
        broken.append("flight")
    if "tool_call" in names and reading.frames:
        broken.append("tool_call")
    if "create_order" in names and any((f.slots.quantity or 1) < 1 for f in reading.frames):
        broken.append("create_order")
    if "cross_user_data" in names and any("1002" in json.dumps(f.slots.to_json()) for f in reading.frames):
        broken.append("cross_user_data")
    return tuple(broken)


def outcome(case: dict[str, Any]) -> Outcome:
    reading = reading_of(case)
    expect = case["expect"]
    forms = [expect, *({**expect, **other} for other in expect.get("any_of", []))]
    right = [
        (has_intents(reading, form["intents"], form["slots"]),
         has_slots(reading, form["slots"]) and has_follow_up(reading, form.get("follow_up")))
        for form in forms
    ]
    intents, slots = max(right, key=lambda pair: (all(pair), pair))
    return Outcome(intents, slots, forbidden(reading, expect.get("must_not", [])))


def describe(case: dict[str, Any]) -> str:
    reading = reading_of(case)
    frames = [(f.intent, f.slots.to_json(), [(t.kind, t.slot, t.said) for t in f.troubles]) for f in reading.frames]
    return f"{case['id']} {case['text']!r}: topic {reading.topic}, {frames}; wanted {case['expect']}"


def readable_cases() -> list[dict[str, Any]]:
    return [case for case in all_cases() if offered_in(case) is None]


def test_the_handed_cases_are_read_right(capsys: pytest.CaptureFixture[str]) -> None:
    cases = readable_cases()
    misses = [describe(case) for case in cases if not outcome(case).right]
    share = 1 - len(misses) / len(cases)
    with capsys.disabled():
        print(f"\nhanded cases: {len(cases) - len(misses)} of {len(cases)} right", *misses, sep="\n  ")
    assert share >= SHARE_WANTED


def test_no_handed_case_is_read_as_something_forbidden() -> None:
    broken = {case["id"]: outcome(case).forbidden for case in readable_cases() if outcome(case).forbidden}
    assert broken == {}


def test_answers_to_an_offer_are_consent_or_none() -> None:
    answers = {
        case["text"]: read_consent(case["text"]).on(action).kind for case in all_cases() if (action := offered_in(case))
    }
    assert answers == {"我没说要取消，我是问取消要不要手续费": "no", "确认": "yes", "先不买了": "no"}


def test_a_case_that_leans_on_its_history_says_so() -> None:
    leaning = {case["text"] for case in readable_cases() if case.get("history") and reading_of(case).leaned}
    assert {"就第二个", "再往后推一天", "第四个", "老地方出发，明天，去南京", "一样的再来一张"} <= leaning
    assert not any(reading_of(case).leaned for case in all_cases() if "history" not in case)
