"""The shape of config.yaml: every key with its type, its bounds and what it is when nobody sets it."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

from core.shared.errors import SettingsError

_YEARS = range(2000, 2100)
"""Those of a set clock: at the ends of the calendar a day more is no date."""


def _http_url(value: str) -> str:
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError:
        port, parts = 0, urlsplit("")
    one_word = value.isprintable() and " " not in value
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0 or not one_word:
        raise ValueError("expected an http:// or https:// address with a port of 1-65535 or none")
    return value.rstrip("/")


def _moment(value: Any) -> Any:
    """An offset is asked for: without one, every machine would read another moment."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        moment = None
    if not isinstance(moment, datetime) or moment.tzinfo is None or moment.year not in _YEARS:
        raise ValueError("expected an RFC 3339 moment with its offset, such as 2026-08-16T12:00:00+08:00")
    return moment


def _unquoted_off(value: Any) -> Any:
    """YAML reads a bare `off` as false."""
    return "off" if value is False else value


def _with_rows(prompt: str | None) -> str | None:
    """An empty prompt is none."""
    if prompt and prompt.strip() and "{raw_response}" not in prompt:
        raise ValueError("expected a text with {raw_response} in it")
    return prompt if prompt and prompt.strip() else None


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
    """How a model words an agent's results: a prompt with {raw_response}, the rows, and {query}, what was asked.

    Without one the agent's own templates word them.
    """

    prompt: Annotated[str | None, AfterValidator(_with_rows)] = None


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

    mode: Annotated[Literal["off", "jwt"], BeforeValidator(_unquoted_off)] = "off"
    secret: SecretStr | None = None
    audience: str = "smartvoyage"


class LimitSettings(_Frozen):
    """Bounds of one turn. Milliseconds."""

    turn_ms: int = Field(default=60_000, ge=1_000, le=600_000)
    agent_call_ms: int = Field(default=120_000, ge=1_000, le=600_000)
    card_refresh_ms: int = Field(default=5_000, ge=100, le=600_000)


class PlanningSettings(_Frozen):
    """Who plans first: the DAG of tools, or the model with its prompt; the other takes over where the first fails."""

    mode: Literal["dag", "model"] = "dag"


class MemorySettings(_Frozen):
    """How much a turn sees: the last messages of the conversation, the durable facts of the person."""

    short_term: int = Field(default=10, ge=1, le=100)
    long_term: int = Field(default=20, ge=1, le=200)


class TracesSettings(_Frozen):
    """How many days the recorded runs of turns are kept."""

    keep_days: int = Field(default=30, ge=1, le=3_650)


def _header_safe(key: SecretStr) -> SecretStr:
    value = key.get_secret_value().strip()
    if not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError("expected a key of printable ASCII characters without spaces")
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


class CollectorSettings(_Frozen):
    """Where forecasts come from. `serve weather-collector` collects; `enabled`: `serve` (all in one process) does too.

    `base_url` empty: the provider's usual address. `demo_fallback`: demo weather stands in where nothing is collected.
    """

    enabled: bool = False
    provider: Literal["open-meteo", "qweather"] = "open-meteo"
    base_url: HttpUrl | None = None
    every_minutes: int = Field(default=180, ge=10, le=1440)
    port: int = Field(default=5004, ge=1, le=65535)
    demo_fallback: bool = True
    api_key: Annotated[SecretStr, AfterValidator(_header_safe)] | None = None


def _one_of(*schemes: str) -> AfterValidator:
    """Empty, or an address of one of these schemes."""

    def checked(value: str) -> str:
        if value and not (value.startswith(schemes) and value.isprintable() and " " not in value):
            raise ValueError(f"expected an address that begins with {' or '.join(schemes)}")
        return value

    return AfterValidator(checked)


class EmbeddingSettings(_Frozen):
    """An OpenAI-compatible embeddings address and its model; without an address the bundled model is used."""

    base_url: Annotated[str, _one_of("http://", "https://"), AfterValidator(lambda url: url.rstrip("/"))] = ""
    model: str = "text-embedding-3-small"


class CacheSettings(_Frozen):
    """The two levels of the cache; an empty address means the embedded form in the data folder.

    `threshold`: the cosine that two questions must reach at least, besides asking the same.
    """

    enabled: bool = True
    redis_url: Annotated[str, _one_of("redis://", "rediss://", "unix://")] = ""
    milvus_uri: Annotated[str, _one_of("http://", "https://", "tcp://")] = ""
    milvus_token: Annotated[SecretStr, AfterValidator(_header_safe)] | None = None
    embedding: EmbeddingSettings = EmbeddingSettings()
    embedding_key: Annotated[SecretStr, AfterValidator(_header_safe)] | None = None
    threshold: float = Field(default=0.92, ge=0.92, le=1)


class Settings(_Frozen):
    """Everything that can be set, frozen."""

    agents: tuple[AgentEntry, ...] = ()
    a2a_servers: dict[str, AgentWording] = {}
    database: DatabaseSettings = DatabaseSettings()
    gateway: GatewaySettings = GatewaySettings()
    services: ServicesSettings = ServicesSettings()
    auth: AuthSettings = AuthSettings()
    limits: LimitSettings = LimitSettings()
    planning: PlanningSettings = PlanningSettings()
    memory: MemorySettings = MemorySettings()
    traces: TracesSettings = TracesSettings()
    cache: CacheSettings = CacheSettings()
    llm: LlmSettings = LlmSettings()
    collector: CollectorSettings = CollectorSettings()
    data: Path = Path(".data")
    now: Annotated[datetime | None, BeforeValidator(_moment)] = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    @property
    def database_url(self) -> str:
        """The SQLAlchemy address in force; plain `mysql://` is spoken with PyMySQL."""
        if not self.database.url:
            return f"sqlite:///{(self.data / 'smartvoyage.db').absolute()}"
        scheme, rest = self.database.url.split(":", 1)
        return f"mysql+pymysql:{rest}" if scheme == "mysql" else self.database.url

    def agent(self, name: str) -> AgentEntry:
        """The entry of one agent; SettingsError when config.yaml has none of that name."""
        for entry in self.agents:
            if entry.name == name:
                return entry
        raise SettingsError(f"agents: no entry named {name!r}; add {{name: {name}, a2a_url: …, mcp_url: …}}")
