"""Takes a model's thinking out of its words: tags, tags of which only the end is seen, channels; also across chunks."""

import re

_PAIRS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<seed:think>": "</seed:think>",
    "◁think▷": "◁/think▷",
    "[THINK]": "[/THINK]",
    "<|begin_of_thought|>": "<|end_of_thought|>",
}
_OPEN = frozenset(mark.lower() for mark in _PAIRS)
_CLOSE = frozenset(mark.lower() for mark in _PAIRS.values())
# Control tokens of channelled models: `<|channel|>analysis<|message|>…<|end|>…<|channel|>final<|message|>…`
# Other templates' end tokens, which some servers let through, end the words too.
_CONTROL = frozenset(
    (
        "<|channel|>", "<|message|>", "<|end|>", "<|start|>", "<|return|>", "<|call|>", "<|constrain|>",
        "<|im_end|>", "<|eot_id|>", "<|endoftext|>", "<｜end▁of▁sentence｜>",
    )
)  # fmt: skip
_MARKS = sorted(_OPEN | _CLOSE | _CONTROL, key=len, reverse=True)
_MARK = re.compile("|".join(re.escape(mark) for mark in _MARKS), re.IGNORECASE)
_LONGEST = len(_MARKS[0])
# What is left of the channels where a server drops the control tokens: "analysis…assistantfinal…".
_BARE_CHANNELS = re.compile(r"\Aanalysis.*?assistantfinal", re.DOTALL)


class ThinkingFilter:
    """Fed with an answer piece by piece, gives back the words that are meant for the reader.

    A closing tag without its opening one makes everything before it thinking. With `hold` nothing is given out until
    the end or the end of the thinking, so that such words are never shown; without it `leaked` tells that they were.
    """

    def __init__(self, *, hold: bool = False) -> None:
        self.hold = hold
        self.leaked = False
        self.closed = False
        """Whether some thinking has ended by now."""
        self.closed_unopened = False
        self._state = "words"  # words | think | channel (its name) | aside (between or inside other channels)
        self._rest = ""
        self._ready: list[str] = []
        self._given = False
        self._channel = ""

    def feed(self, piece: str) -> str:
        """The words that are certain after this piece."""
        text = self._rest + piece
        at = 0
        for mark in _MARK.finditer(text):
            self._words(text[at : mark.start()])
            self._on_mark(mark.group().lower())
            at = mark.end()
        kept = _could_begin_mark(text[at:])
        self._words(text[at : len(text) - kept])
        self._rest = text[len(text) - kept :]
        return "" if self.hold else self._give()

    def finish(self) -> str:
        """The last words. What was opened and never closed was thinking."""
        self._words(self._rest)
        self._rest = ""
        if not self._given:
            words = "".join(self._ready)
            self._ready = [_BARE_CHANNELS.sub("", words)]
            self.closed_unopened = self.closed_unopened or self._ready != [words]
        return self._give()

    def _give(self) -> str:
        words = "".join(self._ready)
        self._ready = []
        if not self._given:
            words = words.lstrip()
            self._given = bool(words)
        return words

    def _words(self, words: str) -> None:
        if self._state == "channel":
            self._channel += words
        elif self._state == "words" and words:
            self._ready.append(words)

    def _on_mark(self, mark: str) -> None:
        if mark in _OPEN:
            self._state = "think" if self._state == "words" else self._state
        elif mark in _CLOSE:
            self._on_close()
        elif self._state != "think":
            self._on_control(mark)

    def _on_close(self) -> None:
        if self._state == "words":
            self.closed_unopened = True
            self.leaked = self.leaked or self._given
            self._ready = []
        if self._state in ("words", "think"):
            self._state = "words"
            self.closed = True

    def _on_control(self, mark: str) -> None:
        if mark == "<|channel|>":
            self._state, self._channel = "channel", ""
        elif mark == "<|message|>":
            final = self._state != "channel" or self._channel.strip().lower().startswith("final")
            self._state = "words" if final else "aside"
            self.closed = self.closed or final
        elif mark != "<|constrain|>":
            self._state = "aside"


def without_thinking(text: str) -> str:
    """A whole answer without its thinking."""
    words = ThinkingFilter(hold=True)
    words.feed(text)
    return words.finish().strip()


def has_thinking(text: str) -> bool:
    """Whether any sign of thinking stands in `text`."""
    return _MARK.search(text) is not None or _BARE_CHANNELS.match(text) is not None


def _could_begin_mark(text: str) -> int:
    """How many characters at the end may be the beginning of a mark."""
    tail = text[-(_LONGEST - 1) :].lower()
    for size in range(len(tail), 0, -1):
        if any(mark.startswith(tail[-size:]) for mark in _MARKS):
            return size
    return 0
