"""Cancelling, changing or looking at orders that were just shown or placed: 刚才那单取消吧, 第二个退了, 改签到下午."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from core.language.amending import Table
from core.language.bags import Bag
from core.language.drafts import Draft, drafts_of
from core.language.past import day_from
from core.language.shown_rows import Row, Shown, kind_of_row, slots_of
from core.language.slots import Slots
from core.language.wishes import Wish

_SOLD = ("train", "flight", "concert", "car", "tour", "insurance")
_ALL = ("所有", "全部", "全都", "都取消", "都退")
_NAMING = ("order_id", "date", "train_no", "flight_no", "from_city", "to_city", "artist", "city")
_NAMING_TO_CHANGE = ("order_id", "train_no", "flight_no")  # the date and hours of a change are those to come


def about_orders(fresh: Sequence[Draft], bag: Bag, table: Table, said: str) -> list[Draft]:
    """The drafts with the order that is meant, where the words leave it to what lies before both."""
    shown = table.shown
    if shown is None or any(word in said for word in _ALL):
        return list(fresh)
    if not shown.are_orders:
        just_bought = len(shown.rows) == 1 and any(wish.orders for wish in table.wishes)
        return [_with_what_was_bought(draft, shown) if just_bought else draft for draft in fresh]
    return [_with_order(draft, bag, shown.rows, table.today) for draft in fresh]


def _with_what_was_bought(draft: Draft, shown: Shown) -> Draft:
    """刚才那单取消吧, where the row that was bought is known and its order's number is not."""
    if draft.slots.action != "cancel" or any(getattr(draft.slots, slot) for slot in _NAMING):
        return draft
    row = slots_of(shown.rows[0], shown.domain)
    named: dict[str, Any] = {slot: getattr(row, slot) for slot in _NAMING if slot != "order_id"}
    return replace(draft, slots=replace(draft.slots, **named))


def change_of_order(bag: Bag, table: Table) -> Draft | None:
    """改到20号, said of an order: another day or hour for it; None where nothing of the kind was said."""
    if table.shown is None or "correct" not in bag.marks or not (bag.days or bag.windows or bag.shifts):
        return None
    draft = drafts_of([Wish(bag, ("change",))], table.context.skills)[0]
    return _with_order(draft, bag, table.shown.rows, table.today)


def _with_order(draft: Draft, bag: Bag, rows: Sequence[Row], today: date) -> Draft:
    changes = draft.slots.action == "change"
    named = any(getattr(draft.slots, slot) for slot in (_NAMING_TO_CHANGE if changes else _NAMING))
    row = _meant(bag, rows)
    if named or row is None or not (draft.slots.action or bag.picks):
        return draft
    slots = replace(draft.slots, order_id=str(row.get("order_id") or "") or None)
    day = day_from(bag.shifts[-1], Slots(date=_day(row)), today) if bag.shifts else None
    if changes and day is not None and day.trouble is None and slots.date is None:
        slots = replace(slots, date=day.start)
    return replace(draft, slots=slots)


def _meant(bag: Bag, rows: Sequence[Row]) -> Row | None:
    rows = [row for row in rows if row.get("status") != "cancelled"] if not bag.picks else rows
    rank = next((pick.rank for pick in bag.picks if pick.rank is not None), None)
    kinds = {mention.domain for mention in bag.mentions} & set(_SOLD)
    if kinds:
        rows = [row for row in rows if kind_of_row(row) in kinds]  # 那个机票取消; 租车的那单 is no tour
    if rank is None:
        return rows[0] if len(rows) == 1 else None
    place = rank - 1 if rank > 0 else len(rows) + rank
    return rows[place] if 0 <= place < len(rows) else None


def _day(row: Row) -> date | None:
    try:
        return date.fromisoformat(str(row.get("date"))[:10])
    except ValueError:
        return None
