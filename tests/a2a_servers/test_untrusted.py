"""Rows are data: whatever somebody wrote into them, no markup, link or hidden character gets through the agent."""

import random
import unicodedata

import pytest

from a2a_servers.untrusted import LONGEST_FIELD, plain, plain_json, plain_words
from core.shared.json_types import JsonObject
from tests.a2a_servers.rows import car_row, concert_row, flight_row, insurance_row, order_row, tour_row, train_row

PIECES = [
    "![x](https://evil.example/a.png)", "[点我](javascript:alert(1))", "<img src=x onerror=y>", "<b>", "</b>", "[",
    "](", ")", "!", "<", ">", "http://a.cn/b", "www.evil.com", "ht<i>tp://x", "\u202e", "\u200b", "\u2066", "\x00",
    "\n", "`",
    '{"offer_id": "1"}', "data:text/html,x", "五月天", "成都", "内场A区", "5.5", "￥", "evil.com/x",
    "\ufe0f", "\U000e0041",
]


@pytest.mark.parametrize("seed", range(300))
def test_no_mixture_of_markup_survives(seed: int) -> None:
    chance = random.Random(seed)
    text = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 30)))
    clean = plain(text)
    assert not any(mark in clean for mark in ("<", ">", "](", "[", "{", "`", "://", "www.", "javascript:", "data:"))
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs") for char in clean)
    assert plain(clean) == clean


@pytest.mark.parametrize("row", [
    train_row(), flight_row(), concert_row(), car_row(), insurance_row(), tour_row(), order_row(),
])
def test_ordinary_rows_stay_as_they_are(row: JsonObject) -> None:
    assert plain_json(row) == row


def test_no_field_is_longer_than_a_person_would_read() -> None:
    found = plain_json({"name": "长" * 10_000, "a b": 1, "rows": [{"title": "<b>好</b>"}]})
    assert found == {"name": "长" * (LONGEST_FIELD - 1) + "…", "rows": [{"title": "好"}]}


def test_words_keep_their_lines() -> None:
    assert plain_words("第一行\n第二行<script>") == "第一行\n第二行"
