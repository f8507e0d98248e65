"""The DAG of tools: what each needs and which others yield it. A wrong declaration leaves its tool out, and is told."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.reasoning.dag_reach import able_to_begin
from core.reasoning.typed_names import SAYABLE, kind_of, needs_of, type_of, yields_of
from core.types.network import AgentView, Skill
from core.types.tool_facts import Typed


@dataclass(frozen=True, slots=True)
class Need:
    """Something that has to be there before a tool runs.

    `strict`: the tool needs several of the type (from_city, to_city), so that only what bears the same name will do.
    """

    name: str
    type: str
    strict: bool = False

    @property
    def sayable(self) -> bool:
        """Whether a person can say it, and so be asked for it."""
        return self.name in SAYABLE

    def met_by(self, name: str, kind: str) -> bool:
        return kind == self.type and (not self.strict or name == self.name)


@dataclass(frozen=True, slots=True)
class DagTool:
    """A skill of an agent, or (`inside`) what the agent does by itself on the way: choosing one of the rows."""

    key: str
    agent: str
    intent: str
    needs: tuple[Need, ...]
    yields: tuple[Typed, ...]
    words: str = ""
    price: float = 0.0
    risk: float = 0.0
    inside: bool = False


@dataclass(frozen=True, slots=True)
class ToolsDag:
    """An AND-OR graph: a tool runs when all its needs are met, a need is met by any one of its `sources`."""

    tools: tuple[DagTool, ...] = ()
    sources: Mapping[Need, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    """For each need the tools that yield it, by place in `tools`, with the field in which it stands."""
    faults: tuple[str, ...] = ()
    """One line for each tool that is left out."""

    def closing(self, intent: str) -> tuple[int, ...]:
        """The tools that an intent itself names, by place."""
        return tuple(n for n, tool in enumerate(self.tools) if tool.intent == intent and not tool.inside)


def build_dag(agents: Sequence[AgentView]) -> ToolsDag:
    """The graph of everything that the cards declare. Linear in tools and in pairs of a need and its sources."""
    faults: list[str] = []
    tools: list[DagTool] = []
    for agent in agents:
        for skill in agent.skills:
            if skill.facts.fault:
                faults.append(f"{_key(agent.name, skill)} is left out of the tools DAG: {skill.facts.fault}")
            else:
                tools += _tools_of(agent, skill)
    sound = _grounded(tools)
    faults += _told(tools, sound)
    kept = tuple(tools[place] for place in sorted(sound))
    return ToolsDag(kept, _sources(kept), tuple(faults))


def _key(agent: str, skill: Skill) -> str:
    return f"{agent}/{skill.tool or skill.name}"


def _tools_of(agent: AgentView, skill: Skill) -> Iterator[DagTool]:
    key = _key(agent.name, skill)
    facts, kind = skill.facts, kind_of(skill.name, skill.facts)
    wanted, given = needs_of(skill.name, facts), yields_of(skill.name, facts)
    needs = _needs(_own(agent.name, wanted))
    shown = tuple(Typed("rows", _rows_of(agent.name, name)) for name in _looked_at(agent) & {skill.tool, skill.name})
    words = " ".join((skill.description, *skill.tags, *skill.examples))
    yield DagTool(
        key, agent.name, skill.name, needs, (*_own(agent.name, given), *shown), words, facts.price, facts.risk
    )
    if facts.quotes_with and wanted:
        rows = Need("rows", _rows_of(agent.name, facts.quotes_with))
        chosen = tuple(Typed(need.name, need.type) for need in needs if need.name != "quantity")
        yield DagTool(f"{key}:choose", agent.name, skill.name, (rows,), chosen, words=kind, inside=True)


def _looked_at(agent: AgentView) -> set[str]:
    return {skill.facts.quotes_with for skill in agent.skills if skill.facts.quotes_with}


def _rows_of(agent: str, tool: str) -> str:
    """The rows of one tool: what is bought of an agent is chosen from its own rows alone."""
    return f"{agent}/{tool}.rows"


def _own(agent: str, names: Iterable[Typed]) -> tuple[Typed, ...]:
    """An item, its price and its offer are an agent's own; the same id means another thing elsewhere."""
    ends = (".item_id", ".price", ".offer")
    return tuple(Typed(one.name, f"{agent}/{one.type}" if one.type.endswith(ends) else one.type) for one in names)


def _needs(names: Sequence[Typed]) -> tuple[Need, ...]:
    several = Counter(one.type for one in names)
    return tuple(Need(one.name, one.type, strict=several[one.type] > 1) for one in names)


def _sources(tools: Sequence[DagTool]) -> dict[Need, tuple[tuple[int, str], ...]]:
    by_type: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for place, tool in enumerate(tools):
        for one in tool.yields:
            by_type[one.type].append((place, one.name))
    needs = {need for tool in tools for need in tool.needs}
    return {need: tuple(s for s in by_type[need.type] if need.met_by(s[1], need.type)) for need in needs}


def _grounded(tools: Sequence[DagTool]) -> set[int]:
    """The tools that can run at all when a person says everything that persons can say."""
    wanted = {place: tool.needs for place, tool in enumerate(tools)}
    sources = _sources(tools)
    return able_to_begin(wanted, sources, [need for need in sources if need.sayable])


def _told(tools: Sequence[DagTool], sound: set[int]) -> Iterator[str]:
    """Why the others are left out: nobody yields what they need, or those who do wait for one another."""
    sources = _sources(tools)
    for place, tool in enumerate(tools):
        if place in sound or tool.inside:
            continue
        stuck = [n for n in tool.needs if not n.sayable and not any(p in sound for p, _ in sources[n])]
        unknown = [need for need in stuck if not sources[need]]
        if unknown:
            why = f"nobody yields '{unknown[0].type}', and no person can say it"
        else:
            others = ", ".join(dict.fromkeys(tools[p].key for p, _ in sources[stuck[0]]))
            why = f"'{stuck[0].type}' comes only from {others}, which cannot begin: a cycle without a source"
        yield f"{tool.key} is left out of the tools DAG: {why}"


def supplied_as(names: Iterable[str]) -> tuple[Typed, ...]:
    """What a person has said, as typed names."""
    return tuple(Typed(name, SAYABLE.get(name, type_of(name, "", ""))) for name in sorted(names))
