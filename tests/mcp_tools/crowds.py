"""Many who buy at the same moment, on any database: what came of it, in numbers."""

import datetime as dt
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Engine, update

from core.shared.errors import Conflict
from mcp_tools.car_tools import query_car_rental
from mcp_tools.imports.kinds import IMPORTS
from mcp_tools.imports.reading import CsvLine
from mcp_tools.imports.rows import rows_of
from mcp_tools.imports.writing import write
from mcp_tools.order_tools import cancel_order
from mcp_tools.rows import TrainRow
from mcp_tools.shelves import SHELVES
from mcp_tools.tables import car_days, train_seats
from mcp_tools.ticket_tools import query_train_tickets
from mcp_tools.wishes import CarWish, TrainWish
from tests.mcp_tools.buying import buy, buyer, left, orders_of, wanted
from tests.mcp_tools.demo_file import NOW, TOMORROW

T = TypeVar("T")


def all_at_once(number: int, work: Callable[[int], T]) -> list[T]:
    """Do the work in so many threads that begin together. What one raises is raised here."""
    together = threading.Barrier(number)
    done: list[T] = []
    failed: list[BaseException] = []

    def run(place: int) -> None:
        together.wait()
        try:
            done.append(work(place))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(place,)) for place in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return done


def a_train(engine: Engine, at_least: int = 10, **more: Any) -> TrainRow:
    """A seat class of a fast train with enough left."""
    wish = TrainWish(from_city="北京", to_city="上海", date=TOMORROW, quantity=at_least, train_type="G", **more)
    return query_train_tickets(engine, wish, NOW).rows[0]


def sold_of_last_five(engine: Engine) -> tuple[int, int, int]:
    """Orders made, refusals that say that it is sold out, and what is left after twenty came at once."""
    row = a_train(engine)
    with engine.begin() as connection:
        connection.execute(update(train_seats).where(train_seats.c.item_id == row.item_id).values(remaining=5))

    def order(_place: int) -> str:
        try:
            return buy(engine, wanted("train", row), buyer("crowd")).status
        except Conflict as refused:
            return refused.detail

    outcomes = all_at_once(20, order)
    assert orders_of(engine, "crowd") == outcomes.count("confirmed")
    refused = sum("售完" in outcome for outcome in outcomes)
    return outcomes.count("confirmed"), refused, left(engine, "train", row.item_id)


def made_with_one_key(engine: Engine) -> tuple[int, int, int]:
    """Answers, different orders among them, and how many seats are gone, of six that come with the same key."""
    row, who = a_train(engine), buyer("hasty")
    made = all_at_once(6, lambda _: buy(engine, wanted("train", row), who).order_id)
    return len(made), len(set(made)), row.remaining - left(engine, "train", row.item_id)


def overlapping_rentals(engine: Engine) -> tuple[int, int]:
    """Ten rent the same car for days that overlap and give it back at once: who came through, what is missing."""
    days = car_days.c.date.between(TOMORROW, TOMORROW + dt.timedelta(days=9))
    row = query_car_rental(engine, CarWish(city="上海", date=TOMORROW), NOW).rows[0]
    with engine.begin() as connection:
        connection.execute(update(car_days).where(car_days.c.car_id == row.item_id[:17], days).values(remaining=50))

    def rent(place: int) -> str:
        wish = CarWish(
            city="上海", date=TOMORROW + dt.timedelta(days=place % 3), days=2 + place % 4, brand=row.brand + row.model
        )
        rental = query_car_rental(engine, wish, NOW).rows[0]
        order = buy(engine, wanted("car_rental", rental, 2), buyer(f"renter{place}"))
        who = buyer(f"renter{place}")
        return cancel_order(engine, tuple(SHELVES), order.order_id, who, NOW).rows[0].status

    outcomes = all_at_once(10, rent)
    whole = query_car_rental(engine, CarWish(city="上海", date=TOMORROW, days=10, brand=row.brand + row.model), NOW)
    return outcomes.count("cancelled"), 50 - whole.rows[0].remaining


def imports_beside_orders(engine: Engine) -> tuple[int, int]:
    """Twelve buy while the same line is imported eight times: seats sold, and seats gone from the total of 100."""
    facts = {
        "train_no": "G9003", "from_station": "雄安", "to_station": "北京西", "from_city": "雄安", "to_city": "北京",
        "date": TOMORROW, "depart": 485, "duration_min": 52, "seat_class": "二等座", "price": 5800, "total": 100,
    }
    rows, _ = rows_of(IMPORTS["train"], [CsvLine(2, facts)])

    def take_over(_place: int) -> None:
        write(engine, IMPORTS["train"], rows, print, dry_run=False)

    take_over(0)
    wish = TrainWish(from_city="雄安", to_city="北京", date=TOMORROW, train_no="G9003")
    row = query_train_tickets(engine, wish, NOW).rows[0]
    order = wanted("train", row)
    all_at_once(20, lambda place: take_over(place) if place % 5 < 2 else buy(engine, order, buyer("many")))
    return orders_of(engine, "many"), 100 - left(engine, "train", row.item_id)
