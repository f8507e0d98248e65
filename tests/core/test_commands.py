"""The command line: every command explains itself, and what cannot be reached is one clear line."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

import main
from tests.support.whole import free_port, free_settings, whole

COMMANDS = ["serve", "chat", "check", "token", "trace", "migrate", "demo-data", "import"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main([command, "--help"])
    assert ended.value.code == 0
    assert f"main.py {command}" in capsys.readouterr().out


def config(tmp_path: Path, text: str) -> str:
    path = tmp_path / "config.yaml"
    path.write_text(text, "utf-8")
    return str(path)


@pytest.mark.parametrize("command", ["migrate", "demo-data"])
@pytest.mark.parametrize("kind", ["away", "no database"])
def test_a_bad_database_is_one_line_and_exit_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, kind: str
) -> None:
    (tmp_path / "x.db").write_text("this is no database\n" * 100, "utf-8")
    url = f"mysql://u:hunter2@127.0.0.1:{free_port()}/x" if kind == "away" else f"sqlite:///{tmp_path / 'x.db'}"
    assert main.main(["--config", config(tmp_path, f"database: {{url: '{url}'}}"), command]) == 1
    told = capsys.readouterr().err
    assert told.startswith("smartvoyage: database.url: the database cannot be used")
    assert told.count("\n") == 1
    assert "hunter2" not in told


def test_migrate_brings_the_tables_of_core_and_tools_and_may_be_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "x.db"
    settings = config(tmp_path, f"database: {{url: 'sqlite:///{database}'}}")
    for _ in range(2):
        assert main.main(["--config", settings, "migrate"]) == 0
    assert capsys.readouterr().out == "core tables: up to date\nbusiness tables: up to date\n" * 2
    with contextlib.closing(sqlite3.connect(database)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert tables >= {"alembic_version_core", "alembic_version_tools", "trains"}


def test_check_tells_what_does_not_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = f"{{name: A, a2a_url: 'http://127.0.0.1:{free_port()}', mcp_url: 'http://127.0.0.1:{free_port()}/mcp'}}"
    text = f"agents: [{agent}]\ngateway: {{port: {free_port()}}}\ndata: {tmp_path / 'data'}"
    assert main.main(["--config", config(tmp_path, text), "check"]) == 1
    told = capsys.readouterr().out
    assert f"embedded SQLite, {tmp_path / 'data' / 'smartvoyage.db'}" in told
    assert "language model  none" in told
    assert f"ok    data folder                      {tmp_path / 'data'}  can be written to" in told
    assert told.count("FAIL") == 3
    assert "3 of 5 are not as they should be." in told
    assert not (tmp_path / "data").exists()


def test_check_names_the_setting_where_nobody_can_be_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main.main(["--config", config(tmp_path, f"data: {tmp_path}\ngateway: {{port: {free_port()}}}"), "check"])
    assert "agents          none (agents in config.yaml)" in capsys.readouterr().out


@pytest.mark.wire
async def test_check_is_content_with_a_running_house(tmp_path: Path) -> None:
    from core.checking import check, told

    settings = free_settings(tmp_path)
    async with whole(settings) as started:
        await started.until("ok")
        findings = await check(settings)
    assert all(finding.fine for finding in findings), findings
    assert len(findings) == 9
    assert "Everything answers." in told(settings, findings)
