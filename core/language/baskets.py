"""Several things ordered in one sentence, and a wish that is said in two clauses: which clauses belong together."""

from collections.abc import Sequence

from core.language.bags import Bag
from core.language.domains import kinds_of
from core.language.values import Act

_ABOUT_THE_PLACE = {"attraction", "weather"}


def orders(bag: Bag) -> bool:
    """Whether something is ordered, and not refused."""
    return any(act.name == "order" and not act.denied for act in bag.acts)


def order_what_is_added(bags: Sequence[Bag]) -> None:
    """订两张机票，再租辆车: what 再 adds to an order, with no verb of its own, is ordered too."""
    last: Bag | None = None
    for bag in bags:
        if last is not None and "chain" in bag.marks and bag.mentions and not bag.acts and orders(last):
            bag.acts = [Act("order")]
        last = bag if bag.acts else last


def is_a_wish_of_its_own(waiting: Bag, bag: Bag, kinds: Sequence[str]) -> bool:
    """Whether what waits for its kind is no part of the wish that opens."""
    return _is_an_order(waiting, bag, kinds) or _is_a_journey(waiting, bag, kinds)


def _is_an_order(waiting: Bag, bag: Bag, kinds: Sequence[str]) -> bool:
    """订一张G1二等座，再订一份保险: what was ordered first is named by its class or number alone."""
    named = any(word.domain for word in waiting.words) and orders(waiting)
    return named and orders(bag) and not set(kinds_of(waiting, ())) & set(kinds)


def _is_a_journey(waiting: Bag, bag: Bag, kinds: Sequence[str]) -> bool:
    """周五从北京去上海周日回，顺便看看景点: there and back on named days, or said before 顺便, is a wish by itself."""
    whole = any(start and end for start, end in waiting.route.legs) and bool(waiting.days)
    return whole and set(kinds) <= _ABOUT_THE_PLACE and (waiting.returns or "beside" in bag.marks)


def starts_what_waits(waiting: Bag, bag: Bag) -> bool:
    """去三亚玩，从上海飞: the start of a flight whose end was said before."""
    starts = any(start and not end for start, end in bag.route.legs)
    return starts and any(end and not start for start, end in waiting.route.legs)
