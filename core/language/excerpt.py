"""What of a very long text is read: the clauses that speak of travelling; the rest is left over, unread."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import add

from core.language.clauses import MOST_CLAUSES
from core.language.lexicon import Lexicon
from core.language.numerals import NUMERALS
from core.language.tokens import LINK, Token, tokenise

Stretch = tuple[int, int]
"""From, to (exclusive), in normalised characters."""

MOST_TOKENS = 400
"""More than a person says in one message. Reading costs in proportion to it, however long the text is."""
MOST_OF_A_LONG_TEXT = 220
"""Words that are read of a text that has more than that."""
MOST_CHARACTERS = 640
"""So many are about 400 words. Longer texts are never cut into words as a whole."""
_LONGEST_CLAUSE = 120
_SEARCHED_FOR_AN_END = 20
_BREAK = re.compile(rf"(?P<link>{LINK})|[,。;!?()【】\[\]「」“”\"'|*#~《》<>=+{{}}`^$@%_·•▪❓❗\\]+|[.:/](?!\d)")
_CODE = re.compile(r"[a-z]\d|\d[a-z]|\d{10}")
_TELLING = frozenset((
    "mention", "skill", "place", "rail", "air", "line", "artist", "train_no", "flight_no", "order_no", "order",
    "correct", "slot:seat_class", "slot:cabin", "slot:airline", "slot:sort", "chat_memory", "day", "day_part",
    "festival", "weekday",
))


def excerpt(text: str, lexicon: Lexicon) -> tuple[tuple[Token, ...], list[Stretch]]:
    """The words to read, and the stretches that nobody reads."""
    if len(text) <= MOST_CHARACTERS and len(tokens := tokenise(text, lexicon)) <= MOST_TOKENS:
        return tokens, []
    kept: dict[Stretch, tuple[Token, ...]] = {}
    words = characters = 0
    for start, end in _from_both_ends(_telling_clauses(text, lexicon)):
        tokens = tokenise(text[start:end], lexicon, start)
        words += len(tokens)
        characters += end - start
        if words > MOST_OF_A_LONG_TEXT or characters > MOST_CHARACTERS or len(kept) == MOST_CLAUSES:
            break
        kept[start, end] = tokens
    return tuple(token for clause in sorted(kept) for token in kept[clause]), _between(sorted(kept), len(text))


def _from_both_ends(clauses: Sequence[Stretch]) -> Iterator[Stretch]:
    """The first, the last, the second …: who tells a long story wishes something before it or after it."""
    for place in range((len(clauses) + 1) // 2):
        yield clauses[place]
        if (last := len(clauses) - 1 - place) > place:
            yield clauses[last]


def _between(kept: Sequence[Stretch], size: int) -> list[Stretch]:
    ends, starts = [0, *(end for _, end in kept)], [*(start for start, _ in kept), size]
    return [(end, start) for end, start in zip(ends, starts, strict=True) if end < start]


def _telling_clauses(text: str, lexicon: Lexicon) -> list[Stretch]:
    """The clauses in which a telling word stands; all of them where none does."""
    clauses = list(_clauses(text, lexicon))
    starts = [start for start, _ in clauses]
    inside = ((bisect_right(starts, place) - 1, place) for place in _telling_places(text, lexicon))
    telling = {number for number, place in inside if number >= 0 and place < clauses[number][1]}  # not in a link
    return [clauses[number] for number in sorted(telling)] or clauses


def _clauses(text: str, lexicon: Lexicon) -> Iterator[Stretch]:
    """Stretches up to and with a stop, or up to a link; one that never ends is cut where no word begins."""
    begin = 0
    breaks = ((found.start() + (found["link"] is None), found.end()) for found in _BREAK.finditer(text))
    for end, following in [*breaks, (len(text), len(text))]:
        while end - begin > _LONGEST_CLAUSE:
            cut = _gap(text, begin + _LONGEST_CLAUSE, lexicon)
            yield begin, cut
            begin = cut
        if end > begin:
            yield begin, end
        begin = following


def _gap(text: str, latest: int, lexicon: Lexicon) -> int:
    """The last place, not long before `latest`, that no word of the tables, numeral or Latin word runs over."""
    for place in range(latest, latest - _SEARCHED_FOR_AN_END, -1):
        beside = text[place - 1 : place + 1]
        if beside not in lexicon.lengths and not beside.isascii() and NUMERALS.isdisjoint(beside):
            return place
    return latest


def _telling_places(text: str, lexicon: Lexicon) -> Iterator[int]:
    """Where a telling word or a code is spelled, before anything is cut into words."""
    singles, longer = _telling_words(lexicon)
    for place, pair in enumerate(map(add, text, text[1:])):
        if pair in longer and text.startswith(longer[pair], place):
            yield place
    if not singles.isdisjoint(text):
        yield from (place for place, character in enumerate(text) if character in singles)
    yield from (code.start() for code in _CODE.finditer(text))


@lru_cache(maxsize=64)
def _telling_words(lexicon: Lexicon) -> tuple[frozenset[str], Mapping[str, tuple[str, ...]]]:
    """The telling words of one character, and the longer ones by their first two."""
    longer: dict[str, list[str]] = {}
    telling = [word for word, meanings in lexicon.words.items() if not _TELLING.isdisjoint(meanings)]
    for word in telling:
        longer.setdefault(word[:2], []).append(word)
    singles = frozenset(word for word in telling if len(word) == 1)
    return singles, {pair: tuple(words) for pair, words in longer.items() if len(pair) > 1}
