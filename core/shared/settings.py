"""config.yaml and the environment as one frozen object; a wrong key or value is one line that names it."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.shared.errors import SettingsError
from core.shared.settings_file import read_settings_file
from core.shared.settings_rules import refuse_contradictions
from core.shared.settings_shape import (
    AgentEntry,
    AgentWording,
    AuthSettings,
    CacheSettings,
    CollectorSettings,
    DatabaseSettings,
    EmbeddingSettings,
    GatewaySettings,
    LimitSettings,
    LlmSettings,
    MemorySettings,
    ServicesSettings,
    Settings,
    StageSettings,
    TracesSettings,
)
from core.shared.settings_variables import filled
from core.shared.settings_wording import first_fault

__all__ = [
    "ENVIRONMENT",
    "AgentEntry",
    "AgentWording",
    "AuthSettings",
    "CacheSettings",
    "CollectorSettings",
    "DatabaseSettings",
    "EmbeddingSettings",
    "GatewaySettings",
    "LimitSettings",
    "LlmSettings",
    "MemorySettings",
    "ServicesSettings",
    "Settings",
    "StageSettings",
    "TracesSettings",
    "load_settings",
    "parse_settings",
]

# Environment variable → the key of config.yaml that it overrides.
ENVIRONMENT = {
    "DATABASE_URL": "database.url",
    "AUTH_MODE": "auth.mode",
    "AUTH_SECRET": "auth.secret",
    "GATEWAY_HOST": "gateway.host",
    "GATEWAY_PORT": "gateway.port",
    "SMARTVOYAGE_SERVICE_HOST": "services.host",
    "SMARTVOYAGE_DATA": "data",
    "SMARTVOYAGE_NOW": "now",
    "LOG_LEVEL": "log_level",
    "LLM_MODEL": "llm.model",
    "LLM_BASE_URL": "llm.base_url",
    "LLM_TEMPERATURE": "llm.temperature",
    "LLM_API_KEY": "llm.api_key",
    "REDIS_URL": "cache.redis_url",
    "MILVUS_URI": "cache.milvus_uri",
    "MILVUS_TOKEN": "cache.milvus_token",
    "EMBEDDING_BASE_URL": "cache.embedding.base_url",
    "EMBEDDING_MODEL": "cache.embedding.model",
    "EMBEDDING_API_KEY": "cache.embedding_key",
    "CACHE_ENABLED": "cache.enabled",
    "COLLECTOR_ENABLED": "collector.enabled",
    "COLLECTOR_PROVIDER": "collector.provider",
    "COLLECTOR_BASE_URL": "collector.base_url",
    "COLLECTOR_API_KEY": "collector.api_key",
}
# Read from the environment alone, and shown nowhere.
_SECRETS = ("auth.secret", "llm.api_key", "cache.milvus_token", "cache.embedding_key", "collector.api_key")


def load_settings(path: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Read `path` (a missing file is an error) and lay the environment over it. Raises SettingsError."""
    raw = read_settings_file(path)
    _refuse_written_secrets(raw, path.name)
    raw = filled(raw, environment)
    names = _overlay(raw, environment)
    return parse_settings(raw, source=path.name, names=names)


def parse_settings(
    raw: Mapping[str, Any], *, source: str = "settings", names: Mapping[str, str] | None = None
) -> Settings:
    """Validate a mapping. `names` says which environment variable a key came from, for the error's sake."""
    try:
        settings = Settings.model_validate(raw)
    except ValidationError as error:
        raise SettingsError(first_fault(error, source, names or {}, _SECRETS)) from error
    refuse_contradictions(settings, source)
    return settings


def _refuse_written_secrets(raw: Mapping[str, Any], source: str) -> None:
    for key in _SECRETS:
        section, name = key.split(".")
        written = raw.get(section)
        if isinstance(written, dict) and written.get(name) is not None:
            variable = next(variable for variable, place in ENVIRONMENT.items() if place == key)
            raise SettingsError(f"{source}: {key}: a secret does not belong in a file; set {variable} instead")


def _overlay(raw: dict[str, Any], environment: Mapping[str, str]) -> dict[str, str]:
    names = {}
    for variable, key in ENVIRONMENT.items():
        if not (value := environment.get(variable)):
            continue
        names[key] = variable
        *parents, last = key.split(".")
        target = raw
        for parent in parents:
            inner = target.setdefault(parent, {})
            if not isinstance(inner, dict):
                break  # validation will name this key
            target = inner
        else:
            target[last] = value
    return names
