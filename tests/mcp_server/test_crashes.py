"""Five hundred orders while the tool server and the database are killed: none lost, none twice, no seat unaccounted."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select

from core.shared.settings import load_settings
from core.shared.sql import make_engine
from mcp_tools.migration import migrate
from mcp_tools.tables import orders
from tests.mcp_server.crashing import Buyers, put_on_sale, tool_process
from tests.mcp_server.servers import config_on_free_ports
from tests.mcp_tools.ledger import books, check_books
from tests.mcp_tools.mariadb import INSTALLED, mariadb

pytestmark = [pytest.mark.wire, pytest.mark.skipif(not INSTALLED, reason="MariaDB is not installed")]

ORDERS = 500


async def test_no_order_is_lost_or_doubled_when_server_and_database_are_killed(tmp_path: Path) -> None:
    config = config_on_free_ports(tmp_path)
    entries = {entry.name: entry for entry in load_settings(config, {}).agents}
    address = entries["TicketAssistant"].mcp_url or ""
    with mariadb(tmp_path, durable=True) as server:
        url = server.new_database("tools")
        migrate(url)
        engine = make_engine(url)
        items = put_on_sale(engine, trains=4, total=150)
        before = books(engine, *items)
        buyers = Buyers(address, items)
        async with tool_process(config, url, address.replace("/mcp", "/health")) as tools:
            buying = asyncio.create_task(buyers.buy(ORDERS))
            for acknowledged, kill, start in (
                (60, tools.kill, tools.start), (150, server.kill, None), (260, tools.kill, tools.start),
                (380, server.kill, None),
            ):
                await buyers.until(acknowledged)
                await asyncio.to_thread(kill)
                await (start() if start else asyncio.to_thread(server.start))
            async with asyncio.timeout(120):
                await buying
        after = books(engine, *items)
        with engine.connect() as connection:
            there = {key: order_id for key, order_id in connection.execute(
                select(orders.c.idempotency_key, orders.c.order_id)
            )}
        engine.dispose()
    check_books(before, after)
    assert buyers.unanswered > 0, "nobody noticed the kills"
    assert there == buyers.acknowledged, "every acknowledged order is there, and no other"
    assert len(there) == ORDERS
    assert after.sold["train"] == ORDERS
