"""What is wrong with a request's input, as one Chinese sentence that names the field."""

from collections.abc import Mapping
from typing import Any, get_args

from fastapi.exceptions import RequestValidationError
from pydantic_core.core_schema import ErrorType

_NAME = "只能由 1–64 个字母、数字或 _ . @ : - 组成。"
_NUMBER = "只能由 1–64 个字母、数字或 _ - 组成。"

# What a field's own pattern asks for.
_PATTERNS = {
    "query": "不能为空，请写下想问的内容。",
    "user_id": _NAME,
    "session_id": _NAME,
    "offer_id": _NUMBER,
    "order_id": _NUMBER,
    "trace_id": _NUMBER,
}

# Pydantic's kind of error → our words; {names} are those of its context.
_WORDS = {
    "missing": "缺少这一项。",
    "extra_forbidden": "没有这一项。",
    "invalid_key": "名称应当是字符串。",
    "bool_parsing": "应当是 true 或 false。",
    "bool_type": "应当是 true 或 false。",
    "int_parsing": "应当是整数。",
    "int_parsing_size": "这个整数太大了。",
    "int_type": "应当是整数。",
    "int_from_float": "应当是整数。",
    "float_parsing": "应当是数字。",
    "float_type": "应当是数字。",
    "finite_number": "应当是有限的数字。",
    "greater_than": "应当大于 {gt}。",
    "greater_than_equal": "不能小于 {ge}。",
    "less_than": "应当小于 {lt}。",
    "less_than_equal": "不能大于 {le}。",
    "string_type": "应当是字符串。",
    "string_unicode": "含有不完整的字符。",
    "string_too_short": "至少要有 {min_length} 个字符。",
    "string_too_long": "不能超过 {max_length} 个字符。",
    "string_pattern_mismatch": "含有不允许的字符。",
    "literal_error": "只能是 {expected}。",
    "enum": "只能是 {expected}。",
    "list_type": "应当是列表。",
    "too_short": "项数太少。",
    "too_long": "项数太多。",
    "model_type": "应当是一个 JSON 对象。",
    "model_attributes_type": "应当是一个 JSON 对象。",
    "dict_type": "应当是一个 JSON 对象。",
}
_OTHERWISE = "不合要求。"
_PYDANTICS = frozenset(get_args(ErrorType))


def first_fault(error: RequestValidationError) -> str:
    """One sentence for the first thing that is wrong."""
    fault = error.errors()[0]
    if fault["type"] == "json_invalid":
        return "请求体不是合法的 JSON。"
    place = [str(part) for part in fault["loc"][1:] if part != "[key]"]
    return f"{'.'.join(place) or '请求体'}：{_words(fault, place[-1] if place else '')}"


def _words(fault: Mapping[str, Any], field: str) -> str:
    kind = fault["type"]
    if kind not in _PYDANTICS:
        return str(fault["msg"])  # an error of our own, raised with its Chinese sentence
    if kind == "string_pattern_mismatch" and field in _PATTERNS:
        return _PATTERNS[field]
    context = fault.get("ctx", {})
    if "expected" in context:
        context = {"expected": str(context["expected"]).replace(" or ", "、").replace(", ", "、")}
    return _WORDS.get(kind, _OTHERWISE).format(**context)
