"""Slips of one sound: 背景 where 北京 must stand, 道 between two cities. What is repaired is less certain."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from core.language.lexicon import base_lexicon
from core.language.tables import rows
from core.language.tokens import Token

_REPAIRED = 0.6
_LONGEST = 3
_WEIGHTLESS = {"polite", "measure", "ask", "after", "before", "depart", "typo"}
_PARTICLES = "的了吗呢吧啊呀"
_BESIDE_A_CITY = ("from", "to", "go", "fly", "dash", "day", "mention", "typo", "weekday", "depart")
_REPAIRABLE = ("day", "mention", "place", "weekday", "slot:seat_class")


def repaired(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens, with unknown characters read by their sound where only one word fits their place."""
    found: list[Token] = []
    place = 0
    while place < len(tokens):
        token, place = _repair(tokens, place, found)
        found.append(token)
    return tuple(_single_slips(found))


def _repair(tokens: Sequence[Token], place: int, before: Sequence[Token]) -> tuple[Token, int]:
    if len(tokens[place].text) > 1 or (place + 1 < len(tokens) and len(tokens[place + 1].text) > 1):
        return tokens[place], place + 1
    if tokens[place].text not in _sound_of():
        return tokens[place], place + 1
    for length in range(_LONGEST, 1, -1):
        window = tokens[place : place + length]
        if len(window) < length or not _is_doubtful(window):
            continue
        key = _key("".join(token.text for token in window))
        word = _by_sound().get(key) if key else None
        if word is not None and _fits(word, window, before, tokens[place + length : place + length + 1]):
            meanings = base_lexicon().words[word]
            text = "".join(token.text for token in window)
            return Token(text, window[0].start, window[-1].end, meanings, _REPAIRED), place + length
    return tokens[place], place + 1


def _is_doubtful(window: Sequence[Token]) -> bool:
    """Single characters, at least one of them unknown, or all of them words of no weight."""
    if not all(len(token.text) == 1 and not token.text.isascii() for token in window):
        return False
    if any(token.text in _PARTICLES for token in window):
        return False
    unknown = any(not token.meanings for token in window)
    return unknown or all(token.meanings.keys() <= _WEIGHTLESS for token in window)


def _fits(word: str, window: Sequence[Token], before: Sequence[Token], after: Sequence[Token]) -> bool:
    """A city must stand beside a marker, a day or a kind of wish; another word must explain an unknown character."""
    if "place" not in base_lexicon().words[word]:
        return any(not token.meanings for token in window)
    return any(token.is_any(*_BESIDE_A_CITY) for token in [*before[-1:], *after])


def _single_slips(tokens: list[Token]) -> list[Token]:
    """道 between two places is 到; 漂 after a kind of train is 票."""
    found = list(tokens)
    for place, token in enumerate(tokens):
        meant = token.get("typo")
        if meant is None or len(token.meanings) > 1:
            continue
        before = tokens[place - 1] if place else None
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if _slip_fits(meant, before, after):
            meanings = base_lexicon().words[meant]
            found[place] = replace(token, meanings=meanings, certainty=_REPAIRED)
    return found


def _slip_fits(meant: str, before: Token | None, after: Token | None) -> bool:
    if meant == "票":
        return before is not None and before.is_any("mention", "place")
    return before is not None and after is not None and before.is_any("place", "rail") and after.is_any("place", "rail")


@cache
def _sound_of() -> dict[str, str]:
    return {character: sound for sound, characters in rows("sounds.tsv") for character in characters}


def _key(word: str) -> str | None:
    sounds = [_sound_of().get(character) for character in word]
    return None if None in sounds else " ".join(sound for sound in sounds if sound)


@cache
def _by_sound() -> dict[str, str]:
    """Words that may stand behind a slip, by sound; a sound that two of them share is left out."""
    words: dict[str, set[str]] = {}
    meant = {word for word, meanings in base_lexicon().words.items() if _is_repairable(word, meanings)}
    special = dict(rows("city_sounds.tsv"))
    for word in meant:
        key = special.get(word) or _key(word)
        if key:
            words.setdefault(key, set()).add(word)
    return {key: next(iter(found)) for key, found in words.items() if len(found) == 1}


def _is_repairable(word: str, meanings: object) -> bool:
    kinds = meanings if isinstance(meanings, dict) else {}
    if not 2 <= len(word) <= _LONGEST or not any(kind in kinds for kind in _REPAIRABLE):
        return False
    return "place" not in kinds or word in _great_cities()


@cache
def _great_cities() -> frozenset[str]:
    """Cities that people mistype often enough: those of the table of aliases' first rows."""
    return frozenset(city for city, _ in list(rows("city_aliases.tsv"))[:50])
