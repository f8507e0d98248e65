"""`python main.py trace ID` draws what stands in the database."""

from pathlib import Path

import pytest

import main
from core.adapters.stores.database import open_database
from core.adapters.stores.history_store import SqlHistoryStore
from core.shared.clock import ManualClock
from core.types.trace import Trace
from tests.traces.runs import ID, NOW, called, inner, record, run


async def kept(tmp_path: Path, *traces: Trace) -> str:
    """The settings of an installation in which these turns were."""
    url = f"sqlite:///{tmp_path / 'core.db'}"
    async with open_database(url) as database:
        for trace in traces:
            await SqlHistoryStore(database, ManualClock(NOW)).record(record(trace), facts=20)
    config = tmp_path / "config.yaml"
    config.write_text(f"database: {{url: '{url}'}}", "utf-8")
    return str(config)


async def drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *traces: Trace,
                status: int = 0) -> str:
    config = await kept(tmp_path, *traces)
    monkeypatch.setenv("COLUMNS", "160")
    assert main.main(["--config", config, "trace", ID]) == status
    return capsys.readouterr().out


async def test_a_run_is_a_tree_with_a_time_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = run(called(rounds=inner(20, 50), data={"kind": "train", "rows": [], "rows_total": 7}))
    lines = (await drawn(tmp_path, capsys, monkeypatch, trace)).splitlines()
    assert lines[0].startswith(f"trace {ID} · u1 / s1 · 2026-08-16 12:00:00")
    assert next(line for line in lines if "step 1" in line).startswith("│  └─ step 1 · query train tickets")
    call = next(line for line in lines if "TicketAssistant" in line and "█" in line)
    assert call.count("█") == 24
    assert "80 ms" in call
    assert "completed" in call
    assert any("in  query train tickets {date=2026-08-17}" in line for line in lines)
    assert any("inner round 2: 想2" in line and "50 ms" in line for line in lines)
    assert any("out G1 有票。 [7 rows of train]" in line for line in lines)
    assert any("model for summary · 1 calls, 30 tokens" in line for line in lines)
    assert lines[-1].startswith("weakest link: step 1 · TicketAssistant · query train tickets · inner round 2")


async def test_what_failed_is_named_and_no_stored_text_commands_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = run(called(status="failed", code="refused", observation="\x1b[2J[red]卖完了"))
    told = await drawn(tmp_path, capsys, monkeypatch, trace)
    assert "weakest link: step 1 · TicketAssistant · query train tickets — failed: failed (refused): " in told
    assert "[red]卖完了" in told
    assert "\x1b" not in told


async def test_an_unknown_id_is_one_line_and_exit_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await drawn(tmp_path, capsys, monkeypatch, status=1) == f"no recorded run has the id '{ID}'\n"
