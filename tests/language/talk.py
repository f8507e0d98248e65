"""Play a conversation through the grammar as the product does: each turn sees what the turns before it left."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from core.language import read
from core.language.frames import PastWish, ReadContext, Reading
from tests.language.shown import shown

_CHOICE = "no_such_item"


@dataclass(frozen=True)
class Dialogue:
    """Turns with the reading expected of each; `shown` is put before the person after the first of them."""

    category: str
    turns: tuple[tuple[str, str], ...]
    shown: str = ""
    home: str | None = None

    @property
    def title(self) -> str:
        return " / ".join(text for text, _ in self.turns)


@dataclass
class Talk:
    """A conversation and what it has left so far."""

    now: datetime
    context: ReadContext = field(default_factory=ReadContext)

    def say(self, text: str) -> Reading:
        reading = read(text, self.now, self.context)
        if reading.frames:
            past = tuple(PastWish(frame.intent, frame.slots) for frame in reading.frames)
            asked = any(trouble.kind != _CHOICE for frame in reading.frames for trouble in frame.troubles)
            self.context = replace(self.context, past=past, asked=asked)
        return reading

    def show(self, name: str) -> None:
        kind, rows = shown(name)
        self.context = replace(self.context, shown=rows, shown_kind=kind)


def dialogues(path: Path) -> Iterator[Dialogue]:
    """Blocks of `text<TAB>expected`, parted by blank lines; `@ name` shows rows, `@home city` knows a home."""
    category = ""
    for block in path.read_text("utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("# ")]
        category = next((line[3:] for line in lines if line.startswith("## ")), category)
        shown = next((line[2:] for line in lines if line.startswith("@ ")), "")
        home = next((line[6:] for line in lines if line.startswith("@home ")), None)
        turns = [tuple(line.split("\t")) for line in lines if line[0] not in "@#"]
        if turns:
            yield Dialogue(category, tuple((turn[0], turn[-1]) for turn in turns), shown, home)
