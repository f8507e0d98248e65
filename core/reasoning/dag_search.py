"""The search backwards from the tool that ends the chain: over several paths, to the cheapest. Pure.

Each tool of a path is paid for once, however many others use it, so that the cheapest path is a cheapest directed
hypertree: NP-hard in general. It is found exactly (dag_solver); what is searched are the tools behind the closing one
that can begin at all, not all tools. Finding these is linear in tools and in pairs of a need and its sources; of the
search that follows the worst case is exponential in the number of needs with several sources, and after MOST_STATES
states any path is taken, which the result then says (`exact`). The other paths leave out a tool of one that was found.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from core.reasoning.dag_bits import Bits, Puzzle, members
from core.reasoning.dag_others import others, used
from core.reasoning.dag_reach import able_to_begin
from core.reasoning.dag_solver import Solver
from core.reasoning.tools_dag import DagTool, Need, ToolsDag
from core.types.tool_facts import Typed

Cost = Callable[[DagTool], float]

ASKING = 1e6
"""What it costs to ask the person: more than any chain of tools, so that it is done only where none leads there."""

MOST_STATES = 400
"""Partial paths that are looked at for the cheapest; then any path is taken."""

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
    """The cheapest path and up to two others, the best first. `exact`: there is none cheaper than the first. `states`:
    how many partial paths were looked at for it."""

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
    """The cheapest path that ends with the tool at place `closing`, and others beside it: at most `most` together."""
    behind = _Behind(dag, closing, given, cost)
    behind.look()
    return _Search(behind).run(most) if closing in behind.costs else Found(())


@dataclass(slots=True)
class _Behind:
    """What lies behind the closing tool, and of that only what can begin: its costs, and who may meet each need."""

    dag: ToolsDag
    closing: int
    given: Given
    cost: Cost
    costs: dict[int, float] = field(default_factory=dict)
    needs: list[Need] = field(default_factory=list)
    options: list[tuple[tuple[int, str], ...]] = field(default_factory=list)
    wanted: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """By place the needs of each tool, by their number in `needs` (and in `options`)."""

    def look(self) -> None:
        self._look_backwards()
        met = [need for need, found in enumerate(self.options) if any(place == _BY_PERSON for place, _ in found)]
        able = able_to_begin(self.wanted, dict(enumerate(self.options)), met)
        self.costs = {place: self.cost(self.dag.tools[place]) for place in sorted(able)}
        usable = able | {_BY_PERSON}
        self.options = [tuple(option for option in found if option[0] in usable) for found in self.options]

    def _look_backwards(self) -> None:
        numbers: dict[Need, int] = {}
        queue, seen = deque([self.closing]), {self.closing}
        while queue:
            place, mine = queue.popleft(), list[int]()
            for need in self.dag.tools[place].needs:
                if (number := numbers.get(need)) is None:
                    number = numbers[need] = len(self.needs)
                    self.needs.append(need)
                    self.options.append(tuple(self._sources(need)))
                    fresh = sorted({source for source, _ in self.options[-1] if source >= 0} - seen)
                    seen.update(fresh)
                    queue.extend(fresh)
                mine.append(number)
            self.wanted[place] = tuple(mine)

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


@dataclass(slots=True)
class _Search:
    """The same in bits, and back. Needs that the person has met are no needs any more; a question is a tool."""

    behind: _Behind
    _places: list[int] = field(default_factory=list)
    _asked: list[int] = field(default_factory=list)

    def run(self, most: int) -> Found:
        puzzle = self._puzzle()
        solved = Solver(puzzle, MOST_STATES).run()
        if solved.chosen is None:
            return Found((), exact=solved.exact, states=solved.states)
        chosen = used(puzzle, solved.chosen)
        best = self._path(puzzle, chosen)
        further = () if best.asked else (self._path(puzzle, other) for other in others(puzzle, chosen, most - 1))
        free = (path for path in further if not path.asked)
        return Found((best, *free), exact=solved.exact, states=solved.states)

    def _puzzle(self) -> Puzzle:
        options, wanted = self.behind.options, self.behind.wanted
        said = sum(1 << need for need, found in enumerate(options) if any(p == _BY_PERSON and n for p, n in found))
        self._places = list(self.behind.costs)
        self._asked = [need for need, found in enumerate(options) if (_BY_PERSON, "") in found]
        at = {place: tool for tool, place in enumerate(self._places)}
        gives, wants = [0] * len(at), [0] * len(at)
        for need, found in enumerate(options):
            for place in {place for place, _ in found if place >= 0}:
                gives[at[place]] |= 1 << need
        for place, tool in at.items():
            for need in wanted[place]:
                wants[tool] |= 1 << need
            wants[tool] &= ~said
        return Puzzle(
            at[self.behind.closing],
            (*self.behind.costs.values(), *[ASKING] * len(self._asked)),
            (*wants, *[0] * len(self._asked)),
            (*gives, *(1 << need for need in self._asked)),
        )

    def _path(self, puzzle: Puzzle, chosen: Bits) -> Path:
        """The tools in order, and who feeds whom: the first that can."""
        tools, links, meets = self.behind.dag.tools, list[Link](), dict[int, tuple[int, str]]()
        placed = [tool for tool in puzzle.order(chosen) if tool < len(self._places)]
        for tool in placed:
            place = self._places[tool]
            for need in self.behind.wanted[place]:
                if (source := meets.get(need)) is not None:
                    name = self.behind.needs[need].name
                    links.append(Link(tools[place].key, name, tools[source[0]].key, source[1]))
            for need in members(puzzle.gives[tool]):
                fields = (name for source, name in self.behind.options[need] if source == place)
                meets.setdefault(need, (place, next(fields)))
        asked = [self._asked[tool - len(self._places)] for tool in members(chosen) if tool >= len(self._places)]
        names = tuple(sorted({self.behind.needs[need].name for need in asked}))
        cost = sum(puzzle.costs[tool] for tool in placed)
        return Path(tuple(tools[self._places[tool]] for tool in placed), tuple(links), cost, names)


def _said(need: Need, supplied: Sequence[Typed]) -> str:
    """The name under which the person has said it; empty where it was not said, or cannot be told from another."""
    if any(one.name == need.name for one in supplied):
        return need.name
    alike = [one.name for one in supplied if one.type == need.type]
    return alike[0] if len(alike) == 1 and not need.strict and need.sayable else ""
