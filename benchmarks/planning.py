"""Plans of ten sentences, the time of the search over many tools, and how often the closing tool is the right one.

`python -m benchmarks.planning` prints the tables of docs/planning.md. The tools are the real ones, as their servers
declare them; nothing is called. The distractors are tools for other trades, with words of their own.
"""

import asyncio
import gc
import statistics
import tempfile
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from a2a_servers.planning import planning_of
from a2a_servers.tool_wire import tool_of
from benchmarks.planning_tools import distractors, layered, wishes
from core.adapters.agents.facts_wire import declared_by
from core.adapters.vectors.embedding import BundledEmbedder
from core.memory.recollection import RuleRecollection
from core.ports.planning import Likeness
from core.ports.reasoning import PlanningInput
from core.reasoning.dag_chains import Chain
from core.reasoning.dag_goal import GoalFinder
from core.reasoning.dag_opening import chains_over
from core.reasoning.dag_planner import DagPlanner
from core.reasoning.dag_search import Given, search
from core.reasoning.dag_understanding import DagUnderstander
from core.reasoning.intent import RuleUnderstander
from core.reasoning.likeness import EmbeddedLikeness, KeywordLikeness
from core.reasoning.planner import RulePlanner
from core.reasoning.tool_costs import MeasuredCosts
from core.reasoning.tools_dag import build_dag, supplied_as
from core.shared.call_context import new_traceparent
from core.shared.clock import SHANGHAI, ManualClock
from core.types.network import AgentView, Skill
from core.types.plan import Step
from core.types.turn import Turn, UserMessage
from mcp_server import mcp_ticket, mcp_trip, mcp_weather
from mcp_server.business_data import BusinessData
from mcp_server.tool_server import ToolServer

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
_GRAPHS = (
    (50, 2, 3), (500, 2, 3), (500, 3, 3), (500, 3, 10), (500, 4, 2), (500, 4, 10), (500, 5, 3), (1000, 3, 3)
)
SENTENCES = (
    "明天北京天气怎么样", "明天北京到上海的高铁", "查明天北京到上海的机票，顺便看看上海天气，再推荐几个景点",
    "订明天北京到上海最便宜的高铁", "如果明天上海不下雨，就订明天北京到上海的高铁", "五月天演唱会那天当地的天气",
    "看看周杰伦演唱会，再查演出当天从上海去北京的高铁", "取消我明天去上海的高铁票", "订两张五月天演唱会的内场票",
    "去上海的高铁",
)


async def declared(folder: str) -> tuple[AgentView, ...]:
    """The agents with the cards that they make of their servers' tools."""
    clock = ManualClock(NOW)
    data = BusinessData(f"sqlite:///{Path(folder) / 'unused.db'}", clock)
    servers = {
        "WeatherQueryAssistant": mcp_weather.make_server(data, clock),
        "TicketAssistant": mcp_ticket.make_server(data, clock),
        "TripAssistant": mcp_trip.make_server(data, clock),
    }
    return tuple([await _view(name, server) for name, server in servers.items()])


async def _view(name: str, server: ToolServer) -> AgentView:
    tools = [tool_of(listed) for listed in await server.list_tools()]
    facts = declared_by(planning_of(tools))
    skills = tuple(
        Skill(tool.intent, tool.description, tool.tags, tool.examples, tool.name, facts[tool.name]) for tool in tools
    )
    return AgentView(name, f"http://{name}", healthy=True, skills=skills)


async def plans(agents: tuple[AgentView, ...]) -> None:
    """The table of the ten sentences."""
    chains = chains_over(lambda: agents, MeasuredCosts(), None)
    skills = (*(skill for agent in agents for skill in agent.skills), Skill("attraction", "景点", ("景点",)))
    understander = DagUnderstander(RuleUnderstander(RuleRecollection()), chains)
    print("| sentence | steps of the master | chain behind them | paths, states | ms |\n|---|---|---|---|---|")
    for text in SENTENCES:
        message = UserMessage("u", "s", text, new_traceparent())
        turn = Turn(message, ManualClock(NOW), started=0.0, deadline=60.0)
        understood = await understander.understand(turn, skills)
        began = time.process_time()
        found = [await chains.of(task, understood.tasks, text) for task in understood.tasks]
        plan = await DagPlanner(chains, RulePlanner()).plan(PlanningInput(turn, understood.ready))
        elapsed_ms = (time.process_time() - began) * 1000
        told = "<br>".join(_step(step) for step in plan.steps) if understood.outcome == "tasks" else understood.message
        print(f"| {text} | {told} | {'<br>'.join(map(_chain, found))} | {_looked(found)} | {elapsed_ms:.2f} |")


