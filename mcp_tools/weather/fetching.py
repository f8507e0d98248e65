"""Ask a provider once more where that may help, and wait longer each time; say at once where it cannot."""

import asyncio
import logging
import random
from dataclasses import dataclass
from typing import Any

import httpx

from core.shared.clock import Clock
from mcp_tools.weather.forecast import BadPayload, WeatherProvider
from mcp_tools.weather.places import Place

logger = logging.getLogger(__name__)

TRIES = 5
FIRST_PAUSE_S = 2.0
LONGEST_PAUSE_S = 300.0
_ONE_TRY_S = 60.0
_LARGEST_BODY_BYTES = 32 * 1024 * 1024
_TOO_MANY = 429


class ProviderAway(Exception):
    """It does not answer, or not now: the rows that are there stay, and the next round asks again."""


class ProviderRefused(Exception):
    """It will not answer this request however often it is asked: a wrong key or address, a used-up account."""


@dataclass(frozen=True, slots=True)
class _Later:
    """Why a try came to nothing, and how long the provider asks to be left alone."""

    why: str
    wait_s: float | None = None


async def fetch(http: httpx.AsyncClient, provider: WeatherProvider, places: list[Place], clock: Clock) -> Any:
    """The provider's JSON for the places. ProviderAway after several tries, ProviderRefused, BadPayload."""
    pause = FIRST_PAUSE_S
    last = _Later("")
    for number in range(1, TRIES + 1):
        answer = await _once(http, provider, places)
        if not isinstance(answer, _Later):
            return answer
        last = answer
        if number < TRIES:
            wait = min(pause if last.wait_s is None else last.wait_s, LONGEST_PAUSE_S)
            logger.info("the weather provider is asked again in %.0f s (%s)", wait, last.why)
            await clock.sleep(wait * random.uniform(1, 1.2))  # noqa: S311  spreads collectors, guards nothing
            pause *= 2
    raise ProviderAway(last.why)


async def _once(http: httpx.AsyncClient, provider: WeatherProvider, places: list[Place]) -> Any:
    try:
        async with asyncio.timeout(_ONE_TRY_S):
            response = await http.get(provider.url, params=provider.parameters(places), headers=provider.headers)
    except (httpx.TransportError, TimeoutError) as error:
        return _Later(type(error).__name__)
    if (later := _judge(response.status_code, response)) is not None:
        return later
    if len(response.content) > _LARGEST_BODY_BYTES:
        raise BadPayload("an answer beyond all measure")
    try:
        body = response.json()
    except (ValueError, RecursionError) as error:
        raise BadPayload("no JSON") from error
    later = _judge(provider.status(body), response)
    return body if later is None else later


def _judge(status: int, response: httpx.Response) -> _Later | None:
    if status == _TOO_MANY or status >= 500:
        return _Later(f"status {status}", _asked_to_wait(response))
    if not 200 <= status < 300:
        raise ProviderRefused(f"status {status}")
    return None


def _asked_to_wait(response: httpx.Response) -> float | None:
    said = response.headers.get("retry-after", "")
    return float(said) if said.isascii() and said.isdigit() else None
