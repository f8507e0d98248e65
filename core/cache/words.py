"""The guard's words: which ones say the same (data/same_words.tsv), and which say nothing (data/fillers.txt)."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from core.language.normalise import normalise
from core.language.tables import rows

PLAIN = "-"
"""The class of words that say no more than that something of their kind is wished."""


def class_of(kind: str, word: str) -> str:
    """What a word of this kind says; one that stands nowhere says only itself."""
    return _classes().get((kind, word), word)


def classes_in(kind: str, text: str) -> Iterator[str]:
    """What the words of this kind say that stand in a longer text, the longest first."""
    if (words := _pattern(kind)) is not None:
        yield from (class_of(kind, word) for word in words.findall(text))


def undenied(word: str) -> str:
    """不坐高铁 without its 不坐."""
    return word[found.end() :] if (found := _denials().match(word)) and found.end() < len(word) else word


@cache
def fillers() -> frozenset[str]:
    """What says nothing in any question."""
    return frozenset(normalise(word).text for line in _lines("fillers.txt") for word in line.split())


@cache
def fillers_of(kind: str) -> frozenset[str]:
    """What says nothing more beside a wish of this kind: 取车 beside the day from which a car is rented."""
    return frozenset(_words(f"beside {kind}"))


@cache
def feasts() -> frozenset[str]:
    """The names of festivals."""
    return frozenset(normalise(word).text for *_, words in rows("festivals.tsv") for word in words.split())


@cache
def _classes() -> dict[tuple[str, str], str]:
    table = [line.split("\t") for line in _lines("same_words.tsv")]
    return {(kind, normalise(word).text): name for kind, name, words in table for word in words.split()}


@cache
def _pattern(kind: str) -> re.Pattern[str] | None:
    words = sorted(_words(kind), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words))) if words else None


@cache
def _denials() -> re.Pattern[str]:
    return _pattern("denial") or re.compile("(?!)")


def _words(kind: str) -> list[str]:
    return [word for of, word in _classes() if of == kind]


def _lines(name: str) -> list[str]:
    text = files("core.cache").joinpath("data", name).read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]
