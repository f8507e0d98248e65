"""What an agent says of its own health, where it says anything: ours have a /health beside their card."""

import httpx

from core.shared.clock import Clock
from core.shared.waiting import within

TIMEOUT_S = 2.0
_NOT_WELL = ("degraded", "down")


async def says_degraded(http: httpx.AsyncClient, url: str, clock: Clock) -> bool:
    """Whether the agent at `url` says that it is not well. One that has no /health is judged by its card alone."""
    try:
        answer = await within(clock, TIMEOUT_S, http.get(f"{url}/health"))
        told = answer.json()
    except (httpx.HTTPError, TimeoutError, ValueError, RecursionError):
        return False
    return isinstance(told, dict) and told.get("status") in _NOT_WELL
