"""The message between master and agent: a thought and its action code go out, status and observation come back.

These are the only Pydantic models between services; their JSON schemas are published in docs/schemas/.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.shared.json_types import JsonObject

MAX_ACTIONS = 5
"""Actions inside one agent per request: the budget of design, not a technical limit."""


INVALID_PARAMETER, UNAVAILABLE, REFUSED, UNKNOWN_OUTCOME = "invalid_parameter", "unavailable", "refused", "unknown"
"""Why an agent could not do it: a parameter that is none; an outage, and surely nothing happened; a no for a reason
that the observation says; or no answer came, so that what happened is not known."""


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True)


class Action(_Message):
    """One task for the called agent."""

    tool_name: Annotated[str, Field(min_length=1, max_length=100, description="The skill to use, by its name.")]
    parameter: Annotated[JsonObject, Field(description="Slots that are already known; used as given.")] = {}
    job_desc: Annotated[str, Field(max_length=4000, description="What the called agent is to do, in words.")] = ""
    trust_mode: Annotated[
        Literal[0, 1], Field(description="1: pass the observation on; 0: the caller reasons again over it.")
    ] = 1


class AgentRequest(_Message):
    """What a caller asks of an agent."""

    thought: Annotated[str, Field(max_length=4000, description="The decision behind the request, in words.")] = ""
    action_code: Annotated[list[Action], Field(min_length=1, max_length=MAX_ACTIONS)]


class ResultData(_Message):
    """Typed rows, as the tool returned them."""

    kind: Annotated[str, Field(description="What the rows are: train, flight, weather …")]
    rows: list[JsonObject] = []
    more: Annotated[int, Field(ge=0, description="How many further rows there are beyond those listed.")] = 0
    origin: Annotated[str | None, Field(description="Where the rows come from: demo, imported, collected.")] = None
    until: Annotated[str | None, Field(
        description="The last day looked at, where later ones were asked for.", exclude_if=lambda day: day is None,
    )] = None


class QuoteItem(_Message):
    """One thing to be ordered, as the tool's row has it; `item["item_id"]` names it."""

    item: JsonObject
    quantity: Annotated[int, Field(ge=1)] = 1
    unit_price: Annotated[str, Field(description="CNY, a decimal string.")]


class Quote(_Message):
    """What an agent could place or cancel once the person says yes. `skill` is the one that does it."""

    skill: str
    action: Literal["place", "cancel"]
    kind: str
    items: Annotated[list[QuoteItem], Field(min_length=1)]


class Usage(_Message):
    """What an agent spent on a request. `degraded`: rules had to do what its language model should have done."""

    model_calls: int = 0
    model_tokens: int = 0
    degraded: bool = False


NOTHING_SPENT = Usage()


class Round(_Message):
    """One round inside the agent: what it decided, did and saw. `agent`: another one that was asked, or did it."""

    thought: str
    action: Action
    observation: str
    elapsed_ms: int
    agent: str = ""
    model_calls: Annotated[int, Field(description="Calls of the language model for this decision.")] = 0


class AgentResponse(_Message):
    """What an agent answers. `observation` is fit to be read by a person, in every status."""

    status: Literal["completed", "failed", "input_required"]
    observation: str
    data: ResultData | None = None
    quotes: list[Quote] = []
    usage: Usage = NOTHING_SPENT
    rounds: list[Round] = []
    code: Annotated[
        str | None,
        Field(description="Of what failed, why: invalid_parameter, unavailable (nothing happened), refused, unknown."),
    ] = None
