"""What the agents keep of a turn lies beside the rest of what is kept of the person, and is erased with it."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.whole import free_settings, whole

pytestmark = pytest.mark.wire

WHO = {"user_id": "alice", "session_id": "trip"}


async def kept_by_agents(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    """Of that session; the export asks the agents for orders, which they note as well."""
    exported = (await client.get("/api/export", params={"user_id": "alice"})).json()
    return [note for note in exported["agent_memory"] if note["session_id"] == "trip"]


async def say_until_agents_remember(client: httpx.AsyncClient) -> dict[str, Any]:
    """They open their memory beside their work, so that the first turn may come too early for it."""
    async with asyncio.timeout(30):
        while not (found := await kept_by_agents(client)):
            (await client.post("/api/chat", json={"query": "后天上海到杭州的高铁", **WHO})).raise_for_status()
    [note] = found
    return note


async def test_agents_notes_are_exported_and_erased_with_session_and_person(tmp_path: Path) -> None:
    async with whole(free_settings(tmp_path)) as running:
        await running.until("ok")
        for address in ("/api/sessions/trip", "/api/user"):
            note = await say_until_agents_remember(running.client)
            assert note["agent"] == "TicketAssistant"
            assert note["content"]["wishes"][0]["slots"]["to_city"] == "杭州"
            (await running.client.delete(address, params={"user_id": "alice"})).raise_for_status()
            assert await kept_by_agents(running.client) == []
