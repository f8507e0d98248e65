"""Whatever is wrong with the configuration: one line that names the key, exit status 2, no traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import main
from core.shared.errors import SettingsError
from core.shared.settings import load_settings, parse_settings
from core.shared.sql import make_engine

ROOT = Path(__file__).parents[2]
AGENT = "agents: [{name: A, a2a_url: '%s'}]"
OWN = "agents: [{name: A, a2a_url: '%s', mcp_url: '%s'}]"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (AGENT % "http://127.0.0.1:99999", "agents.0.a2a_url: expected an http:// or https:// address with a port"),
        (AGENT % "http://127.0.0.1:abc", "found 'http://127.0.0.1:abc'"),
        (AGENT % "http://u:hunter2@127.0.0.1:0", "found 'http://…@127.0.0.1:0'"),
        (AGENT % "http://[::1", "agents.0.a2a_url"),
        ("gateway: {port: 1}\ngateway: {port: 2}", "line 2: gateway: stands twice"),
        ("gateway: {port: 1, port: 2}", "port: stands twice"),
        ("auth: {mode: on}", "auth.mode: expected 'off' or 'jwt', found 'True'"),
        ("gateway:", "gateway: expected a mapping of keys to values, found nothing"),
        ("1: x", "expected a text as a key"),
        ("now: 2026-08-16T12:00:00", "now: expected an RFC 3339 moment with its offset"),
        ("now: 2026-08-16", "now: expected an RFC 3339 moment with its offset"),
        ("now: '9999-12-31T23:59:59+08:00'", "now: expected an RFC 3339 moment"),
        ("now: 2026-13-45T00:00:00Z", "not valid YAML"),
        ("limits: {turn_ms: 1.5}", "limits.turn_ms: expected a whole number, found '1.5'"),
        ("agents: {name: A}", "agents: expected a list, found a mapping"),
        ("agents: [{name: A}]", "agents.0.a2a_url: is missing"),
        ("log_level: LOUD", "log_level: expected 'DEBUG', 'INFO', 'WARNING' or 'ERROR', found 'LOUD'"),
        (OWN % ("http://localhost:6001", "http://127.0.0.1:6001/mcp"), "agents.0.mcp_url (A): expected a port of its"),
        (AGENT % "http://127.0.0.1:8888", "found 8888, which is that of gateway.port"),
    ],
)
def test_a_broken_file_is_one_plain_line_and_exit_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: str
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text, "utf-8")
    assert main.main(["--config", str(path), "token", "u1"]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1
    assert "Input should" not in told
    assert "hunter2" not in told


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("SMARTVOYAGE_NOW", "2026-08-16T12:00:00", "environment SMARTVOYAGE_NOW: now: expected an RFC 3339 moment"),
        ("SMARTVOYAGE_NOW", "tomorrow", "with its offset, such as 2026-08-16T12:00:00+08:00, found 'tomorrow'"),
        ("DATABASE_URL", "postgres://u:hunter2@db/x", "database.url (environment DATABASE_URL): expected mysql://"),
        ("DATABASE_URL", "postgresql://u:hunter2@db/x", "found 'postgresql://'"),
        ("DATABASE_URL", "mysql+mysqldb://u:hunter2@db/x", "found 'mysql+mysqldb://'"),
        ("DATABASE_URL", "oracle+nothing://db", "found 'oracle+nothing://'"),
        ("DATABASE_URL", "not an address hunter2", "found a text that is none"),
        ("DATABASE_URL", "mysql://u:hunter2@db:port/x", "found a text that is none"),
        ("DATABASE_URL", "mysql://u:hunter2@db", "without a host or the name of a database"),
        ("DATABASE_URL", "sqlite://", "expected the path of a file"),
        ("DATABASE_URL", "sqlite:////", "found the folder '/'"),
        ("DATABASE_URL", "sqlite:////no/such/folder/x.db", "in a folder that exists, found '/no/such/folder/x.db'"),
    ],
)
def test_a_broken_environment_is_one_plain_line_without_secrets(
    tmp_path: Path, name: str, value: str, says: str
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("", "utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(path, {name: value})
    assert says in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes("# 智途".encode("gbk"))
    with pytest.raises(SettingsError, match=r"config\.yaml: expected text in UTF-8, found byte 0xd6"):
        load_settings(path, {})


def test_an_unquoted_off_is_off(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("auth: {mode: off}", "utf-8")
    assert load_settings(path, {}).auth.mode == "off"


def test_a_data_folder_that_is_a_file_or_below_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("", "utf-8")
    for data in (tmp_path / "data", tmp_path / "data" / "inner"):
        with pytest.raises(SettingsError, match=r"SMARTVOYAGE_DATA.*expected a folder, found the file"):
            parse_settings({"data": data})


def test_a_data_folder_that_cannot_be_written_to_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o500)
    if os.access(tmp_path / "data", os.W_OK):  # root may write everywhere but where nobody can
        with pytest.raises(SettingsError, match=r"SMARTVOYAGE_DATA.*can be written to, found '/proc/smart'"):
            make_engine("sqlite:////proc/smart/x.db")
        return
    with pytest.raises(SettingsError, match=r"SMARTVOYAGE_DATA.*can be written to"):
        parse_settings({"data": tmp_path / "data"})


def test_a_database_file_may_lie_in_a_data_folder_that_is_still_to_be_made(tmp_path: Path) -> None:
    data = tmp_path / "data"
    url = f"sqlite:///{data / 'inner' / 'x.db'}"
    assert parse_settings({"data": data, "database": {"url": url}}).database_url == url


def test_foreign_agents_may_share_a_port_with_one_another() -> None:
    agents = [{"name": name, "a2a_url": f"http://127.0.0.1:7001/{name}"} for name in ("A", "B")]
    assert len(parse_settings({"agents": agents}).agents) == 2


def test_every_command_exits_with_2_for_a_broken_environment(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "DATABASE_URL": "postgres://x", "PYTHONWARNINGS": "error"}
    ran = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "serve"], env=environment, capture_output=True, text=True, check=False,
        cwd=tmp_path, timeout=60,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1
