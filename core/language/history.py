"""What a message means after what went before: chosen rows, changed wishes, open slots taken from the last turn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.language.amending import Table, amended
from core.language.bags import Bag, bag_of
from core.language.carry import carry_over
from core.language.clauses import ABOUT_ORDERS, role_of, segments
from core.language.consent import read_consent
from core.language.drafts import Draft
from core.language.filling import day_slots
from core.language.frames import ReadContext
from core.language.frames_of import is_complete
from core.language.gazetteer import places
from core.language.joining import join
from core.language.merging import merged, said_in
from core.language.ordered import about_orders, change_of_order
from core.language.past import day_from, earlier_wishes, focal_city
from core.language.picking import Said, picked
from core.language.scan import Scene
from core.language.shown_rows import named_in, shown_in
from core.language.slots import Slots
from core.language.values import Found, Line, Pick, Test, Where
from core.language.wishes import WEATHER_TESTS

_MOST_UNREAD_IN_AN_ANSWER = 2
_ELSEWHERE = {"other", "memory", "assistant"}
_LONGEST_LIST = 50
_CHOOSING = ("选", "我选", "就", "吧", "就选")
_HOURS = ("time_after", "time_before", "arrive_after", "arrive_before")
_ABOUT_A_PLACE = {"attraction", "weather", "concert"}
_QUESTION = ("吗", "呢", "么", "?")


@dataclass(frozen=True, slots=True)
class Leaning:
    """The drafts, whether history was needed for them, and what a message without any answers."""

    drafts: list[Draft]
    leaned: bool = False
    answer: Literal["assent", "refusal"] | None = None


def with_there(scene: Scene, founds: Sequence[Found], context: ReadContext) -> list[Found]:
    """那边, 当地: the city of the last turn, where the sentence names none before it."""
    if not context.past:
        return list(founds)
    place = places().get(focal_city(earlier_wishes(context)) or "")
    named = False
    replaced = []
    for found in founds:
        said = scene.said(found.first, found.end)
        points = role_of(found) == "there" and said != "那" and not scene.has(found.end, "place")  # 目的地上海
        if place is not None and not named and points:
            found = replace(found, value=Where(place, said=said, from_past=True))
        named = named or isinstance(found.value, (Where, Line))
        replaced.append(found)
    return replaced


def lean(
    scene: Scene, founds: Sequence[Found], unread: Sequence[int], fresh: list[Draft], context: ReadContext
) -> Leaning:
    """The reading with its history. A sentence that is complete by itself takes nothing from it."""
    leaned = any(isinstance(found.value, Where) and found.value.from_past for found in founds)
    if not (context.past or context.shown):
        return Leaning(fresh, leaned)
    wishes = earlier_wishes(context)
    shown = shown_in(context, wishes)
    bag = _whole(founds)
    if set(bag.talk) & _ELSEWHERE:
        return Leaning(fresh, leaned)
    if "farewell" in bag.talk and not (bag.has_slots or bag.mentions or bag.picks):
        return Leaning([])  # 我一会去订票，再见
    table = Table(tuple(wishes), shown, context, scene.today)
    if fresh and (bag.mentions or bag.denied or _weakly_named(bag) or _sets_out(scene, bag, fresh, table)):
        return _named(scene, bag, fresh, table, leaned)
    return _unnamed(scene, bag, unread, fresh, table) or Leaning(fresh, leaned)


def _whole(founds: Sequence[Found]) -> Bag:
    """All that the message says, the later word correcting the earlier one."""
    whole = Bag()
    for segment in segments(founds):
        join(whole, bag_of(segment))
    whole.founds = list(founds)
    return whole


def _weakly_named(bag: Bag) -> bool:
    """去三亚玩 is about sights."""
    return any(mention.domain != "ticket" for mention in bag.weak)


def _sets_out(scene: Scene, bag: Bag, fresh: Sequence[Draft], table: Table) -> bool:
    """从西安去怎么走, after sights or weather: a journey to the place that was talked about, and no other place."""
    if not {wish.domain.name for wish in table.wishes} <= _ABOUT_A_PLACE or not table.wishes:
        return False
    leaves = bool(bag.marks & {"go", "depart", "fly"}) or "怎么" in _text(scene)
    starts = (draft.domain.is_transport and draft.slots.from_city and not draft.slots.to_city for draft in fresh)
    return leaves and all(starts)


def _named(scene: Scene, bag: Bag, fresh: list[Draft], table: Table, leaned: bool) -> Leaning:
    """A sentence that names its kind: complete, or with gaps that the last turn fills."""
    if any(draft.domain.name in ABOUT_ORDERS for draft in fresh):
        about = about_orders(fresh, bag, table, _text(scene))
        return Leaning(about, leaned or about != fresh)
    ranked = any(pick.rank is not None for pick in bag.picks) and not all(is_complete(draft) for draft in fresh)
    if ranked and table.shown is not None and table.shown.domain.name in {draft.domain.name for draft in fresh}:
        return Leaning(picked(_said(scene, bag, ()), table.shown, table.wishes, table.context) or [], True)
    continues = _continues(scene)
    drafts: list[Draft] = []
    for draft in fresh:
        undated = "date" in draft.domain.slots and draft.slots.date is None
        open_day = undated and (leaned or continues or bool(bag.shifts))
        found = _filled(draft, bag, table, len(fresh)) if open_day or not is_complete(draft) else [draft]
        leaned = leaned or found != [draft]
        drafts.extend(found)
    return Leaning(drafts, leaned)


def _continues(scene: Scene) -> bool:
    """那…, …呢; 不错，那天…."""
    said = _text(scene).rstrip("?。!,. ")
    return said.startswith("那") or said.endswith("呢") or any(f"{stop}那" in said for stop in ",。!;")


def _text(scene: Scene) -> str:
    return scene.said(0, len(scene.tokens))


def _filled(draft: Draft, bag: Bag, table: Table, of: int) -> list[Draft]:
    """The draft with its gaps filled: as a change of the wish of the same kind, or from those of other kinds."""
    same = tuple(wish for wish in table.wishes if wish.domain.name == draft.domain.name)
    if same and of == 1:
        return amended(bag, replace(table, wishes=same)) or [draft]
    trips = [wish for wish in table.wishes if wish.domain.is_transport]
    if of == 1 and len(trips) > 1 and draft.domain.is_transport and not (draft.slots.from_city or draft.slots.to_city):
        return [_with_hours_and_people(carry_over([trip, draft])[-1], table) for trip in trips]
    dated = replace(_shifted(draft, bag, table), returns=False)
    carried = carry_over([*_swapped(bag, table), dated])[-1]
    return [_with_hours_and_people(carried, table)]


def _swapped(bag: Bag, table: Table) -> list[Draft]:
    """返程机票呢, after a train: from where it went."""
    if not bag.returns:
        return list(table.wishes)
    return [
        replace(wish, slots=replace(wish.slots, from_city=wish.slots.to_city, to_city=wish.slots.from_city, date=None,
                                    date_end=None)) if wish.domain.is_transport else wish
        for wish in table.wishes
    ]


def _shifted(draft: Draft, bag: Bag, table: Table) -> Draft:
    dated = next((wish.slots for wish in reversed(table.wishes) if wish.slots.date), None)
    day = day_from(bag.shifts[-1], dated, table.today) if bag.shifts and dated else None
    if day is None or draft.slots.date or "date" not in draft.domain.slots:
        return draft
    filled, troubles = day_slots(day, [], draft.domain)
    return replace(draft, slots=replace(draft.slots, **filled), troubles=[*draft.troubles, *troubles])


def _with_hours_and_people(draft: Draft, table: Table) -> Draft:
    """机票呢 after a train: the hours and the number of people stay too."""
    source = next((wish.slots for wish in table.wishes if wish.domain.is_transport), None)
    if not draft.domain.is_transport or source is None:
        return draft
    kept = Slots(quantity=source.quantity, adults=source.adults, children=source.children)
    if not any(getattr(draft.slots, slot) for slot in _HOURS):
        kept = replace(kept, **{slot: getattr(source, slot) for slot in _HOURS})
    return replace(draft, slots=draft.slots.filled_from(kept))


def _unnamed(scene: Scene, bag: Bag, unread: Sequence[int], fresh: list[Draft], table: Table) -> Leaning | None:
    """A message that names no kind: an answer, a choice, or a change of the last wishes. None: it leans on nothing."""
    if _only_remarks(bag):
        return None
    said = _said(scene, bag, unread)
    asked = table.context.asked and not _is_another_wish(bag, fresh, table)
    if not (bag.has_slots or bag.picks) and asked and (answer := read_consent(_text(scene)).kind) in ("yes", "no"):
        return Leaning([], False, "assent" if answer == "yes" else "refusal")
    if not asked and fresh and all(is_complete(draft) for draft in fresh) and not _goes_on(scene, bag, fresh, table):
        return None
    number = None if asked else _bare_number(scene)
    if number is not None:
        bag.picks.append(number)
    elif not _understood(scene, unread, said, table):
        return None
    if table.shown is not None and table.shown.are_orders and (moved := change_of_order(bag, table)) is not None:
        return Leaning([moved], True)
    if table.shown is not None and (drafts := picked(said, table.shown, table.wishes, table.context)) is not None:
        return Leaning(drafts, True)
    several = len(fresh) > 1 and all(is_complete(draft) for draft in fresh)
    changed = _each_laid_over(fresh, table) if several else amended(bag, table) if table.wishes else []
    return Leaning(changed, True) if changed else None


def _only_remarks(bag: Bag) -> bool:
    """今天天气不错: what the weather is like, told and not asked, with nothing else than a day beside it."""
    told = any(isinstance(found.value, Test) and found.value.names[0] in WEATHER_TESTS for found in bag.founds)
    rest = (bag.route.legs, bag.route.plain, bag.words, bag.amounts, bag.prices, bag.acts, bag.picks, bag.shifts,
            bag.compares, bag.unknown, bag.weak, bag.marks & {"if", "then", "else", "correct", "drop"})
    return told and not any(rest)


def _goes_on(scene: Scene, bag: Bag, fresh: Sequence[Draft], table: Table) -> bool:
    """Words of going on, though the message could stand alone: 那林俊杰呢, 换成五月天, 周杰伦 after 上海的演唱会."""
    kinds = {wish.domain.name for wish in table.wishes if wish.slots.artist is None}
    names = all(said_in(draft.slots) == {"artist"} and draft.domain.name in kinds for draft in fresh)
    only_a_name = names and not (bag.mentions or bag.weak or bag.acts)
    corrects = "correct" in bag.marks and not bag.route.legs
    return _continues(scene) or bool(bag.picks) or corrects or only_a_name


def _is_another_wish(bag: Bag, fresh: Sequence[Draft], table: Table) -> bool:
    """明天北京飞上海 is no answer to a question about trains, nor is 西安到成都 to one about a train to Shanghai."""
    if not fresh or not all(is_complete(draft) for draft in fresh):
        return False
    guessed = not bag.route.flies and not any(word.domain for word in bag.words)
    own = {draft.domain.name for draft in fresh} - ({"train"} if guessed else set())
    return (bool(own) and not own & {wish.domain.name for wish in table.wishes}) or _goes_elsewhere(fresh, table)


def _goes_elsewhere(fresh: Sequence[Draft], table: Table) -> bool:
    ends = {wish.slots.to_city for wish in table.wishes if wish.domain.is_transport and wish.slots.to_city}
    return bool(ends) and all(draft.slots.to_city and draft.slots.to_city not in ends for draft in fresh)


def _each_laid_over(fresh: Sequence[Draft], table: Table) -> list[Draft]:
    """明天去后天回，北京到天津, said to the question about a journey: both ways of it."""
    waiting = next((wish for wish in table.wishes if wish.domain.is_transport), None)
    if waiting is None:
        return list(fresh)
    return [
        replace(draft, domain=waiting.domain, orders=waiting.orders or draft.orders,
                slots=merged(waiting.slots, draft.slots))
        for draft in fresh
    ]


def _said(scene: Scene, bag: Bag, unread: Sequence[int]) -> Said:
    asks = any(act.name == "query" for act in bag.acts[-1:]) or any(token.text in _QUESTION for token in scene.tokens)
    chooses = any(scene.has(place, "choose") for place in range(len(scene.tokens)))
    return Said(bag, _text(scene), chooses and not asks, asks, tuple(_runs(scene, unread)))


def _runs(scene: Scene, unread: Sequence[int]) -> list[str]:
    """Neighbouring unread words as one."""
    runs: list[tuple[int, str]] = []
    for place in unread:
        if runs and runs[-1][0] == place - 1:
            runs[-1] = (place, runs[-1][1] + scene.text(place))
        else:
            runs.append((place, scene.text(place)))
    return [text for _, text in runs]


def _bare_number(scene: Scene) -> Pick | None:
    """2: the second of the rows."""
    spoken = [
        place for place, token in enumerate(scene.tokens)
        if not scene.has(place, "stop") and token.text not in _CHOOSING
    ]
    number = scene.number(spoken[0]) if len(spoken) == 1 else None
    return Pick(number, scene.text(spoken[0])) if number and number <= _LONGEST_LIST else None


def _understood(scene: Scene, unread: Sequence[int], said: Said, table: Table) -> bool:
    """Whether no content is left over, but for the names of rows, and a little in an answer to our question."""
    rows = table.shown.rows if table.shown else ()
    names = {name for row in rows for name in named_in(row, said.text, said.runs)}
    rest = [place for place in unread if not any(scene.text(place) in name for name in names)]
    if table.context.asked and not any(scene.has(place, "word", "chat_other") for place in rest):
        return len(rest) <= _MOST_UNREAD_IN_AN_ANSWER
    return not rest or _speaks_of_them(said.bag, table)


def _speaks_of_them(bag: Bag, table: Table) -> bool:
    """我想坐着舒服点，一等座多少钱; 到北京是饭点吗: a class or the end of what was wished, whatever else is said."""
    if bag.route.plain or bag.days:
        return False
    kinds = {wish.domain.name for wish in table.wishes}
    ends = {wish.slots.to_city for wish in table.wishes}
    there = all(start is None and end is not None and end.city in ends for start, end in bag.route.legs)
    return there and bool(bag.route.legs or any(word.domain in kinds for word in bag.words))
