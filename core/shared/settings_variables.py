"""`${NAME:-otherwise}` in config.yaml: one file serves a machine of its own and a network of containers alike."""

import re
from collections.abc import Mapping
from typing import Any

from core.shared.errors import SettingsError

_VARIABLE = re.compile(r"\$\{([A-Z][A-Z0-9_]*)(?::-([^{}]*))?\}")


def filled(raw: Any, environment: Mapping[str, str], key: str = "") -> Any:
    """The same settings with every variable replaced. SettingsError for one that is not set and says no otherwise."""
    if isinstance(raw, dict):
        return {name: filled(value, environment, f"{key}.{name}" if key else str(name)) for name, value in raw.items()}
    if isinstance(raw, list):
        return [filled(value, environment, f"{key}.{number}") for number, value in enumerate(raw)]
    if not isinstance(raw, str):
        return raw

    def value_of(found: re.Match[str]) -> str:
        name, otherwise = found.groups()
        value = environment.get(name) or otherwise
        if value is None:
            raise SettingsError(f"{key}: the environment variable {name} is not set; set it or write ${{{name}:-…}}")
        return value

    return _VARIABLE.sub(value_of, raw)
