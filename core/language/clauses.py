"""Cut what was read into segments: stretches that speak about one wish, each with the condition it stands under."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from core.language.values import Act, Amount, Days, Found, Line, Mark, Mention, Price, Test, Where, Window, Word

MOST_CLAUSES = 60
"""More clauses than a person speaks in one message; what comes later is read, but made into no wish."""
_OPPOSITE = {"rain": "dry", "dry": "rain", "found": "none_found", "none_found": "found"}
ABOUT_ORDERS = ("cancel", "change", "orders")
"""Kinds about orders that exist: they take a clause for themselves."""
_BEFORE_A_PLACE = ("from", "to", "go", "fly")
_RESULTS = {"found", "none_found"}
_BOUNDARIES = ("stop", "connective", "chain", "beside")


@dataclass(frozen=True, slots=True)
class Segment:
    """Values of one stretch. `asks`: the tests that it puts; `when`: those it stands under."""

    founds: tuple[Found, ...]
    chained: bool = False
    """Opened by 再 or 然后: it goes on from where the segment before ended."""
    beside: bool = False
    """Opened by 顺便: what was said before it is a wish, too."""
    asks: tuple[str, ...] = ()
    when: tuple[str, ...] = ()

    def has_mark(self, role: str) -> bool:
        return any(isinstance(f.value, Mark) and f.value.role == role for f in self.founds)


def segments(founds: Sequence[Found]) -> list[Segment]:
    """Clauses, cut further at conditions and between two wishes in one clause."""
    clauses = list(islice(_clauses(founds), MOST_CLAUSES))
    conditional = _conditions([part for clause in clauses for part in _by_correction(clause)])
    return _wish_first([part for clause in conditional for part in _by_mention(clause)][:MOST_CLAUSES])


def role_of(found: Found) -> str | None:
    """The role of a marker; None for any other value."""
    return found.value.role if isinstance(found.value, Mark) else None


def _clauses(founds: Sequence[Found]) -> Iterator[Segment]:
    current: list[Found] = []
    chained = beside = False
    for found in founds:
        role = role_of(found)
        if role not in _BOUNDARIES:
            current.append(found)
            continue
        if current and (role == "stop" or not all(isinstance(f.value, (Days, Window)) for f in current)):
            yield Segment(tuple(current), chained, beside)
            current, chained, beside = [], False, False
        beside = beside or role == "beside"
        chained = chained or role == "chain"  # 22号再去西安 stays together: a day alone is no clause
    if current:
        yield Segment(tuple(current), chained, beside)


def _conditions(clauses: list[Segment]) -> Iterator[Segment]:
    """Split 如果下雨就订高铁 into what is asked and what stands under it; 否则 turns the test around."""
    waiting: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    for number, clause in enumerate(clauses):
        following = clauses[number + 1] if number + 1 < len(clauses) else None
        if clause.has_mark("else"):
            yield replace(clause, when=tuple(_OPPOSITE[test] for test in last if test in _OPPOSITE))
            continue
        cut = _condition_end(clause, following)
        if cut is None:
            yield replace(clause, when=waiting)
            waiting = ()
            continue
        last = _tests(clause.founds[:cut])
        yield replace(clause, founds=clause.founds[:cut], asks=last)
        rest = clause.founds[cut:]
        if any(role_of(found) not in ("then", "if", "joiner") for found in rest):
            yield replace(clause, founds=rest, when=last)
        else:
            waiting = last


def _tests(founds: Sequence[Found]) -> tuple[str, ...]:
    return tuple(name for f in founds if isinstance(f.value, Test) for name in f.value.names)


def _condition_end(clause: Segment, following: Segment | None) -> int | None:
    """Where the condition of a clause ends; None when it has none."""
    at = [n for n, f in enumerate(clause.founds) if isinstance(f.value, Test)]
    if not at:
        return None
    end = at[-1] + 1
    same_word = clause.founds[at[-1]].first
    while end < len(clause.founds) and clause.founds[end].first == same_word:
        end += 1
    ends = ("then", "if", "drop")
    then = next((n for n in range(end, len(clause.founds)) if role_of(clause.founds[n]) in ends), end)
    if all(isinstance(found.value, (Mention, Word)) for found in clause.founds[end:then]):
        end = then  # 没有高铁就订机票
    then_follows = any(role_of(found) in ("then", "drop") for found in clause.founds[end:])
    then_opens = following is not None and role_of(following.founds[0]) == "then"
    return end if clause.has_mark("if") or then_follows or then_opens else None


def _by_correction(clause: Segment) -> Iterator[Segment]:
    """下午的高铁改成上午的: what follows the word replaces what was said before it."""
    about_orders = any(isinstance(f.value, Mention) and f.value.domain in ABOUT_ORDERS for f in clause.founds)
    cut = next((n for n, found in enumerate(clause.founds) if role_of(found) == "correct"), 0)
    if not cut or about_orders:
        yield clause
        return
    before, after = clause.founds[:cut], clause.founds[cut:]
    if all(role_of(found) in ("from", "to") for found in before):  # 出发地改成苏州
        yield replace(clause, founds=(after[0], *before, *after[1:]))
        return
    yield replace(clause, founds=before)
    yield replace(clause, founds=after, chained=False)


def _wish_first(parts: list[Segment]) -> list[Segment]:
    """没票就看后天的，北京到上海高铁: a condition said before the wish whose result it looks at comes after it."""
    first = next((n for n, part in enumerate(parts) if part.asks or part.when), None)
    if first is None or not set(parts[first].asks) & _RESULTS or any(_opens_a_wish(part) for part in parts[:first]):
        return parts
    if not any(_opens_a_wish(part) for part in parts[first:] if not (part.asks or part.when)):
        return parts
    plain = [part for part in parts if not (part.asks or part.when)]
    return [*plain, *(part for part in parts if part.asks or part.when)]


def _opens_a_wish(part: Segment) -> bool:
    return any(_is_wish(found) or isinstance(found.value, (Where, Line)) for found in part.founds)


def _by_mention(clause: Segment) -> Iterator[Segment]:
    """北京天气上海机票 speaks of two wishes: a new one begins at the slots before the next mention."""
    if any(isinstance(f.value, Mention) and f.value.domain in ABOUT_ORDERS for f in clause.founds):
        yield clause  # 取消明天去上海的高铁票 is one wish
        return
    current: list[Found] = []
    seen = False
    remaining = sum(_is_wish(found) for found in clause.founds)
    for number, found in enumerate(clause.founds):
        if seen and remaining and (isinstance(found.value, (Days, Where, Line)) or _counts_anew(clause.founds, number)):
            before, opening = _parted(current)
            yield replace(clause, founds=tuple(before))
            current, seen = [*_shared_act(before, [*opening, *clause.founds[number:]]), *opening], False
        if _is_wish(found):
            seen = True
            remaining -= 1
        current.append(found)
    yield replace(clause, founds=tuple(current))


def _counts_anew(founds: Sequence[Found], number: int) -> bool:
    """最便宜的机票和最快的高铁, 一份保险和一辆车: what stands behind 和 belongs to the wish that follows it."""
    following = founds[number + 1].value if number + 1 < len(founds) else None
    return role_of(founds[number]) == "joiner" and isinstance(following, (Word, Amount, Price))


def _parted(founds: Sequence[Found]) -> tuple[Sequence[Found], Sequence[Found]]:
    """查北京天气和订去 | 上海的机票: the words just before a place that belong to it and not to the wish before."""
    cut = len(founds)
    while cut > 1 and (isinstance(founds[cut - 1].value, Act) or role_of(founds[cut - 1]) in _BEFORE_A_PLACE):
        cut -= 1
    kept = _is_wish(founds[cut - 1]) or role_of(founds[cut - 1]) == "joiner"
    return (founds[:cut], founds[cut:]) if kept else (founds, [])


def _shared_act(before: Sequence[Found], after: Sequence[Found]) -> list[Found]:
    """订北京到上海的高铁和后天回来的机票 orders both."""
    joined = role_of(before[-1]) == "joiner" or role_of(after[0]) == "joiner"
    if not joined or any(isinstance(found.value, Act) for found in after):
        return []
    return [found for found in before if isinstance(found.value, Act) and found.value.name == "order"]


def _is_wish(found: Found) -> bool:
    return isinstance(found.value, Mention) and not found.value.denied and not found.value.weak
