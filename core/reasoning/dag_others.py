"""Paths beside the cheapest: each leaves out a tool of one that was found. Near it, not proved the next. Pure."""

from collections.abc import Iterator

from core.reasoning.dag_bits import Bits, Puzzle, members
from core.reasoning.dag_solver import Solver

_MOST_TRIED = 4
"""Tools that are left out in turn: those that have the cheapest substitute."""

_LOOK = 0
"""States looked at before the search dives: each of them only has to be found."""

_Without = tuple[float, Bits, Bits]


def others(puzzle: Puzzle, best: Bits, most: int) -> list[Bits]:
    """At most `most` sets of tools that are no more than each other and none of them `best`, the cheapest first."""
    found = sorted(_leaving_out(puzzle, best, 0))
    kept: list[Bits] = []
    while found and len(kept) < most:
        _, chosen, gone = found.pop(0)
        if chosen != best and chosen not in kept:
            kept.append(chosen)
            if len(kept) < most:  # what stood in may be left out as well
                found = sorted([*found, *_leaving_out(puzzle, chosen & ~best, gone)])
    return sorted(kept, key=puzzle.cost)


def _leaving_out(puzzle: Puzzle, chosen: Bits, gone: Bits) -> Iterator[_Without]:
    tools = [tool for tool in members(chosen) if tool != puzzle.first]
    dearer = sorted((extra, tool) for tool in tools if (extra := _extra(puzzle, tool, gone)) is not None)
    for _, tool in dearer[:_MOST_TRIED]:
        without = gone | 1 << tool
        solved = Solver(puzzle, _LOOK, without).run()
        if solved.chosen is not None:
            tools_used = used(puzzle, solved.chosen)
            yield puzzle.cost(tools_used), tools_used, without


def _extra(puzzle: Puzzle, tool: int, gone: Bits) -> float | None:
    """How much dearer the next source of what it meets is; None where there is none."""
    without = gone | 1 << tool
    for need in members(puzzle.gives[tool]):
        for other in puzzle.sources[need]:
            if not without >> other & 1:
                return puzzle.costs[other] - puzzle.costs[tool]
    return None


def used(puzzle: Puzzle, chosen: Bits) -> Bits:
    """Of the chosen those that feed the first one: each need is met by the first that can."""
    meets: dict[int, int] = {}
    for tool in puzzle.order(chosen):
        for need in members(puzzle.gives[tool]):
            meets.setdefault(need, tool)
    found, waiting = 0, [puzzle.first]
    while waiting:
        tool = waiting.pop()
        if not found >> tool & 1:
            found |= 1 << tool
            waiting += [meets[need] for need in members(puzzle.needs[tool])]
    return found
