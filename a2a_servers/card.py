"""The agent's card, made from its configuration and from the tools it has at the moment."""

from collections.abc import Sequence

from a2a.types.a2a_pb2 import AgentCapabilities, AgentCard, AgentExtension, AgentInterface, AgentSkill
from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import Struct

from a2a_servers.planning import PLANNING_EXTENSION, planning_of
from a2a_servers.spec import AgentSpec
from a2a_servers.tools import Tool
from core.shared.json_types import JsonObject, JsonValue
from core.shared.settings import AgentEntry

_MODES = ["text/plain", "application/json"]


TOOLS_EXTENSION = "smartvoyage/tools"
"""The capability extension whose params say {"reachable": whether the agent's tools can be used at this moment}."""

_ABOUT_TOOLS = "Whether the tools behind the skills can be reached; skills stay on the card while they cannot."
_ABOUT_PLANNING = "What each skill needs and yields, in typed names, so that it joins the plans of others."


def make_card(spec: AgentSpec, entry: AgentEntry, tools: Sequence[Tool], *, reachable: bool) -> AgentCard:
    """The A2A 1.0 card: a skill per tool, whose id is the tool's name and whose name is the intent it serves.

    `tools` are those last known; `reachable`: whether they can be used now.
    """
    root = f"{entry.a2a_url}/"
    return AgentCard(
        name=spec.name,
        description=spec.description,
        version=spec.version,
        supported_interfaces=[
            AgentInterface(url=root, protocol_binding="JSONRPC", protocol_version="1.0"),
            AgentInterface(url=entry.a2a_url, protocol_binding="HTTP+JSON", protocol_version="1.0"),
            AgentInterface(url=root, protocol_binding="JSONRPC", protocol_version="0.3"),
        ],
        capabilities=AgentCapabilities(
            streaming=True, push_notifications=False,
            extensions=[
                AgentExtension(
                    uri=TOOLS_EXTENSION, description=_ABOUT_TOOLS, required=False,
                    params=ParseDict({"reachable": reachable}, Struct()),
                ),
                AgentExtension(
                    uri=PLANNING_EXTENSION, description=_ABOUT_PLANNING, required=False,
                    params=ParseDict(planning_of(tools), Struct()),
                ),
            ],
        ),
        default_input_modes=_MODES,
        default_output_modes=_MODES,
        skills=[_skill(tool) for tool in tools],
    )


def older_card(spec: AgentSpec, entry: AgentEntry, tools: Sequence[Tool], *, reachable: bool) -> JsonObject:
    """The card as A2A 0.3 and python-a2a read it."""
    modes: list[JsonValue] = list(_MODES)
    return {
        "name": spec.name,
        "description": spec.description,
        "version": spec.version,
        "url": entry.a2a_url,
        "protocolVersion": "0.3.0",
        "preferredTransport": "JSONRPC",
        "capabilities": {
            "streaming": True, "pushNotifications": False,
            "google_a2a_compatible": False, "parts_array_format": False,
            "extensions": [
                {"uri": TOOLS_EXTENSION, "required": False, "params": {"reachable": reachable}},
                {"uri": PLANNING_EXTENSION, "required": False, "params": planning_of(tools)},
            ],
        },
        "defaultInputModes": modes,
        "defaultOutputModes": modes,
        "skills": [_older_skill(tool) for tool in tools],
    }


def _skill(tool: Tool) -> AgentSkill:
    return AgentSkill(
        id=tool.name, name=tool.intent, description=tool.description, tags=_tags(tool), examples=tool.examples
    )


def _older_skill(tool: Tool) -> JsonObject:
    return {
        "id": tool.name, "name": tool.intent, "description": tool.description,
        "tags": list(_tags(tool)), "examples": list(tool.examples),
    }


def _tags(tool: Tool) -> tuple[str, ...]:
    return tool.tags or (tool.kind,)  # a card's skill must have at least one tag
