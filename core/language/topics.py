"""What a sentence without frames is about, and which of its characters nobody read."""

from collections.abc import Sequence

from core.language.frames import Topic
from core.language.read_words import ELSEWHERE
from core.language.scan import Scene
from core.language.values import Days, Found, Line, Mention, Talk, Where, Word

_TELLING: tuple[Topic, ...] = ("memory", "assistant", "other")
_FEW = 2
_POLITE: tuple[Topic, ...] = ("thanks", "farewell", "greeting")
# Meanings of words that say nothing by themselves, when no reader took them.
_CONTENT = ("number", "order_no", "link", "word", "foreign", "chat_other", "negation", "except", ELSEWHERE)


def unread_tokens(scene: Scene, founds: Sequence[Found]) -> list[int]:
    """The places of content tokens that no value covers."""
    used = {place for found in founds if not _is_elsewhere(found) for place in range(found.first, found.end)}
    return [
        place for place, token in enumerate(scene.tokens)
        if place not in used and any(c.isalnum() for c in token.text) and _is_content(token.meanings)
    ]


def _is_elsewhere(found: Found) -> bool:
    """A hotel where nobody offers any."""
    return isinstance(found.value, Mention) and found.value.domain == ELSEWHERE


def _is_content(meanings: object) -> bool:
    kinds = list(meanings) if isinstance(meanings, dict) else []
    return all(kind in _CONTENT for kind in kinds)


def topic_of(founds: Sequence[Found], has_frames: bool, unread: int) -> Topic:
    """The topic of a sentence, the more telling one first."""
    if has_frames:
        return "travel"
    said = {found.value.topic for found in founds if isinstance(found.value, Talk)}
    if unread > 1 and "other" not in said:
        said.discard("assistant")  # 云南白药怎么用 is not about us
    if (topic := _of_talk(said, unread, any(_is_elsewhere(found) for found in founds))) is not None:
        return topic
    if unread:
        return "other"
    spoke_of_travel = any(isinstance(found.value, (Where, Days, Line, Word, Mention)) for found in founds)
    return "travel" if spoke_of_travel else "nothing"


def _of_talk(said: set[str], unread: int, hotel: bool) -> Topic | None:
    """What the words of conversation make of it; a farewell is one whatever was told before it (我们开车去，再见)."""
    polite: Topic | None = next((topic for topic in _POLITE if topic in said), None)
    if "farewell" in said and not said & {"assistant", "memory"}:
        return polite
    telling: Topic | None = next(
        (topic for topic in _TELLING if topic in said and not (topic == "assistant" and "other" in said)), None
    )
    return telling or (polite if unread <= _FEW and not hotel else None)
