"""Tools that know days: what each day costs, where it rains, which tours leave; in pages as small as the test wants."""

import datetime as dt
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from tests.a2a_servers.rows import car_row, order_row, tour_row, train_row, weather_row
from tests.a2a_servers.tool_server import CRASH_TEXT, READ_ONLY, Rows, ToolServer

NOT_YET = "目前只能预订到8月20日。"


@dataclass
class Calendar:
    """`prices`: by day, one row each; `rain`: the wet days; `page`: rows of a page; `until`: the last day on sale."""

    server: ToolServer
    prices: dict[str, list[str]] = field(default_factory=dict)
    sold_out: frozenset[str] = frozenset()
    rain: frozenset[str] = frozenset()
    page: int = 20
    until: str = "2026-12-31"
    breaks_at: str = ""

    def shows(self, prices: dict[str, list[str]] | None = None, **more: Any) -> None:
        """As if nothing had been asked yet."""
        fresh = Calendar(self.server, prices or {}, **more)
        for name in ("prices", "sold_out", "rain", "page", "until", "breaks_at"):
            setattr(self, name, getattr(fresh, name))
        self.server.forget()

    @property
    def looks(self) -> list[tuple[str, str | None]]:
        """The days of each call."""
        return [(said["date"], said.get("date_end")) for _, said, _ in self.server.calls]

    def priced(self, first: str, last: str | None, sort: str | None) -> list[tuple[str, str]]:
        """Day and price, in the order asked for."""
        if first <= self.breaks_at <= (last or first):
            raise ValueError(CRASH_TEXT)
        if (last or first) > self.until:
            raise ToolError(NOT_YET)
        found = [(day, price) for day in days(first, last) for price in self.prices.get(day, [])]
        return sorted(found, key=lambda pair: (float(pair[1]), pair[0])) if sort == "price" else found

    def paged(self, kind: str, rows: list[dict[str, Any]]) -> Rows:
        return Rows(kind=kind, rows=rows[: self.page], more=max(0, len(rows) - self.page), origin="demo")


def days(first: str, last: str | None) -> list[str]:
    start, end = dt.date.fromisoformat(first), dt.date.fromisoformat(last or first)
    return [(start + dt.timedelta(days=n)).isoformat() for n in range((end - start).days + 1)]


def calendar_on(port: int, *parts: str) -> Calendar:
    """A server with these of: trains, weather, tours, cars."""
    calendar = Calendar(ToolServer(port, with_basics=False))
    adders = {"trains": _trains, "weather": _weather, "tours": _tours, "cars": _cars}
    calendar.server.extra_tools = [partial(adders[part], calendar=calendar) for part in parts]
    return calendar


def _skill(intent: str, kind: str, quotes_with: str = "") -> dict[str, Any]:
    return {"smartvoyage": {"intent": intent, "kind": kind, **({"quotes_with": quotes_with} if quotes_with else {})}}


def _trains(server: MCPServer, calendar: Calendar) -> None:
    @server.tool(annotations=READ_ONLY, meta=_skill("query train tickets", "train"))
    async def query_train_tickets(
        from_city: str, to_city: str, date: dt.date, context: Context, date_end: dt.date | None = None,
        sort: str | None = None, seat_class: str | None = None, direct: bool | None = None,
    ) -> Rows:
        """Trains between two cities."""
        first, last = date.isoformat(), date_end.isoformat() if date_end else None
        said = {"date": first, "date_end": last, "sort": sort, "seat_class": seat_class, "from_city": from_city}
        calendar.server.note("query_train_tickets", said, context)
        rows = [
            train_row(
                date=day, price=price, item_id=f"t-{day}-{price}", remaining=0 if day in calendar.sold_out else 9,
                depart_at=f"{day}T07:00:00+08:00", arrive_at=f"{day}T11:29:00+08:00", train_no=f"G{number}",
            )
            for number, (day, price) in enumerate(calendar.priced(first, last, sort), 1)
        ]
        return calendar.paged("train", rows)

    @server.tool(meta=_skill("order train tickets", "train", "query_train_tickets"))
    async def order_train_ticket(item_id: str, quantity: int, expected_price: str, context: Context) -> Rows:
        """Buys."""
        calendar.server.note("order_train_ticket", {"item_id": item_id, "date": ""}, context)
        return Rows(kind="order", rows=[order_row()])


def _weather(server: MCPServer, calendar: Calendar) -> None:
    @server.tool(annotations=READ_ONLY, meta=_skill("query weather", "weather"))
    async def query_weather(city: str, date: str, context: Context, date_end: str | None = None) -> Rows:
        """Weather of a city."""
        calendar.server.note("query_weather", {"city": city, "date": date, "date_end": date_end}, context)
        sky = {True: "中雨", False: "多云"}
        return calendar.paged("weather", [
            weather_row(city=city, date=day, condition_day=sky[day in calendar.rain], condition_night="多云")
            for day in days(date, date_end)
        ])


def _tours(server: MCPServer, calendar: Calendar) -> None:
    @server.tool(annotations=READ_ONLY, meta=_skill("query tour group", "tour_group"))
    async def query_tour_group(
        destination: str, context: Context, days: int | None = None, date: str | None = None,
        date_end: str | None = None,
    ) -> Rows:
        """Tours to a place."""
        said = {"destination": destination, "days": days, "date": date, "date_end": date_end}
        calendar.server.note("query_tour_group", said, context)
        found = calendar.priced(date or "", date_end, None)
        return calendar.paged("tour_group", [
            tour_row(name="古城一日游", destination=destination, days=days, date=day, price=price, item_id=f"g-{day}")
            for day, price in found
        ])


def _cars(server: MCPServer, calendar: Calendar) -> None:
    @server.tool(annotations=READ_ONLY, meta=_skill("query car rental", "car_rental"))
    async def query_car_rental(
        city: str, date: str, context: Context, date_end: str | None = None, days: int | None = None,
        sort: str | None = None,
    ) -> Rows:
        """Cars, each for a stretch from the first day on."""
        calendar.server.note("query_car_rental", {"date": date, "date_end": date_end, "days": days}, context)
        rows = [car_row(city=city, date=day, price=price, days=days or 1) for day, price in
                calendar.priced(date, None, sort)]
        return calendar.paged("car_rental", rows)
