"""Who is from and who is to: the places of one segment with the markers between them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.language.values import Days, Found, Line, Mark, Unknown, Where

Leg = tuple[Where | None, Where | None]
"""From and to; None where it was not said."""

_TO = ("to", "go", "fly", "dash", "back")
_CHAINING = ("to", "dash", "fly", "go")


@dataclass(slots=True)
class Route:
    """The legs of a segment, and the places in it that no marker gave a role."""

    legs: list[Leg] = field(default_factory=list)
    plain: list[Where] = field(default_factory=list)
    joined: bool = False
    """Two plain places stand side by side with 和 or 、 between them: two cities, not a route."""
    flies: bool = False
    days: dict[int, Days] = field(default_factory=dict)
    """The day of a leg, by its place in `legs`, where a leg has one of its own."""

    def lay_to(self, other: "Route") -> None:
        """Add another route's contents."""
        begun = len(self.legs)
        self.legs.extend(other.legs)
        self.plain.extend(other.plain)
        self.joined |= other.joined
        self.flies |= other.flies
        self.days.update({begun + number: day for number, day in other.days.items()})


@dataclass(slots=True)
class _State:
    route: Route
    role: str | None = None
    start: Where | None = None
    fresh: Where | None = None
    """The plain place just before, which a following 到 makes the start."""


def route_of(founds: Iterable[Found]) -> Route:
    """Read the roles of places from left to right."""
    state = _State(Route())
    for found in founds:
        value = found.value
        if isinstance(value, Mark):
            _take_mark(state, value.role)
        elif isinstance(value, Where):
            _take_place(state, value)
        elif isinstance(value, Line):
            state.route.legs.append((Where(value.start), Where(value.end)))
        elif isinstance(value, Unknown):
            _take_unknown(state, value)
        elif isinstance(value, Days):
            state.role = state.role if state.role == "from" else None
    if state.start is not None:
        _give_start(state, state.start)
    return state.route


def _take_mark(state: _State, role: str) -> None:
    route = state.route
    if role == "fly":
        route.flies = True
    if role in _TO or role == "from":
        state.role = role
    elif role == "joiner" and (route.plain or route.legs):
        route.joined = True
    elif role == "depart" and state.fresh is not None and state.fresh in route.plain:
        route.plain.remove(state.fresh)
        _give_start(state, state.fresh)
    elif role == "arrive" and state.fresh is not None and state.fresh in route.plain:
        route.plain.remove(state.fresh)
        _add_leg(state, state.fresh)
    elif role in ("back_alone", "depart"):
        state.role = None


def _take_place(state: _State, where: Where) -> None:
    if where.denied:
        state.role = None
        return
    if state.role == "from":
        state.start, state.fresh = where, where
        if state.route.legs and state.route.legs[-1][0] is None:
            _give_start(state, where)
            state.start = None
    elif state.role in _TO:
        _add_leg(state, where)
    else:
        state.route.plain.append(where)
        state.fresh = where
    state.role = None


def _take_unknown(state: _State, unknown: Unknown) -> None:
    """北京飞东京: a leg whose end is said and not known."""
    start = state.start or (state.fresh if state.fresh in state.route.plain else None)
    if unknown.slot == "to_city" and (start is not None or state.role == "fly"):
        if start in state.route.plain:
            state.route.plain.remove(start)
        state.route.legs.append((start, None))
        state.start = None
    state.role = None


def _give_start(state: _State, where: Where) -> None:
    """从郑州 after 飞三亚 completes it; before anything else it waits for its destination."""
    legs = state.route.legs
    for number, (start, end) in enumerate(legs):
        if start is None:
            legs[number] = (where, end)
            state.start = None
            return
    if state.start is None:
        state.start = where
    elif not any(start == where for start, _ in legs):
        legs.append((where, None))


def _add_leg(state: _State, where: Where) -> None:
    route = state.route
    if state.start is not None:
        start: Where | None = state.start
        state.start = None
    elif state.fresh is not None and state.fresh in route.plain and not _is_district_of(where, state.fresh):
        start = state.fresh
        route.plain.remove(start)
        if route.joined:  # 北京和上海到杭州: from each of them
            route.legs.extend((other, where) for other in route.plain)
            route.plain.clear()
    elif route.legs and state.role in _CHAINING:
        start = route.legs[-1][1]
    else:
        start = None
    route.legs.append((start, where))
    state.fresh = None


def _is_district_of(where: Where, city: Where) -> bool:
    return where.place.kind in ("district", "sight") and city.city in where.place.cities
