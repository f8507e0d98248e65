"""What can be refused before looking: each refusal is one sentence that a traveller may read."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal

from core.language import gazetteer
from core.shared.errors import InvalidRequest
from mcp_tools.horizon import FORECAST_DAYS, SALE_DAYS
from mcp_tools.places import is_known_region, provinces

_SHOWN_CHARS = 12


def sold_so_far(first: dt.date, last: dt.date | None, today: dt.date) -> tuple[dt.date, dt.date, str | None]:
    """The asked dates as far as they are on sale, and the last of them where later ones were asked for, too.

    Raises InvalidRequest when none of them is.
    """
    return _as_far_as(first, last, today, SALE_DAYS, dates_on_sale)


def forecast_so_far(first: dt.date, last: dt.date | None, today: dt.date) -> tuple[dt.date, dt.date, str | None]:
    """The same for the weather."""
    return _as_far_as(first, last, today, FORECAST_DAYS, dates_of_forecast)


def _as_far_as(
    first: dt.date, last: dt.date | None, today: dt.date, days: int,
    checked: Callable[[dt.date, dt.date | None, dt.date], tuple[dt.date, dt.date]],
) -> tuple[dt.date, dt.date, str | None]:
    end = today + dt.timedelta(days=days - 1)
    cut = last is not None and first <= end < last
    return *checked(first, end if cut else last, today), end.isoformat() if cut else None


def dates_on_sale(
    first: dt.date, last: dt.date | None, today: dt.date, days: int = SALE_DAYS
) -> tuple[dt.date, dt.date]:
    """The asked dates as first and last. Raises InvalidRequest when one lies outside of the `days` on sale."""
    end = today + dt.timedelta(days=days - 1)
    return _range(first, last, today, end, f"目前只能预订到{chinese_date(end, today)}（{days}天内）")


def dates_of_forecast(first: dt.date, last: dt.date | None, today: dt.date) -> tuple[dt.date, dt.date]:
    """The same for the weather."""
    end = today + dt.timedelta(days=FORECAST_DAYS - 1)
    return _range(first, last, today, end, f"天气预报目前只到{chinese_date(end, today)}（{FORECAST_DAYS}天内）")


def _range(
    first: dt.date, last: dt.date | None, today: dt.date, end: dt.date, limit: str
) -> tuple[dt.date, dt.date]:
    last = last or first
    if last < first:
        raise InvalidRequest(
            f"结束日期{chinese_date(last, today)}早于开始日期{chinese_date(first, today)}，请检查一下日期。"
        )
    if first < today:
        raise InvalidRequest(
            f"{chinese_date(first, today)}已经过去了，请换成今天（{chinese_date(today, today)}）或以后的日期。"
        )
    if last > end:
        raise InvalidRequest(f"{limit}，{chinese_date(last, today)}超出了范围，请换一个更近的日期。")
    return first, last


def chinese_date(day: dt.date, today: dt.date) -> str:
    """8月16日, with the year where it is another one."""
    return f"{day.month}月{day.day}日" if day.year == today.year else f"{day.year}年{day.month}月{day.day}日"


def two_cities(from_city: str | None, to_city: str | None) -> None:
    if from_city and from_city == to_city:
        raise InvalidRequest(f"出发地和目的地都是{shown(from_city)}，请换一个不同的城市。")


def window_of_times(after: dt.time | None, before: dt.time | None) -> None:
    if after and before and after > before:
        raise InvalidRequest(
            f"出发时间段不对：最早{after:%H:%M}晚于最晚{before:%H:%M}，跨过零点的时间请分两天查询。"
        )


def price_limits(lowest: Decimal | None, highest: Decimal | None) -> None:
    if lowest is not None and highest is not None and lowest > highest:
        raise InvalidRequest("最低价高于最高价，请检查一下价格范围。")


def unknown_city(name: str) -> InvalidRequest:
    """The refusal of a place that is no city of ours; for a province it names a city to try."""
    if is_known_region(name):
        example = next(city for city, province in provinces().items() if province == name)
        return InvalidRequest(f"{name}的范围比较大，请告诉我具体的城市，例如{example}。")
    place = gazetteer.places().get(name)
    if place is not None and place.cities:
        return InvalidRequest(f"暂时没有{name}的数据，可以改查{place.cities[0]}。")
    return InvalidRequest(f"没有找到名为“{shown(name)}”的城市，请检查一下城市名。")


def shown(text: str) -> str:
    """What a person typed, fit to stand in a sentence: short, and only characters that can be seen."""
    clean = "".join(c for c in text if c.isalnum() or c in "·-'")
    return clean if len(clean) <= _SHOWN_CHARS else clean[:_SHOWN_CHARS] + "…"
