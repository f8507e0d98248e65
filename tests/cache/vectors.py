"""An embedder without a model: a text is the numbers in it, so that tests say how near two questions are."""

import math

from core.ports.cache import Vector

DIMENSION = 8


class PlainEmbedder:
    """Texts that end in the same digits are equal; `name` keeps the collections of tests apart."""

    def __init__(self, name: str = "plain") -> None:
        self.name = name
        self.asked: list[str] = []

    async def load(self) -> None:
        """Nothing to load."""

    async def embed(self, text: str, limit_s: float) -> Vector:
        self.asked.append(text)
        return at_angle(0.0)


def at_angle(radians: float) -> Vector:
    """A vector of length one; two of them have the cosine of the difference of their angles."""
    return [math.cos(radians), math.sin(radians), *[0.0] * (DIMENSION - 2)]
