"""What reading costs is bounded, however long or strange the text: counted in words, looks and drafts."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language import read
from core.language.bags import Bag
from core.language.drafts import MOST_DRAFTS, drafts_of
from core.language.excerpt import MOST_CHARACTERS, MOST_OF_A_LONG_TEXT, MOST_TOKENS, excerpt
from core.language.frames import PastWish, ReadContext
from core.language.gazetteer import Place
from core.language.lexicon import base_lexicon
from core.language.normalise import normalise
from core.language.readers import any_reader
from core.language.scan import Scene, scan
from core.language.slots import Slots
from core.language.tokens import Token
from core.language.values import Days, Mention, Where, Word
from core.language.wishes import Wish
from core.shared.clock import SHANGHAI

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12, 0))
PROSE = "这篇文章写得很长，读起来有些吃力，作者大约花了不少工夫。"
PIECES = [
    "北京", "上海", "明天", "周五", "如果", "就", "到", "，", "。", "和", "订", "不要", "高铁", "8-", "1.5", "一百零",
    "十一", "G1", "a1", " ab ", "http://a.b/g1?x=2", "龘", "整", "长沙发", "ﷺ", "⑽", "\u202e", "\n",
]
SIDE_BY_SIDE = ["整", "农历", "过", "不要", "除", "请", "和", "假期", "第", "去", "没有", "那天", "十一"]


class Counted(Mapping[str, str]):
    """Meanings of a word that count how often somebody looked at them."""

    looks = 0

    def __init__(self, meanings: Mapping[str, str]) -> None:
        self._meanings = meanings

    def __getitem__(self, kind: str) -> str:
        Counted.looks += 1
        return self._meanings[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._meanings)

    def __len__(self) -> int:
        return len(self._meanings)


def looks_at(word: str, times: int) -> int:
    """How often the readers look at the words of a text that says one word over and over."""
    meanings = Counted(base_lexicon().words[word])
    tokens = [Token(word, n * len(word), (n + 1) * len(word), meanings) for n in range(times)]
    before = Counted.looks
    scan(Scene(tokens, NOW), any_reader)
    return Counted.looks - before


def destinations(text: str) -> list[str | None]:
    return [frame.slots.to_city for frame in read(text, NOW).frames]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12), st.integers(MOST_CHARACTERS + 1, 4000))
def test_of_a_long_text_a_bounded_part_is_read_and_all_the_rest_is_told(pieces: list[str], length: int) -> None:
    text = normalise(("".join(pieces) * length)[:length]).text
    tokens, left = excerpt(text, base_lexicon())
    assert len(tokens) <= (MOST_OF_A_LONG_TEXT if len(text) > MOST_CHARACTERS else MOST_TOKENS)
    assert sum(token.end - token.start for token in tokens) <= MOST_CHARACTERS
    told = sorted([*((token.start, token.end) for token in tokens), *left])
    assert [start for start, _ in told] == [0, *(end for _, end in told)][: len(told)]
    assert not text or told[-1][1] == len(text)
    assert all(token.text == text[token.start : token.end] for token in tokens)


@pytest.mark.parametrize("word", SIDE_BY_SIDE)
def test_looking_around_costs_in_proportion_to_the_words(word: str) -> None:
    assert looks_at(word, 400) <= 2.2 * looks_at(word, 200)


def test_a_wish_at_the_end_of_a_long_story_about_travelling_is_found() -> None:
    story = "去年我们在成都住了几天，那边的天气真不错，后来坐火车到重庆看了夜景，晚上吃火锅。" * 80
    assert "哈尔滨" in destinations(f"{story}请帮我查明天从大连到哈尔滨的高铁。")


def test_a_wish_before_a_long_text_without_any_stop_is_found() -> None:
    assert destinations("帮我查明天北京到上海的高铁，" + "龘" * 3900) == ["上海"]


def test_a_wish_in_a_long_text_without_any_stop_is_cut_between_words() -> None:
    prose = "这篇文章写得很长读起来有些吃力作者大约花了不少工夫" * 40
    assert destinations(f"{prose}帮我查明天北京到上海的高铁{prose}") == ["上海"]


def test_nothing_in_a_link_is_read_as_a_train_however_long_the_text() -> None:
    link = "https://example.com/g1234/k99?train=g7&next=d301"
    reading = read(f"{PROSE * 30}帮我查明天北京到上海的高铁，{link} {PROSE * 30}", NOW)
    assert [frame.slots.train_no for frame in reading.frames] == [None]
    assert read(f"{link} " * 60, NOW).frames == ()


def test_signs_that_stand_for_phrases_do_not_lengthen_the_text() -> None:
    assert len(normalise("ﷺ" * 4000).text) == 4000
    assert normalise("㋋").text == "12月"


def test_cities_days_and_names_of_one_wish_do_not_multiply_without_end() -> None:
    cities = [Where(Place(f"城{n}", "city", (f"城{n}",))) for n in range(40)]
    days = [Days(date(2026, 9, 1) + timedelta(days=n)) for n in range(40)]
    names = [Word("artist", f"歌手{n}") for n in range(40)]
    bag = Bag(mentions=[Mention("concert")], days=days, words=names)
    bag.route.plain = cities
    assert len(drafts_of([Wish(bag, ("concert",))] * 40, ())) == MOST_DRAFTS


def test_many_wishes_from_before_are_changed_into_no_more_than_a_message_may_wish() -> None:
    cities = [name for name in ("天津", "重庆", "广州", "深圳", "成都", "杭州", "武汉", "西安")]
    past = tuple(PastWish("query_weather", Slots(city=city, date=date(2026, 8, day))) for city in cities
                 for day in range(17, 22))
    assert len(read("换成北京、上海、南京、苏州、厦门、青岛呢", NOW, ReadContext(past=past)).frames) <= MOST_DRAFTS
