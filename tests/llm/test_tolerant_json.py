"""The reader's own promises: it loses nothing, adds nothing, and always comes to an end."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.shared.json_types import JsonObject
from core.shared.tolerant_json import MOST_CHARACTERS, Unreadable, is_schema_echo, read_json, unwrap_json_strings
from core.shared.tolerant_tokens import same_json

PLAIN = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffd"), max_size=12)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | PLAIN
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PLAIN, inner, max_size=3),
    max_leaves=12,
)  # fmt: skip
OBJECTS = st.dictionaries(PLAIN, VALUES, max_size=4).filter(lambda value: not is_schema_echo(value))


def read_or_reason(text: str) -> object:
    """What was read, or the reason why nothing was."""
    try:
        return read_json(text)
    except Unreadable as unreadable:
        return unreadable.reason


@given(OBJECTS, st.booleans(), st.sampled_from([None, 2]))
def test_clean_json_is_read_as_it_is(value: dict[str, Any], ascii_only: bool, indent: int | None) -> None:
    assert same_json(read_json(json.dumps(value, ensure_ascii=ascii_only, indent=indent)), value)


@given(OBJECTS)
def test_json_encoded_twice_is_read_as_it_is(value: dict[str, Any]) -> None:
    assert same_json(read_json(json.dumps(json.dumps(value))), value)


@given(OBJECTS.filter(bool), st.integers(1, 200))
def test_a_cut_object_is_never_read(value: dict[str, Any], cut: int) -> None:
    text = json.dumps(value, ensure_ascii=False)
    with pytest.raises(Unreadable):
        read_json(text[: -min(cut, len(text))])


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert isinstance(read_or_reason(text), dict | list | str)


@given(st.text(alphabet="{}[]\"'“”：:,，\\ a1<>think/`|", max_size=60))
def test_any_signs_of_json_are_read_or_refused(text: str) -> None:
    assert isinstance(read_or_reason(text), dict | list | str)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "[" * MOST_CHARACTERS,
        '{"a":' * 8_000,
        "｛" * MOST_CHARACTERS,
        '{"a":"' + "x" * 39_000,
        "<think>" * 5_000,
        "</think>" * 5_000,
        '{"a":' + "9" * 39_000 + "}",
        '{"a":1' + " " * 39_000,
        "/*" * 20_000,
        "```x" + " " * 39_000 + "y",
        "[" + " " * 39_000 + "1",
        '"a' + "\u3000" * 39_000,
        '{"a":' + "/*" * 19_000,
        "'" * MOST_CHARACTERS,
        "[ " * 20_000,
        "x" * (MOST_CHARACTERS + 1),
        '{"a":"' + '\\"' * 19_000,
        '"' * 3 + '\\"' * 19_000,
    ],
    ids=range(19),
)
def test_hostile_texts_are_refused_without_running_away(text: str) -> None:
    with pytest.raises(Unreadable):
        read_json(text)


def test_the_reason_names_the_place_and_the_fault() -> None:
    with pytest.raises(Unreadable, match=r"第 14 个字符处.*“intents”后面缺少冒号"):
        read_json('{ "intents"  ["train"]}')
    with pytest.raises(Unreadable, match="“date”出现了两次"):
        read_json('{"date": 1, "date": "1"}')
    with pytest.raises(Unreadable, match="2 个不同的 JSON 对象"):
        read_json('{"a": true} {"a": 1}')


def test_a_tag_inside_a_clean_string_is_the_persons_own_word() -> None:
    value = {"query": "什么是</think>和<think>标签"}
    text = json.dumps(value, ensure_ascii=False)
    assert read_json(text) == value
    assert read_json(f"结果：\n```json\n{text}\n```") == value


def test_only_the_named_fields_are_unwrapped() -> None:
    found: JsonObject = {"steps": "[1]", "query": "[2]", "slots": "没有", "more": 3}
    value = unwrap_json_strings(found, ("steps", "slots", "more"))
    assert value == {"steps": [1], "query": "[2]", "slots": "没有", "more": 3}


@pytest.mark.parametrize(
    ("value", "echo"),
    [
        ({"type": "object", "properties": {"a": {}}}, True),
        ({"properties": {"a": 1}, "required": []}, True),
        ({"$schema": "x"}, True),
        ({"type": "object", "slots": {}}, False),
        ({"properties": "三室一厅"}, False),
        (["type"], False),
    ],
)
def test_a_schema_is_told_from_an_answer(value: Any, echo: bool) -> None:
    assert is_schema_echo(value) is echo
