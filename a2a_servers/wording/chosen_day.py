"""What is said of a day that was looked for: which one it is, and how the others compare."""

import datetime as dt
from collections.abc import Mapping, Sequence

from a2a_servers.day_looks import Look, best_day, best_rows, worth
from a2a_servers.day_quest import DayQuest
from a2a_servers.goods import goods
from a2a_servers.wording.bits import dates, day, duration, joined, money, route, text
from core.shared.json_types import JsonObject, Row

DAY_WISHES: Mapping[str, str] = {
    "price": "哪天最便宜", "duration": "哪天最快", "dry": "哪天不下雨", "rain": "哪天下雨", "found": "哪天有",
}
_BEST = {"price": "最便宜的是", "duration": "用时最短的是"}
_LEAST = {"price": "逐日最低价", "duration": "逐日最短用时"}
_AT_LEAST = {"price": "不低于", "duration": "不少于"}


def measure(row: Row, by: str) -> str:
    """¥553 or 4小时29分: what the days are compared by."""
    return money(row.get("price")) if by == "price" else duration(row)


def compared(quest: DayQuest, looks: Sequence[Look]) -> str:
    """The best day and the comparison, in a line each. There must be a best day."""
    best, chosen = best_rows(looks, quest.by), best_day(looks, quest.by)
    if chosen is None:
        return ""
    least = worth(best[chosen], quest.by)
    ties = [_named(date) for date in best if date != chosen and worth(best[date], quest.by) == least]
    also = f"（{'这几天都' if len(ties) == len(quest.days) - 1 else '、'.join(ties)}一样）" if ties else ""
    head = f"{_about(quest)}，{_BEST[quest.by]}{_named(chosen, weekday=True)}，{_from(best[chosen], quest)}{also}。"
    days = "，".join(_of_day(quest, looks, best, date) for date in quest.days)
    return f"{head}\n{_LEAST[quest.by]}：{days}。{rest(quest)}"


def compared_briefly(quest: DayQuest, looks: Sequence[Look]) -> str:
    """The same in half a line."""
    best, chosen = best_rows(looks, quest.by), best_day(looks, quest.by)
    if chosen is None:
        return ""
    return f"{span_of(quest)}里{_BEST[quest.by]}{_named(chosen)}（{_from(best[chosen], quest)}）；"


def _from(row: Row, quest: DayQuest) -> str:
    return f"{measure(row, quest.by)}起" if quest.by == "price" else measure(row, quest.by)


def days_found(quest: DayQuest, found: Sequence[dt.date], unknown: Sequence[dt.date]) -> str:
    """The days that have something, those that have nothing, and those of which it is not known."""
    without = [date for date in quest.days if date not in unknown and date not in found]
    if len(found) == len(quest.days):
        head = f"{_about(quest)}，每天都有。"
    else:
        head = f"{_about(quest)}，有的是{'、'.join(_named(date, weekday=True) for date in found)}。"
    none = f"{'、'.join(map(_named, without))}没有。" if without else ""
    unseen = f"{'、'.join(map(_named, unknown))}还没有逐天看完，需要的话可以再问我。" if unknown else ""
    return f"{head}{none}{unseen}{rest(quest)}"


def rest(quest: DayQuest) -> str:
    """What is said of days that were asked for and not looked at."""
    if quest.asked_until <= quest.last:
        return ""
    first = quest.last + dt.timedelta(days=1)
    return f"一次最多看{len(quest.days)}天，{_named(first)}起的可以再问我。"


def span_of(quest: DayQuest) -> str:
    return dates({"date": quest.first.isoformat(), "date_end": quest.last.isoformat()})


def _about(quest: DayQuest) -> str:
    where = route(quest.known) or text(quest.known, "city", "destination")
    noun = goods(quest.tool.kind).noun or "查询"
    details = [text(quest.known, "seat_class", "cabin"), "直达" if quest.known.get("direct") else ""]
    return f"{span_of(quest)}{where}的{joined(details, '')}{noun}"


def _of_day(quest: DayQuest, looks: Sequence[Look], best: Mapping[dt.date, JsonObject], date: dt.date) -> str:
    if date in best:
        return f"{_named(date)}{measure(best[date], quest.by)}"
    look = next((look for look in looks if date in look.probe.days), None)
    if look is None or look.refused:
        return f"{_named(date)}没有查到"
    if look.more and look.rows:
        return f"{_named(date)}{_AT_LEAST[quest.by]}{measure(look.rows[-1], quest.by)}"
    return f"{_named(date)}{'已售完' if look.of(date) else '没有'}"


def _named(date: dt.date, *, weekday: bool = False) -> str:
    return day(date.isoformat(), weekday=weekday)
