"""The verbs `migrate` and `demo-data`."""

import argparse
from pathlib import Path
from typing import Any

import pytest

from core.shared.settings import Settings, parse_settings
from mcp_tools.commands import add_commands, run_migrate
from tests.mcp_tools.demo_file import NOW, copy_to, url_of


def _run(verb: str, settings: Settings) -> int:
    """As main.py does it, which runs `migrate` for the tables of every package."""
    if verb == "migrate":
        return run_migrate(argparse.Namespace(), settings)
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers(required=True))
    arguments = parser.parse_args([verb])
    status: int = arguments.run(arguments, settings)
    return status


def _settings(url: str, **more: Any) -> Settings:
    return parse_settings({"database": {"url": url}, "now": NOW, **more})


def test_migrate_makes_the_tables_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("migrate", _settings(url_of(tmp_path / "new.db"))) == 0
    assert "up to date" in capsys.readouterr().out


def test_demo_data_is_safe_to_repeat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("demo-data", _settings(url_of(copy_to(tmp_path)))) == 0
    assert "nothing was missing" in capsys.readouterr().out


def test_a_database_that_cannot_be_used_is_one_line_and_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other.db").write_text("this is no database " * 100, "utf-8")
    assert _run("migrate", _settings(url_of(tmp_path / "other.db"))) == 1
    said = capsys.readouterr().err
    assert said.startswith("smartvoyage: database.url: ")
    assert said.count("\n") == 1
