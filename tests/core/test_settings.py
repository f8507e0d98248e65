"""A wrong setting is one line that names it and says what was expected."""

from pathlib import Path

import pytest

from core.shared.errors import SettingsError
from core.shared.settings import load_settings, parse_settings

ROOT = Path(__file__).parents[2]


def load(tmp_path: Path, text: str, **environment: str) -> str:
    """The settings error that `text` and the environment lead to."""
    path = tmp_path / "config.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(path, environment)
    return str(caught.value)


def test_the_shipped_config_is_valid_and_names_three_agents() -> None:
    settings = load_settings(ROOT / "config.yaml", {})
    assert [entry.name for entry in settings.agents] == ["WeatherQueryAssistant", "TicketAssistant", "TripAssistant"]
    assert settings.database_url.startswith("sqlite:///")


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("gateway: {port: 8000}\n", "utf-8")
    settings = load_settings(path, {"GATEWAY_PORT": "9000", "DATABASE_URL": "mysql://u:p@db/smart"})
    assert settings.gateway.port == 9000
    assert settings.database_url == "mysql+pymysql://u:p@db/smart"


def test_settings_are_frozen() -> None:
    settings = load_settings(ROOT / "config.yaml", {})
    with pytest.raises(ValueError, match="frozen"):
        settings.gateway.port = 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gatewy: {port: 1}", "gatewy: unknown key"),
        ("gateway: {prt: 1}", "gateway.prt: unknown key"),
        ("gateway: {port: eighty}", "gateway.port: expected a whole number, found 'eighty'"),
        ("gateway: {port: 70000}", "gateway.port: expected at most 65535, found '70000'"),
        ("gateway: 8888", "gateway: expected a mapping of keys to values"),
        ("agents: [{name: A, a2a_url: 'ftp://x'}]", "agents.0.a2a_url"),
        ("agents: [{name: A, a2a_url: 'http://a'}, {name: A, a2a_url: 'http://b'}]", "'A' stands 2 times"),
        ("[1, 2]", "a mapping of settings was expected"),
        ("a: [", "not valid YAML"),
        ("gateway: {host: 0.0.0.0}", "gateway.host: '0.0.0.0' is not a loopback address"),
    ],
)
def test_a_wrong_key_or_value_is_named_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    line = load(tmp_path, text)
    assert says in line
    assert "\n" not in line


def test_a_wrong_environment_variable_is_named_as_such(tmp_path: Path) -> None:
    assert "environment GATEWAY_PORT: gateway.port" in load(tmp_path, "", GATEWAY_PORT="many")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.yaml: cannot be read"):
        load_settings(tmp_path / "nowhere.yaml", {})


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"AUTH_MODE": "jwt"}, "auth.secret (environment AUTH_SECRET): at least 32 bytes"),
        ({"AUTH_MODE": "jwt", "AUTH_SECRET": "short"}, "found 5"),
        ({"AUTH_MODE": "open"}, "environment AUTH_MODE: auth.mode"),
        ({"AUTH_MODE": "jwt", "AUTH_SECRET": "x" * 32, "SMARTVOYAGE_NOW": "2026-08-16T12:00:00+08:00"}, "now"),
        ({"GATEWAY_HOST": "0.0.0.0"}, "AUTH_MODE"),  # noqa: S104  the very thing that is refused
    ],
)
def test_an_unsafe_start_is_refused(tmp_path: Path, environment: dict[str, str], says: str) -> None:
    line = load(tmp_path, "", **environment)
    assert says in line
    assert "x" * 32 not in line


def test_a_secret_in_the_file_is_refused(tmp_path: Path) -> None:
    assert "a secret does not belong in a file; set AUTH_SECRET" in load(tmp_path, f"auth: {{secret: {'s' * 40}}}")


def test_with_auth_on_any_address_may_be_listened_to(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("", "utf-8")
    environment = {"AUTH_MODE": "jwt", "AUTH_SECRET": "x" * 32, "GATEWAY_HOST": "0.0.0.0"}  # noqa: S104
    settings = load_settings(path, environment)
    assert settings.gateway.host == "0.0.0.0"  # noqa: S104
    assert "x" * 32 not in repr(settings)


@pytest.mark.parametrize("written", ["mysql://u:p@db/smart", "mysql+pymysql://u:p@db/smart"])
def test_mysql_is_spoken_with_pymysql_however_its_address_is_written(written: str) -> None:
    assert parse_settings({"database": {"url": written}}).database_url == "mysql+pymysql://u:p@db/smart"
