"""Buying, listing and cancelling through the servers: who does it comes with the call, and nothing happens twice."""

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult

from core.shared.clock import ManualClock
from core.shared.serving import running
from tests.mcp_server.servers import (
    ASKED,
    BOUGHT_WITH,
    caller,
    client_of,
    filled_url,
    said,
    services_by_name,
    settings_on_free_ports,
)
from tests.mcp_server.test_refusals import HOSTILE, LEAKS, SENTENCE
from tests.mcp_tools.demo_file import NOW, copy_to, url_of

ORDER_FIELDS = ["order_id", "kind", "status", "item", "quantity", "total_price", "created_at"]
MOMENT = re.compile(r"2026-08-16T12:00:\d\d\.\d{6}\+08:00")
INTENTS = {
    "order_train_ticket": ("order train tickets", "train"), "order_flight_ticket": ("order flight tickets", "flight"),
    "order_concert_ticket": ("order concert tickets", "concert"),
    "order_car_rental": ("order car rental", "car_rental"), "order_tour_group": ("order tour group", "tour_group"),
    "order_insurance": ("order insurance", "insurance"),
}
SERVERS = {"mcp-ticket": "query_train_tickets", "mcp-trip": "query_tour_group"}
_keys = (f"o{number}:1" for number in itertools.count(1))


def _rows(result: CallToolResult) -> list[dict[str, Any]]:
    assert not result.is_error, said(result)
    content = result.structured_content or {}
    assert list(content) == ["kind", "rows", "more", "origin"]
    rows: list[dict[str, Any]] = content["rows"]
    return rows


async def _found(client: Client, tool: str, **more: Any) -> dict[str, Any]:
    query = BOUGHT_WITH[tool]
    return _rows(await client.call_tool(query, {**ASKED[query], "quantity": 3, **more}))[0]


def _order(row: dict[str, Any], quantity: int = 2) -> dict[str, Any]:
    return {"item_id": row["item_id"], "quantity": quantity, "expected_price": row["price"]}


@pytest.mark.wire
async def test_every_order_tool_sells_lists_and_takes_back_over_the_wire(tmp_path: Path) -> None:
    by_name = services_by_name(settings_on_free_ports(url_of(copy_to(tmp_path)), tmp_path), ManualClock(NOW))
    async with running([by_name["mcp-ticket"], by_name["mcp-trip"]]):
        for server, tools in (("mcp-ticket", list(BOUGHT_WITH)[:3]), ("mcp-trip", list(BOUGHT_WITH)[3:])):
            async with Client(f"{by_name[server].url}/mcp") as client:
                for tool in tools:
                    await _one_life(client, tool)
                listed = _rows(await client.call_tool("query_orders", {}, meta=caller()))
                assert {order["kind"] for order in listed} == {INTENTS[tool][1] for tool in tools}
                assert {order["status"] for order in listed} == {"cancelled"}


async def _one_life(client: Client, tool: str) -> None:
    """Buy, buy again under the same key, look, cancel twice, look."""
    row, meta = await _found(client, tool), caller(key=next(_keys))
    bought = await client.call_tool(tool, _order(row), meta=meta)
    order = _rows(bought)[0]
    assert (bought.structured_content or {})["kind"] == "order"
    assert list(order) == ORDER_FIELDS
    assert (order["kind"], order["status"], order["quantity"]) == (INTENTS[tool][1], "confirmed", 2)
    assert order["item"] == row
    assert order["total_price"] == f"{float(row['price']) * 2:.2f}"
    assert MOMENT.fullmatch(order["created_at"])
    assert _rows(await client.call_tool(tool, _order(row), meta=meta)) == [order]
    assert (await _found(client, tool, item_id=row["item_id"], quantity=1))["remaining"] == row["remaining"] - 2
    for _ in range(2):
        cancelled = await client.call_tool("cancel_order", {"order_id": order["order_id"]}, meta=caller(key="c:1"))
        assert _rows(cancelled) == [{**order, "status": "cancelled"}]
    assert await _found(client, tool, item_id=row["item_id"]) == row


@pytest.mark.parametrize("tool", list(BOUGHT_WITH))
async def test_the_listing_says_what_buys_and_with_what_it_is_quoted(tool: str) -> None:
    async with client_of(tool) as client:
        listed = next(one for one in (await client.list_tools()).tools if one.name == tool)
    words = (listed.meta or {})["smartvoyage"]
    assert (words["intent"], words["kind"], words["quotes_with"]) == (*INTENTS[tool], BOUGHT_WITH[tool])
    assert words["description"].endswith("。")
    assert words["tags"]
    assert words["examples"]
    assert listed.annotations is not None
    assert (listed.annotations.read_only_hint, listed.annotations.idempotent_hint) == (False, True)
    assert listed.input_schema["required"] == ["item_id", "quantity", "expected_price"]
    assert set(listed.input_schema["properties"]) == {"item_id", "quantity", "expected_price"}


