"""Strings of almost-JSON: any kind of quotes around them, every escape that has one meaning, no damaged character."""

import json
import re
from typing import NoReturn

INVISIBLE = " \t\r\n\v\f\u00a0\u3000\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\u00ad"
CLOSERS = {'"': '"', "'": "'", "“": "”", "”": "”", "＂": "＂", "‘": "’", "’": "’"}

_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "/": "/", "\\": "\\"}
# Escapes that Markdown and JavaScript know; the sign itself is what was meant.
_PLAIN_ESCAPES = frozenset("\"'“”‘’_*`-.~[]()#&$ \n")
_BROKEN = r"\x00-\x08\x0b\x0c\x0e-\x1f\ufffd\ud800-\udfff"
_RUNS = {closer: re.compile(rf"[^\\{closer}{_BROKEN}]+") for closer in set(CLOSERS.values())}
_CODE_POINT = re.compile(r"[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|[0-9a-fA-F]{4}")


class Unreadable(Exception):
    """No JSON could be read without guessing. `reason` is one Chinese sentence that may be shown to the model."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def fail(text: str, at: int, what: str) -> NoReturn:
    """Raises Unreadable, with the place."""
    if at >= len(text):
        raise Unreadable("JSON 不完整：回答在结束之前断了，请重新给出完整的 JSON。")
    near = text[max(0, at - 10) : at + 10]
    raise Unreadable(f"JSON 语法错误，第 {at + 1} 个字符处（“{near}”）：{what}。")


def read_string(text: str, at: int) -> tuple[str, int]:
    """The string whose opening quote stands at `at`, and the place behind its closing one. Raises Unreadable."""
    closer = CLOSERS[text[at]]
    at += 1
    parts: list[str] = []
    while True:
        if run := _RUNS[closer].match(text, at):
            parts.append(run.group())
            at = run.end()
        if text[at : at + 1] == closer:
            at += 1
            break
        if text[at : at + 1] != "\\":
            fail(text, at, "字符串里有损坏的字符")
        part, at = _escape(text, at)
        parts.append(part)
    return "".join(parts), at


def _escape(text: str, at: int) -> tuple[str, int]:
    sign = text[at + 1 : at + 2]
    if sign == "u":
        return _code_point(text, at + 2)
    if sign in _ESCAPES:
        return _ESCAPES[sign], at + 2
    if sign not in _PLAIN_ESCAPES:
        fail(text, at + 1, f"无法识别的转义“\\{sign}”")
    return sign, at + 2


def _code_point(text: str, at: int) -> tuple[str, int]:
    """One character from `\\uXXXX`, or from the two halves of a pair."""
    match = _CODE_POINT.match(text, at)
    if match is None:
        fail(text, at, "\\u 后面应当是四位十六进制数字")
    character: str = json.loads(f'"\\u{match.group()}"')
    if "\ud800" <= character <= "\udfff" or character == "\ufffd":
        fail(text, at, "字符串里有损坏的字符")
    return character, match.end()
