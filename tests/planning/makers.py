"""Agents and tools for tests of planning, written as a card would declare them."""

from collections.abc import Mapping

from core.adapters.agents.facts_wire import facts_of
from core.shared.json_types import JsonValue
from core.types.network import AgentView, Skill


def skill(
    intent: str, needs: Mapping[str, str] | list[str] | None = None, yields: Mapping[str, str] | None = None,
    **about: JsonValue,
) -> Skill:
    """A skill with its declaration; its tool is named as the intent."""
    said: dict[str, JsonValue] = dict(about)
    if needs is not None:
        said["needs"] = list(needs) if isinstance(needs, list) else dict(needs)
    if yields is not None:
        said["yields"] = dict(yields)
    return Skill(intent, intent, tool=intent.replace(" ", "_"), facts=facts_of(said))


def agent(name: str, *skills: Skill) -> AgentView:
    return AgentView(name=name, url=f"http://{name}", healthy=True, skills=skills)


JOURNEY = {"from_city": "city", "to_city": "city", "date": "date"}
TRAINS = skill("query train tickets", JOURNEY, {"rows": "rows"}, kind="train")
ORDER = skill(
    "order train tickets", {"item_id": "item_id", "expected_price": "price"}, {"offer": "offer"}, kind="train",
    quotes_with="query_train_tickets",
)
WEATHER = skill("query weather", {"city": "city", "date": "date"}, {"rows": "forecast"}, kind="weather")
CONCERTS = skill("query concert tickets", {}, {"rows": "rows", "city": "city", "date": "date"}, kind="concert")
HOUSE = (agent("tickets", TRAINS, ORDER, CONCERTS), agent("weather", WEATHER))
