"""How near a wish is to what a tool says of itself: by vectors where an embedder is there, else by shared letters."""

import itertools
import math
from collections import Counter
from collections.abc import Sequence

from core.ports.cache import CacheAway, Embedder, Vector
from core.ports.planning import Likeness

WISH_S, TOOLS_S = 0.3, 0.5
"""What a turn waits for the vector of the wish, and for those of tools that are not known yet."""

_MOST_KEPT = 5_000


class KeywordLikeness:
    """Implements the port Likeness: pairs of letters in common, the rarer the pair the more it says."""

    async def scores(self, wish: str, texts: Sequence[str]) -> tuple[float, ...]:
        pairs = [_pairs(text) for text in texts]
        spread = Counter(pair for found in pairs for pair in found)
        rare = {pair: math.log(1 + len(texts) / often) for pair, often in spread.items()}
        wanted = _pairs(wish)
        return tuple(_cosine(wanted, found, rare) for found in pairs)


LETTERS = 0.05
"""What shared letters add to the cosine: vectors of short texts lie so near to one another that a common name decides.
Of 43 wishes among 215 tools 29 are told rightly by vectors alone, 34 by letters alone, 39 by both."""


class EmbeddedLikeness:
    """Implements the port Likeness with an embedder and letters. Vectors of tools are kept; until all are there,
    letters decide alone."""

    def __init__(self, embedder: Embedder, letters: Likeness) -> None:
        self._embedder = embedder
        self._letters = letters
        self._known: dict[str, Vector] = {}

    async def scores(self, wish: str, texts: Sequence[str]) -> tuple[float, ...]:
        letters = await self._letters.scores(wish, texts)
        try:
            vectors = [await self._vector(text) for text in texts]
            wanted = await self._embedder.embed(wish, WISH_S)
        except CacheAway:
            return letters
        near = (sum(a * b for a, b in zip(wanted, vector, strict=True)) for vector in vectors)
        return tuple(cosine + LETTERS * common for cosine, common in zip(near, letters, strict=True))

    async def _vector(self, text: str) -> Vector:
        if text not in self._known:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            self._known[text] = await self._embedder.embed(text, TOOLS_S)
        return self._known[text]


def _pairs(text: str) -> Counter[str]:
    letters = [letter for letter in text.lower() if letter.isalnum()]
    return Counter(a + b for a, b in itertools.pairwise(letters))


def _cosine(wanted: Counter[str], found: Counter[str], rare: dict[str, float]) -> float:
    common = sum(rare[pair] for pair in wanted if pair in found)
    length = math.sqrt(sum(rare[pair] for pair in found))
    return common / length if length else 0.0
