"""MySQL's own business on a real MariaDB: accounts with few rights, tables that are behind, limits, hostile text."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client
from sqlalchemy import Engine, func, select, text, update
from sqlalchemy.exc import OperationalError

import main
from core.shared.clock import ManualClock
from core.shared.serving import running
from core.shared.sql import make_engine
from mcp_server.business_data import BEHIND, BusinessData
from mcp_tools.demo.extend import extend_demo_data
from mcp_tools.migration import migrate
from mcp_tools.tables import metadata, order_lines, orders, train_seats, weather_forecasts
from tests.mcp_server.servers import (
    ASKED,
    BOUGHT_WITH,
    caller,
    client_of,
    config_on_free_ports,
    said,
    services_by_name,
    settings_on_free_ports,
)
from tests.mcp_server.test_refusals import LEAKS, SENTENCE
from tests.mcp_tools import demo_mariadb
from tests.mcp_tools.demo_file import NOW, TODAY, mariadb_url
from tests.mcp_tools.mariadb import INSTALLED

pytestmark = [pytest.mark.wire, pytest.mark.skipif(not INSTALLED, reason="MariaDB is not installed")]

DOCUMENT = Path(__file__).parents[2] / "docs" / "database.md"
SQL = [
    "'", "' OR '1'='1", "' OR 1=1 -- ", "\" OR \"\"=\"", "'; DROP TABLE orders; -- ", "' UNION SELECT 1,2,3 -- ",
    "'; UPDATE train_seats SET remaining=0; -- ", "1' AND SLEEP(20) AND '1", "%' OR benchmark(99999999,md5(1)) OR '",
    "\\' OR 1=1 #", "北京' OR '1'='1", ") OR (1=1", "/*!50000 OR 1=1*/", "0x27204f5220313d31", "${jndi:x}", "%", "_",
]


@pytest.fixture(scope="module")
def mysql() -> Iterator[Engine]:
    engine = make_engine(mariadb_url())
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def accounts(mysql: Engine) -> str:
    """The accounts of docs/database.md, made with the very statements that stand there; the database's name."""
    name = str(mysql.url.database)
    block = re.search(r"```sql\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert block is not None
    statements = block[1].replace("smartvoyage.", f"{name}.").replace("@'%'", "@'127.0.0.1'")
    demo_mariadb.shared_server().admin(re.sub(r"IDENTIFIED BY '[^']*'", "IDENTIFIED BY 'secret'", statements))
    return name


def _as(user: str, database: str) -> str:
    return f"mysql+pymysql://{user}:secret@127.0.0.1:{demo_mariadb.shared_server().port}/{database}"


async def test_the_weather_server_serves_with_an_account_that_can_only_select(accounts: str, tmp_path: Path) -> None:
    url = _as("sv_weather", accounts)
    service = services_by_name(settings_on_free_ports(url, tmp_path), ManualClock(NOW))["mcp-weather"]
    async with running([service]), httpx.AsyncClient(base_url=service.url) as http:
        assert (await http.get("/health")).json()["status"] == "ok"
        async with Client(f"{service.url}/mcp") as client:
            result = await client.call_tool("query_weather", ASKED["query_weather"])
    assert (result.structured_content or {})["rows"], said(result)
    engine = make_engine(url)
    for statement in (
        "INSERT INTO weather_forecasts (city) VALUES ('x')", "UPDATE weather_forecasts SET temp_max_c = 40",
        "DELETE FROM weather_forecasts", "SELECT * FROM orders", "CREATE TABLE more (a INT)",
    ):
        with pytest.raises(OperationalError, match="denied"), engine.begin() as connection:
            connection.execute(text(statement))
    engine.dispose()


@pytest.mark.parametrize(
    ("user", "tool"), [("sv_ticket", "order_train_ticket"), ("sv_ticket", "order_flight_ticket"),
                       ("sv_ticket", "order_concert_ticket"), ("sv_trip", "order_car_rental"),
                       ("sv_trip", "order_tour_group"), ("sv_trip", "order_insurance")],
)
async def test_a_shop_sells_and_takes_back_with_its_account_and_can_do_no_more(
    accounts: str, user: str, tool: str
) -> None:
    url = _as(user, accounts)
    async with client_of(tool, url) as client:
        shown = await client.call_tool(BOUGHT_WITH[tool], {**ASKED[BOUGHT_WITH[tool]], "quantity": 1})
        row = (shown.structured_content or {})["rows"][0]
        order = {"item_id": row["item_id"], "quantity": 1, "expected_price": row["price"]}
        made = await client.call_tool(tool, order, meta=caller(user, f"{tool}:1"))
        assert not made.is_error, said(made)
        order_id = (made.structured_content or {})["rows"][0]["order_id"]
        gone = await client.call_tool("cancel_order", {"order_id": order_id}, meta=caller(user, f"{tool}:2"))
        assert (gone.structured_content or {})["rows"][0]["status"] == "cancelled"
    engine = make_engine(url)
    for statement in (
        "UPDATE train_seats SET price_fen = 1", "UPDATE car_days SET price_fen = 1", "DELETE FROM orders",
        "UPDATE orders SET user_id = 'mallory'", "DROP TABLE orders", "INSERT INTO weather_forecasts (city) VALUES (1)",
    ):
        with pytest.raises(OperationalError, match="denied"), engine.begin() as connection:
            connection.execute(text(statement))
    engine.dispose()


def test_the_collectors_account_keeps_forecasts_and_demo_data(accounts: str) -> None:
    engine = make_engine(_as("sv_collector", accounts))
    assert extend_demo_data(engine, TODAY) == 0
    with engine.begin() as connection:
        connection.execute(update(weather_forecasts).where(weather_forecasts.c.city == "nowhere").values(origin="x"))
    with pytest.raises(OperationalError, match="denied"), engine.begin() as connection:
        connection.execute(text("UPDATE orders SET status = 'cancelled'"))
    engine.dispose()


@pytest.fixture(scope="module")
def empty_url() -> str:
    return demo_mariadb.shared_server().new_database("nothing")


@pytest.mark.parametrize("name", ["mcp-weather", "mcp-ticket", "mcp-trip", "weather-collector"])
def test_a_service_refuses_tables_that_are_behind_and_names_the_command(
    empty_url: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", empty_url)
    assert main.main(["--config", str(config_on_free_ports(tmp_path)), "serve", name]) == 2
    assert f"smartvoyage: database.url: {BEHIND}\n" in capsys.readouterr().err
    assert "python main.py migrate" in BEHIND


async def test_tables_that_turn_out_to_be_behind_make_the_service_unhealthy_until_they_are_not() -> None:
    url = demo_mariadb.shared_server().new_database("late")
    clock = ManualClock(NOW)
    data = BusinessData(url, clock)
    async with data.open():
        assert data.trouble() == BEHIND
        await clock.somebody_sleeps()
        migrate(url)
        clock.advance(5)
        async with asyncio.timeout(20):
            while await asyncio.to_thread(data.trouble) is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.02)


def test_every_table_is_innodb_and_compares_bytes(mysql: Engine) -> None:
    found = text(
        "SELECT table_name, engine, table_collation FROM information_schema.tables WHERE table_schema = database()"
    )
    columns = text(
        "SELECT DISTINCT collation_name FROM information_schema.columns "
        "WHERE table_schema = database() AND collation_name IS NOT NULL AND table_name IN :names"
    )
    with mysql.connect() as connection:
        kinds = {name: (engine, collation) for name, engine, collation in connection.execute(found)}
        collations = set(connection.scalars(columns, {"names": tuple(metadata.tables)}))
    assert {kinds[name] for name in metadata.tables} == {("InnoDB", "utf8mb4_bin")}
    assert collations == {"utf8mb4_bin"}


def test_a_statement_of_a_service_is_limited_and_a_migration_is_not(mysql: Engine) -> None:
    limits = text("SELECT @@max_statement_time, @@innodb_lock_wait_timeout")
    with mysql.connect() as connection:
        assert tuple(connection.execute(limits).one()) == (20, 10)
    patient = make_engine(mysql.url.render_as_string(hide_password=False), patient=True)
    with patient.connect() as connection:
        assert connection.execute(limits).one()[0] == 0
    patient.dispose()


def test_connections_that_the_server_has_closed_are_not_used_again(mysql: Engine) -> None:
    with mysql.connect() as connection:
        number = connection.scalar(text("SELECT connection_id()"))
    demo_mariadb.shared_server().admin(f"KILL {number}")
    for _ in range(3):
        with mysql.connect() as connection:
            assert connection.scalar(select(1)) == 1


def _counts(engine: Engine) -> tuple[int | None, ...]:
    wanted = (func.count(orders.c.order_id), func.count(order_lines.c.order_id), func.sum(train_seats.c.remaining))
    with engine.connect() as connection:
        return tuple(connection.scalar(select(number)) for number in wanted)


@pytest.mark.parametrize("tool", [*ASKED, *BOUGHT_WITH, "query_orders", "cancel_order"])
async def test_sql_in_any_slot_is_a_value_like_any_other(mysql: Engine, tool: str) -> None:
    shop = tool if tool in ASKED or tool in BOUGHT_WITH else "query_train_tickets"
    order = {"item_id": "b1", "quantity": 1, "expected_price": "1.00"}
    usual: dict[str, Any] = ASKED.get(tool) or (order if tool in BOUGHT_WITH else {})
    before = _counts(mysql)
    url = mysql.url.render_as_string(hide_password=False)
    async with client_of(shop, url) as client:
        listed = next(one for one in (await client.list_tools()).tools if one.name == tool)
        for slot in listed.input_schema["properties"]:
            for hostile in SQL:
                arguments = {**usual, slot: {"train_type": [hostile]} if slot == "exclude" else hostile}
                result = await client.call_tool(tool, arguments, meta=caller("mallory"))
                _is_harmless(slot, hostile, result, everything=slot == "exclude")
    assert _counts(mysql) == before


def _is_harmless(slot: str, hostile: str, result: Any, *, everything: bool) -> None:
    if result.is_error:
        assert SENTENCE.match(said(result)), (slot, hostile, said(result))
        own_words = re.sub("“.*?”", "", said(result))  # what the person typed may be repeated to them
        assert not LEAKS.search(own_words), said(result)
    elif not everything:
        assert (result.structured_content or {})["rows"] == [], (slot, hostile)
