"""The shapes of the HTTP contract: every name here is one that clients depend on."""

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.shared.identifiers import IDENTIFIER_PATTERN
from core.shared.json_types import JsonObject
from core.types.turn import ReplyStatus

MAX_QUERY_CHARACTERS = 4_000

_UNSEEN = ("Cc", "Cf", "Cs", "Cn", "Zs", "Zl", "Zp", "Mn", "Me")
_BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Fillers that Unicode counts among letters and symbols."""


def _not_blank(text: str) -> str:
    """Zero-width and control characters are not blanks to a pattern, yet nobody sees anything of them."""
    if all(unicodedata.category(character) in _UNSEEN or character in _BLANK_LETTERS for character in text):
        raise PydanticCustomError("blank", "不能为空，请写下想问的内容。")
    return text


Identifier = Annotated[
    str,
    StringConstraints(pattern=f"^{IDENTIFIER_PATTERN}$"),
    Field(description="1–64 characters of A–Z a–z 0–9 _ . @ : -"),
]


class ChatIn(BaseModel):
    """One message of a person."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"user_id": "u1", "query": "帮我查明天北京到上海的机票，顺便看看上海天气，再推荐几个景点"}]
        }
    )

    query: Annotated[
        str,
        StringConstraints(max_length=MAX_QUERY_CHARACTERS, pattern=r"\S"),
        AfterValidator(_not_blank),
        Field(description="What the person says; not blank."),
    ]
    user_id: Identifier | None = None
    session_id: Identifier = "default"


class TaskOut(BaseModel):
    """One thing that was asked for. The same intent may stand twice."""

    id: str
    intent: str
    query: str
    slots: JsonObject


class StepOut(BaseModel):
    """One step of the plan and what it brought. Milliseconds since the turn began."""

    step: int
    task: str
    intent: str
    action: str
    agent: str | None
    depends_on: list[int]
    status: Literal["ok", "failed", "skipped", "input_required", "started"]
    result: str
    data: JsonObject | None
    error: str | None
    round: int
    started_ms: int
    elapsed_ms: int


class OfferItemOut(BaseModel):
    item: JsonObject
    quantity: int
    unit_price: str


class OfferOut(BaseModel):
    """What waits for the person's yes. CNY; good until `expires_at`."""

    offer_id: str
    action: Literal["place", "cancel"]
    kind: str
    items: list[OfferItemOut]
    total_price: str
    expires_at: str


class OrderOut(BaseModel):
    """An order as its agent's table has it. CNY."""

    model_config = ConfigDict(extra="allow")

    order_id: str
    kind: str
    status: Literal["confirmed", "cancelled"]
    item: JsonObject
    quantity: int
    total_price: str
    created_at: str


class OrdersOut(BaseModel):
    """`next` is the cursor of the following page, null at the end."""

    orders: list[OrderOut]
    next: str | None = None


class ReplyOut(BaseModel):
    """The whole answer to one message."""

    reply: str
    status: ReplyStatus
    user_id: str
    session_id: str
    trace_id: str
    elapsed_ms: int
    tasks: list[TaskOut]
    intents: list[str]
    user_queries: dict[str, str]
    slots: dict[str, JsonObject]
    follow_up_message: str | None
    steps: list[StepOut]
    rounds: int
    degraded: bool
    model_calls: int
    model_tokens: int
    cached: bool
    cache_level: Literal["redis", "milvus"] | None
    as_of: str | None
    offers: list[OfferOut]
    orders: list[OrderOut]


class SkillOut(BaseModel):
    name: str
    description: str
    tags: list[str]
    examples: list[str]


class AgentOut(BaseModel):
    """An agent's card. `url` is for operators."""

    name: str
    description: str
    version: str
    healthy: bool
    skills: list[SkillOut]
    url: str | None = None


class AgentsOut(BaseModel):
    agents: list[AgentOut]


class ComponentOut(BaseModel):
    status: Literal["ok", "degraded", "down"]
    detail: str | None = None


class HealthOut(BaseModel):
    """`down` when nothing can be answered any more, `degraded` when a part is missing."""

    status: Literal["ok", "degraded", "down"]
    components: dict[str, ComponentOut]


class LiveOut(BaseModel):
    status: Literal["ok"] = "ok"


class ProblemOut(BaseModel):
    """RFC 9457 problem details."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    trace_id: str
