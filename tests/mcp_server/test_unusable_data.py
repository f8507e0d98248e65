"""A database that cannot be used: at the start one clear line; later an unhealthy service that says why."""

import datetime as dt
from pathlib import Path

import httpx
import pytest

import main
from core.shared.clock import ManualClock
from core.shared.serving import running
from tests.mcp_server.servers import config_on_free_ports, services_by_name, settings_on_free_ports
from tests.mcp_tools.demo_file import NOW, copy_to, sqlite_only

pytestmark = pytest.mark.wire

_HEALTHY_BYTES = 1_000_000


@pytest.mark.parametrize("content", [b"this is no database " * 400, b"SQLite format 3\x00" + b"\xff" * 8192])
@pytest.mark.parametrize("name", ["mcp-ticket", "mcp-weather", "weather-collector"])
def test_a_file_that_is_no_database_is_one_clear_line(
    tmp_path: Path, content: bytes, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "smartvoyage.db").write_bytes(content)
    config = config_on_free_ports(tmp_path)
    assert main.main(["--config", str(config), "serve", name]) == 2
    wrong = capsys.readouterr().err
    assert "smartvoyage: database.url: the database file is damaged or no database" in wrong
    assert str(tmp_path / "smartvoyage.db") in wrong
    assert "Traceback" not in wrong


@sqlite_only
async def test_damage_inside_a_file_makes_the_service_unhealthy_and_says_so(tmp_path: Path) -> None:
    path = copy_to(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:_HEALTHY_BYTES] + b"\xff" * (len(whole) - _HEALTHY_BYTES))
    settings = settings_on_free_ports(f"sqlite:///{path}", tmp_path)
    service = services_by_name(settings, ManualClock(NOW + dt.timedelta(days=3)))["mcp-trip"]
    async with running([service]), httpx.AsyncClient(base_url=service.url) as client:
        down = await client.get("/health")
    assert down.status_code == 503
    assert down.json() == {"status": "down", "detail": "the database file is damaged or no database"}
