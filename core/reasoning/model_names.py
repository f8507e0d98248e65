"""Other names that models give to keys, intents, slots and tests, and which of ours they mean: one table."""

import json
import re
from collections.abc import Collection
from functools import cache
from importlib import resources

from core.shared.json_types import JsonObject, JsonValue

OUT_OF_SCOPE = "out_of_scope"
ORDER = "order"
"""An order of a kind that was not named."""


def our_keys(value: JsonObject) -> JsonObject:
    """The object with its keys under our names; where two keys mean the same, ours stands."""
    known = _table("keys")
    renamed = {known.get(key.strip(), key.strip()): item for key, item in value.items()}
    return renamed | {key: item for key, item in value.items() if key not in known}


def our_intent(said: str, offered: Collection[str]) -> str:
    """The offered intent that is meant; what is not offered comes back as it was said."""
    plain = " ".join(re.sub(r"[_\-]+", " ", said).lower().split())
    by_plain = {name.lower().replace("_", " "): name for name in offered}
    if plain in by_plain:
        return by_plain[plain]
    known = _table("intents")
    for form in (said.strip(), plain, plain.replace(" ", "_")):
        if form in known:
            return known[form]
    return OUT_OF_SCOPE if plain == "out of scope" else said.strip()


def our_slot(said: str) -> str:
    return _table("slots").get(said.strip(), said.strip())


def our_test(said: str) -> str:
    return _table("tests").get(said.strip(), said.strip())


def our_value(slot: str, said: str) -> str:
    """The wire's spelling of a value: 高铁 is G."""
    values = _all().get("values")
    table = values.get(slot) if isinstance(values, dict) else None
    return str(table.get(said, said)) if isinstance(table, dict) else said


def sibling(intent: str) -> str:
    """What an intent is about, whether it is looked for or ordered: query and order of one kind are siblings."""
    verb, _, rest = intent.partition(" ")
    return rest if verb in ("query", "order") else intent


def is_order(intent: str) -> bool:
    """Whether it may end in an order or a cancellation."""
    return intent.startswith(("order ", "cancel "))


@cache
def _all() -> JsonObject:
    raw: JsonObject = json.loads((resources.files("core.reasoning") / "data" / "model_names.json").read_text("utf-8"))
    return raw


@cache
def _table(name: str) -> dict[str, str]:
    table: JsonValue = _all()[name]
    return {key: str(item) for key, item in table.items()} if isinstance(table, dict) else {}
