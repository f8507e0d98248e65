"""A search problem in bits: of tools their costs, needs and what they meet, and what follows from these. Pure.

A set of tools and a set of needs are each one whole number: bit n stands for member n. A question to the person is a
tool like any other: it needs nothing and meets one need.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

Bits = int


def members(bits: Bits) -> Iterator[int]:
    """The numbers in a set, the least first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


class Share(NamedTuple):
    """A source of a need as the bound sees it: its cost, shared out over the needs it could meet."""

    share: float
    bit: Bits
    needs: Bits


@dataclass(frozen=True)
class Puzzle:
    """What is to be solved: take `first` and whatever else its needs, and theirs, call for, at the least cost."""

    first: int
    costs: Sequence[float]
    needs: Sequence[Bits]
    gives: Sequence[Bits]

    @cached_property
    def sources(self) -> tuple[tuple[int, ...], ...]:
        """For each need who meets it, the cheapest first."""
        found: list[list[int]] = [[] for _ in range(max((*self.needs, *self.gives)).bit_length())]
        for tool in sorted(range(len(self.costs)), key=lambda tool: (self.costs[tool], tool)):
            for need in members(self.gives[tool]):
                found[need].append(tool)
        return tuple(map(tuple, found))

    @cached_property
    def able(self) -> tuple[Bits, ...]:
        """For each need who meets it, as a set."""
        return tuple(sum(1 << tool for tool in tools) for tools in self.sources)

    @cached_property
    def shares(self) -> tuple[tuple[Share, ...], ...]:
        """For each need its sources, the least share first."""
        each = [cost / max(1, gives.bit_count()) for cost, gives in zip(self.costs, self.gives, strict=True)]
        return tuple(
            tuple(Share(each[tool], 1 << tool, self.needs[tool]) for tool in sorted(tools, key=lambda tool: each[tool]))
            for tools in self.sources
        )

    @cached_property
    def least(self) -> tuple[float, ...]:
        """What meeting each need costs at least, itself alone."""
        return tuple(found[0].share if found else math.inf for found in self.shares)

    @cached_property
    def beyond(self) -> tuple[Bits, ...]:
        """For each need all that its sources need."""
        wanted = [0] * len(self.sources)
        for need, tools in enumerate(self.sources):
            for tool in tools:
                wanted[need] |= self.needs[tool]
        return tuple(wanted)

    @cached_property
    def replaced(self) -> tuple[Bits, ...]:
        """For each tool those that do all that it does, need no more and cost no more: while one is there, it is idle.

        Of tools that are alike in all of this the first replaces the others.
        """
        return tuple(self._better(tool) for tool in range(len(self.costs)))

    @cached_property
    def idle(self) -> Bits:
        """All tools that some other replaces."""
        return sum(1 << tool for tool, better in enumerate(self.replaced) if better)

    def _better(self, tool: int) -> Bits:
        meets, wants, cost = self.gives[tool], self.needs[tool], self.costs[tool]
        if tool == self.first or not meets:
            return 0
        found = 0
        for other in self.sources[(meets & -meets).bit_length() - 1]:
            if self.costs[other] > cost:
                break
            if other != tool and not meets & ~self.gives[other] and not self.needs[other] & ~wants:
                alike = (self.costs[other], self.gives[other], self.needs[other]) == (cost, meets, wants)
                found |= 0 if alike and other > tool else 1 << other
        return found

    def idle_without(self, gone: Bits) -> Bits:
        """The idle ones when these cannot be had: what only they replaced is wanted again."""
        idle = self.idle
        for tool in members(gone):
            for need in members(self.gives[tool]):
                for other in self.sources[need]:
                    if self.replaced[other] & ~gone == 0:
                        idle &= ~(1 << other)
        return idle

    def order(self, chosen: Bits) -> list[int]:
        """Of the chosen those that can run, in an order in which they can."""
        there, placed, waiting = 0, list[int](), list(members(chosen))
        while free := [tool for tool in waiting if not self.needs[tool] & ~there]:
            placed += free
            waiting = [tool for tool in waiting if tool not in free]
            for tool in free:
                there |= self.gives[tool]
        return placed

    def cost(self, chosen: Bits) -> float:
        return sum(self.costs[tool] for tool in members(chosen))
