"""Readers of words: kinds of wishes, classes, acts, negation, markers, talk."""

from collections.abc import Callable

from core.language import read_counts, read_goods
from core.language.scan import Scene
from core.language.values import Act, Days, Found, Mark, Mention, Note, Talk, Test, Value, Window, Word
from core.language.windows import outside, part_window

_SLOT = "slot:"
MARK_ROLES = (
    "round", "outward", "back_alone", "back", "from", "fly", "go", "to", "dash", "depart", "arrive", "there",
    "place_is", "correct", "rather", "else", "if", "then", "drop", "each", "rest_ok", "also", "stop", "chain",
    "beside", "connective", "joiner",
)
_TOPICS = ("greeting", "thanks", "farewell", "assistant", "memory", "other")
TALK_KINDS = " ".join(f"chat_{topic}" for topic in _TOPICS)
_CLASS_SLOTS = ("train_type", "seat_class", "cabin", "airline", "direct", "seat_pref", "sort")
CLASS_KINDS = " ".join(
    ("mention", "skill", "elsewhere", "artist", "weak", "ticket", "test", *(_SLOT + slot for slot in _CLASS_SLOTS))
)
_CARS = ("车", "车子", "汽车", "小车", "suv", "轿车", "越野车", "房车", "跑车", "面包车", "大巴")
_BOUGHT = ("订", "买", "定", "预订", "预定", "购买", "下单")
_BEFORE = ("之前", "以前", "上次", "刚才", "刚刚", "刚", "已经", "早就")
ELSEWHERE = "elsewhere"
"""The kind of wishes for which there is no word here but those that others teach: a hotel."""
_LONGEST_LIST = 4
_IN_SEVERAL_WORDS = (("slot:area", read_goods.area), ("slot:brand", read_goods.brand))
_CODES = (("train_no", "train"), ("flight_no", "flight"), ("order_no", None))


def _classes(scene: Scene, place: int) -> list[Value]:
    """What the token means as a kind of wish and as a slot."""
    token = scene.tokens[place]
    slot = next(((kind[len(_SLOT):], value) for kind, value in token.meanings.items() if kind.startswith(_SLOT)), None)
    mention, skill = token.get("mention"), token.get("skill")
    if skill or mention:
        return [Mention(skill or mention or "", slot=slot)]
    if token.is_any("elsewhere"):
        return [Mention(ELSEWHERE)]
    if slot:
        return [Word(slot[0], slot[1], domain=token.get("class_of"))]
    if (artist := token.get("artist")) is not None:
        return [Word("artist", artist, domain="concert")]
    if token.is_any("weak"):
        return [Mention("attraction", weak=True)]
    if token.is_any("ticket"):
        return [Mention("ticket", weak=True)]
    return []


def classes(scene: Scene, place: int) -> list[Found]:
    """机票, 高铁, 二等座, 周杰伦; 下雨 is a mention of the weather and a test at once."""
    tests = _tests(scene, place)
    values = _classes(scene, place)
    if scene.get(place, "slot:direct") == "no" and scene.has(place + 1, "ask"):
        return [scene.found(Note(scene.text(place)), place, place + 1)]  # 要转机吗 wishes for none
    if scene.get(place, "mention") == "orders" and (end := _refused_after(scene, place)) is not None:
        return [scene.found(Mention("cancel"), place, end)]  # 那个订单不要了
    if (end := _refused_after(scene, place)) is not None:
        return [scene.found(denied, place, end) for value in values if (denied := _denied(value)) is not None]
    found = [scene.found(value, place, place + 1) for value in values]
    hours = scene.get(place, "hours")
    windows = [scene.found(Window(*part_window(hours)), place, place + 1)] if hours else []
    acts_too = acts(scene, place) if scene.has(place, "query", "order") else []
    return [*tests, *windows, *found, *acts_too]


def named_goods(scene: Scene, place: int) -> list[Found]:
    """看台B区, 别克GL8; 特斯拉不要."""
    reader = next(reader for kind, reader in _IN_SEVERAL_WORDS if scene.has(place, kind))
    named = reader(scene, place)
    end = _refusal(scene, named[-1].end) if named else None
    if end is None:
        return named
    return [scene.found(denied, place, end) for found in named if (denied := _denied(found.value)) is not None]


