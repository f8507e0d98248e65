"""What every tool promises its callers: names, schemas, words for a card, and rows with the contract's fields."""

from typing import Any

import pytest

from core.language.slots import Slots
from tests.mcp_server.servers import ASKED, ask, client_of

SOLD = ["item_id", "title", "price", "remaining"]
JOURNEY = ["from_city", "to_city", "date", "depart_at", "arrive_at", "duration_min"]
FIELDS = {
    "query_weather": [
        "city", "date", "condition_day", "condition_night", "temp_max_c", "temp_min_c", "humidity_pct", "wind",
        "precip_mm", "updated_at", "origin",
    ],
    "query_train_tickets": [
        *SOLD, "train_no", "train_type", "from_station", "to_station", *JOURNEY, "seat_class", "origin",
    ],
    "query_flight_tickets": [*SOLD, "flight_no", "airline", "from_airport", "to_airport", *JOURNEY, "cabin", "origin"],
    "query_concert_tickets": [*SOLD, "artist", "venue", "city", "date", "starts_at", "area", "origin"],
    "query_car_rental": [*SOLD, "brand", "model", "seats", "city", "date", "days", "origin"],
    "query_insurance": [*SOLD, "name", "insurer", "coverage", "days", "origin"],
    "query_tour_group": [*SOLD, "name", "from_city", "destination", "days", "date", "origin"],
}
SKILLS = {
    "query_weather": ("query weather", "weather"),
    "query_train_tickets": ("query train tickets", "train"),
    "query_flight_tickets": ("query flight tickets", "flight"),
    "query_concert_tickets": ("query concert tickets", "concert"),
    "query_car_rental": ("query car rental", "car_rental"),
    "query_insurance": ("query insurance", "insurance"),
    "query_tour_group": ("query tour group", "tour_group"),
}
REQUIRED = {
    "query_weather": ["city", "date"],
    "query_train_tickets": ["date"],
    "query_flight_tickets": ["date"],
    "query_concert_tickets": [],
    "query_car_rental": ["city", "date"],
    "query_tour_group": ["destination"],
    "query_insurance": [],
}
NOT_SLOTS = {"limit", "seats", "brand", "area", "day_price_max"}
EACH_TOOL = pytest.mark.parametrize("tool", list(ASKED))


async def _listed(tool: str) -> Any:
    async with client_of(tool) as client:
        return next(one for one in (await client.list_tools()).tools if one.name == tool)


@EACH_TOOL
async def test_rows_carry_exactly_the_fields_of_the_contract(tool: str) -> None:
    result = await ask(tool)
    content = result.structured_content or {}
    assert not result.is_error
    assert [name for name in content if name != "until"] == ["kind", "rows", "more", "origin"]
    assert content.get("until") is None
    assert content["kind"] == SKILLS[tool][1]
    assert content["origin"] == "demo"
    assert content["rows"]
    assert all(list(row) == FIELDS[tool] for row in content["rows"])


@EACH_TOOL
async def test_the_listing_holds_what_an_agent_builds_its_card_from(tool: str) -> None:
    words = (await _listed(tool)).meta["smartvoyage"]
    assert (words["intent"], words["kind"]) == SKILLS[tool]
    assert words["description"].endswith("。")
    assert len(words["tags"]) >= 5
    assert 3 <= len(words["examples"]) <= 5


@EACH_TOOL
async def test_every_tool_says_that_it_only_reads(tool: str) -> None:
    hints = (await _listed(tool)).annotations
    assert hints.read_only_hint is True
    assert hints.destructive_hint is False
    assert hints.idempotent_hint is True


@EACH_TOOL
async def test_parameters_are_slots_with_descriptions(tool: str) -> None:
    schema = (await _listed(tool)).input_schema
    assert schema.get("required", []) == REQUIRED[tool]
    names = set(schema["properties"])
    assert names - NOT_SLOTS <= set(Slots.__dataclass_fields__)
    for name, parameter in schema["properties"].items():
        assert parameter.get("description"), name


@EACH_TOOL
async def test_results_are_described_by_an_output_schema(tool: str) -> None:
    schema = (await _listed(tool)).output_schema
    assert set(schema["properties"]) - {"until"} == {"kind", "rows", "more", "origin"}
    assert schema["properties"]["more"]["minimum"] == 0


async def test_slots_in_the_wires_spelling_are_taken_as_they_are() -> None:
    result = await ask(
        "query_train_tickets", time_after="12:00", time_before="18:00", price_max="600.00", train_type="G",
        seat_class="二等座", sort="-price", direct=True, limit=2,
    )
    content = result.structured_content or {}
    assert not result.is_error
    assert len(content["rows"]) == 2
    assert all(float(row["price"]) <= 600 for row in content["rows"])


async def test_nothing_found_is_no_error() -> None:
    result = await ask("query_tour_group", days=3)
    assert not result.is_error
    assert result.structured_content == {"kind": "tour_group", "rows": [], "more": 0, "origin": None}
