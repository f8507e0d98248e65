"""What models write for nothing, dates, counts, flags and lists."""

from datetime import date
from typing import Any

import pytest

from core.shared.tolerant_values import is_null_word, read_count, read_date_form, read_flag, read_numbers, read_words


@pytest.mark.parametrize(
    "value",
    [
        None, "", "  ", "null", "NULL", "None", "N/A", "n/a", "无", "暂无", "（无）", "未知", "未提供", "不详",
        "“未知”", "<unknown>", "-", "—", "暂无。", "Not provided", "用户未提及", "undefined", "ＮＵＬＬ",
        "N.A.", "YYYY-MM-DD", "未告知",
    ],
)  # fmt: skip
def test_words_for_nothing_are_nothing(value: Any) -> None:
    assert is_null_word(value)


@pytest.mark.parametrize("value", ["无锡", "0", 0, False, "不限", "北京", [], "无座", "没有要求二等座", "未来三天"])
def test_other_words_are_something(value: Any) -> None:
    assert not is_null_word(value)


@pytest.mark.parametrize(
    "value",
    [
        "2026-08-21", "2026/8/21", "2026.8.21", "20260821", 20260821, "2026年8月21日", "2026年08月21号",
        "2026-8-21", " 2026 年 8 月 21 日 ", "2026-08-21T00:00:00", "2026-08-21T23:59:59+08:00",
        "2026-08-20T18:00:00Z", "2026-08-21 08:30", "2026-08-21 周五", "2026-08-21（星期五）",
        "2026-08-21 (Fri)", "2026-08-21.", "'2026-08-21'", "二〇二六年八月二十一日", "Aug 21, 2026", "21 August 2026",
        "August 21st, 2026", "2026年8月21日 周五 9点", "２０２６年８月２１日",
    ],
)  # fmt: skip
def test_every_usual_spelling_of_a_date_is_read(value: Any) -> None:
    assert read_date_form(value) == date(2026, 8, 21)


@pytest.mark.parametrize(
    "value",
    [
        "2026-02-30", "2026-13-01", "8月21日", "明天", "", None, True, 3, 21, "08/21/2026", "2026-08",
        "0026-08-21", "2026-08-21至2026-08-23",
        "2026-08-21" + " " * 30_000 + "x",
        "20260821000", "2026-08-21Tabc", "2026-0821", ["2026-08-21"],
        "2026年8月21日前后", "Aug 2026", "21 Aug 21 2026", "二〇二六年十三月一日", "Tomorrow",
    ],
)  # fmt: skip
def test_what_is_no_whole_date_is_none(value: Any) -> None:
    assert read_date_form(value) is None


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (2, 2), (0, 0), (2.0, 2), ("2", 2), ("2.0", 2), ("两张", 2), ("2张", 2), ("２ 张", 2), ("俩", 2),
        ("三位", 3), ("3人", 3), ("十张", 10), ("十二", 12), ("二十", 20), ("二十一张票", 21),
        ("一百零五", 105), ("壹张", 1), ("贰拾", 20), ("1张成人票", 1), ("两百", 200), ("x3", 3), ("仨", 3), ("零", 0),
    ],
)  # fmt: skip
def test_counts_are_read_with_and_without_their_measure(value: Any, count: int) -> None:
    assert read_count(value) == count


@pytest.mark.parametrize(
    "value",
    [
        True, None, "", "几张", "2" + " " * 30_000 + "x",
        "两三张", "3大1小", "2-3张", "-1", -1, 2.5, "2.5", "十十", "一二", "张",
        "一百十百", [2], "很多", "半张", "零十",
    ],
)  # fmt: skip
def test_what_is_no_sure_count_is_none(value: Any) -> None:
    assert read_count(value) is None


@pytest.mark.parametrize(
    ("value", "flag"),
    [
        (True, True), (False, False), ("true", True), ("False", False), ("是", True), ("否", False),
        ("需要", True), ("不需要", False), (1, True), (0, False), ("1", True), ("YES", True), ("no.", False),
        (2, None), ("也许", None), (None, None), ("", None),
    ],
)  # fmt: skip
def test_flags_are_read_also_in_words(value: Any, flag: bool | None) -> None:
    assert read_flag(value) is flag


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (["a", " b "], ("a", "b")), ("weather,train", ("weather", "train")),
        ("天气、火车票", ("天气", "火车票")), ("a", ("a",)),
        ("query train tickets, query weather", ("query train tickets", "query weather")), (None, ()),
        ("无", ()), ([], ()), ([1], None), ({"a": 1}, None), (3, None), ("a,,b", ("a", "b")),
    ],
)  # fmt: skip
def test_lists_of_names_are_read_also_from_one_string(value: Any, words: tuple[str, ...] | None) -> None:
    assert read_words(value) == words


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        ([1, 2], (1, 2)), (1, (1,)), ("1", (1,)), ("1,2", (1, 2)), ("1、2", (1, 2)), (["1"], (1,)),
        ("[1, 2]", (1, 2)), (0, ()), ("0", ()), (None, ()), ([], ()), ("无", ()), ("步骤1", (1,)),
        ("step 2", (2,)), ("第3步", (3,)), (1.0, (1,)), (True, None), ("之前", None), ([[1]], None),
        ("#1", (1,)), ("s2", (2,)), ("step_3", (3,)), ("Step-1", (1,)), ("1 and 2", (1, 2)), ("依赖步骤1", (1,)),
        ("steps 1 and 2", (1, 2)), ("1 & 2", (1, 2)), ("t1", None), ("seats 2", None), ("上一步", None),
        ({"step": 1}, None), (-1, None), ([1, "x"], None),
    ],
)  # fmt: skip
def test_numbers_of_steps_are_read_in_every_form(value: Any, numbers: tuple[int, ...] | None) -> None:
    assert read_numbers(value) == numbers
