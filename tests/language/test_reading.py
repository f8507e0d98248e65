"""What a reading says besides its frames: characters used, certainty, topics, skills of others."""

from datetime import datetime, time

import pytest

from core.language import read
from core.language.frames import Condition, ReadContext, SkillWords
from core.language.sights import sights_of
from core.shared.clock import SHANGHAI

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12, 0))
HOTELS = ReadContext((SkillWords("query hotels", "查询酒店", ("酒店", "住宿", "宾馆"), ("上海的酒店",)),))


def test_spans_count_characters_of_the_text_as_typed() -> None:
    text = "明\u200b天　北京天氣"
    found = {text[start:end]: e.kind for e in read(text, NOW).expressions for start, end in [e.span]}
    assert found == {"明\u200b天": "days", "北京": "where", "天氣": "mention"}


def test_a_sentence_that_is_read_wholly_is_certain() -> None:
    reading = read("查明天北京到上海的机票，谢谢", NOW)
    assert reading.certain
    assert reading.leftover == ()


def test_words_that_nobody_reads_are_left_over_and_make_the_reading_uncertain() -> None:
    text = "明天北京到上海的机票要能带鹦鹉"
    reading = read(text, NOW)
    assert "鹦鹉" in "".join(text[start:end] for start, end in reading.leftover)
    assert not reading.certain


def test_a_word_repaired_by_its_sound_lowers_the_certainty() -> None:
    slipped, clean = read("后填杭州飞背景", NOW), read("后天杭州飞北京", NOW)
    assert slipped.frames[0].slots == clean.frames[0].slots
    assert slipped.frames[0].certainty < clean.frames[0].certainty == 1.0


def test_a_city_is_not_corrected_to_another_that_sounds_alike() -> None:
    assert read("宿州到徐州，明天最早", NOW).frames[0].slots.from_city == "宿州"


def test_a_right_to_left_override_is_read_as_a_person_sees_it() -> None:
    slots = read("\u202e气天天明海上\u202c", NOW).frames[0].slots
    assert (slots.city, str(slots.date)) == ("上海", "2026-08-17")


def test_a_skill_of_a_third_party_is_understood_from_its_tags() -> None:
    frame = read("上海的住宿", NOW, HOTELS).frames[0]
    assert (frame.intent, frame.slots.city) == ("query hotels", "上海")


def test_a_skill_of_a_third_party_takes_over_the_slots_beside_it() -> None:
    flight, hotel = read("明天北京到上海的机票和酒店", NOW, HOTELS).frames
    assert (flight.intent, hotel.intent) == ("query flight tickets", "query hotels")
    assert (hotel.slots.city, hotel.slots.date) == ("上海", flight.slots.date)


def test_words_that_two_examples_share_teach_a_skill() -> None:
    context = ReadContext((SkillWords("query visas", examples=("去泰国的签字服务", "签字服务怎么办")),))
    assert [f.intent for f in read("签字服务", NOW, context).frames] == ["query visas"]


def test_a_foreign_skill_that_orders_is_chosen_by_the_verb() -> None:
    both = ReadContext((SkillWords("order hotels", tags=("酒店",)), SkillWords("query hotels", tags=("酒店",))))
    assert read("订上海的酒店", NOW, both).frames[0].intent == "order hotels"
    assert read("看看上海的酒店", NOW, both).frames[0].intent == "query hotels"


def test_built_in_intents_are_read_though_the_context_does_not_list_them() -> None:
    assert read("明天北京天气", NOW, HOTELS).frames[0].intent == "query weather"


def test_without_the_skill_its_word_is_left_over() -> None:
    text = "上海的酒店"
    reading = read(text, NOW)
    assert reading.frames == ()
    assert [text[start:end] for start, end in reading.leftover] == ["酒店"]


def test_a_condition_names_the_frame_it_looks_at() -> None:
    weather, train = read("后天杭州要是下雨就订高铁，从上海走", NOW).frames
    assert train.when == Condition(frame=0, test="rain")
    assert weather.when is None


def test_the_rewritten_query_stands_by_itself() -> None:
    queries = [frame.query for frame in read("查明天北京到上海的机票，顺便看看上海天气", NOW).frames]
    assert queries == ["查询2026-08-17北京到上海的机票", "查询2026-08-17上海的天气"]


@pytest.mark.parametrize(
    "text",
    [
        "下周五从北京去上海的高铁，下午的，两张",
        "一千以内的北京到广州机票，8月25号",
        "成都三日游",
        "周杰伦上海演唱会",
        "周深成都演唱会内场A区，两张",
        "明天三亚租七座的别克GL8，两天，每天500以内",
        "不要大众，22号西安租车两天",
        "除了高铁都行，明天北京到石家庄",
    ],
)
def test_a_rewritten_query_reads_back_to_the_same_slots(text: str) -> None:
    frame = read(text, NOW).frames[0]
    assert read(frame.query, NOW).frames[0].slots == frame.slots


def test_what_is_said_about_memory_is_its_own_topic() -> None:
    reading = read("以后都给我优先看靠窗的，记一下", NOW)
    assert (reading.topic, reading.frames) == ("memory", ())


def test_asking_for_the_fee_of_a_cancellation_cancels_nothing() -> None:
    assert read("我没说要取消，我是问取消要不要手续费", NOW).frames == ()


def test_an_hour_of_arrival_is_no_hour_of_departure() -> None:
    reading = read("明天下午2点前到上海的高铁，苏州出发", NOW)
    slots = reading.frames[0].slots
    assert (slots.time_after, slots.time_before, slots.arrive_before) == (None, None, time(14))
    assert "14:00以前到达" in reading.frames[0].query
    assert reading.certain


def test_the_name_of_an_insurance_reaches_its_query() -> None:
    assert read("给我办两份航班延误险", NOW).frames[0].query == "预订旅行保险，2份，航班延误险"


def test_a_wish_in_the_middle_of_a_long_text_is_found() -> None:
    prose = "这篇文章写得很长，读起来有些吃力，作者大约花了不少工夫。" * 60
    text = f"{prose}帮我查明天北京到上海的高铁。{prose}"
    reading = read(text, NOW)
    assert [frame.slots.to_city for frame in reading.frames] == ["上海"]
    assert sum(end - start for start, end in reading.leftover) > len(prose)
    assert not reading.certain


def test_however_long_a_text_no_more_of_it_is_read_than_a_person_says() -> None:
    short, long = (read("明天北京到上海的高铁，" * times, NOW) for times in (200, 350))
    assert len(short.expressions) == len(long.expressions)


def test_just_after_midnight_tomorrow_is_shanghais() -> None:
    early = SHANGHAI.localize(datetime(2026, 8, 16, 0, 30))
    assert str(read("明天北京天气", early).frames[0].slots.date) == "2026-08-17"


def test_every_listed_city_has_five_sights_with_a_sentence_each() -> None:
    sights = sights_of("上海")
    assert len(sights) >= 5
    assert all(sight.note.endswith("。") for sight in sights)
    assert sights_of("没有这座城") == ()
