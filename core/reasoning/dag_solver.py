"""Solves a Puzzle best first, with a bound that never says too much: exact while the states suffice. Pure.

At each state the first open need is decided: its cheapest source is taken, or is never taken. So no set of tools is
looked at twice; what has one source left is taken at once. The bound adds for every open need the least that a source
costs with what that source needs in turn, as far as nothing of it is counted already: one step further than the needs
themselves, which is what makes the states few.
"""

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from core.reasoning.dag_bits import Bits, Puzzle, members


class State(NamedTuple):
    """A partial path: what was taken, what is never to be taken, which needs are met and which are open."""

    bound: float
    spent: float
    chosen: Bits
    never: Bits
    met: Bits
    open: Bits


@dataclass(frozen=True, slots=True)
class Solved:
    """`chosen`: None where there is none. `exact`: there is none cheaper. `states`: how many were looked at."""

    chosen: Bits | None
    exact: bool
    states: int


@dataclass(slots=True)
class Solver:
    """One search over tools that are not `gone`. After `most` states it dives: the next is the one that took most."""

    puzzle: Puzzle
    most: int
    gone: Bits = 0
    _heap: list[tuple[float, float, int, State]] = field(default_factory=list)
    _added: int = 0
    _dives: bool = False

    def run(self) -> Solved:
        idle, states = self.puzzle.idle_without(self.gone), 0
        self._take(State(0.0, 0.0, 0, idle | self.gone, 0, 0), self.puzzle.first)
        while self._heap and states <= 2 * self.most + len(self.puzzle.costs):
            if states == self.most:
                self._dive()
            state, states = heapq.heappop(self._heap)[-1], states + 1
            tool = self._undecided(state)
            if tool is None:
                return Solved(state.chosen, not self._dives, states)
            if tool >= 0:
                self._take(state, tool)
                never = state.never | 1 << tool
                self._put(State(state.bound, state.spent, state.chosen, never, state.met, state.open))
        return Solved(None, not self._heap, states)

    def _dive(self) -> None:
        self._dives = True
        waiting, self._heap = [entry[-1] for entry in self._heap], []
        for state in waiting:
            self._push(state)

    def _push(self, state: State) -> None:
        taken = -float(state.chosen.bit_count())
        key = (taken, state.bound) if self._dives else (state.bound, taken)
        self._added += 1
        heapq.heappush(self._heap, (*key, self._added, state))

    def _undecided(self, state: State) -> int | None:
        """A tool that may meet the first open need; None where all is met, -1 where nothing can be done any more."""
        if state.open:
            need = (state.open & -state.open).bit_length() - 1
            return next(tool for tool in self.puzzle.sources[need] if not state.never >> tool & 1)
        placed = self.puzzle.order(state.chosen)
        return None if self.puzzle.first in placed else next(self._from_outside(state, placed), -1)

    def _from_outside(self, state: State, placed: list[int]) -> Iterator[int]:
        """Where the chosen wait for one another, the tools that could begin for them."""
        wanted = there = 0
        for tool in members(state.chosen):
            wanted |= self.puzzle.needs[tool]
        for tool in placed:
            there |= self.puzzle.gives[tool]
        taken = state.never | state.chosen
        for need in members(wanted & ~there):
            yield from (tool for tool in self.puzzle.sources[need] if not taken >> tool & 1)

    def _take(self, state: State, tool: int) -> None:
        self._put(self._with(state, tool))

    def _with(self, state: State, tool: int) -> State:
        met = state.met | self.puzzle.gives[tool]
        spent, chosen = state.spent + self.puzzle.costs[tool], state.chosen | 1 << tool
        return State(state.bound, spent, chosen, state.never, met, (state.open | self.puzzle.needs[tool]) & ~met)

    def _put(self, state: State) -> None:
        """Into the queue, with what has one source left taken; not at all where a need has none."""
        while (tool := self._only_way(state)) is not None:
            if tool < 0:
                return
            state = self._with(state, tool)
        bound = max(state.bound, state.spent + self._ahead(state))
        if bound < math.inf:
            self._push(State(bound, state.spent, state.chosen, state.never, state.met, state.open))

    def _only_way(self, state: State) -> int | None:
        """The one source of an open need that has one; -1 where a need has none."""
        able, left = self.puzzle.able, state.open
        while left:
            low = left & -left
            left ^= low
            sources = able[low.bit_length() - 1] & ~state.never
            if not sources & (sources - 1):
                return sources.bit_length() - 1
        return None

    def _ahead(self, state: State) -> float:
        """What meeting the open needs costs at least. A need counts once, a tool's cost in parts over its needs."""
        puzzle, left, total = self.puzzle, state.open, 0.0
        counted = state.met | left
        while left:
            low = left & -left
            left ^= low
            need = low.bit_length() - 1
            total += self._least(need, state.never, counted)
            counted |= puzzle.beyond[need]
        return total

    def _least(self, need: int, never: Bits, counted: Bits) -> float:
        best, least = math.inf, self.puzzle.least
        for cost, bit, needs in self.puzzle.shares[need]:
            if cost >= best:
                break
            if bit & never:
                continue
            whole, further = cost, needs & ~counted
            while further:
                low = further & -further
                further ^= low
                whole += least[low.bit_length() - 1]
            if whole < best:  # not min(): this is the innermost loop
                best = whole
        return best
