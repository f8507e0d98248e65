"""Which numbers name a person or an account: id numbers, bank cards, telephones. Decided by shape alone."""

import re
from typing import Literal

Kind = Literal["id", "card", "mobile", "landline", "foreign"]

_MOBILE = re.compile(r"(0|86|0086)?1[3-9]\d{9}")
_LANDLINE = re.compile(r"(86|0086)?0(10|2\d|[3-9]\d\d)[2-9]\d{6,7}")
_FOREIGN = re.compile(r"\d{8,15}")
_ID_18 = re.compile(r"[1-9]\d{5}(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{3}[\dXx]")
_ID_15 = re.compile(r"[1-9]\d{5}\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{3}")
_CARD = re.compile(r"\d{13,19}")
# No card begins with 19 or 20, and neither does the region of an id number: this is a moment, or an order's number.
_DATED = re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d*")

_ID_GROUPS = {(18,), (15,), (6, 8, 4), (6, 4, 4, 4), (6, 12), (6, 6, 3), (6, 9), (3, 3, 4, 4, 4), (4, 4, 4, 4, 2)}
_CARD_GROUPS = {(6, 13), (6, 10), (8, 8), (4, 6, 5), (4, 6, 4), (4, 4, 5), (4, 12), (4, 4, 8), (4, 4, 4, 7)}
_FEWEST_SINGLES = 8
_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def kind_of(digits: str, sizes: tuple[int, ...], *, plus: bool) -> Kind | None:
    """What a number is. `sizes`: how many digits stood together in each group; `plus`: a + stands before it."""
    telephone = _is_telephone(sizes, plus=plus)
    # Before dates: a mobile number may begin like a day of the last century, and eleven digits are no date.
    if telephone and _MOBILE.fullmatch(digits):
        return "mobile"
    if _DATED.fullmatch(digits):
        return None
    if telephone:
        if _LANDLINE.fullmatch(digits):
            return "landline"
        if plus and _FOREIGN.fullmatch(digits):
            return "foreign"
    if _stands(sizes, _ID_GROUPS) and is_id_number(digits):
        return "id"
    if (_stands(sizes, _CARD_GROUPS) or _in_fours(sizes)) and _CARD.fullmatch(digits):
        return "card"
    return None


def is_id_number(digits: str) -> bool:
    """A person's id: with a birthday where it has to be, or with the right check character."""
    if _ID_18.fullmatch(digits) or _ID_15.fullmatch(digits):
        return True
    if not re.fullmatch(r"\d{17}[\dXx]", digits):
        return False
    total = sum(int(digit) * weight for digit, weight in zip(digits, _ID_WEIGHTS, strict=False))
    return "10X98765432"[total % 11] == digits[-1].upper()


def is_dated(digits: str) -> bool:
    return _DATED.fullmatch(digits) is not None


def _stands(sizes: tuple[int, ...], known: set[tuple[int, ...]]) -> bool:
    return len(sizes) == 1 or sizes in known or _one_by_one(sizes)


def _in_fours(sizes: tuple[int, ...]) -> bool:
    return len(sizes) > 2 and all(size == 4 for size in sizes[:-1]) and sizes[-1] <= 4


def _one_by_one(sizes: tuple[int, ...]) -> bool:
    return len(sizes) >= _FEWEST_SINGLES and all(size == 1 for size in sizes)


def _is_telephone(sizes: tuple[int, ...], *, plus: bool) -> bool:
    """In groups of three and more; a country's code before them may be short. 8 to 10 and 17-19 are no telephones."""
    rest = sizes[1:] if len(sizes) > 1 and (plus or sizes[0] == 2) else sizes
    return all(size >= (2 if plus else 3) for size in rest) or _one_by_one(sizes)
