"""The search backwards from the tool that ends the chain: over several paths, to the cheapest. Pure.

Each tool of a path is paid for once, however many others use it, so that the cheapest path is a cheapest directed
hypertree: NP-hard in general. It is found exactly, best first, with a bound that never says too much; what the search
looks at are the tools behind the closing one that can begin at all, not all tools. Finding these is linear in tools
and in pairs of a need and its sources; of the search that follows the worst case is exponential in the number of needs
with several sources, and after MOST_STATES states any path is taken, which the result then says (`exact`).
"""

import heapq
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from core.reasoning.dag_reach import able_to_begin
from core.reasoning.tools_dag import DagTool, Need, ToolsDag
from core.types.tool_facts import Typed

Cost = Callable[[DagTool], float]

ASKING = 1e6
"""What it costs to ask the person: more than any chain of tools, so that it is done only where none leads there."""

MOST_STATES = 400
"""Partial paths that are looked at for the cheapest; then any path is taken."""

MORE_STATES = 100
"""Further ones for the paths beside the cheapest."""

_BY_PERSON = -1


@dataclass(frozen=True, slots=True)
class Link:
    """A need of a tool that is met by a field of another's rows."""

    tool: str
    need: str
    source: str
    field: str


@dataclass(frozen=True, slots=True)
class Path:
    """Tools in an order in which they can run, how they feed one another, and what they cost together.

    `asked`: what the person has to say first, as nothing else supplies it.
    """

    tools: tuple[DagTool, ...]
    links: tuple[Link, ...]
    cost: float
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The cheapest paths, the best first. `exact`: there is none cheaper than the first. `states`: how many partial
    paths were looked at."""

    paths: tuple[Path, ...]
    exact: bool = True
    states: int = 0

    @property
    def best(self) -> Path | None:
        return self.paths[0] if self.paths else None


@dataclass(frozen=True, slots=True)
class Given:
    """What the search starts from: what the person supplied, and the intents that the message speaks of.

    What a person can say is taken from another tool only if the message speaks of that tool as well: of no one else's
    rows would it be known that they are meant.
    """

    supplied: tuple[Typed, ...] = ()
    spoken: frozenset[str] = frozenset()


def search(dag: ToolsDag, closing: int, given: Given, cost: Cost, *, most: int = 3) -> Found:
    """The cheapest paths that end with the tool at place `closing`, at most `most` of them."""
    return _Search(dag, closing, given, cost).run(most)


@dataclass(frozen=True, slots=True)
class _State:
    """A partial path. `met`: for each need that was decided, who meets it; `open`: the needs still to be decided."""

    spent: float
    bound: float
    chosen: frozenset[int]
    met: Mapping[Need, tuple[int, str]]
    open: tuple[Need, ...]


class _Queue:
    """The states that wait, by what they will cost at least; in a hurry, by how little is left to be decided."""

    def __init__(self, first: _State) -> None:
        self._order = count()
        self._heap: list[tuple[float, float, int, _State]] = []
        self._last = MOST_STATES
        self.states = 0
        self.hurried = False
        self.add(first)

    def add(self, state: _State) -> None:
        left = float(len(state.open) - len(state.met))
        key = (left, state.bound) if self.hurried else (state.bound, left)
        heapq.heappush(self._heap, (*key, next(self._order), state))

    def next(self, *, found: bool) -> _State | None:
        """The state to look at; None where there is none, or where enough was looked at for what was found."""
        if found:
            self._last = min(self._last, self.states + MORE_STATES)
        if self.states >= self._last:
            if found or self.hurried:
                return None
            self._hurry()
        self.states += 1
        return heapq.heappop(self._heap)[-1] if self._heap else None

    def _hurry(self) -> None:
        self.hurried, self._last = True, 2 * MOST_STATES
        waiting, self._heap = [entry[-1] for entry in self._heap], []
        for state in waiting:
            self.add(state)


@dataclass(slots=True)
class _Search:
    dag: ToolsDag
    closing: int
    given: Given
    cost: Cost
    options: dict[Need, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    makers: dict[Need, frozenset[int]] = field(default_factory=dict)
    share: dict[Need, float] = field(default_factory=dict)
    costs: dict[int, float] = field(default_factory=dict)

    def run(self, most: int) -> Found:
        self._look_behind()
        if self.closing not in self.costs:
            return Found(())
        queue = _Queue(self._taken(_State(0.0, 0.0, frozenset(), {}, ()), self.closing))
        paths: dict[frozenset[str], Path] = {}
        while len(paths) < most and (state := queue.next(found=bool(paths))) is not None:
            if not state.open:
                self._arrive(state, paths)
                continue
            for after in self._decided(state):
                queue.add(after)
        found = list(paths.values())
        free = tuple(path for path in found if not path.asked) or tuple(found[:1])
        return Found(free, exact=not queue.hurried, states=queue.states)

    def _arrive(self, state: _State, paths: dict[frozenset[str], Path]) -> None:
        path = _path_of(self.dag, state)
        if path is not None:  # of two ways to join the same tools the first is as good as any
            paths.setdefault(frozenset([*(tool.key for tool in path.tools), *path.asked]), path)

    def _decided(self, state: _State) -> Iterator[_State]:
        """The states after the first open need is met, in each way that there is."""
        need, rest = state.open[0], state.open[1:]
        for place, name in self.options[need]:
            met = {**state.met, need: (place, name)}
            if place == _BY_PERSON:
                price = 0.0 if name else ASKING
                spent = state.spent + price
                yield _State(spent, max(state.bound, spent + self._ahead(rest, state.chosen)), state.chosen, met, rest)
            elif place in state.chosen:
                yield _State(state.spent, state.bound, state.chosen, met, rest)
            else:
                yield self._taken(_State(state.spent, state.bound, state.chosen, met, rest), place)

    def _taken(self, state: _State, place: int) -> _State:
        """The state with this tool in it; its needs are open unless they are decided already."""
        known = {*state.met, *state.open}
        fresh = tuple(need for need in dict.fromkeys(self.dag.tools[place].needs) if need not in known)
        rest, spent = (*state.open, *fresh), state.spent + self.costs[place]
        chosen = state.chosen | {place}
        return _State(spent, max(state.bound, spent + self._ahead(rest, chosen)), chosen, state.met, rest)

    def _ahead(self, needs: Sequence[Need], chosen: frozenset[int]) -> float:
        """What meeting these costs at least: a tool's cost is shared out over the needs it could meet."""
        return sum(self.share[need] for need in needs if chosen.isdisjoint(self.makers[need]))

    def _look_behind(self) -> None:
        """Only what lies behind the closing tool, and of that only what can begin."""
        behind, needs = self._behind()
        met = [need for need, found in needs.items() if any(place == _BY_PERSON for place, _ in found)]
        able = able_to_begin({place: self.dag.tools[place].needs for place in behind}, needs, met)
        self.costs = {place: self.cost(self.dag.tools[place]) for place in able}
        usable = able | {_BY_PERSON}
        self.options = {need: tuple(o for o in found if o[0] in usable) for need, found in needs.items()}
        self.makers = {need: frozenset(place for place, _ in found) for need, found in self.options.items()}
        serves: dict[int, int] = {}
        for places in self.makers.values():
            for place in places:
                serves[place] = serves.get(place, 0) + 1
        for need, found in self.options.items():
            each = [self.costs[p] / serves[p] if p >= 0 else 0.0 if name else ASKING for p, name in found]
            self.share[need] = min(each, default=0.0)

    def _behind(self) -> tuple[set[int], dict[Need, tuple[tuple[int, str], ...]]]:
        seen, queue, needs = {self.closing}, deque([self.closing]), dict[Need, tuple[tuple[int, str], ...]]()
        while queue:
            for need in self.dag.tools[queue.popleft()].needs:
                if need in needs:
                    continue
                needs[need] = tuple(self._sources(need))
                fresh = {place for place, _ in needs[need] if place >= 0} - seen
                seen |= fresh
                queue.extend(sorted(fresh))
        return seen, needs

    def _sources(self, need: Need) -> Iterator[tuple[int, str]]:
        """Who may meet a need. What the person has said, nobody else is asked for."""
        said = _said(need, self.given.supplied)
        if said:
            yield _BY_PERSON, said
            return
        for place, name in self.dag.sources[need]:
            if place != self.closing and (not need.sayable or self.dag.tools[place].intent in self.given.spoken):
                yield place, name
        if need.sayable:
            yield _BY_PERSON, ""


