"""Signatures: one for all wordings of a wish, another for its nearest neighbours."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language import read
from core.language.signature import signature
from core.shared.clock import SHANGHAI
from tests.language.test_properties import AFTER, BEFORE, Trip, trips

PAIRS = Path(__file__).parent / "cases" / "meanings.tsv"
NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12, 0))


def pairs(kind: str) -> Iterator[tuple[str, str]]:
    for line in PAIRS.read_text("utf-8").splitlines():
        named, _, rest = line.partition("\t")
        if named == kind:
            one, other = rest.split("\t")
            yield one, other


def of(text: str, now: datetime = NOW) -> str:
    return signature(read(text, now))


@pytest.mark.parametrize(("one", "other"), list(pairs("same")))
def test_two_wordings_of_one_wish_have_one_signature(one: str, other: str) -> None:
    assert of(one) == of(other)


@pytest.mark.parametrize(("one", "other"), list(pairs("other")))
def test_wishes_that_differ_in_one_thing_have_two_signatures(one: str, other: str) -> None:
    assert of(one) != of(other)


def test_tomorrow_is_another_day_tomorrow() -> None:
    assert of("明天北京天气") != of("明天北京天气", NOW + timedelta(days=1))
    assert of("明天北京天气") == of("今天北京天气", NOW + timedelta(days=1))


@settings(max_examples=60, deadline=None)
@given(trips(), st.sampled_from(BEFORE), st.sampled_from(AFTER))
def test_politeness_does_not_change_a_signature(trip: Trip, before: str, after: str) -> None:
    assert of(f"{before}{trip.sentence}{after}") == of(trip.sentence)


@settings(max_examples=100, deadline=None)
@given(trips(), trips())
def test_two_trips_share_a_signature_only_if_they_are_the_same(one: Trip, other: Trip) -> None:
    kinds = {"高铁": "G", "火车票": "train", "机票": "flight", "航班": "flight"}
    same = (one.start, one.end, one.day, kinds[one.kind], one.count) == (
        other.start, other.end, other.day, kinds[other.kind], other.count)
    assert (of(one.sentence) == of(other.sentence)) == same
