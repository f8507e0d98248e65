"""Names in a sentence that must come from somewhere: cities, stations, airports, sights, artists, airlines."""

import re
from functools import cache

from core.language.gazetteer import airports, places, stations
from core.language.sights import all_sights
from core.language.tables import lines, rows

_SHORTEST = 2
_TELLING_SIGHT = 3
_TITLE = re.compile(r"《([^》]{1,40})》|“([^”]{2,40})”|「([^」]{2,40})」")
_CODE = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z0-9-]*\d)(?=[A-Za-z0-9-]*[A-Za-z])[A-Za-z0-9-]{2,40}")
_ENDS = re.compile(
    r"([\u4e00-\u9fff]{1,8})(站|机场|航空|酒店|宾馆|体育场|体育馆|剧院|音乐厅|旅行社|保险|博物馆|博物院|公园|乐园|度假村|景区|古镇|航站楼)"
)
# What may stand before such a word when no particular one is meant.
_ANY = re.compile(
    r"(?:^|[火汽]?车|高铁|地铁|动车|到达|达|出发|终点|起点|中转|换乘|经停|各|两|的|到|进|出|从|在|去|往|离|近|往返|前往|抵达|全程|当地|[这那几一]家"
    r"|座|个|或|和|与|及|住|订|看|选|参观|游览|逛|附近|市区|入住|预订|提前|分钟到|小时到|网|本|全|整|旅行|旅游|出行|意外|投|买|份|款|些|项|境内|境外)$"
)
_UNITS = frozenset({"KM", "MM", "CM", "PM", "AM"})


def unknown_name(sentence: str, text: str) -> str | None:
    """The first name in the sentence that does not stand in `text`; None when all do. Both in plain spelling."""
    upper = text.upper()
    for name in _names_in(sentence):
        if name not in text and not _other_word_for(name, text):
            return name
    for code in _CODE.findall(sentence):
        if code.upper() not in upper and re.sub(r"[\d.]", "", code).upper() not in _UNITS:
            return str(code)
    for title in _TITLE.findall(sentence):
        if (said := "".join(title)) not in text:
            return said
    return _strange_end(sentence, text)


def _names_in(sentence: str) -> list[str]:
    """Known names, longest first at every place, so that 上海虹桥 is not also 上海 and 虹桥."""
    found, at = [], 0
    while at < len(sentence):
        size = next((n for n in _sizes() if sentence[at : at + n] in _known()), 0)
        if size:
            found.append(sentence[at : at + size])
        at += size or 1
    return found


def _other_word_for(name: str, text: str) -> bool:
    """北京市 for 北京, 虹桥站 for 上海虹桥: the same place under a word that does stand in the text."""
    bare = name.removesuffix("市").removesuffix("站")
    if len(bare) >= _SHORTEST and bare in text:
        return True
    place = places().get(name) or stations().get(name) or airports().get(name)
    if place is None:
        return False
    return place.name in text if place.kind != "sight" else False


def _strange_end(sentence: str, text: str) -> str | None:
    """A made-up station, airline or hotel: no table knows it, but its last word gives it away."""
    for before, end in _ENDS.findall(sentence):
        tails = [before[-n:] for n in range(len(before), _SHORTEST - 1, -1)]
        if any(tail + end in text or (end == "站" and tail in text) for tail in tails) or _ANY.search(before):
            continue
        return f"{before}{end}"
    return None


@cache
def _known() -> frozenset[str]:
    words = {word for word, place in places().items() if place.kind == "city"} | set(stations()) | set(airports())
    words |= {word for word, _ in all_sights() if len(word) >= _TELLING_SIGHT}
    words |= {name.strip() for line in lines("artists.txt") for name in line.split(",")}
    words |= {row[1] for row in rows("codes_airline.tsv") if len(row) > 1}
    return frozenset(word for word in words if len(word) >= _SHORTEST)


@cache
def _sizes() -> tuple[int, ...]:
    return tuple(sorted({len(word) for word in _known()}, reverse=True))
