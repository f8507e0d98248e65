"""All that an action says: its parameters as given, and what its words add to them."""

from collections.abc import Sequence
from dataclasses import dataclass

from a2a_servers.asking import ask_for, explain
from a2a_servers.extraction import ParameterExtractor, laid_under
from a2a_servers.outcome import Errand
from a2a_servers.tools import Tool, ToolBox
from core.language.frames import Trouble
from core.shared.json_types import JsonObject
from core.types.agent_protocol import Action

_ENDS = ("from_city", "to_city")
_NUMBERS = ("train_no", "flight_no")


@dataclass(frozen=True, slots=True)
class Said:
    """Slots by name, not yet narrowed to what a tool takes, and what in the words cannot be run as it stands."""

    slots: JsonObject
    troubles: tuple[Trouble, ...] = ()
    assumed: frozenset[str] = frozenset()
    """Slots that no word names."""

    def arguments(self, tool: Tool) -> JsonObject:
        """What of it the tool takes."""
        return {
            name: value for name, value in self.slots.items() if name in tool.parameters and value is not None
        }

    def question(self, tool: Tool) -> str | None:
        """What must be asked before the tool can run; None for nothing."""
        missing = [name for name in tool.required if name not in self.slots and not self._says_otherwise(name)]
        if not missing:
            return None
        for trouble in self.troubles:
            if trouble.kind != "missing" and trouble.slot in missing:
                return explain(trouble, tool.kind)
        return ask_for(tool, missing)

    def _says_otherwise(self, name: str) -> bool:
        """G7 and CA1101 say from where and to where they go."""
        return name in _ENDS and any(self.slots.get(number) for number in _NUMBERS)


@dataclass(frozen=True, slots=True)
class Reading:
    """With what words are read."""

    extractor: ParameterExtractor
    toolbox: ToolBox


def given(action: Action) -> Said:
    """The parameters alone."""
    return Said({name: value for name, value in action.parameter.items() if value is not None})


async def heard_for(tool: Tool, errand: Errand, intents: Sequence[str], reading: Reading) -> Said:
    """As `heard`; what the tool still needs is then looked for in the words that the rules could not read."""
    action = errand.action
    said = await heard(action, intents, reading)
    settled = said.question(tool) is None and said.assumed.isdisjoint(said.arguments(tool))
    if settled or not action.job_desc.strip():
        return said
    doubted = {trouble.slot for trouble in said.troubles if trouble.kind != "missing"}
    known: JsonObject = {name: value for name, value in said.slots.items() if name not in said.assumed}
    more = await reading.extractor.fill(tool, action.job_desc, known, errand.allowance)
    found: JsonObject = {name: value for name, value in more.items() if name not in doubted}
    return Said(laid_under(found, said.slots, said.assumed), said.troubles)


async def heard(action: Action, intents: Sequence[str], reading: Reading) -> Said:
    """The parameters, and beneath them what the words say about one of `intents`; the earlier intent counts first."""
    known = given(action).slots
    if not action.job_desc.strip():
        return Said(known)
    wishes = await reading.extractor.wishes(action.job_desc, reading.toolbox.tools())
    ours = [wish for intent in intents for wish in wishes if wish.intent == intent]
    if not ours:
        return Said(known)
    return Said(ours[0].parameter | known, ours[0].troubles, ours[0].assumed - known.keys())
