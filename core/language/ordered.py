"""Cancelling, changing or looking at orders that were just shown or placed: 刚才那单取消吧, 第二个退了, 改签到下午."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from core.language.amending import Table
from core.language.bags import Bag
from core.language.drafts import Draft
from core.language.past import day_from
from core.language.shown_rows import Row
from core.language.slots import Slots

_ALL = ("所有", "全部", "全都", "都取消", "都退")
_NAMING = ("order_id", "date", "train_no", "flight_no", "from_city", "to_city", "artist", "city")
_NAMING_TO_CHANGE = ("order_id", "train_no", "flight_no")  # the date and hours of a change are those to come


def about_orders(fresh: Sequence[Draft], bag: Bag, table: Table, said: str) -> list[Draft]:
    """The drafts with the order that is meant, where the words leave it to what lies before both."""
    shown = table.shown
    if shown is None or not shown.are_orders or any(word in said for word in _ALL):
        return list(fresh)
    return [_with_order(draft, bag, shown.rows, table.today) for draft in fresh]


def _with_order(draft: Draft, bag: Bag, rows: Sequence[Row], today: date) -> Draft:
    changes = draft.slots.action == "change"
    named = any(getattr(draft.slots, slot) for slot in (_NAMING_TO_CHANGE if changes else _NAMING))
    row = _meant(bag, rows)
    if named or row is None or not (draft.slots.action or bag.picks):
        return draft
    slots = replace(draft.slots, order_id=str(row.get("order_id") or "") or None)
    day = day_from(bag.shifts[-1], Slots(date=_day(row)), today) if bag.shifts else None
    if changes and day is not None and slots.date is None:
        slots = replace(slots, date=day.start)
    return replace(draft, slots=slots)


def _meant(bag: Bag, rows: Sequence[Row]) -> Row | None:
    rank = next((pick.rank for pick in bag.picks if pick.rank is not None), None)
    if rank is None:
        return rows[0] if len(rows) == 1 else None
    place = rank - 1 if rank > 0 else len(rows) + rank
    return rows[place] if 0 <= place < len(rows) else None


def _day(row: Row) -> date | None:
    try:
        return date.fromisoformat(str(row.get("date"))[:10])
    except ValueError:
        return None
