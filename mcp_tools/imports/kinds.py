"""From a line of a CSV file to rows of the tables: the service, and what is for sale of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Table

from mcp_tools import tables
from mcp_tools.items import item_id, plan_id, rental_id, service_id
from mcp_tools.places import provinces

Values = dict[str, Any]
_WHOLE_MAINLAND = ",全国,"


@dataclass(frozen=True, slots=True)
class ImportKind:
    """Where a kind is written. `service` and `sale` make the rows, without price, total and origin; `choice` is the
    column that tells what is for sale of one service apart."""

    services: Table
    sales: Table
    choice: str
    service: Callable[[Values], Values]
    sale: Callable[[Values, str], Values]

    @property
    def key(self) -> str:
        """The column that names a service in both tables."""
        return str(next(iter(self.services.primary_key.columns)).name)


def _train(values: Values) -> Values:
    facts = ("train_no", "from_station", "to_station", "from_city", "to_city", "duration_min")
    return {
        "train_id": service_id("train", values["train_no"], values["from_station"], values["to_station"]),
        **{name: values[name] for name in facts}, "train_type": values["train_no"][0], "depart_min": values["depart"],
    }


def _seat(values: Values, train_id: str) -> Values:
    return _classed(values, "train_id", train_id, "seat_class") | {"date": values["date"]}


def _flight(values: Values) -> Values:
    facts = (
        "flight_no", "airline", "from_airport", "to_airport", "from_city", "to_city", "duration_min", "via_city",
    )
    return {
        "flight_id": service_id("flight", values["flight_no"], values["from_city"], values["to_city"]),
        **{name: values[name] for name in facts}, "depart_min": values["depart"],
    }


def _cabin(values: Values, flight_id: str) -> Values:
    return _classed(values, "flight_id", flight_id, "cabin") | {"date": values["date"]}


def _concert(values: Values) -> Values:
    facts = ("artist", "name", "venue", "city", "date")
    return {
        "concert_id": service_id("concert", values["artist"], values["venue"], values["date"].isoformat()),
        **{name: values[name] for name in facts}, "starts_min": values["starts"],
    }


def _area(values: Values, concert_id: str) -> Values:
    return _classed(values, "concert_id", concert_id, "area")


def _classed(values: Values, key: str, service: str, choice: str) -> Values:
    item = item_id(service, values["date"], values[choice])
    return {"item_id": item, key: service, choice: values[choice]}


def _car(values: Values) -> Values:
    facts = ("brand", "model", "seats", "city")
    car_id = service_id("car_rental", values["city"], values["brand"], values["model"])
    return {"car_id": car_id, **{name: values[name] for name in facts}}


def _car_day(values: Values, car_id: str) -> Values:
    return {"item_id": rental_id(car_id, values["date"], 1), "car_id": car_id, "date": values["date"]}


def _tour(values: Values) -> Values:
    facts = ("name", "from_city", "destination", "days")
    return {
        "tour_id": service_id("tour_group", values["name"], values["from_city"]),
        **{name: values[name] for name in facts},
        "region": values["region"] or provinces().get(values["destination"], values["destination"]),
    }


def _departure(values: Values, tour_id: str) -> Values:
    return {"item_id": item_id(tour_id, values["date"]), "tour_id": tour_id, "date": values["date"]}


def _product(values: Values) -> Values:
    facts = ("name", "insurer", "coverage")
    return {
        "product_id": service_id("insurance", values["insurer"], values["name"]),
        **{name: values[name] for name in facts}, "regions": values["regions"] or _WHOLE_MAINLAND,
    }


def _plan(values: Values, product_id: str) -> Values:
    return {"item_id": plan_id(product_id, values["days"]), "product_id": product_id, "days": values["days"]}


IMPORTS: dict[str, ImportKind] = {
    "train": ImportKind(tables.trains, tables.train_seats, "seat_class", _train, _seat),
    "flight": ImportKind(tables.flights, tables.flight_cabins, "cabin", _flight, _cabin),
    "concert": ImportKind(tables.concerts, tables.concert_areas, "area", _concert, _area),
    "car_rental": ImportKind(tables.rental_cars, tables.car_days, "date", _car, _car_day),
    "tour_group": ImportKind(tables.tour_groups, tables.tour_departures, "date", _tour, _departure),
    "insurance": ImportKind(tables.insurance_products, tables.insurance_plans, "days", _product, _plan),
}
