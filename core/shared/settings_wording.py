"""What is wrong with a setting, in plain words: the key, what was expected, what was found."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from core.shared.settings_shape import Settings

# Pydantic's kind of error → our words; {names} are those of its context.
_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "unknown key",
    "invalid_key": "expected a text as a key",
    "bool_parsing": "expected true or false",
    "bool_type": "expected true or false",
    "int_parsing": "expected a whole number",
    "int_parsing_size": "expected a smaller whole number",
    "int_type": "expected a whole number",
    "int_from_float": "expected a whole number",
    "float_parsing": "expected a number",
    "float_type": "expected a number",
    "finite_number": "expected a finite number",
    "greater_than": "expected more than {gt}",
    "greater_than_equal": "expected at least {ge}",
    "less_than": "expected less than {lt}",
    "less_than_equal": "expected at most {le}",
    "string_type": "expected a text",
    "string_too_short": "expected a text of at least {min_length} characters",
    "string_too_long": "expected a text of at most {max_length} characters",
    "string_pattern_mismatch": "expected a text of the form {pattern}",
    "literal_error": "expected {expected}",
    "model_type": "expected a mapping of keys to values",
    "model_attributes_type": "expected a mapping of keys to values",
    "dict_type": "expected a mapping of keys to values",
    "tuple_type": "expected a list",
    "list_type": "expected a list",
    "path_type": "expected a path",
}
_WITHOUT_FINDING = ("missing", "extra_forbidden")
_LOGIN = re.compile(r"//[^/@]*@")
_MOST_SHOWN = 80


def first_fault(error: ValidationError, source: str, names: Mapping[str, str], secrets: Collection[str]) -> str:
    """One line for the first thing that is wrong. `names`: which environment variable a key came from."""
    fault = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in fault["loc"] if part != "[key]")
    where = f"environment {names[key]}" if key in names else source
    silent = fault["type"] in _WITHOUT_FINDING or key in secrets
    return f"{where}: {key}: {_expected(fault)}" + ("" if silent else f", found {shown(fault['input'])}")


def shown(value: Any) -> str:
    """A value as an error may show it: on one line, short, without a login, and of a mapping only that it is one."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return "a list"
    return repr(_LOGIN.sub("//…@", str(value))[:_MOST_SHOWN])


def used_in_words(settings: Settings, services: Iterable[str]) -> list[str]:
    """A line each for what these services use: where the data lies, which model is asked, what the cache is."""
    names = set(services)
    agents = {name for name in names if name.startswith("a2a-")}
    lines = [f"  database        {database_in_words(settings)}"] if names else []
    if agents or "gateway" in names:
        lines.append(f"  language model  {model_in_words(settings)}")
    if "gateway" in names:
        lines.append(f"  cache           {cache_in_words(settings)}")
        lines.append(f"  agents          {agents_in_words(settings)}")
    return lines


def database_in_words(settings: Settings) -> str:
    """Where the data lies, without a login."""
    kind, _, place = settings.database_url.partition("://")
    place = place.partition("?")[0].rpartition("@")[2]
    return f"embedded SQLite, {place.removeprefix('/')}" if kind.startswith("sqlite") else f"MySQL, {place}"


def model_in_words(settings: Settings) -> str:
    """Which language model is asked, if any."""
    if not settings.llm.is_set:
        return "none: the rules answer alone"
    return f"{settings.llm.model} at {_LOGIN.sub('//…@', settings.llm.base_url)}"


def agents_in_words(settings: Settings) -> str:
    """Who is asked; without any, an empty settings file would start as if all were well."""
    names = ", ".join(entry.name for entry in settings.agents)
    return names or "none (agents in config.yaml): nothing can be looked up or booked"


def cache_in_words(settings: Settings) -> str:
    """What stands in front of the reasoning."""
    if not settings.cache.enabled:
        return "off"
    redis, milvus = settings.cache.redis_url, settings.cache.milvus_uri
    return f"{'Redis' if redis else 'embedded Valkey'}, {'Milvus' if milvus else 'embedded Milvus Lite'}"


def _expected(fault: Mapping[str, Any]) -> str:
    context = fault.get("ctx", {})
    if fault["type"] == "value_error":
        return str(context["error"])
    return _WORDS.get(fault["type"], "expected another value").format(**context)
