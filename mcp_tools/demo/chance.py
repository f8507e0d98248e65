"""Dice that always fall the same way: believable variety from names and dates, the same on every machine."""

import hashlib


def dice(*parts: object) -> int:
    """A number of 64 bits that depends on the parts alone."""
    return int.from_bytes(hashlib.blake2b("|".join(map(str, parts)).encode(), digest_size=8).digest(), "big")


def share(*parts: object) -> float:
    """A number from 0 to 1 (exclusive) that depends on the parts alone."""
    return dice(*parts) / 2**64


def spread(first: int, last: int, count: int, *parts: object) -> list[int]:
    """`count` moments between two minutes of the day: one in each equal slice, not quite in its middle."""
    width = (last - first) / count
    return [int(first + width * (index + 0.15 + 0.7 * share(index, *parts))) for index in range(count)]


def stock(number: int, total: int) -> int:
    """What is left of `total`: little is more usual than much, and one in 25 is sold out."""
    if number % 25 == 0:
        return 0
    return 1 + int((total - 1) * ((number >> 8) % 1000 / 1000) ** 1.5)
