"""Text from a tool's rows is data that anybody may have written: it is made plain before anything else sees it.

What is left cannot be a link, an image, markup, an object of data or a hidden character, and is never long. Numbers and
ordinary Chinese stay as they are.
"""

import re
import unicodedata
from collections.abc import Mapping

from core.shared.json_types import JsonObject, JsonValue

LONGEST_FIELD = 300
LONGEST_WORDS = 2_000
_DEEPEST = 6
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
_MARKED_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_REST = r"[^\s\u3000-\uffef]*"
_SCHEMES = r"(?:[a-z][a-z0-9+.-]{1,20}://|www\.|(?:javascript|data|vbscript|mailto|file):)"
_HOSTS = r"(?:[a-z0-9-]+\.)+(?:com|cn|net|org|io|xyz|top|info|cc|co|app|dev|vip|shop|site|online|link|ru)(?![a-z0-9])"
_ADDRESS = re.compile(rf"(?:{_SCHEMES}|{_HOSTS}){_REST}", re.IGNORECASE)
_HIDDEN = ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp")
_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters and signs by their class, and yet blank."""
_HARMLESS = str.maketrans("<>[]{}`\\|*#", "＜＞［］｛｝＇＼｜＊＃")


def plain(text: str, longest: int = LONGEST_FIELD) -> str:
    """One field of a row, on one line."""
    return _bounded(_without_markup(_seen(text, breaks=False)), longest)


def plain_words(text: str) -> str:
    """What a tool says in whole sentences; its lines are kept."""
    return _bounded(_without_markup(_seen(text, breaks=True)), LONGEST_WORDS)


def plain_json(value: JsonValue, depth: int = 0) -> JsonValue:
    """Rows and all that is in them. What lies too deep and names that are none are left out."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, Mapping):
        return _plain_object(value, depth)
    if isinstance(value, list):
        return [plain_json(one, depth + 1) for one in value] if depth < _DEEPEST else []
    return value


def _plain_object(value: Mapping[str, JsonValue], depth: int) -> JsonObject:
    if depth >= _DEEPEST:
        return {}
    return {name: plain_json(one, depth + 1) for name, one in value.items() if _NAME.fullmatch(name)}


def _seen(text: str, *, breaks: bool) -> str:
    """Only what can be seen; a line break becomes a space where there is but one line."""
    text = text[: 4 * LONGEST_WORDS]
    return "".join(_visible(char, breaks=breaks) for char in text)


def _visible(char: str, *, breaks: bool) -> str:
    if char in "\n\r\t\u2028\u2029":
        return "\n" if breaks and char == "\n" else " "
    return "" if char in _UNSEEN or unicodedata.category(char) in _HIDDEN or _is_selector(char) else char


def _is_selector(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _without_markup(text: str) -> str:
    """Taken out again and again, since what is taken out may have been holding two halves of another apart."""
    before = ""
    while before != text:
        before = text
        text = _ADDRESS.sub("", _TAG.sub("", _MARKED_LINK.sub(r"\1", text)))
    return text.replace("://", "：//").translate(_HARMLESS)


def _bounded(text: str, longest: int) -> str:
    text = text.strip()
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
