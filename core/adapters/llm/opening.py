"""Opens the one client of a process. The packages behind it are imported here, when a model is really wanted."""

import asyncio
import contextlib
import importlib
import ipaddress
import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from core.adapters.llm.model import OpenAICompatibleModel
from core.ports.language_model import LanguageModel
from core.shared.clock import Clock
from core.shared.errors import SettingsError
from core.shared.settings import LlmSettings, Settings

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

# Set in tests: a model that is not on this machine is then refused before the first call.
LOOPBACK_ONLY = "SMARTVOYAGE_MODEL_LOOPBACK_ONLY"
CONNECT_S = 5.0
# Few connections, since each costs in every call; what does not fit waits within its own deadline.
MOST_CONNECTIONS = 50
KEEP_ALIVE_S = 60.0


@dataclass
class _Shared:
    settings: LlmSettings
    clock: Clock
    loop: asyncio.AbstractEventLoop
    model: OpenAICompatibleModel
    http: "httpx2.AsyncClient"
    users: int = 0


_open: list[_Shared] = []


@contextlib.asynccontextmanager
async def open_model(
    settings: Settings, clock: Clock, environment: Mapping[str, str] = os.environ
) -> AsyncIterator[LanguageModel | None]:
    """The language model, or None when none is set. All who open it in one process share one client.

    Raises SettingsError for an address that is not loopback while SMARTVOYAGE_MODEL_LOOPBACK_ONLY is set.
    """
    llm = settings.llm
    if not llm.is_set:
        yield None
        return
    if environment.get(LOOPBACK_ONLY) and not _is_loopback(llm.base_url):
        raise SettingsError(f"llm.base_url: {LOOPBACK_ONLY} allows only addresses of this machine")
    await asyncio.to_thread(importlib.import_module, "langchain_openai")
    shared = _shared(llm, clock)
    shared.users += 1
    try:
        yield shared.model
    finally:
        shared.users -= 1
        if not shared.users:
            _open.remove(shared)
            await shared.http.aclose()


def _shared(llm: LlmSettings, clock: Clock) -> _Shared:
    loop = asyncio.get_running_loop()
    for shared in _open:
        if shared.settings == llm and shared.clock is clock and shared.loop is loop:
            return shared
    http = _http_client(llm)
    shared = _Shared(llm, clock, loop, OpenAICompatibleModel(_client(llm, http), llm, clock), http)
    _open.append(shared)
    return shared


def _http_client(llm: LlmSettings) -> "httpx2.AsyncClient":
    import httpx2

    limits = httpx2.Limits(max_connections=MOST_CONNECTIONS, keepalive_expiry=KEEP_ALIVE_S)
    # Only connecting has a time of its own: every other wait is bounded by the deadline, on the one clock.
    timeout = httpx2.Timeout(None, connect=CONNECT_S)
    return httpx2.AsyncClient(limits=limits, timeout=timeout, trust_env=not _is_loopback(llm.base_url))


def _client(llm: LlmSettings, http: "httpx2.AsyncClient") -> "AsyncOpenAI":
    """ChatOpenAI makes and holds the OpenAI client; calls go through that client, as core/adapters/llm/wire.py says."""
    from langchain_openai import ChatOpenAI

    async def key() -> str:
        return llm.api_key.get_secret_value() if llm.api_key else ""

    parameters: dict[str, Any] = {"model": llm.model, "base_url": llm.base_url, "api_key": key}
    # An asynchronous key leaves ChatOpenAI's second, synchronous client unmade.
    chat = ChatOpenAI(**parameters, http_async_client=http, max_retries=0, timeout=None)
    client: AsyncOpenAI = chat.root_async_client
    return client


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
