"""One answer, put together from the payloads of a stream or from a single one: choice 0, its words and how it ended."""

from core.adapters.llm.failures import TryFailed, broken
from core.shared.json_types import JsonObject, JsonValue

MOST_CHARACTERS = 400_000

_FINISHED = frozenset(("stop", "eos", "eos_token", "end_turn", "stop_sequence"))
_FILTERED = frozenset(("content_filter", "sensitive", "safety", "blocklist", "prohibited_content", "recitation"))
_BROKEN = frozenset(("error", "network_error", "insufficient_system_resource", "abort"))
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")


class Reading:
    """Fed with payloads, gives back content. `failure` says at the end what is wrong with the whole."""

    def __init__(self) -> None:
        self.tokens = 0
        self.reasoned = False
        """Whether the server keeps thinking apart from words by itself."""
        self._finish = ""
        self._characters = 0
        self._choices = 0
        self._calls_tool = False
        self._refuses = False
        self._high_half = ""

    @property
    def is_finished(self) -> bool:
        return bool(self._finish)

    def take(self, payload: JsonObject) -> str:
        """The words that this payload brings; those of other choices and all thinking are passed over."""
        usage = payload.get("usage")
        if isinstance(usage, dict):
            total = usage.get("total_tokens")
            self.tokens = total if isinstance(total, int) else self.tokens
        choice = _first_choice(payload.get("choices"))
        if choice is None:
            return ""
        self._choices += 1
        finish = choice.get("finish_reason")
        if isinstance(finish, str) and finish.strip().lower() not in ("", "null", "none"):
            self._finish = finish.strip().lower()
        message = choice.get("delta") or choice.get("message")
        return self._words(message) if isinstance(message, dict) else ""

    def _words(self, message: JsonObject) -> str:
        self.reasoned = self.reasoned or any(message.get(key) for key in _THOUGHTS)
        self._calls_tool = self._calls_tool or bool(message.get("tool_calls") or message.get("function_call"))
        self._refuses = self._refuses or bool(message.get("refusal"))
        words = self._whole_characters(_text_of(message.get("content")))
        self._characters += len(words)
        if self._characters > MOST_CHARACTERS:
            raise TryFailed("unusable", "the answer does not end")
        return words

    def _whole_characters(self, text: str) -> str:
        """Halves of a character that were sent in two escapes, joined; a half that stays alone is dropped."""
        text = self._high_half + text
        self._high_half = text[-1] if text and "\ud800" <= text[-1] <= "\udbff" else ""
        text = text[: len(text) - len(self._high_half)]
        if not any("\ud800" <= sign <= "\udfff" for sign in text):
            return text
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")

    def failure(self) -> TryFailed | None:
        """What keeps this answer from being one; None when it ended as it should."""
        if self._choices == 0:
            return broken("an answer without choices")
        if self._refuses or self._finish in _FILTERED:
            return TryFailed("filtered", f"finish_reason {self._finish or 'refusal'}")
        if self._finish in _BROKEN:
            return broken(f"finish_reason {self._finish}")
        if self._finish == "model_context_window_exceeded":
            return TryFailed("too_long", f"finish_reason {self._finish}")
        if self._calls_tool or self._finish in ("tool_calls", "function_call"):
            return TryFailed("unusable", "a tool call instead of words")
        if self._finish in _FINISHED:
            return None
        return TryFailed("incomplete", f"finish_reason {self._finish if self._finish.isidentifier() else 'missing'}")


def _first_choice(choices: JsonValue) -> JsonObject | None:
    if not isinstance(choices, list):
        return None
    for choice in choices:
        if isinstance(choice, dict) and choice.get("index") in (0, None):
            return choice
    return None


def _text_of(content: JsonValue) -> str:
    """Content is a string, nothing, or a list of parts of which only those of text are words."""
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict) and part.get("type") in ("text", "output_text")]
        return "".join(str(part.get("text") or "") for part in parts)
    return content if isinstance(content, str) else ""
