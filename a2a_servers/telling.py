"""Who tells what was found: the language model by the agent's prompt where the caller grants it, else the template."""

from a2a_servers.desk import ModelDesk
from a2a_servers.goods import ORDER
from a2a_servers.outcome import Errand
from core.adapters.llm.wording import Result
from core.shared.clock import Clock
from core.shared.json_types import JsonObject
from core.types.agent_protocol import ResultData


class Teller:
    """Tells the results of look-ups. Orders and offers are money: those are always told by templates."""

    def __init__(self, desk: ModelDesk, clock: Clock) -> None:
        self._desk = desk
        self._clock = clock

    async def told(self, found: ResultData, parameters: JsonObject, template: str, errand: Errand) -> str:
        """The model's words for the rows, or the template."""
        if errand.brief or found.kind == ORDER:
            return template
        query = errand.action.job_desc.strip() or _in_words(parameters)
        result = Result(query, found, parameters, template)
        return await self._desk.words(result, self._clock.now().date(), errand.allowance) or template


def _in_words(parameters: JsonObject) -> str:
    """The question of a caller that sent parameters alone."""
    return "，".join(str(value) for value in parameters.values() if isinstance(value, (str, int)))