@pytest.mark.parametrize("server", list(SERVERS))
async def test_each_server_lists_and_cancels(server: str) -> None:
    async with client_of(SERVERS[server]) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    listing, cancelling = tools["query_orders"], tools["cancel_order"]
    assert listing.annotations is not None
    assert listing.annotations.read_only_hint is True
    assert (listing.meta or {})["smartvoyage"]["intent"] == "query orders"
    assert cancelling.annotations is not None
    assert (cancelling.annotations.read_only_hint, cancelling.annotations.destructive_hint) == (False, True)
    words = (cancelling.meta or {})["smartvoyage"]
    assert (words["intent"], words["kind"], words["quotes_with"]) == ("cancel order", "order", "query_orders")


@pytest.mark.parametrize("tool", [*BOUGHT_WITH, "cancel_order"])
async def test_nothing_is_bought_or_cancelled_without_a_person_an_offer_and_a_key(tool: str, tmp_path: Path) -> None:
    shop = tool if tool in BOUGHT_WITH else "order_train_ticket"
    async with client_of(shop, url_of(copy_to(tmp_path))) as client:
        row = await _found(client, shop)
        own = _rows(await client.call_tool(shop, _order(row), meta=caller()))[0]
        arguments = _order(row) if tool in BOUGHT_WITH else {"order_id": own["order_id"]}
        whole: dict[str, Any] = dict(caller(key="k:1"))
        for missing in ("user_id", "offer_id", "idempotency_key"):
            inner = {name: value for name, value in whole["smartvoyage"].items() if name != missing}
            refused = await client.call_tool(tool, arguments, meta={**whole, "smartvoyage": inner})  # type: ignore[arg-type]
            assert refused.is_error
            assert SENTENCE.match(said(refused)), said(refused)
        given = {**arguments, "user_id": "alice", "offer_id": "o", "idempotency_key": "k"}
        assert (await client.call_tool(tool, given)).is_error, "what stands among the arguments counts for nothing"
        left = _rows(await client.call_tool("query_orders", {}, meta=caller()))
    assert left == [own]


async def test_orders_of_another_person_are_not_there(tmp_path: Path) -> None:
    async with client_of("order_train_ticket", url_of(copy_to(tmp_path))) as client:
        row = await _found(client, "order_train_ticket")
        order = _rows(await client.call_tool("order_train_ticket", _order(row), meta=caller("alice")))[0]
        for arguments in ({}, {"order_id": order["order_id"]}):
            assert _rows(await client.call_tool("query_orders", arguments, meta=caller("Alice"))) == []
        refused = await client.call_tool("cancel_order", {"order_id": order["order_id"]}, meta=caller("bob"))
        unknown = await client.call_tool("cancel_order", {"order_id": "SV123"}, meta=caller("bob"))
        assert said(refused) == said(unknown) == "没有找到这个订单，请检查一下订单号。"
        nobody = await client.call_tool("query_orders", {})
    assert said(nobody) == "还不知道您是谁，请登录后再查看或办理订单。"


@pytest.mark.parametrize(
    ("tool", "parameter"),
    [
        *((tool, parameter) for tool in BOUGHT_WITH
          for parameter in ("item_id", "quantity", "expected_price")),
        ("cancel_order", "order_id"),
        *(("query_orders", parameter) for parameter in (
            "before", "order_id", "kind", "status", "date", "limit", "train_no", "from_city", "city", "artist",
        )),
    ],
)
async def test_hostile_text_buys_nothing_and_finds_nothing(tool: str, parameter: str) -> None:
    usual: dict[str, Any] = {"item_id": "b1", "quantity": 1, "expected_price": "1.00"} if "order_" in tool[:6] else {}
    async with client_of(tool if tool in BOUGHT_WITH else "query_train_tickets", filled_url()) as client:
        for text in HOSTILE:
            result = await client.call_tool(tool, {**usual, parameter: text}, meta=caller("mallory"))
            if result.is_error:
                assert SENTENCE.match(said(result)), (text, said(result))
                assert not LEAKS.search(said(result)), said(result)
                assert len(said(result)) < 80
            else:
                assert tool == "query_orders"
                assert _rows(result) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"quantity": 10}, "数量太多了，一次最多9张。"),
        ({"quantity": 0}, "数量要是不小于1的整数。"),
        ({"expected_price": "free"}, "确认的单价要是一个不小于零的金额。"),
        ({"item_id": "b'1"}, "所选的那一项写得不对，请检查一下。"),
        ({}, "您选的这一项已经不在售了，没有下单，请重新查询后再选。"),
    ],
)
async def test_an_order_that_cannot_be_is_refused_in_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    usual = {"item_id": "b1", "quantity": 1, "expected_price": "1.00"}
    async with client_of("order_train_ticket") as client:
        result = await client.call_tool("order_train_ticket", {**usual, **arguments}, meta=caller())
    assert said(result) == sentence
