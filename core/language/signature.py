"""What a reading means, as one line of text: equal for two wordings of the same wish, different for every other wish.

The cache puts it beside the distance of two sentences, which separates 北京到上海 from 上海到北京 as little as two
wordings of one wish.
"""

import json
from collections.abc import Iterator
from functools import cache

from core.language.frames import Frame, Reading
from core.language.normalise import normalise
from core.language.tables import rows
from core.language.values import Mention, Note, Where

_SEPARATOR = " ‖ "


def signature(reading: Reading) -> str:
    """Intents with their slots in the order spoken, conditions, troubles, names, and whatever nobody could read.

    Dates are absolute, so that 明天 said today and 明天 said tomorrow differ.
    """
    parts = [_frame(frame) for frame in reading.frames] or [reading.topic]
    return _SEPARATOR.join([*parts, *_besides(reading)])


def _frame(frame: Frame) -> str:
    slots = json.dumps(frame.slots.to_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    when = f" if {frame.when.test} of {frame.when.frame}" if frame.when else ""
    troubles = "".join(f" !{trouble.kind} {trouble.slot} {trouble.said}" for trouble in frame.troubles)
    return f"{frame.intent} {slots}{when}{troubles}"


def _besides(reading: Reading) -> Iterator[str]:
    """What no slot holds: sights by name, notes such as 亲子, what is asked of the weather, unread words."""
    for expression in reading.expressions:
        value = expression.value
        if isinstance(value, Where) and value.place.kind == "sight":
            yield f"{'not ' if value.denied else ''}at {value.place.name}"
        elif isinstance(value, Note):
            yield f"note {value.text}"
        elif isinstance(value, Mention) and value.domain == "weather":
            aspect = _aspects().get(normalise(reading.text[slice(*expression.span)]).text)
            if aspect is not None:
                yield f"about {aspect}"
    unread = normalise("".join(reading.text[start:end] for start, end in reading.leftover)).text
    if unread:
        yield f"unread {unread}"


@cache
def _aspects() -> dict[str, str]:
    return {normalise(word).text: aspect for aspect, words in rows("aspects.tsv") for word in words.split()}