def _step(step: Step) -> str:
    waits = f" after {', '.join(map(str, step.depends_on))}" if step.depends_on else ""
    test = f" when {step.when.test}" if step.when else ""
    taken = f", takes {', '.join(bind.slot for bind in step.bind)}" if step.bind else ""
    return f"{step.number} {step.intent}{waits}{test}{taken}"


def _chain(chain: Chain | None) -> str:
    if chain is None or chain.found.best is None:
        return "local"
    names = [tool.key.split("/")[1].split(":")[-1] for tool in chain.found.best.tools]
    asked = f" (asks {', '.join(chain.asked)})" if chain.asked else ""
    return " → ".join(names) + asked


def _looked(found: Sequence[Chain | None]) -> str:
    there = [chain.found for chain in found if chain is not None]
    return f"{sum(len(one.paths) for one in there)}, {sum(one.states for one in there)}"


def searches() -> None:
    """The time of one search over graphs of several sizes: of this process, as the machine is shared."""
    print("\n| tools | layers, sources of each type | graph built once, ms | search ms: median, worst of 30 |", end="")
    print(" tools in the path | states | paths | exact |\n|---|---|---|---|---|---|---|---|")
    gc.collect()
    gc.freeze()  # else one search in a hundred pays for looking through all that the process has imported
    for number, layers, sources in _GRAPHS:
        agents = [layered(number, layers, sources)]
        began = time.process_time()
        dag = build_dag(agents)
        built = (time.process_time() - began) * 1000
        closing, given = dag.closing("close")[0], Given(supplied_as(["city"]))
        times = []
        for _ in range(30):
            began = time.process_time()
            found = search(dag, closing, given, lambda tool: 0.5 + tool.price)
            times.append((time.process_time() - began) * 1000)
        told = f"{statistics.median(times):.1f}, {max(times):.1f}"
        size = len(found.best.tools) if found.best else 0
        print(f"| {number} | {layers}, {sources} | {built:.1f} | {told} | {size} |", end="")
        print(f" {found.states} | {len(found.paths)} | {found.exact} |")


async def accuracy(agents: tuple[AgentView, ...], likeness: Likeness, name: str) -> None:
    """How often the closing tool is right where no intent says it, with and without 200 distractors."""
    for others in (0, 200):
        dag = build_dag([*agents, distractors(others)])
        goals = GoalFinder(likeness, MeasuredCosts().cost)
        right = fitting = 0
        for text, intent in wishes():
            everything = [place for place, tool in enumerate(dag.tools) if not tool.inside]
            place = await goals.nearest(dag, everything, text)
            right += place is not None and dag.tools[place].intent == intent
            place = await goals.closing(dag, f"{intent.split()[0]} something", text)
            fitting += place is not None and dag.tools[place].intent == intent
        listed = sum(len(tool.words) for tool in dag.tools if not tool.inside)
        print(f"| {name} | {others} | {right}/{len(wishes())} | {fitting}/{len(wishes())} | {listed} |")


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        agents = await declared(folder)
    await plans(agents)
    searches()
    print("\n| by | distractors | right among all | right among the fitting | characters of a prompt that lists all |")
    print("|---|---|---|---|---|")
    letters = KeywordLikeness()
    await accuracy(agents, letters, "keywords")
    embedder = BundledEmbedder()
    await embedder.load()
    try:
        await accuracy(agents, EmbeddedLikeness(embedder, letters), "embedding (dag)")
    finally:
        embedder.close()


if __name__ == "__main__":
    asyncio.run(main())
