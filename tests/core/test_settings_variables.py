"""`${NAME:-otherwise}` in config.yaml: the same file on one machine and in containers."""

from pathlib import Path

import pytest

from core.shared.errors import SettingsError
from core.shared.settings import load_settings
from core.shared.settings_variables import filled

ROOT = Path(__file__).parents[2]


def test_without_variables_the_shipped_config_stays_on_this_machine() -> None:
    settings = load_settings(ROOT / "config.yaml", {})
    assert {entry.a2a_url.rpartition(":")[0] for entry in settings.agents} == {"http://127.0.0.1"}


def test_the_shipped_config_finds_its_agents_and_tools_behind_the_inner_proxies() -> None:
    settings = load_settings(ROOT / "config.yaml", {"A2A_HOST": "a2a-proxy", "MCP_HOST": "mcp-proxy"})
    ticket = settings.agent("TicketAssistant")
    assert ticket.a2a_url == "http://a2a-proxy:6002"
    assert ticket.mcp_url == "http://mcp-proxy:5002/mcp"


def test_a_variable_wins_over_what_stands_after_it_and_an_empty_one_does_not() -> None:
    assert filled("${A:-x}/${B:-y}", {"A": "a", "B": ""}) == "a/y"
    assert filled({"k": ["${A:-}", 1, None]}, {}) == {"k": ["", 1, None]}


@pytest.mark.parametrize("text", ["{query} costs $5", "${query}", "$A", "a}b${"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert filled(text, {"A": "a"}) == text


def test_a_missing_variable_is_named_with_its_key() -> None:
    with pytest.raises(SettingsError, match=r"agents\.0\.a2a_url: the environment variable NOWHERE is not set"):
        filled({"agents": [{"a2a_url": "http://${NOWHERE}"}]}, {})


def test_a_secret_is_not_smuggled_into_the_file(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("auth: {secret: '${AUTH_SECRET}'}\n", "utf-8")
    with pytest.raises(SettingsError, match="a secret does not belong in a file"):
        load_settings(path, {"AUTH_SECRET": "x" * 32})