def _refused_after(scene: Scene, place: int) -> int | None:
    """高铁除外, 机票就不用了, 高铁动车都不要: where the refusal of what is named ends; None: there is none."""
    if not scene.has(place, "mention", *(_SLOT + slot for slot in _CLASS_SLOTS)):
        return None
    at = place + 1
    while scene.has(at, "mention", "joiner") and at - place < _LONGEST_LIST:
        at += 1
    end = _refusal(scene, at)
    return end if end is None or at == place + 1 else place + 1


def _refusal(scene: Scene, place: int) -> int | None:
    """Where 就不要了 at the end of a clause ends."""
    word = scene.skip(place, "polite")
    closed = scene.has(word + 1, "stop") or word + 1 >= len(scene.tokens)
    return word + 1 if scene.has(word, "excepted") and closed else None


def rented(scene: Scene, place: int) -> list[Found]:
    """租两天车, 租一辆七座的车."""
    inner: list[Found] = []
    at = place + 1
    while at - place <= _LONGEST_LIST and scene.has(at, "number", "measure", "days", "polite", "note", "week"):
        read = [*read_counts.length_in_days(scene, at), *read_counts.counted(scene, at)][:1]
        inner.extend(read)
        at = read[-1].end if read else at + 1
    if scene.has(at, "slot:brand"):
        return [scene.found(Mention("car"), place, place + 1), *inner]
    if scene.text(at) in _CARS:
        return [*inner, scene.found(Mention("car"), at, at + 1)]
    alone = at >= len(scene.tokens) or scene.has(at, "stop") or bool(inner)
    return [scene.found(Mention("car", weak=True), place, place + 1), *inner] if alone else []


def bought_before(scene: Scene, place: int) -> list[Found]:
    """上周订的机票, 我之前买的保险: words about an order that there is."""
    if scene.text(place) not in _BOUGHT or scene.text(place + 1) not in ("的", "过的"):
        return []
    day = scene.done[-1].value if scene.done and scene.done[-1].end == place else None
    before = any(scene.text(at) in _BEFORE for at in range(max(0, place - 3), place))
    if not (before or (isinstance(day, Days) and day.trouble == "past_date")):
        return []
    return [scene.found(Mention("orders"), place, place + 2)]


def _tests(scene: Scene, place: int) -> list[Found]:
    name = scene.get(place, "test")
    return [] if name is None else [scene.found(Test((name,)), place, place + 1)]


def codes(scene: Scene, place: int) -> list[Found]:
    """G1, CA1234, SV2026081600033."""
    for kind, domain in _CODES:
        value = scene.get(place, kind)
        if scene.text(place + 1) == "航站楼":
            break  # T3航站楼 is no train
        if value is not None and not (kind == "order_no" and value.isdigit() and len(value) < 12):
            slot = "order_id" if kind == "order_no" else kind
            return [scene.found(Word(slot, value, domain=domain), place, place + 1)]
    return []


def acts(scene: Scene, place: int) -> list[Found]:
    """订, 查; 要 and 来 order only before a count (来两张)."""
    token = scene.tokens[place]
    if token.is_any("order_weak") and _orders_something(scene, place + 1):
        return [scene.found(Act("order"), place, place + 1)]
    if token.is_any("order"):
        return [scene.found(Act("order"), place, place + 1)]
    if token.is_any("query"):
        return [scene.found(Act("query"), place, place + 1)]
    return []


def _orders_something(scene: Scene, after: int) -> bool:
    after = scene.skip_text(after, "一")
    counted = scene.number(after) is not None and scene.has(after + 1, "measure")
    length = scene.get(after + 1, "measure") in ("day", "seat")  # 要七座的 asks
    return scene.text(after) in ("张", "份", "个团", "趟") or (counted and not length)


def marks(scene: Scene, place: int) -> list[Found]:
    """Words that give their neighbours a role."""
    token = scene.tokens[place]
    if token.text == "上" and scene.has(place - 1, "mention") and not _goes_somewhere(scene, place + 1):
        return [scene.found(Talk("other"), place, place + 1)]  # 火车上有热水吗
    if token.is_any("go") and token.is_any("depart") and not scene.has(place + 1, "place", "rail", "air"):
        return [scene.found(Mark("depart"), place, place + 1)]  # 南京过去的高铁; 坐车过去南京
    if token.is_any("back") and token.is_any("fly"):
        return [scene.found(Mark(kind), place, place + 1) for kind in ("fly", "back")]  # 飞回
    return next(([scene.found(Mark(kind), place, place + 1)] for kind in MARK_ROLES if kind in token.meanings), [])


