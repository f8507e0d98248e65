"""More buyers than stock, and many who cancel the same: promises that hold on any database, judged by the tables."""

from sqlalchemy import Engine, update

from core.shared.errors import Conflict
from mcp_tools.buyers import Buyer
from mcp_tools.order_tools import cancel_order
from mcp_tools.shelves import SHELVES
from mcp_tools.tables import train_seats
from tests.mcp_tools.buying import buy, buyer, left, orders_of, wanted
from tests.mcp_tools.crowds import a_train, all_at_once
from tests.mcp_tools.demo_file import NOW
from tests.mcp_tools.ledger import books, check_books

RUSHES = [(1, 100, 1), (50, 200, 1), (3, 12, 2)]
"""Stock, buyers, and how many each wants."""


def rush(engine: Engine, stock: int, buyers: int, quantity: int) -> tuple[int, int, int]:
    """Orders there are, refusals that say why, and what is left, of so many who come at once."""
    row, crowd = a_train(engine), f"crowd-{stock}-{buyers}"
    with engine.begin() as connection:
        connection.execute(update(train_seats).where(train_seats.c.item_id == row.item_id).values(remaining=stock))
    before = books(engine, row.item_id)

    def order(_place: int) -> str:
        try:
            return buy(engine, wanted("train", row, quantity), buyer(crowd)).status
        except Conflict as refused:
            return refused.detail

    outcomes = all_at_once(buyers, order)
    check_books(before, books(engine, row.item_id))
    refused = sum("售完" in outcome or "只剩" in outcome for outcome in outcomes)
    assert outcomes.count("confirmed") == orders_of(engine, crowd)
    return orders_of(engine, crowd), refused, left(engine, "train", row.item_id)


def cancelled_by_fifty(engine: Engine) -> int:
    """Seats that came back, of three, when fifty cancel the same order at once."""
    row = a_train(engine)
    order = buy(engine, wanted("train", row, 3), buyer("quitter"))
    before = books(engine, row.item_id)
    taken = left(engine, "train", row.item_id)

    def cancel(_place: int) -> str:
        return cancel_order(engine, tuple(SHELVES), order.order_id, buyer("quitter"), NOW).rows[0].status

    assert set(all_at_once(50, cancel)) == {"cancelled"}
    check_books(before, books(engine, row.item_id))
    return left(engine, "train", row.item_id) - taken


def one_offer_under_many_keys(engine: Engine) -> tuple[int, int]:
    """Orders made and refusals, when ten keys that are no offer's come with the same offer at once."""
    row = a_train(engine)

    def order(place: int) -> str:
        try:
            return buy(engine, wanted("train", row), Buyer("sly", "one-offer", f"key-{place}")).status
        except Conflict as refused:
            return refused.detail

    outcomes = all_at_once(10, order)
    return orders_of(engine, "sly"), sum("已经下过单了" in outcome for outcome in outcomes)
