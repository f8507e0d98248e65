"""What a template is, and `word`, which picks one by the kind of the rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from a2a_servers.wording.bits import day
from core.shared.json_types import JsonObject, Row
from core.types.agent_protocol import ResultData

DEMO = "demo"
DEMO_NOTE = "演示数据"

Word = Callable[[str, ResultData, JsonObject, bool], str]
"""Kind, rows, the query, brief or not → the words for the person."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a template words: rows of one kind, how many more there are, the query that found them."""

    rows: Sequence[Row]
    more: int
    query: JsonObject
    demo: str
    """Empty, 演示数据, or 含演示数据 where an operator's own rows stand among them."""

    @property
    def total(self) -> int:
        return len(self.rows) + self.more


def demo_note(origin: str | None, rows: Sequence[Row]) -> str:
    """What has to be said of where rows come from; rows that do not tell have the origin of the whole answer."""
    origins = {row.get("origin") or origin for row in rows} or {origin}
    if DEMO not in origins:
        return ""
    return DEMO_NOTE if origins == {DEMO} else f"含{DEMO_NOTE}"


class Template(Protocol):
    """The words for one kind. `full` may take a paragraph; `brief` is at most about 90 characters."""

    def full(self, found: Found) -> str: ...

    def brief(self, found: Found) -> str: ...

    def nothing(self, query: JsonObject) -> str:
        """A kind sentence when no row was found, with what to try next."""
        ...


def word(
    kind: str, data: ResultData, query: JsonObject, brief: bool, templates: Mapping[str, Template], otherwise: Template
) -> str:
    """The rows as a person reads them. `brief` is for a summary that holds several results."""
    template = templates.get(kind, otherwise)
    cut = f"（目前只能查到{day(data.until, weekday=False)}，之后的还没有。）" if data.until else ""
    if data.until:
        query = {**query, "date_end": data.until}
    if not data.rows:
        return f"{template.nothing(query)}{cut}"
    found = Found(data.rows, data.more, query, demo=demo_note(data.origin, data.rows))
    return f"{template.brief(found) if brief else template.full(found)}{cut}"
