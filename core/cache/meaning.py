"""The guard: what a question means, as one text that two wordings share only when they ask the same.

No distance of sentences separates 北京到上海 from 上海到北京. So beside the grammar's own signature stand what every
expression says (saying.py) and whatever words are left between them (between.py).
"""

import re

from core.cache.between import said_between
from core.cache.saying import said_by
from core.language.frames import Reading
from core.language.normalise import normalise
from core.language.signature import signature

_BETWEEN_PARTS = " ‖ "
_OUR_OWN = "about ", "note "
"""What is asked of the weather, and notes: the very words say it as well, and by our own table of what is the same."""

_EXTREMES = {"weather high", "weather low"}
_HOW_MUCH = "act 多少"
_MEASURED = re.compile(r"(?:门票|[价温湿]格?度?|pm2.5|aqi)[是为]?多少(?![^,。?!\s度呢呀啊吗嘛])")
"""价格是多少 and 气温是多少 ask for no number beside the price and the warmth; 还有多少张 does."""


def meaning_of(reading: Reading) -> str:
    """The guard's text of a reading."""
    parts = [part for part in signature(reading).split(_BETWEEN_PARTS) if not part.startswith(_OUR_OWN)]
    return "\n".join([*dict.fromkeys(parts), *sorted(_values(reading)), *said_between(reading)])


def says_more(reading: Reading, than: Reading) -> bool:
    """Whether its words say what the other's do not, their slots and their places and days apart."""
    return not {*_values(reading), *said_between(reading)} <= {*_values(than), *said_between(than)}


def accounts_for_all(reading: Reading) -> bool:
    """Whether the grammar has read every content word: only then does the meaning stand for the whole question."""
    return bool(reading.frames) and reading.certain and not reading.leftover


def _values(reading: Reading) -> set[str]:
    """What its expressions say, without what others say as well: 多少 of 价格是多少, 哪趟 of 哪趟最快."""
    values = {said for expression in reading.expressions for said in said_by(expression, reading)}
    values -= _in_slots(reading)
    if _HOW_MUCH in values and (found := _MEASURED.search(normalise(reading.text).text)):
        values.remove(_HOW_MUCH)
        values |= {"act price"} if found[0].startswith("门票") else set()
    if values & _EXTREMES:
        values.discard("weather warmth")
    if any(value.startswith("sort ") for value in values):
        values.discard("act which")
    return values


def _in_slots(reading: Reading) -> set[str]:
    """Values that the signature has already, with the part they play: 西安 of 西安兵马俑 need not be said."""
    known: set[str] = set()
    for slots in (frame.slots for frame in reading.frames):
        for name in (slots.city, slots.from_city, slots.to_city, slots.destination):
            known.add(f"where city {name} False")
        for end in (None, slots.date_end):
            known.add(f"days {slots.date} {end} False")
    return known
