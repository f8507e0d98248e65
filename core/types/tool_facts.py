"""What a tool needs and yields, in typed names, and what it costs to use: how a skill joins a plan by itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Typed:
    """A parameter of a tool or a field of its rows, and the type of what stands in it.

    `from_city` and `to_city` are both of the type `city`. An empty type: the name says it.
    """

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class ToolFacts:
    """What a skill declares for planning; None where it says nothing, and it is then derived from `kind` and names.

    `quotes_with`: the tool whose rows this one chooses from before it offers to change anything. `price`: yuan for one
    call; `risk`: the chance, 0 to 1, that a call does harm or is for nothing, beyond what is measured. `fault`: why the
    declaration cannot be used.
    """

    kind: str = ""
    needs: tuple[Typed, ...] | None = None
    yields: tuple[Typed, ...] | None = None
    quotes_with: str = ""
    price: float = 0.0
    risk: float = 0.0
    fault: str = ""


NO_FACTS = ToolFacts()
