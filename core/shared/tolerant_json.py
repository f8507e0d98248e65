"""Reads the JSON of a language model: repairs what loses nothing, refuses everything else with a reason for the model.

A tokenizer of our own (tolerant_tokens), since the known ones do not fit: json_repair closes what was cut and invents
what is missing, json5 and demjson know no full-width signs, keep the last of two different keys, and recurse without
end. Repaired are fences, prose around one object, thinking, invisible characters, trailing commas, comments, quotes of
other kinds, Python's literals, full-width signs, raw line breaks in strings, and JSON that was encoded twice.
"""

import json
import re
from collections.abc import Iterable

from core.shared.json_types import JsonObject, JsonValue
from core.shared.tolerant_strings import INVISIBLE, Unreadable
from core.shared.tolerant_thinking import has_thinking, without_thinking
from core.shared.tolerant_tokens import Reader, same_json

__all__ = ["Unreadable", "is_schema_echo", "read_json", "unwrap_json_strings"]

# Read in some 0.1 s at worst, since nothing else runs meanwhile; a plan of twelve steps has some 3,000 characters.
MOST_CHARACTERS = 40_000
MOST_WRAPPINGS = 3

_FENCE = re.compile(r"\A(?:```|~~~)\w*")
_STARTS = re.compile(r"[{｛]|[\[［](?=[\s　]*[{｛\[［\"“'\]］])")
_ESCAPED_OBJECT = re.compile(r"\A\s*[\[{]\s*(?:\{\s*)?\\\"")
_BALANCED = re.compile(r"[\[［][^\[\]［］{}｛｝]*[\]］]")
# A key or a closing sign outside of every object: what stands there was cut off from one. A quoted word of Chinese
# prose before a full-width colon is none.
_LOST = re.compile(r"\"[^\"\n]{1,60}\"\s*:|[\"“'][A-Za-z_]\w{0,60}[\"”']\s*[:：]|[}\]｝］]")


def read_json(text: str, finish: str = "stop") -> JsonValue:
    """The one object (or list) in `text`. Raises Unreadable when there is none, several, a cut one, or only a schema.

    `finish` is the reason why the model stopped; only "stop" means that nothing is missing at the end.
    """
    if finish != "stop":
        raise Unreadable(f"回答没有说完（finish_reason={finish or '缺失'}），请重新给出完整而更简短的 JSON。")
    if len(text) > MOST_CHARACTERS:
        raise Unreadable(f"回答太长（{len(text)} 个字符），请只给出所要求的 JSON。")
    value = _unwrapped(text, MOST_WRAPPINGS)
    if is_schema_echo(value):
        raise Unreadable("这是 JSON 的格式说明本身，不是按它填写的回答；请给出具体的值。")
    return value


def is_schema_echo(value: JsonValue) -> bool:
    """Whether a model handed back the schema it was given instead of an answer."""
    if not isinstance(value, dict):
        return False
    properties = value.get("properties")
    described = isinstance(properties, dict) and (value.get("type") == "object" or "required" in value)
    return described or "$schema" in value or "$defs" in value


def unwrap_json_strings(value: JsonObject, keys: Iterable[str]) -> JsonObject:
    """`value` with those of its `keys` read that hold a list or an object as a string of JSON. Raises Unreadable."""
    wanted = frozenset(keys)
    return {key: _inner(item) if key in wanted and _is_encoded(item) else item for key, item in value.items()}


def _is_encoded(item: JsonValue) -> bool:
    return isinstance(item, str) and item.lstrip().startswith(("[", "{", "```"))


def _inner(item: JsonValue) -> JsonValue:
    return _unwrapped(str(item), MOST_WRAPPINGS)


def _unwrapped(text: str, wrappings: int) -> JsonValue:
    value = _one_value(text.strip(INVISIBLE))
    if isinstance(value, str):
        if wrappings == 0 or value.strip(INVISIBLE)[:1] not in ("{", "[", '"', "`"):
            raise Unreadable("需要一个 JSON 对象，得到的只是一个字符串。")
        return _unwrapped(value, wrappings - 1)
    if not isinstance(value, dict | list):
        raise Unreadable("需要一个 JSON 对象，得到的只是一个单独的值。")
    return value


def _one_value(text: str) -> JsonValue:
    if not text:
        raise Unreadable("回答是空的；请给出一个 JSON 对象。")
    if (whole := _whole(_unfenced(text))) is not None:
        return whole
    if _ESCAPED_OBJECT.match(text):
        text = _unescaped(text)
    try:
        value, prose = _embedded(text)
    except Unreadable:
        if not has_thinking(text):
            raise
    else:
        # A tag inside a string of a clean object is the person's own word and stays.
        if not has_thinking(prose):
            return value
    return _embedded(without_thinking(text).strip(INVISIBLE))[0]


def _unfenced(text: str) -> str:
    if (fence := _FENCE.match(text)) is None:
        return text
    return text[fence.end() :].removesuffix("```").removesuffix("~~~").strip(INVISIBLE)


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text


def _whole(text: str) -> JsonValue:
    """The value when the text is nothing else: only then a string, or a list of bare numbers, is taken for JSON."""
    reader = Reader(text)
    try:
        value = reader.value()
        reader.end()
    except Unreadable:
        return None
    return value


def _embedded(text: str) -> tuple[JsonValue, str]:
    """The only object in prose, and the prose.

    A broken object is never skipped: one that stands inside it would be taken for the whole.
    """
    found: list[JsonValue] = []
    prose: list[str] = []
    at = 0
    while start := _STARTS.search(text, at):
        prose.append(text[at : start.start()])
        reader = Reader(text, start.start())
        found.append(reader.value())
        at = reader.at
    prose.append(text[at:])
    if not found:
        raise Unreadable("回答里没有 JSON 对象；请只给出一个 JSON 对象，不要别的文字。")
    if any(_LOST.search(_BALANCED.sub("", part)) for part in prose):
        raise Unreadable("括号不配对：有内容落在 JSON 对象之外。")
    if not all(same_json(found[0], value) for value in found[1:]):
        raise Unreadable(f"回答里有 {len(found)} 个不同的 JSON 对象；请只给出一个。")
    return found[0], "\n".join(prose)
