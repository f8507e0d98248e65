"""How far ahead things are on sale and the weather is known. Days, today included."""

import datetime as dt

SALE_DAYS = 30
CONCERT_DAYS = 60
FORECAST_DAYS = 15


def days_from(today: dt.date, count: int) -> list[dt.date]:
    return [today + dt.timedelta(days=ahead) for ahead in range(count)]
