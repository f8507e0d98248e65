"""Gather segments into wishes: a segment with a new kind opens one, others complete, correct or repeat one."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.language.bags import Bag, bag_of
from core.language.baskets import is_a_wish_of_its_own, order_what_is_added, orders, starts_what_waits
from core.language.clauses import ABOUT_ORDERS, Segment
from core.language.domains import TRANSPORT, kinds_of, only_to_a_sight
from core.language.joining import copied_with, join, takes
from core.language.values import Mention

_REACH = 4  # wishes back that a later segment may belong to
WEATHER_TESTS = {"rain", "dry", "snow", "hot", "cold"}


@dataclass(slots=True)
class Wish:
    """What is known of one wish, or of several that share everything but their kind."""

    bag: Bag
    kinds: tuple[str, ...]
    when: tuple[str, ...] = ()
    looks_at: int | None = None
    """The wish whose result the tests of `when` are put to."""


@dataclass(slots=True)
class _Gathering:
    wishes: list[Wish] = field(default_factory=list)
    waiting: Bag = field(default_factory=Bag)
    correcting: bool = False
    asked: int | None = None

    @property
    def kinds_before(self) -> tuple[str, ...]:
        return next((wish.kinds for wish in reversed(self.wishes) if set(wish.kinds) & set(TRANSPORT)), ())


def gather(segments: Sequence[Segment]) -> list[Wish]:
    """The wishes of a sentence in the order in which they were spoken."""
    state = _Gathering()
    bags = [bag_of(segment) for segment in segments]
    _wish_what_is_only_not_ordered(bags)
    order_what_is_added(bags)
    for number, (segment, bag) in enumerate(zip(segments, bags, strict=True)):
        more_to_come = any(later.mentions for later in bags[number + 1 :])
        if bag.route.flies and not bag.mentions and _rides_later(bags[number + 1 :]):
            bag.mentions.append(Mention("flight"))
        if state.correcting:
            bag.marks.add("correct")
            state.correcting = False
        if segment.asks:
            _take_condition(state, segment, bag)
        elif segment.when:
            _take_conditional(state, segment, bag)
        else:
            _take(state, bag, more_to_come)
    _use_what_waits(state)
    return _without_questions_of_rules(state.wishes, bags)


def _rides_later(bags: Sequence[Bag]) -> bool:
    """明天飞广州，后天坐高铁去深圳: another journey, by another way."""
    mentions = next((bag for bag in bags if bag.mentions), Bag())
    return any(mention.domain == "train" for mention in mentions.mentions) and bool(mentions.route.legs)


def _without_questions_of_rules(wishes: list[Wish], bags: Sequence[Bag]) -> list[Wish]:
    """取消要不要手续费 asks for a rule, and cancels nothing."""
    if not any("other" in bag.talk for bag in bags):
        return wishes
    return [wish for wish in wishes if wish.kinds[0] not in ABOUT_ORDERS]


def _wish_what_is_only_not_ordered(bags: Sequence[Bag]) -> None:
    """别给我订机票，就问问价: where nothing else is wished, what must not be ordered is asked about."""
    if any(bag.mentions for bag in bags):
        return
    for bag in bags:
        if bag.denied and any(act.denied for act in bag.acts):
            bag.mentions = [replace(mention, denied=False) for mention in bag.denied]
            bag.denied = []


def _take(state: _Gathering, bag: Bag, more_to_come: bool) -> None:
    if "drop" in bag.marks and not bag.mentions and "correct" not in bag.marks:
        return  # 不去北京了
    onward = bool(state.kinds_before) and "flight" not in state.kinds_before and "chain" in bag.marks
    flies = bag.route.flies and any((start or onward) and end for start, end in bag.route.legs)
    flies = flies or (bag.route.flies and starts_what_waits(state.waiting, bag))
    kinds = kinds_of(bag, state.kinds_before) if bag.mentions or flies else ()
    if not kinds and state.wishes and "other" in bag.talk:
        return  # 苏州有什么好吃的, said beside a wish
    if kinds:
        _open_or_join(state, bag, kinds)
    elif bag.has_slots or bag.weak:
        _place_slots(state, bag, more_to_come)
    elif state.wishes and not more_to_come:
        join(state.wishes[-1].bag, bag)
        state.correcting = "correct" in bag.marks
    else:
        state.waiting.add(bag)
        state.correcting = "correct" in bag.marks


def _open_or_join(state: _Gathering, bag: Bag, kinds: tuple[str, ...]) -> None:
    last = state.wishes[-1] if state.wishes else None
    if last and "correct" in bag.marks and _changes_vehicle(last.kinds, kinds, bag):
        last.kinds, last.bag.mentions = kinds, []
    if last and last.kinds == ("orders",) and kinds[0] in ("cancel", "change") and not last.bag.acts:
        last.kinds = kinds  # 我买的那张票不想要了，帮我退
        join(last.bag, bag)
        return
    if last and last.kinds == kinds and kinds[0] not in ABOUT_ORDERS and _same_wish(last, bag):
        join(last.bag, bag)
        return
    if is_a_wish_of_its_own(state.waiting, bag, kinds):
        _use_what_waits(state)
    opened = state.waiting
    state.waiting = Bag()
    join(opened, bag)
    state.wishes.append(Wish(opened, kinds))


def _changes_vehicle(old: Sequence[str], new: Sequence[str], bag: Bag) -> bool:
    """北京到上海的机票，改成高铁: no second wish."""
    return set(old) < set(TRANSPORT) and set(new) < set(TRANSPORT) and not bag.route.legs


def _same_wish(last: Wish, bag: Bag) -> bool:
    """A second mention of the same kind opens a new wish only when it says something else of it."""
    if "correct" in bag.marks:
        return True
    if bag.route.legs and last.bag.route.legs:
        return False
    return takes(last.kinds, last.bag, bag)


def _place_slots(state: _Gathering, bag: Bag, more_to_come: bool) -> None:
    if not state.wishes:
        join(state.waiting, bag)
        return
    if _is_for_all(bag):
        for wish in state.wishes:
            wish.bag.words.extend(bag.words)
        return
    owner = _owner(state.wishes, bag)
    if owner is not None:
        if not more_to_come and _is_only_a_day(bag):
            _date_all([wish for wish in state.wishes if wish is not owner], bag)
        join(owner.bag, bag)
    elif more_to_come:
        state.waiting.add(bag)
    else:
        _say_again(state, bag)


def _is_for_all(bag: Bag) -> bool:
    """都要二等座."""
    return "each" in bag.marks and bool(bag.words) and not (bag.days or bag.route.legs or bag.route.plain)


def _owner(wishes: Sequence[Wish], bag: Bag) -> Wish | None:
    """The wish that the slots belong to."""
    for wish in _nearest_first(wishes[-_REACH:], bag):
        if orders(bag) and wish.kinds[0] in ABOUT_ORDERS:
            return None  # 取消订单并买一张G1: what is bought is a wish of its own
        if takes(wish.kinds, wish.bag, bag):
            return wish
    return None


def _say_again(state: _Gathering, bag: Bag) -> None:
    """Slots that no wish takes make a wish: of a kind of their own, or like the last one."""
    kinds = kinds_of(bag, state.kinds_before)
    last = state.wishes[-1]
    if kinds and not set(kinds) & set(last.kinds):
        state.wishes.append(Wish(bag, kinds))
    elif bag.has_slots:
        state.wishes.append(_again(last, bag))


def _is_only_a_day(bag: Bag) -> bool:
    rest = (bag.route.legs, bag.route.plain, bag.words, bag.amounts, bag.prices, bag.weak, bag.returns, bag.unknown)
    return len(bag.days) == 1 and not any(rest)


def _date_all(wishes: Sequence[Wish], bag: Bag) -> None:
    """查北京天气和北京到天津的高铁，明天: a day at the end is that of every journey and weather without one."""
    for wish in wishes:
        if set(wish.kinds) <= {*TRANSPORT, "weather"} and not wish.bag.days:
            wish.bag.days = list(bag.days)


def _again(last: Wish, bag: Bag) -> Wish:
    """The last wish once more with other slots; after a cancellation 再订一张后天的 orders."""
    again = copied_with(last.bag, bag)
    if not set(last.kinds) & set(ABOUT_ORDERS) or not any(act.name == "order" for act in bag.acts):
        return Wish(again, last.kinds)
    again.mentions = []
    return Wish(again, kinds_of(again, TRANSPORT[:1]) or last.kinds)


def _nearest_first(wishes: Sequence[Wish], bag: Bag) -> list[Wish]:
    """The last wish first, but a day goes to a journey that has none before it goes to sights."""
    nearest = list(reversed(wishes))
    if bag.route.legs and all(end is None for _, end in bag.route.legs):  # 北京出发 goes to a journey without a start
        nearest.sort(key=lambda wish: not (set(wish.kinds) & set(TRANSPORT) and _has_no_start(wish)))
    if not bag.days:
        return nearest
    return sorted(nearest, key=lambda wish: not (set(wish.kinds) & set(TRANSPORT) and not wish.bag.days))


def _has_no_start(wish: Wish) -> bool:
    legs = wish.bag.route.legs
    return any(end for _, end in legs) and all(start is None for start, _ in legs)


def _take_condition(state: _Gathering, segment: Segment, bag: Bag) -> None:
    """What a condition asks about: the weather of a wish that is there or comes with it, or the last wish's result."""
    if set(segment.asks) & WEATHER_TESTS:
        weather = next((n for n, wish in reversed(list(enumerate(state.wishes))) if "weather" in wish.kinds), None)
        if weather is not None and not (bag.route.plain or bag.days):
            state.asked = weather
            return
        if not bag.mentions:
            bag.mentions.append(Mention("weather"))
        _open_or_join(state, bag, ("weather",))
    elif bag.mentions and not state.wishes:
        _open_or_join(state, bag, kinds_of(bag, ()))
    elif not state.wishes:
        join(state.waiting, bag)
        _use_what_waits(state)
    else:
        _use_what_waits(state)
        _specify(state, bag)
    state.asked = len(state.wishes) - 1 if state.wishes else None


