"""What is special to one agent: its name, what it says of itself, and the words for its kinds of rows."""

from collections.abc import Mapping
from dataclasses import dataclass

from a2a_servers.wording.generic import GenericTemplate
from a2a_servers.wording.template import Template, word
from core.shared.json_types import JsonObject
from core.types.agent_protocol import ResultData

VERSION = "0.1.0"


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """One agent of the house. `name` is that of its entry in config.yaml; `templates` maps kinds to their words."""

    name: str
    description: str
    templates: Mapping[str, Template]
    version: str = VERSION
    asks_others: bool = False
    """Whether it may ask the other agents of the settings, such as for the weather of a tour's days."""

    def word(self, kind: str, data: ResultData, query: JsonObject, brief: bool) -> str:
        """Rows as a person reads them; kinds without a template of their own are worded in general terms."""
        return word(kind, data, query, brief, self.templates, GenericTemplate())
