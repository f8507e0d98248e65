"""Orders while every process is killed in turn: none lost, none doubled, stock and sales add up.

SMARTVOYAGE_CHAOS_ORDERS says how many orders (60 where it is not set; 500 is what the README's figures come from).
What is checked are the tables, not what was said.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from sqlalchemy import NullPool, create_engine, text

from tests.chaos.processes import Installation, installation
from tests.mcp_tools.mariadb import INSTALLED

ORDERS = int(os.environ.get("SMARTVOYAGE_CHAOS_ORDERS", "60"))
BUYERS = 8
IN_TURN = ("gateway", "a2a-ticket", "mcp-ticket", "database")
PATIENCE_S = 180
"""A retrying buyer gives up after so long; what is left behind by a dead process is taken up within a minute."""

MOST_WISHES = 60
"""How often a person says their wish again while the agent is away."""

DAYS = ("明天", "后天", "大后天")
ROUTES = ("北京到上海", "上海到杭州", "广州到深圳")

pytestmark = pytest.mark.skipif(not INSTALLED, reason="MariaDB is not installed")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with installation(tmp_path_factory.mktemp("chaos")) as running:
        yield running


@dataclass
class Books:
    """What the buyers were told, to be held against the tables."""

    acknowledged: dict[str, str] = field(default_factory=dict)
    kills: list[str] = field(default_factory=list)

    def due(self) -> bool:
        """One kill after every so many orders, until each part has had its turn."""
        step = max(1, ORDERS // (len(IN_TURN) + 1))
        return len(self.kills) < len(IN_TURN) and len(self.acknowledged) >= step * (len(self.kills) + 1)


async def answered(
    client: httpx.AsyncClient, path: str, key: str, body: dict[str, Any] | None = None
) -> dict[str, Any] | None:
    """The answer, however often it takes: every try carries the same key. None: refused, nothing was done.

    What is still running and what nobody could be reached for says when to try again; a refusal does not.
    """
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                response = await client.post(path, json=body, headers={"Idempotency-Key": key})
            except httpx.TransportError:
                await asyncio.sleep(0.2)
                continue
            if response.status_code == 200:
                found: dict[str, Any] = response.json()
                return found
            assert response.status_code in (409, 500, 502, 503, 504), response.text
            if response.status_code == 409 and "Retry-After" not in response.headers:
                return None
            await asyncio.sleep(0.2)


async def buy(client: httpx.AsyncClient, number: int) -> str:
    """One person who wants one ticket and does not rest before they hold it. The number of their order."""
    user = f"buyer{number}"
    wish = f"订一张{DAYS[number % 3]}{ROUTES[number // 3 % 3]}最早的一班高铁二等座"
    for attempt in range(MOST_WISHES):
        reply = await answered(client, "/api/chat", f"ask-{number}-{attempt}", {"query": wish, "user_id": user})
        if reply is None or not reply["offers"]:
            await asyncio.sleep(0.5)
            continue
        path = f"/api/offers/{reply['offers'][0]['offer_id']}/confirm?user_id={user}"
        if (placed := await answered(client, path, f"yes-{number}-{attempt}")) is not None:
            return str(placed["orders"][0]["order_id"])
    raise AssertionError(f"{user} never got a ticket")


async def test_no_kill_loses_or_doubles_an_order(installed: Installation) -> None:
    engine = create_engine(installed.database_url, poolclass=NullPool)
    async with httpx.AsyncClient(base_url=installed.gateway_url, timeout=30) as client:
        await answered(client, "/api/chat", "first", {"query": "明天北京到上海的高铁", "user_id": "first"})
        with engine.connect() as connection:
            before: dict[str, int] = dict(connection.execute(text("SELECT item_id, remaining FROM train_seats")).all())
        books, wanted = Books(), iter(range(ORDERS))

        async def buyer() -> None:
            for number in wanted:
                books.acknowledged[f"buyer{number}"] = await buy(client, number)
                if books.due():
                    part = IN_TURN[len(books.kills)]
                    books.kills.append(part)
                    await asyncio.to_thread(installed.parts[part].restart)

        async with asyncio.TaskGroup() as group:
            for _ in range(BUYERS):
                group.create_task(buyer())
    assert tuple(books.kills) == IN_TURN
    with engine.connect() as connection:
        orders = connection.execute(text("SELECT order_id, user_id, item_id, quantity, status FROM orders")).all()
        after: dict[str, int] = dict(connection.execute(text("SELECT item_id, remaining FROM train_seats")).all())
    engine.dispose()
    assert {order.user_id: order.order_id for order in orders} == books.acknowledged
    assert len(orders) == len(books.acknowledged) == ORDERS
    sold = Counter({order.item_id: 0 for order in orders})
    for order in orders:
        sold[order.item_id] += order.quantity
    assert {item: before[item] - after[item] for item in before if before[item] != after[item]} == dict(sold)
    assert min(after.values()) >= 0
