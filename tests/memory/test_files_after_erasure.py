"""What was erased stands in no file of the embedded database, not even in its log."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from pathlib import Path

import pytest

from core.adapters.stores.history_store import SqlHistoryStore
from core.shared.clock import SHANGHAI, SystemClock
from core.types.memory import KINDS, NO_CONTEXT, Fact, Message, TurnRecord
from tests.memory.databases import emptied

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
SAID = "我对芒果过敏"


def files_with(folder: Path, text: str) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if text.encode() in file.read_bytes())


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlHistoryStore]:
    async with emptied(f"sqlite:///{tmp_path / 'core.db'}") as database:
        yield SqlHistoryStore(database, SystemClock(NOW))


@pytest.mark.parametrize(
    "erase",
    [
        lambda store: store.erase("u1"),
        lambda store: store.clear("u1", "s1", KINDS),
        lambda store: store.delete_session("u1", "s1"),
    ],
    ids=["the user", "memories", "a session"],
)
async def test_no_file_holds_what_was_erased(
    store: SqlHistoryStore, tmp_path: Path, erase: Callable[[SqlHistoryStore], Awaitable[object]]
) -> None:
    for number in range(30):
        said = (Message("user", f"{SAID} {number}", NOW, f"t{number}"),)
        await store.record(TurnRecord("u1", "s1", said, NO_CONTEXT, {}, ()), facts=20)
    assert files_with(tmp_path, SAID)
    await erase(store)
    assert files_with(tmp_path, SAID) == []


async def test_other_peoples_words_stay(store: SqlHistoryStore, tmp_path: Path) -> None:
    for user in ("u1", "u2"):
        await store.record(TurnRecord(user, "s1", (), NO_CONTEXT, {}, (Fact(f"{SAID} {user}", NOW),)), facts=20)
    await store.erase("u1")
    assert files_with(tmp_path, f"{SAID} u1") == []
    assert files_with(tmp_path, f"{SAID} u2")
