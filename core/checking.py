"""`python main.py check`: what is configured, what is embedded, and whether every address answers."""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from a2a.client import A2ACardResolver
from a2a.utils.errors import A2AError
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from core.shared.errors import SettingsError
from core.shared.settings import AgentEntry, Settings
from core.shared.settings_wording import database_in_words, used_in_words
from core.shared.sql import make_engine

ANSWER_S = 5.0
_PORTS = {"https": 443, "redis": 6379, "rediss": 6379}


@dataclass(frozen=True, slots=True)
class Finding:
    """What one address is for, where it is, whether it answers, and what it said."""

    part: str
    place: str
    fine: bool
    said: str


async def check(settings: Settings) -> list[Finding]:
    """Try every address of the configuration, all at once; nothing is written and no model is asked."""
    async with httpx.AsyncClient(timeout=ANSWER_S, trust_env=False) as http:
        tries = [asyncio.to_thread(_folder, settings), asyncio.to_thread(_database, settings), _gateway(http, settings)]
        for entry in settings.agents:
            tries.append(_agent(http, entry))
            if entry.mcp_url:
                tries.append(_port(f"tools of {entry.name}", entry.mcp_url))
        if settings.cache.enabled:
            addresses = {"redis": settings.cache.redis_url, "milvus": settings.cache.milvus_uri}
            tries += [_port(part, url) for part, url in addresses.items() if urlsplit(url).hostname]
        if settings.llm.is_set:
            tries.append(_port("language model", settings.llm.base_url))
        return list(await asyncio.gather(*tries))


def told(settings: Settings, findings: list[Finding]) -> str:
    """The whole of it for a terminal."""
    lines = [
        "Configuration: valid",
        *used_in_words(settings, ["gateway"]),
        f"  auth            {settings.auth.mode}",
        f"  clock           {settings.now.isoformat() if settings.now else 'of this machine'}",
        "Addresses:",
    ]
    lines += [f"  {'ok  ' if one.fine else 'FAIL'}  {one.part:<32} {one.place}  {one.said}" for one in findings]
    missing = sum(not one.fine for one in findings)
    end = f"{missing} of {len(findings)} are not as they should be." if missing else "Everything answers."
    return "\n".join([*lines, end])


def _folder(settings: Settings) -> Finding:
    """Whether it, or the nearest folder above it that is there, can be written to."""
    folder = settings.data.absolute()
    there = next(place for place in (folder, *folder.parents) if place.exists())
    fine = there.is_dir() and os.access(there, os.W_OK | os.X_OK)
    said = "can be written to" if fine else f"{there} cannot be written to; set SMARTVOYAGE_DATA (data)"
    return Finding("data folder", str(folder), fine, said)


def _database(settings: Settings) -> Finding:
    place = database_in_words(settings)
    address = make_url(settings.database_url)
    if address.get_backend_name() == "sqlite" and not Path(str(address.database)).exists():
        return Finding("database", place, True, "not there yet; the first start makes it")
    try:
        engine = make_engine(settings.database_url)
        try:
            with engine.connect() as connection:
                connection.execute(text("SELECT 1"))
        finally:
            engine.dispose()
    except (SQLAlchemyError, SettingsError, RuntimeError) as error:
        return Finding("database", place, False, _short(getattr(error, "orig", None) or error))
    return Finding("database", place, True, "answers")


async def _gateway(http: httpx.AsyncClient, settings: Settings) -> Finding:
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]"}.get(settings.gateway.host, settings.gateway.host)  # noqa: S104
    url = f"http://{host}:{settings.gateway.port}"
    try:
        answer = await http.get(f"{url}/health")
        return Finding("gateway", url, True, f"health: {answer.json()['status']}")
    except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
        return Finding("gateway", url, False, _short(error))


async def _agent(http: httpx.AsyncClient, entry: AgentEntry) -> Finding:
    part = f"agent {entry.name}"
    try:
        async with asyncio.timeout(ANSWER_S):
            card = await A2ACardResolver(http, entry.a2a_url).get_agent_card()
    except (A2AError, httpx.HTTPError, TimeoutError, ValueError) as error:
        return Finding(part, entry.a2a_url, False, _short(error))
    skills = len(card.skills)
    return Finding(part, entry.a2a_url, skills > 0, f"{card.name} {card.version}, {skills} skills")


async def _port(part: str, url: str) -> Finding:
    parts = urlsplit(url)
    port = parts.port or _PORTS.get(parts.scheme, 80)
    url = url.replace(f"{parts.username or ''}:{parts.password}@", "…@") if parts.password else url
    try:
        async with asyncio.timeout(ANSWER_S):
            _, writer = await asyncio.open_connection(parts.hostname, port)
        writer.close()
        await writer.wait_closed()
    except (OSError, TimeoutError) as error:
        return Finding(part, url, False, _short(error))
    return Finding(part, url, True, "listens")


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:160] or type(error).__name__
