"""A model's answer as calls: what fits the tool's schema is taken, everything else is refused with a reason."""

import datetime as dt
from typing import Any

import pytest

from a2a_servers.model_calls import Question, answer_schema, calls_in, tools_shown
from a2a_servers.tools import Tool
from core.ports.asking import Unfit

TODAY = dt.date(2026, 8, 16)
PROPERTIES: dict[str, Any] = {
    "from_city": {"type": "string", "maxLength": 32, "description": "出发城市"},
    "date": {"type": "string", "format": "date"},
    "time_after": {"anyOf": [{"type": "string", "format": "time"}, {"type": "null"}]},
    "train_type": {"anyOf": [{"enum": ["G", "D"], "type": "string"}, {"type": "null"}]},
    "train_no": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    "quantity": {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 9}, {"type": "null"}]},
    "price_max": {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^\d+(\.\d+)?$"}, {"type": "null"}]},
    "direct": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
    "area": {"$ref": "#/$defs/Area"},
    "item_id": {"type": "string"},
}
SCHEMA: dict[str, Any] = {"properties": PROPERTIES, "$defs": {"Area": {"type": "string", "maxLength": 4}}}
QUERY = Tool(
    "query_train_tickets", "query train tickets", "train", "查询火车票", parameters=frozenset(PROPERTIES),
    required=("from_city", "date"), read_only=True, schema=SCHEMA,
)
ORDER = Tool(
    "order_train_ticket", "order train tickets", "train", "预订火车票", parameters=frozenset(PROPERTIES), schema=SCHEMA
)
TEXT = "俺们五口子老家过了端阳上京，三百来块钱的G8，直达最好"
ABOUT = Question((QUERY,), TEXT, {}, (TEXT,), TODAY)


def _filled(about: Question = ABOUT, /, **parameters: Any) -> dict[str, Any]:
    calls = calls_in({"calls": [{"tool": "query_train_tickets", "parameters": parameters}]}, about)
    return dict(calls[0].parameters)


@pytest.mark.parametrize(
    ("name", "said", "taken"),
    [
        ("from_city", "北京市", "北京"), ("from_city", "虹桥站", "上海"), ("from_city", "老家", "老家"),
        ("date", "2026年8月20日", "2026-08-20"), ("date", "2026/8/20 星期四", "2026-08-20"),
        ("time_after", "9点", "09:00"), ("time_after", "14：30", "14:30"), ("train_type", "G", "G"),
        ("train_no", "G8", "G8"), ("quantity", "五口", None), ("quantity", "5", 5), ("quantity", "五张", 5),
        ("price_max", "300元", "300"), ("price_max", 300, "300"), ("direct", "是", True), ("area", "看台", "看台"),
    ],
)
def test_a_value_is_brought_into_the_tools_spelling(name: str, said: Any, taken: Any) -> None:
    if taken is None:
        with pytest.raises(Unfit, match=name):
            _filled(**{name: said})
    else:
        assert _filled(**{name: said}) == {name: taken}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("date", "2026-08-15"), ("date", "2026-02-30"), ("date", "后天"), ("date", 20260816.5),
        ("date", ["2026-08-20"]),
        ("time_after", "25:00"), ("time_after", "早点"), ("train_type", "X"), ("quantity", 0), ("quantity", 10),
        ("quantity", 2.5), ("quantity", True), ("price_max", "便宜"), ("from_city", "长" * 61), ("from_city", {"a": 1}),
        ("area", "看台区域一"),
    ],
)
def test_a_value_without_a_reading_is_refused_by_its_name(name: str, said: Any) -> None:
    with pytest.raises(Unfit, match=name):
        _filled(**{name: said})


@pytest.mark.parametrize("said", [None, "", "null", "未知", "没说", [], {}])
def test_what_says_nothing_is_left_out(said: Any) -> None:
    assert _filled(date=said, from_city=said, quantity=said) == {}


def test_what_chooses_the_item_is_never_a_models_and_what_is_known_stays() -> None:
    about = Question((QUERY,), TEXT, {"from_city": "成都"}, (TEXT,), TODAY)
    assert _filled(about, item_id="t-1", from_city="北京", user_id="bob", quantity=5) == {"quantity": 5}


def test_numbers_of_trains_must_stand_in_the_words() -> None:
    assert _filled(train_no="G9") == {}


def test_without_unread_words_nothing_is_believed() -> None:
    about = Question((QUERY,), "看看火车票", {}, (), TODAY)
    assert _filled(about, from_city="北京", date="2026-08-20", quantity=5) == {}


@pytest.mark.parametrize(
    "junk",
    [
        None, 1, "x", {}, [1], {"calls": None}, {"calls": [None]}, {"calls": [[]]}, {"calls": {"tool": "x"}},
        {"calls": [{"tool": "order_train_ticket", "parameters": {}}]}, {"calls": [{"tool": ["query_train_tickets"]}]},
        {"calls": [{"tool": "query_train_tickets", "parameters": "x"}]},
        {"calls": [{"tool": "query_train_tickets", "parameters": {}}] * 6},
    ],
)
def test_what_is_no_answer_is_refused(junk: Any) -> None:
    with pytest.raises(Unfit):
        calls_in(junk, ABOUT)


@pytest.mark.parametrize("nothing", [[], {"calls": []}])
def test_no_call_at_all_is_an_answer(nothing: Any) -> None:
    assert calls_in(nothing, ABOUT) == ()


def test_the_short_forms_of_an_answer_are_understood() -> None:
    short: Any = {"parameters": {"quantity": 5}}
    forms: list[Any] = [short, [short], {"calls": [short]}, {"calls": [{"tool": "query train tickets", **short}]}]
    for form in forms:
        assert [call.parameters for call in calls_in(form, ABOUT)] == [{"quantity": 5}]


@pytest.mark.parametrize(("text", "kept"), [(TEXT, 0), (f"{TEXT}，帮我买上", 1)])
def test_an_order_needs_the_persons_own_words(text: str, kept: int) -> None:
    about = Question((QUERY, ORDER), text, {}, (text,), TODAY)
    assert len(calls_in({"calls": [{"tool": "order_train_ticket", "parameters": {}}]}, about)) == kept


def test_the_tools_are_shown_with_what_their_schemas_say() -> None:
    shown: Any = tools_shown((QUERY,))[0]
    assert shown["parameters"]["from_city"] == "出发城市；string"
    assert shown["parameters"]["train_type"] == "string；['G', 'D']"
    assert set(shown["required"]) == {"date", "from_city"}
    assert "item_id" not in shown["parameters"]
    assert "area" not in str(answer_schema((QUERY,)))
    assert "quantity" not in str(answer_schema((QUERY, ORDER)))


@pytest.mark.parametrize(
    "broken", [{"type": "nonsense"}, {"$ref": "http://127.0.0.1:9/x.json"}, {"$ref": "#/$defs/no"}]
)
def test_a_parameter_whose_schema_is_none_is_left_to_the_tool(broken: dict[str, Any]) -> None:
    schema: dict[str, Any] = {"properties": {"name": broken}}
    tool = Tool("t", "t", "t", "t", parameters=frozenset({"name"}), read_only=True, schema=schema)
    about = Question((tool,), TEXT, {}, (TEXT,), TODAY)
    assert calls_in({"parameters": {"name": "老家"}}, about)[0].parameters == {"name": "老家"}
