"""What an address understands of the OpenAI protocol, found out from its refusals and remembered for the process."""

import re
from typing import Literal

from core.ports.language_model import ModelAsk
from core.shared.json_types import JsonObject, JsonValue

Format = Literal["json_schema", "json_object", "none"]

_NAME = re.compile(r"[^A-Za-z0-9_-]")
_UNKNOWN = ("unrecognized", "unknown", "unexpected", "not permitted", "extra inputs", "unsupported parameter")
_FORMAT_WORDS = ("response_format", "json_schema", "json_object", "json mode", "structured output", "grammar", "guided")
_JSON_ONLY = "只输出一个 JSON 对象，不要输出别的文字。"


class Dialect:
    """The parameters for one model at one address. `adapt` changes them after a refusal."""

    def __init__(self) -> None:
        self.format: Format = "json_schema"
        self.limit_key: str | None = "max_tokens"
        self.temperature = True
        self.stream_options = True
        self.thinking_off = False

    def body(
        self, ask: ModelAsk, *, stream: bool, temperature: float | None, limit: int | None, plain: bool
    ) -> JsonObject:
        """The request's parameters beside model and messages. `plain`: without JSON mode this once."""
        body: JsonObject = {"stream": stream}
        if self.temperature and temperature is not None:
            body["temperature"] = temperature
        if self.limit_key and limit:
            body[self.limit_key] = limit
        if self.thinking_off:
            body["enable_thinking"] = False
        if stream and self.stream_options:
            body["stream_options"] = {"include_usage": True}
        if ask.schema is not None and self.format != "none" and not plain:
            body["response_format"] = _response_format(self.format, ask.stage, ask.schema)
        return body

    def adapt(self, used: JsonObject, complaint: str) -> bool:
        """Whether something was changed because of what the address said (in lower case) about the body `used`."""
        rules = (self._thinking, self._format, self._limit, self._temperature, self._options)
        return any([rule(used, complaint) for rule in rules])

    def _thinking(self, used: JsonObject, complaint: str) -> bool:
        if "enable_thinking" not in complaint:
            return False
        # Another call may have learnt it meanwhile; then trying again is enough.
        wanted = "enable_thinking" not in used
        self.thinking_off = wanted
        return wanted

    def _format(self, used: JsonObject, complaint: str) -> bool:
        form = used.get("response_format")
        if not isinstance(form, dict) or not any(word in complaint for word in _FORMAT_WORDS):
            return False
        if self.format == form["type"]:
            unknown = any(word in complaint for word in _UNKNOWN) and "json_schema" not in complaint
            self.format = "none" if unknown or self.format == "json_object" else "json_object"
        return True

    def _limit(self, used: JsonObject, complaint: str) -> bool:
        key = next((key for key in ("max_tokens", "max_completion_tokens") if key in used), None)
        if key is None or key not in complaint:
            return False
        swap = key == "max_tokens" and ("max_completion_tokens" in complaint or any(w in complaint for w in _UNKNOWN))
        if self.limit_key == key:
            self.limit_key = "max_completion_tokens" if swap else None
        return True

    def _temperature(self, used: JsonObject, complaint: str) -> bool:
        if "temperature" not in used or "temperature" not in complaint:
            return False
        self.temperature = False
        return True

    def _options(self, used: JsonObject, complaint: str) -> bool:
        if "stream_options" not in used or not ("stream_options" in complaint or "include_usage" in complaint):
            return False
        self.stream_options = False
        return True


def messages_of(ask: ModelAsk, body: JsonObject) -> list[dict[str, str]]:
    """The messages as they are sent. JSON mode wants the word JSON somewhere, or several addresses refuse."""
    messages = [{"role": message.role, "content": message.content} for message in ask.messages]
    if "response_format" in body and not any("json" in message["content"].lower() for message in messages):
        messages.insert(0, {"role": "system", "content": _JSON_ONLY})
    return messages


def allows_strict(schema: JsonValue) -> bool:
    """Whether a schema meets the strict form: every object closed, every property required, all the way down."""
    if isinstance(schema, list):
        return all(allows_strict(item) for item in schema)
    if not isinstance(schema, dict):
        return True
    properties = schema.get("properties")
    if isinstance(properties, dict):
        required = schema.get("required")
        names = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
        if schema.get("additionalProperties") is not False or names != set(properties):
            return False
        return all(allows_strict(inner) for inner in properties.values()) and _rest_allows(schema)
    return schema.get("type") != "object" and _rest_allows(schema)


def _rest_allows(schema: JsonObject) -> bool:
    return all(allows_strict(inner) for key, inner in schema.items() if key not in ("properties", "enum", "const"))


def _response_format(form: Format, stage: str, schema: JsonObject) -> JsonObject:
    if form == "json_object":
        return {"type": "json_object"}
    name = _NAME.sub("_", stage)[:64] or "answer"
    strict = allows_strict(schema)
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": strict}}
