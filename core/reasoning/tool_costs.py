"""What using a tool costs: the measured time and failures of its calls, with the price and risk that it declares."""

import math

from core.reasoning.tools_dag import DagTool

YUAN, FAILING = 1.0, 5.0
"""What a yuan, and one failure that is all but certain to be the only one, weigh against a second of waiting."""

_UNMEASURED_S = 0.5
"""Of a tool that nobody has called yet: neither shunned nor preferred for being new."""
_NEWEST = 0.2
_SUREST = 0.99


class MeasuredCosts:
    """Implements the port CallMeasures. A moving mean for each skill; the newest call weighs a fifth."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, str], float] = {}
        self._failing: dict[tuple[str, str], float] = {}

    def note(self, agent: str, intent: str, elapsed_ms: float, *, well: bool) -> None:
        key = (agent, intent)
        seconds = elapsed_ms / 1000
        before = self._seconds.get(key, seconds)
        self._seconds[key] = before + _NEWEST * (seconds - before)
        failing = self._failing.get(key, 0.0)
        self._failing[key] = failing + _NEWEST * ((0.0 if well else 1.0) - failing)

    def seconds(self, tool: DagTool) -> float:
        """How long a call takes as a rule. What an agent does by itself is in its calls' time."""
        return 0.0 if tool.inside else self._seconds.get((tool.agent, tool.intent), _UNMEASURED_S)

    def cost(self, tool: DagTool) -> float:
        """Seconds, yuan and risk on one scale. Chances of going well multiply along a path, so their logarithms add."""
        failing = 0.0 if tool.inside else self._failing.get((tool.agent, tool.intent), 0.0)
        well = (1 - min(failing, _SUREST)) * (1 - min(tool.risk, _SUREST))
        return self.seconds(tool) + YUAN * tool.price - FAILING * math.log(well)
