"""What is hidden before it is stored, and what stays."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.slots import Slots
from core.memory.masking import mask
from core.memory.number_kinds import is_id_number
from core.memory.profile import masked_profile, masked_task
from core.types.memory import PastTask
from tests.memory.tables import rows

ROWS = rows("masking.tsv")
DIGITS_IN_FULL = re.compile(r"\d{9,}")


@pytest.mark.parametrize(("said", "kept"), [row for row in ROWS if row[1]])
def test_numbers_that_name_a_person_or_an_account_are_hidden(said: str, kept: str) -> None:
    assert mask(said) == kept


@pytest.mark.parametrize("said", [said for said, kept in ROWS if not kept])
def test_trains_orders_dates_and_prices_stay(said: str) -> None:
    assert mask(said) == said


@pytest.mark.parametrize("said", [said for said, _ in ROWS])
def test_what_is_masked_once_stays_as_it_is(said: str) -> None:
    assert mask(mask(said)) == mask(said)


@given(st.text(alphabet="0123456789一二三零X -.+()（）元订单电话abＡ１。", max_size=60))
def test_masking_ends_and_repeats_itself_on_anything(said: str) -> None:
    assert mask(mask(said)) == mask(said)


@given(st.from_regex(r"1[3-9]\d{9}", fullmatch=True), st.sampled_from(["", " ", "-", "\u200b"]))
def test_no_mobile_number_stays_in_full(number: str, gap: str) -> None:
    written = gap.join([number[:3], number[3:7], number[7:]])
    assert mask(f"我的电话是{written}。") == f"我的电话是{number[:3]}****{number[7:]}。"


@given(st.from_regex(r"[3-6]\d{12,18}", fullmatch=True))
def test_no_card_number_stays_in_full(number: str) -> None:
    assert not DIGITS_IN_FULL.search(mask(f"卡号 {number}"))


def test_an_id_number_is_known_by_its_check_character_too() -> None:
    assert is_id_number("11010519491231002X")
    assert is_id_number("110105000000000020")
    assert not is_id_number("110105000000000021")


def test_long_text_is_masked_in_little_work() -> None:
    assert mask("1 " * 2_000).count("*") > 0
    assert mask("13812345678，" * 400).count("****") == 400


def test_a_profile_and_a_past_wish_pass_the_mask_but_for_names_of_things() -> None:
    assert masked_profile({"tel": "13812345678", "all": ["13812345678", "靠窗"], "n": 13812345678, "age": 30}) == {
        "tel": "138****5678", "all": ["138****5678", "靠窗"], "n": "138****5678", "age": 30,
    }
    wish = PastTask("cancel order", Slots(order_id="13812345678", artist="13812345678", quantity=2))
    assert masked_task(wish).slots == Slots(order_id="13812345678", artist="138****5678", quantity=2)