def _goes_somewhere(scene: Scene, place: int) -> bool:
    return scene.has(place, "place", "rail", "air", "foreign", "day", "part") or not scene.tokens[place:]


def talk(scene: Scene, place: int) -> list[Found]:
    """Greetings and other conversation."""
    token = scene.tokens[place]
    return next(
        ([scene.found(Talk(topic), place, place + 1)] for topic in _TOPICS if f"chat_{topic}" in token.meanings), []
    )


def negated(read_days: Callable[[Scene, int], list[Found]]) -> Callable[[Scene, int], list[Found]]:
    """The reader of denials (不要机票, 别订, 除了高铁, 不是明天); it needs the reader of days."""

    def read(scene: Scene, place: int) -> list[Found]:
        if scene.has(place, "not_be", "except") and (denied := _denied_days(scene, place, read_days)):
            return denied
        if scene.text(place) == "不" and scene.has(place - 1, "stop") and scene.has(place + 1, "stop"):
            return [scene.found(Mark("correct"), place, place + 1)]  # 杭州，不，苏州
        if not scene.has(place, "negation", "except", "not_be"):
            return []
        return _denied_list(scene, place)

    return read


def airline_by_code(scene: Scene, place: int) -> list[Found]:
    """MU开头的航班."""
    name = scene.get(place, "airline_code")
    if name is None or not scene.has(place + 1, "beginning"):
        return []
    return [scene.found(Word("airline", name, domain="flight"), place, place + 2)]


def _denied_days(scene: Scene, place: int, read_days: Callable[[Scene, int], list[Found]]) -> list[Found]:
    denied = []
    for found in read_days(scene, place + 1):
        if isinstance(found.value, Days):
            days = found.value
            denied.append(Found(Days(days.start, days.end, None, denied=True), place, found.end, found.certainty))
    return denied


def _denied_list(scene: Scene, place: int) -> list[Found]:
    """What is denied, and what is joined to it by 和, 或, 、."""
    at = place + 1
    found: list[Found] = []
    act_end = None
    while at < len(scene.tokens):
        if scene.has(at, "order", "query") and not found and act_end is None:
            act_end = at + 1
        elif (part := scene.get(at, "part") or scene.get(at, "hours")) is not None and not found:
            found.append(scene.found(outside(part), place, at + 1))
        elif named := _denied_here(scene, at):
            found.append(scene.found(named[0].value, place if not found else at, named[0].end))
            at = named[0].end - 1
        elif not (scene.has(at, "joiner") if found else scene.has(at, "polite", "go", "fly")):
            break
        at += 1
    if not found and not scene.has(place, "except"):
        return _denied_act(scene, place, act_end)
    if found and scene.has(place, "except") and _goes_on_with_also(scene, found[-1].end):
        return []
    refused = _denied_act(scene, place, act_end)
    return [*refused, *found]


def _denied_here(scene: Scene, place: int) -> list[Found]:
    """What is named here, as denied."""
    reader = next((reader for kind, reader in _IN_SEVERAL_WORDS if scene.has(place, kind)), None)
    named = reader(scene, place) if reader else [scene.found(v, place, place + 1) for v in _classes(scene, place)]
    return [
        Found(denied, place, found.end, found.certainty)
        for found in named or codes(scene, place) if (denied := _denied(found.value)) is not None
    ]


def _denied(value: Value) -> Value | None:
    if isinstance(value, Mention):
        return Mention(value.domain, True, value.weak, value.slot)
    if isinstance(value, Word):
        return Word(value.slot, value.value, True, value.domain)
    return None


def _denied_act(scene: Scene, place: int, act_end: int | None) -> list[Found]:
    word = scene.text(place)
    if act_end is not None:
        return [scene.found(Act("order", denied=True), place, act_end)]
    if "订" in word or "买" in word:
        return [scene.found(Act("order", denied=True), place, place + 1)]
    return []


def _goes_on_with_also(scene: Scene, place: int) -> bool:
    """除了机票还要酒店 adds; it takes nothing away."""
    return any(scene.text(at).startswith(("还", "也")) for at in range(place, min(place + 4, len(scene.tokens))))
