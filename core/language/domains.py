"""Kinds of wishes: their intents, the slots each takes, and which kind a segment speaks of."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.language.bags import Bag
from core.language.clauses import ABOUT_ORDERS
from core.language.frames import SkillWords
from core.language.read_words import ELSEWHERE
from core.language.routes import Leg
from core.language.tables import rows
from core.language.values import Mention

TRANSPORT = ("train", "flight")
@dataclass(frozen=True, slots=True)
class Domain:
    """A kind of wish. `query` and `order` are intents; `slots` what it takes; `noun` how its query names it."""

    name: str
    query: str
    order: str
    slots: frozenset[str]
    noun: str

    @property
    def is_transport(self) -> bool:
        return self.name in TRANSPORT

    @property
    def place_slot(self) -> str | None:
        """The slot of the one place it is about."""
        if self.name in ABOUT_ORDERS:
            return None
        return next((slot for slot in ("city", "destination") if slot in self.slots), None)


@cache
def built_in() -> dict[str, Domain]:
    """The kinds of wishes of domains.tsv, by name."""
    return {
        name: Domain(name, query, order or query, frozenset(slots.split()), noun)
        for name, query, order, noun, slots in rows("domains.tsv")
    }


def domain_of(name: str, skills: Sequence[SkillWords]) -> Domain:
    """A built-in kind, or one that a skill brings: its name is its intent, and it takes the general slots."""
    known = built_in().get(name)
    if known is not None:
        return known
    subject = name.split(" ", 1)[-1]
    intents = {skill.intent for skill in skills}
    query = f"query {subject}" if f"query {subject}" in intents else name
    order = f"order {subject}" if f"order {subject}" in intents else query
    noun = next((skill.tags[0] for skill in skills if skill.intent in (query, order) and skill.tags), subject)
    return Domain(name, query, order, built_in()["skill"].slots, noun)


def kinds_of(bag: Bag, before: Sequence[str]) -> tuple[str, ...]:
    """The kinds a segment speaks of; `before`: those of the wish before it. Empty when it names none."""
    named = list(dict.fromkeys(mention.domain for mention in _without_length_of_a_walk(bag)))
    if "orders" in named and "correct" in bag.marks:
        return ("change",)  # 把订单改到后天
    for kind in ABOUT_ORDERS:
        if kind in named:
            return (kind,)
    if named == [ELSEWHERE] and any(mention.domain == "ticket" for mention in bag.weak):
        return (*_from_weak_words(bag, before), ELSEWHERE)  # 明天去上海的票和酒店
    implied = tuple(word.domain for word in bag.words if word.domain and not word.denied)[:1]
    if "other" in bag.talk and _gives_way(bag, named or list(implied), bool(named)):
        return ()
    return tuple(named) or implied or _from_weak_words(bag, before)


def _gives_way(bag: Bag, kinds: Sequence[str], named: bool) -> bool:
    """自驾从重庆到贵阳过路费多少 is about other things; 明天北京去上海经济舱，能带多少行李 is about a flight too."""
    whole = any(start and end for start, end in bag.route.legs)
    return (kinds == ["car"] and whole) if named else not (kinds and whole)


def _without_length_of_a_walk(bag: Bag) -> list[Mention]:
    """成都一日游有哪些景点 asks for sights: 一日游 is only how long one walks. 三日游和景点 asks for both."""
    tours = [mention for mention in bag.mentions if mention.domain == "tour"]
    sights = any(mention.domain == "attraction" for mention in bag.mentions)
    only_a_length = len(tours) == 1 and any(amount.slot == "days" for amount in bag.amounts)
    if sights and only_a_length and "joiner" not in bag.marks:
        return [mention for mention in bag.mentions if mention.domain != "tour"]
    return bag.mentions


def _from_weak_words(bag: Bag, before: Sequence[str]) -> tuple[str, ...]:
    """What 票, 玩 and a bare route point to."""
    weak = {mention.domain for mention in bag.weak}
    route = bag.route
    if "car" in weak or (not weak - {"ticket"} and not route.legs and any(p.a_day for p in bag.prices)):
        return ("car",)
    if _asks_for_sights(bag, weak) or (only_to_a_sight(bag) and not before):
        return ("attraction",)
    if not (route.legs or "ticket" in weak or bag.returns) or _only_provinces(route.legs) or _within_a_city(route.legs):
        return ()
    if route.flies or _only_airports(bag):
        return ("flight",)
    transport = tuple(kind for kind in before if kind in (*TRANSPORT, "concert"))
    if transport and not route.flies:
        return transport
    if not route.legs and len({where.place.cities for where in route.plain}) < 2 and not _tickets_to_a_city(bag, weak):
        return ()
    no_train = any(mention.domain == "train" and mention.slot is None for mention in bag.denied)
    return ("flight",) if no_train else ("train",)


def _tickets_to_a_city(bag: Bag, weak: set[str]) -> bool:
    """来张长沙的票."""
    return "ticket" in weak and [where.place.kind for where in bag.route.plain] in (["city"], ["station"])


def _asks_for_sights(bag: Bag, weak: set[str]) -> bool:
    legs = bag.route.legs
    walks = not any(start and end for start, end in legs) or _within_a_city(legs)
    return ("attraction" in weak and walks) or _asks_about_a_sight(bag, weak) or _stays_for_sights(bag)


def _stays_for_sights(bag: Bag) -> bool:
    """去成都看宽窄巷子: a sight of the city one goes to is no start, and nobody asks how to get there."""
    ends = {end.city for start, end in bag.route.legs if start is None and end}
    sights = [where for where in bag.route.plain if where.place.kind == "sight"]
    return bool(sights) and len(ends) == len(bag.route.legs) == 1 and all(where.city in ends for where in sights)


def _asks_about_a_sight(bag: Bag, weak: set[str]) -> bool:
    """拙政园的门票, 留园怎么样, 寒山寺的开放时间, 推荐苏州的名人故居."""
    asks = any(act.name == "query" for act in bag.acts)
    if bag.route.legs or not bag.route.plain:
        return False
    sight = any(where.place.kind == "sight" for where in bag.route.plain)
    return (sight and (asks or bool(bag.notes) or "ticket" in weak)) or (asks and bool(bag.notes))


def _only_provinces(legs: Sequence[Leg]) -> bool:
    """去西藏 names no station; it is no wish for a ticket by itself."""
    ends = [where.place.kind for leg in legs for where in leg if where]
    return bool(ends) and all(kind == "province" for kind in ends)


def _within_a_city(legs: Sequence[Leg]) -> bool:
    """从天安门到故宫 is a walk."""
    inner = {"sight", "district"}
    return any(
        start.city == end.city is not None and {start.place.kind, end.place.kind} & inner
        for start, end in legs if start and end
    )


def only_to_a_sight(bag: Bag) -> bool:
    """就去玄武湖 names where one walks, and no journey."""
    ends = [end for _, end in bag.route.legs if end]
    by_ticket = bag.route.flies or any(mention.domain == "ticket" for mention in bag.weak)
    unsaid = all(start is None for start, _ in bag.route.legs) and not by_ticket
    return bool(ends) and unsaid and not bag.route.plain and all(end.place.kind == "sight" for end in ends)


def _only_airports(bag: Bag) -> bool:
    places = [where for leg in bag.route.legs for where in leg if where] or bag.route.plain
    return any(where.place.kind == "airport" and where.rail is None for where in places)
