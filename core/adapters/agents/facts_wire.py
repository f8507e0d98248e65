"""A card's declarations for planning: what each skill needs and yields. A wrong one is kept with its fault."""

import re
from collections.abc import Mapping

from core.shared.json_types import JsonObject, JsonValue
from core.types.tool_facts import ToolFacts, Typed

PLANNING_EXTENSION = "smartvoyage/planning"
"""The capability extension of a card whose params say {"skills": {a skill's id or name: its declaration}}.

A declaration: {"kind", "needs", "yields", "quotes_with", "price", "risk"}; needs and yields are {name: type} or a list
of names, which then are their own types.
"""

_WORD = re.compile(r"^[a-z][a-z0-9_]{0,63}$")
_MOST = 64


class _Wrong(Exception):
    """A declaration that cannot be used, and why."""


def declared_by(params: JsonObject) -> dict[str, ToolFacts]:
    """The declarations by skill."""
    skills = params.get("skills")
    if not isinstance(skills, dict):
        return {}
    return {name: facts_of(said) for name, said in skills.items() if isinstance(said, dict)}


def facts_of(said: Mapping[str, JsonValue]) -> ToolFacts:
    """One declaration; with a `fault` where names or types are not words."""
    kind, quotes_with = _text(said.get("kind")), _text(said.get("quotes_with"))
    try:
        needs, yields = _typed(said.get("needs"), "needs"), _typed(said.get("yields"), "yields")
        price, risk = _number(said, "price", 1e6), _number(said, "risk", 1.0)
    except _Wrong as wrong:
        return ToolFacts(kind=kind, quotes_with=quotes_with, fault=str(wrong))
    return ToolFacts(kind, needs, yields, quotes_with, price, risk)


def _typed(said: JsonValue, where: str) -> tuple[Typed, ...] | None:
    if said is None:
        return None
    if not isinstance(said, (list, dict)) or len(said) > _MOST:
        raise _Wrong(f"{where} is neither a list of names nor an object from names to types")
    typed = isinstance(said, dict)
    pairs = list(said.items()) if isinstance(said, dict) else [(name, "") for name in said]
    for name, kind in pairs:
        if not isinstance(name, str) or not _WORD.match(name):
            raise _Wrong(f"{where} holds a name that is no word")
        if typed and not (isinstance(kind, str) and _WORD.match(kind)):
            raise _Wrong(f"{where} gives '{name}' no type")
    # Sorted: on the wire an object has no order, and the same card must always be the same declaration.
    return tuple(Typed(name, kind) for name, kind in sorted((str(name), str(kind)) for name, kind in pairs))


def _number(said: Mapping[str, JsonValue], name: str, most: float) -> float:
    value = said.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
        raise _Wrong(f"{name} is no number from 0 to {most:g}")
    return float(value)


def _text(value: JsonValue) -> str:
    return value[:64] if isinstance(value, str) else ""
