"""All words the grammar knows, from the tables: each word with its meanings by kind."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from core.language.gazetteer import place_words
from core.language.normalise import normalise
from core.language.tables import lines, rows

Meanings = Mapping[str, str]
"""Kind → value. A word may have several kinds (下雨 is weather, and a test of a condition)."""

_FORMS = ("words_time.tsv", "words_speech.tsv", "words_reference.tsv")


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words by spelling, and for each pair of first characters the word lengths that occur, longest first."""

    words: Mapping[str, Meanings]
    lengths: Mapping[str, tuple[int, ...]]

    def starting_at(self, text: str, place: int) -> list[tuple[int, Meanings]]:
        """Every word that begins at `place`, as its end and its meanings; the longest first."""
        words, found = self.words, []
        for length in self.lengths.get(text[place : place + 2], ()):
            piece = text[place : place + length]
            if piece in words and len(piece) == length:
                found.append((place + length, words[piece]))
        single = words.get(text[place])
        if single is not None:
            found.append((place + 1, single))
        return found

    def widened(self, more: Iterable[tuple[str, str, str]]) -> "Lexicon":
        """This lexicon with further (word, kind, value); meanings that are there already stay."""
        words = {word: dict(meanings) for word, meanings in self.words.items()}
        for word, kind, value in more:
            words.setdefault(word, {}).setdefault(kind, value)
        return _indexed(words)


@cache
def base_lexicon() -> Lexicon:
    """The words of the tables. Read once, at the first sentence."""
    words: dict[str, dict[str, str]] = {}
    for word, kind, value in _all_words():
        key = normalise(word).text
        if key:
            words.setdefault(key, {}).setdefault(kind, value)
    return _indexed(words)


def _indexed(words: Mapping[str, Meanings]) -> Lexicon:
    lengths: dict[str, set[int]] = {}
    for word in words:
        if len(word) > 1:
            lengths.setdefault(word[:2], set()).add(len(word))
    return Lexicon(words, {pair: tuple(sorted(found, reverse=True)) for pair, found in lengths.items()})


def _all_words() -> Iterator[tuple[str, str, str]]:
    for name in _FORMS:
        for kind, value, words in rows(name):
            yield from ((word, kind, value) for word in words.split())
    yield from _festival_words()
    yield from _travel_words()
    yield from _artist_words()
    yield from place_words()
    yield from ((code, "airline_code", name) for code, name in rows("codes_airline.tsv"))
    yield from ((typed, "typo", meant) for typed, meant in rows("typos.tsv"))


def _festival_words() -> Iterator[tuple[str, str, str]]:
    for _rule, _value, _days, names in rows("festivals.tsv"):
        first, *others = names.split()
        yield from ((word, "festival", first) for word in (first, *others))


def _travel_words() -> Iterator[tuple[str, str, str]]:
    for slot, value, domain, words in rows("words_travel.tsv"):
        for word in words.split():
            if slot != "-":
                yield word, f"slot:{slot}", value
            if domain != "-":
                yield word, "class_of" if slot not in ("-", "train_type") else "mention", domain


def _artist_words() -> Iterator[tuple[str, str, str]]:
    for line in lines("artists.txt"):
        first, *others = line.split(",")
        yield from ((word, "artist", first) for word in (first, *others))
