"""config.yaml and the environment as one frozen object; a wrong key or value is one line that names it."""

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError

from core.shared.errors import SettingsError

SECRET_BYTES = 32
"""What HS256 needs (RFC 7518, 3.2): a key at least as long as its hash."""

_ONLY_FROM_ENVIRONMENT = ("auth.secret",)

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
}
# Read from the environment alone, and shown nowhere.
_SECRETS = ("llm.api_key",)


def _http_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an http:// or https:// address was expected")
    return value.rstrip("/")


HttpUrl = Annotated[str, AfterValidator(_http_url)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AgentEntry(_Frozen):
    """One agent of the network. `mcp_url` is for our own agent applications; a foreign agent needs only `a2a_url`."""

    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")
    a2a_url: HttpUrl
    mcp_url: HttpUrl | None = None
    protocol: Literal["a2a"] = "a2a"


class AgentWording(_Frozen):
    """How an agent words its results: the prompt, with {query} and {raw_response}, that a model is given."""

    prompt: str | None = None


class DatabaseSettings(_Frozen):
    """An SQLAlchemy address; empty means SQLite in the data folder."""

    url: str = ""


class GatewaySettings(_Frozen):
    host: str = "127.0.0.1"
    port: int = Field(default=8888, ge=1, le=65535)


class ServicesSettings(_Frozen):
    """Where agents and tool servers listen; their ports are those of `agents[].a2a_url` and `agents[].mcp_url`."""

    host: str = "127.0.0.1"


class AuthSettings(_Frozen):
    """Who may call the gateway. `secret` signs and checks tokens (HS256); it comes from the environment alone."""

    mode: Literal["off", "jwt"] = "off"
    secret: SecretStr | None = None
    audience: str = "smartvoyage"


class LimitSettings(_Frozen):
    """Bounds of one turn. Milliseconds."""

    turn_ms: int = Field(default=60_000, ge=1_000, le=600_000)
    agent_call_ms: int = Field(default=120_000, ge=1_000, le=600_000)
    card_refresh_ms: int = Field(default=5_000, ge=100, le=600_000)


class MemorySettings(_Frozen):
    """How much a turn sees: the last messages of the conversation, the durable facts of the person."""

    short_term: int = Field(default=10, ge=1, le=100)
    long_term: int = Field(default=20, ge=1, le=200)


def _header_safe(key: SecretStr) -> SecretStr:
    value = key.get_secret_value().strip()
    if not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError("a key of printable ASCII characters without spaces was expected")
    return SecretStr(value)


class StageSettings(_Frozen):
    """What one stage (intent, plan, summary …) does otherwise. `max_tokens` bounds its answers."""

    model: str | None = Field(default=None, min_length=1)
    temperature: float | None = Field(default=None, ge=0, le=2)
    max_tokens: int | None = Field(default=None, ge=1, le=200_000)


class LlmSettings(_Frozen):
    """The language model. Without a model name or a key there is none, and the rules answer alone.

    `timeout_s` bounds one try, `max_retries` counts what follows the first. `temperature` null: the model's own.
    `thinking_tags: hold` shows a streamed answer only when its thinking is over, for servers whose template opens it;
    `show` streams from the first word; `auto` holds the first streamed answer of each model and learns from it.
    """

    model: str = ""
    base_url: HttpUrl = "https://api.openai.com/v1"
    temperature: float | None = Field(default=0.2, ge=0, le=2)
    timeout_s: float = Field(default=25, gt=0, le=600)
    max_retries: int = Field(default=2, ge=0, le=2)
    thinking_tags: Literal["auto", "hold", "show"] = "auto"
    stages: dict[str, StageSettings] = {}
    api_key: Annotated[SecretStr, AfterValidator(_header_safe)] | None = None

    @property
    def is_set(self) -> bool:
        """Whether a model can be asked at all."""
        return bool(self.model and self.api_key and self.api_key.get_secret_value())


class Settings(_Frozen):
    """Everything that can be set, frozen."""

    agents: tuple[AgentEntry, ...] = ()
    a2a_servers: dict[str, AgentWording] = {}
    database: DatabaseSettings = DatabaseSettings()
    gateway: GatewaySettings = GatewaySettings()
    services: ServicesSettings = ServicesSettings()
    auth: AuthSettings = AuthSettings()
    limits: LimitSettings = LimitSettings()
    memory: MemorySettings = MemorySettings()
    llm: LlmSettings = LlmSettings()
    data: Path = Path(".data")
    now: datetime | None = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    @property
    def database_url(self) -> str:
        """The SQLAlchemy address in force; plain `mysql://` is spoken with PyMySQL."""
        if not self.database.url:
            return f"sqlite:///{(self.data / 'smartvoyage.db').absolute()}"
        return self.database.url.replace("mysql://", "mysql+pymysql://", 1)

    def agent(self, name: str) -> AgentEntry:
        """The entry of one agent; SettingsError when config.yaml has none of that name."""
        for entry in self.agents:
            if entry.name == name:
                return entry
        raise SettingsError(f"agents: no entry named {name!r}; add {{name: {name}, a2a_url: …, mcp_url: …}}")


def load_settings(path: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Read `path` (a missing file is an error) and lay the environment over it. Raises SettingsError."""
    try:
        raw = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read ({error.strerror})") from error
    except yaml.YAMLError as error:
        raise SettingsError(f"{path}: not valid YAML ({' '.join(str(error).split())})") from error
    if raw is None:
        raw = {}
    if not isinstance(raw, dict):
        raise SettingsError(f"{path}: a mapping of settings was expected, found {type(raw).__name__}")
    _refuse_written_secrets(raw, path.name)
    _refuse_secrets(raw, path.name)
    names = _overlay(raw, environment)
    return parse_settings(raw, source=path.name, names=names)


def parse_settings(
    raw: Mapping[str, Any], *, source: str = "settings", names: Mapping[str, str] | None = None
) -> Settings:
    """Validate a mapping. `names` says which environment variable a key came from, for the error's sake."""
    try:
        settings = Settings.model_validate(raw)
    except ValidationError as error:
        raise SettingsError(_one_line(error, source, names or {})) from error
    _refuse_twins(settings, source)
    _refuse_open_door(settings)
    _refuse_weak_auth(settings)
    return settings


def _refuse_written_secrets(raw: Mapping[str, Any], source: str) -> None:
    for key in _ONLY_FROM_ENVIRONMENT:
        section, name = key.split(".")
        written = raw.get(section)
        if isinstance(written, dict) and name in written:
            variable = next(variable for variable, place in ENVIRONMENT.items() if place == key)
            raise SettingsError(f"{source}: {key}: secrets come only from the environment; set {variable} instead")


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


def _one_line(error: ValidationError, source: str, names: Mapping[str, str]) -> str:
    first = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in first["loc"])
    message = "unknown key" if first["type"] == "extra_forbidden" else first["msg"]
    where = f"environment {names[key]}" if key in names else source
    silent = first["type"] in ("missing", "extra_forbidden") or key in _SECRETS
    found = "" if silent else f", found {str(first['input'])[:80]!r}"
    return f"{where}: {key}: {message}{found}"


def _refuse_secrets(raw: Mapping[str, Any], source: str) -> None:
    for key in _SECRETS:
        section, name = key.split(".")
        inner = raw.get(section)
        if isinstance(inner, dict) and name in inner:
            variable = next(variable for variable, target in ENVIRONMENT.items() if target == key)
            raise SettingsError(f"{source}: {key}: a secret does not belong in a file; set {variable} instead")


def _refuse_twins(settings: Settings, source: str) -> None:
    names = [entry.name for entry in settings.agents]
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(f"{source}: agents: {name!r} stands {names.count(name)} times; names must differ")


def _refuse_open_door(settings: Settings) -> None:
    if settings.auth.mode == "off" and settings.gateway.host not in ("127.0.0.1", "localhost", "::1"):
        raise SettingsError(
            f"gateway.host: {settings.gateway.host!r} is not a loopback address, and auth.mode is off; "
            "listen on 127.0.0.1 or switch auth on with auth.mode (environment AUTH_MODE)"
        )


def _refuse_weak_auth(settings: Settings) -> None:
    if settings.auth.mode != "jwt":
        return
    secret = settings.auth.secret.get_secret_value() if settings.auth.secret else ""
    if len(secret.encode()) < SECRET_BYTES:
        raise SettingsError(
            f"auth.secret (environment AUTH_SECRET): at least {SECRET_BYTES} bytes are needed for auth.mode jwt, "
            f"found {len(secret.encode())}; make one with: python -c 'import secrets; print(secrets.token_hex(32))'"
        )
    if settings.now is not None:
        raise SettingsError("now (environment SMARTVOYAGE_NOW): a set clock is accepted only with auth.mode off")