def _specify(state: _Gathering, bag: Bag) -> None:
    """要是明天没票, 没有直飞: what the condition says of the wish belongs to it."""
    last = state.wishes[-1] if state.wishes else None
    if last is None or not (bag.has_slots or bag.mentions):
        return
    kinds = kinds_of(bag, last.kinds) if bag.mentions or bag.words else ()
    if kinds and not set(kinds) & set(last.kinds):
        return
    if takes(last.kinds, last.bag, bag):
        join(last.bag, bag)


def _take_conditional(state: _Gathering, segment: Segment, bag: Bag) -> None:
    if "drop" in bag.marks or "other" in bag.talk or (_only_refuses(bag) and not bag.has_slots):
        return  # 如果下雨就提醒我带伞: nothing that is done here
    kinds = kinds_of(bag, state.kinds_before) if bag.mentions or bag.words or bag.weak else ()
    last = state.wishes[-1] if state.wishes else None
    if (not kinds and last is None) or (only_to_a_sight(bag) and not bag.mentions):
        state.waiting.add(bag)
        return
    source = next((w for w in reversed(state.wishes) if "weather" not in w.kinds), last) or last
    if kinds and (bag.mentions or source is None or source.kinds != kinds):
        wish = Wish(bag, kinds)
    else:
        if source is None or (not bag.has_slots and not bag.acts):
            return
        _order_both(source.bag, bag)
        wish = Wish(copied_with(source.bag, bag), kinds_of(bag, state.kinds_before) or source.kinds)
    wish.when, wish.looks_at = segment.when, state.asked
    state.wishes.append(wish)


def _only_refuses(bag: Bag) -> bool:
    """否则不订."""
    return bool(bag.acts) and all(act.denied for act in bag.acts) and not (bag.mentions or bag.weak)


def _order_both(source: Bag, bag: Bag) -> None:
    """没有二等座就买一等座: who buys the one instead of the other would have bought that."""
    instead_of = {word.slot for word in source.words} & {word.slot for word in bag.words}
    if instead_of and not source.acts and orders(bag):
        source.acts = list(bag.acts)


def _use_what_waits(state: _Gathering) -> None:
    """Slots that no mention came for: a route is a wish by itself, other slots go to the last wish that takes them."""
    bag = state.waiting
    state.waiting = Bag()
    if not (bag.has_slots or bag.weak or bag.acts):
        return
    if state.wishes:
        for wish in reversed(state.wishes):
            if takes(wish.kinds, wish.bag, bag):
                join(wish.bag, bag)
                return
    kinds = kinds_of(bag, state.kinds_before)
    if kinds and not ("other" in bag.talk and not any(start and end for start, end in bag.route.legs)):
        # 去黄山 beside a question about something else is no wish for a ticket.
        state.wishes.append(Wish(bag, kinds))
