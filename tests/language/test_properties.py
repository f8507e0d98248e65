"""Properties that hold for any sentence, or for any sentence made from slots."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from core.language import read
from core.language.frames import Reading
from core.language.gazetteer import cities
from core.shared.clock import SHANGHAI

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12, 0))
CITIES = sorted(cities())
WORDS = [
    "北京", "上海", "明天", "周五", "下", "没有", "如果", "就", "否则", "到", "从", "飞", "去", "回", "和", "订",
    "查", "别", "不要", "高铁", "机票", "天气", "三", "两", "张", "点", "月", "号", "天", "后", "前", "半",
    "除了", "往返", "最便宜", "-", "/", ":", "，", "。", "8", "21", "2月30号", "G1", "国庆", "除夕",
    "第一天", "那天", "不对", "不是", "农历", "初", "晚上", "凌晨", "酒店", "火星", "http://", "\u202e", "000",
    "七座", "内场A区", "每天不超过", "特斯拉", "前到", "G3", "大人", "一辆车", "飞回",
]

BEFORE = ["请帮我查一下", "麻烦您看看", "你好，我想问一下，", "那个，嗯，帮忙看下"]
AFTER = ["谢谢", "吧", "好吗", "哈！"]


@dataclass(frozen=True)
class Trip:
    """What a generated sentence says."""

    start: str
    end: str
    day: date
    kind: str
    count: int | None

    @property
    def sentence(self) -> str:
        count = f"，{self.count}张" if self.count else ""
        return f"{self.day.month}月{self.day.day}号{self.start}到{self.end}的{self.kind}{count}"


@st.composite
def trips(draw: st.DrawFn) -> Trip:
    start, end = draw(st.lists(st.sampled_from(CITIES), min_size=2, max_size=2, unique=True))
    day = NOW.date() + timedelta(days=draw(st.integers(0, 364)))
    kind = draw(st.sampled_from(["高铁", "机票", "火车票", "航班"]))
    return Trip(start, end, day, kind, draw(st.none() | st.integers(1, 9)))


def summary(reading: Reading) -> list[tuple[str, object]]:
    return [(frame.intent, frame.slots) for frame in reading.frames]


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=400))
def test_no_text_is_too_strange(text: str) -> None:
    reading = read(text, NOW)
    assert all(0 <= start < end <= len(text) for start, end in reading.leftover)
    assert all(0 <= e.span[0] < e.span[1] <= len(text) for e in reading.expressions)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_no_mixture_of_the_grammars_own_words_is_too_strange(words: list[str]) -> None:
    reading = read("".join(words), NOW)
    assert all((frame.slots.quantity or 1) > 0 for frame in reading.frames)
    assert all(frame.slots.date is None or frame.slots.date >= NOW.date() for frame in reading.frames)
    assert all(frame.when is None or frame.when.frame < len(reading.frames) for frame in reading.frames)


@settings(max_examples=20, deadline=None)
@given(st.text(alphabet="北京到上海明天的高铁一二三月号年- ，a1龘没有就", min_size=1, max_size=40))
def test_a_text_of_four_thousand_characters_is_read(piece: str) -> None:
    text = (piece * 4000)[:4000]
    assert read(text, NOW).text == text


@settings(max_examples=200, deadline=None)
@given(trips())
def test_a_sentence_made_from_slots_reads_back_to_them(trip: Trip) -> None:
    slots = read(trip.sentence, NOW).frames[0].slots
    assert (slots.from_city, slots.to_city, slots.date, slots.quantity) == (trip.start, trip.end, trip.day, trip.count)


@settings(max_examples=100, deadline=None)
@given(trips())
def test_swapping_the_cities_swaps_the_slots(trip: Trip) -> None:
    there = read(trip.sentence, NOW).frames[0].slots
    back = read(Trip(trip.end, trip.start, trip.day, trip.kind, trip.count).sentence, NOW).frames[0].slots
    assert (there.from_city, there.to_city) == (back.to_city, back.from_city)


@settings(max_examples=100, deadline=None)
@given(trips(), st.sampled_from(BEFORE), st.sampled_from(AFTER))
def test_politeness_changes_nothing(trip: Trip, before: str, after: str) -> None:
    assert summary(read(f"{before}{trip.sentence}{after}", NOW)) == summary(read(trip.sentence, NOW))


@settings(max_examples=100, deadline=None)
@given(trips(), st.integers(1, 3), st.sampled_from([" ", "　", "\u200b"]))
def test_spaces_and_invisible_characters_change_nothing(trip: Trip, every: int, blank: str) -> None:
    parts = [trip.sentence[n : n + every] for n in range(0, len(trip.sentence), every)]
    spaced = "".join(p + ("" if p[-1].isascii() and blank != "\u200b" else blank) for p in parts)
    assert summary(read(spaced, NOW)) == summary(read(trip.sentence, NOW))


@settings(max_examples=100, deadline=None)
@given(trips())
def test_full_width_forms_change_nothing(trip: Trip) -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in trip.sentence)
    assert summary(read(wide, NOW)) == summary(read(trip.sentence, NOW))
