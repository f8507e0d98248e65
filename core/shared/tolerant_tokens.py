"""One value of almost-JSON, read strictly from left to right: other spellings pass, nothing is left out or added."""

import json
import math
import re
from collections.abc import Callable
from typing import NoReturn

from core.shared.json_types import JsonObject, JsonValue
from core.shared.tolerant_strings import CLOSERS, INVISIBLE, Unreadable, fail, read_string

MOST_DEPTH = 64

_GAP = re.compile(rf"(?:[{re.escape(INVISIBLE)}]+|//[^\n]*|#[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_AFTER_NUMBER = re.compile(rf"[{re.escape(INVISIBLE)}]*(?:[,，}}｝\]］]|//|/\*|#|\Z)")
_WORD = re.compile(r"[^\W\d]\w*")
_LITERALS: dict[str, JsonValue] = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None,
}  # fmt: skip
_SAME = str.maketrans("｛｝［］：，", "{}[]:,")


class Reader:
    """A place in a text. `value` reads one value there and moves on behind it."""

    def __init__(self, text: str, at: int = 0) -> None:
        self._text = text
        self.at = at
        self._depth = 0

    def value(self) -> JsonValue:
        """The value that begins here. Raises Unreadable."""
        self._gap()
        sign = self._peek()
        if sign == "{":
            return self._nested(self._object)
        if sign == "[":
            return self._nested(self._list)
        if self._here() in CLOSERS:
            return self._string()
        return self._scalar()

    def end(self) -> None:
        """Raises Unreadable when anything but space follows."""
        self._gap()
        if self.at < len(self._text):
            self._fail("JSON 之后还有多余的内容")

    def _nested(self, read: Callable[[], JsonValue]) -> JsonValue:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise Unreadable(f"JSON 的嵌套超过 {MOST_DEPTH} 层。")
        self.at += 1
        found = read()
        self._depth -= 1
        return found

    def _object(self) -> JsonObject:
        found: JsonObject = {}
        while not self._closes("}"):
            key = self._key()
            self._gap()
            if self._peek() != ":":
                self._fail(f"键“{key[:40]}”后面缺少冒号")
            self.at += 1
            value = self.value()
            if key in found and not same_json(found[key], value):
                raise Unreadable(f"键“{key[:40]}”出现了两次，而且值不同；请只保留一个。")
            found[key] = value
            self._comma("}")
        return found

    def _list(self) -> list[JsonValue]:
        found: list[JsonValue] = []
        while not self._closes("]"):
            found.append(self.value())
            self._comma("]")
        return found

    def _closes(self, closer: str) -> bool:
        self._gap()
        if self._peek() != closer:
            return False
        self.at += 1
        return True

    def _comma(self, closer: str) -> None:
        """Past the comma, or up to the closing sign. A comma may also stand behind the last item."""
        self._gap()
        sign = self._peek()
        if sign == ",":
            self.at += 1
        elif sign != closer:
            self._fail("这里应当是逗号或右括号（字符串里的引号要写成 \\\"）")

    def _key(self) -> str:
        if self._here() in CLOSERS:
            return self._string()
        word = _WORD.match(self._text, self.at)
        if word is None:
            self._fail("这里应当是一个带引号的键")
        self.at = word.end()
        return word.group()

    def _string(self) -> str:
        string, self.at = read_string(self._text, self.at)
        return string

    def _scalar(self) -> JsonValue:
        if word := _WORD.match(self._text, self.at):
            if word.group() not in _LITERALS:
                self._fail(f"“{word.group()[:20]}”既不是带引号的字符串，也不是 JSON 的值")
            self.at = word.end()
            return _LITERALS[word.group()]
        number = _NUMBER.match(self._text, self.at)
        if number is None or not _AFTER_NUMBER.match(self._text, number.end()):
            self._fail("这里缺少一个值" if number is None else "无法识别的数字")
        self.at = number.end()
        return self._number(number.group())

    def _number(self, digits: str) -> JsonValue:
        if len(digits) > 40:
            self._fail("数字太长")
        found: int | float = json.loads(digits)
        if isinstance(found, float) and not math.isfinite(found):
            self._fail("数字太大")
        return found

    def _gap(self) -> None:
        match = _GAP.match(self._text, self.at)
        self.at = match.end() if match else self.at

    def _here(self) -> str:
        return self._text[self.at : self.at + 1]

    def _peek(self) -> str:
        return self._here().translate(_SAME)

    def _fail(self, what: str) -> NoReturn:
        fail(self._text, self.at, what)


def same_json(left: JsonValue, right: JsonValue) -> bool:
    """Whether two values are the same JSON; unlike Python's `==` it tells true from 1."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)