def _said(need: Need, supplied: Sequence[Typed]) -> str:
    """The name under which the person has said it; empty where it was not said, or cannot be told from another."""
    if any(one.name == need.name for one in supplied):
        return need.name
    alike = [one.name for one in supplied if one.type == need.type]
    return alike[0] if len(alike) == 1 and not need.strict and need.sayable else ""


def _path_of(dag: ToolsDag, state: _State) -> Path | None:
    """The tools in order; None where they wait for one another."""
    before = {p: {state.met[n][0] for n in dag.tools[p].needs} - {_BY_PERSON} for p in state.chosen}
    placed: list[int] = []
    while len(placed) < len(before):
        free = sorted(p for p, wanted in before.items() if p not in placed and wanted <= set(placed))
        if not free:
            return None
        placed += free
    links = tuple(
        Link(dag.tools[p].key, need.name, dag.tools[state.met[need][0]].key, state.met[need][1])
        for p in placed for need in dag.tools[p].needs if state.met[need][0] != _BY_PERSON
    )
    asked = sorted({need.name for need, met in state.met.items() if met == (_BY_PERSON, "")})
    questions = sum(met == (_BY_PERSON, "") for met in state.met.values())
    return Path(tuple(dag.tools[p] for p in placed), links, state.spent - ASKING * questions, tuple(asked))
