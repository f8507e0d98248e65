"""Words that fill a slot of a preference, from the grammar's own tables: 二等座, 靠窗, 国航, 高铁."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from core.language.gazetteer import cities, places
from core.language.tables import rows

SLOTS = ("seat_class", "seat_pref", "cabin", "train_type", "airline", "direct")
"""What can be preferred. `home_city` and `name` are read by rules of their own."""

TRAIN_TYPES = {"G": "高铁", "D": "动车", "Z": "直达特快", "T": "特快", "K": "普速列车"}


@dataclass(frozen=True, slots=True)
class SlotWord:
    """A word found in a text, what it fills, and where it stands."""

    slot: str
    value: str
    start: int
    end: int


@cache
def slot_words() -> dict[str, tuple[str, str]]:
    """Word → slot, value."""
    found: dict[str, tuple[str, str]] = {}
    for slot, value, _domain, words in rows("words_travel.tsv"):
        if slot in SLOTS:
            for word in (value, *words.split()):
                found.setdefault(word, (slot, value))
    return found


def find_slot_words(text: str) -> Iterator[SlotWord]:
    """The words of the text, the longest at each place. 高铁站 names a building, not a train."""
    for match in _pattern().finditer(text):
        slot, value = slot_words()[match.group()]
        yield SlotWord(slot, value, match.start(), match.end())


def canonical(slot: str, value: object) -> str | None:
    """The value as the tables spell it (国航 → 中国国航); None for what is no value of the slot."""
    known = slot_words().get(value.strip()) if isinstance(value, str) else None
    return known[1] if known is not None and known[0] == slot else None


def city_named(text: str) -> str | None:
    """The city that the text names, 市 or a district with it or not; None for anything else."""
    word = text.strip()
    if word in cities():
        return word
    place = places().get(word)
    return place.city if place is not None and place.kind in ("city", "district") else None


def city_at(text: str) -> tuple[str, int] | None:
    """The city at the very beginning of the text, and where its name ends; None where a sight's longer name stands."""
    for length in range(min(len(text), _longest_place()), 1, -1):
        if (said := text[:length]) in places() or said in cities():
            city = city_named(said)
            return (city, length) if city else None
    return None


@cache
def _pattern() -> re.Pattern[str]:
    words = sorted((word for word in slot_words() if not word.isascii()), key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(map(re.escape, words))})(?!站)")


@cache
def _longest_place() -> int:
    return max(map(len, places()))
