"""Says to the gateways' cache that data has changed, for a process that changes it without any of them."""

import asyncio
import logging
import secrets

from core.shared.cache_names import VERSIONS, cache_folder, socket_of
from core.shared.settings import Settings

log = logging.getLogger(__name__)

LIMIT_S = 3.0


async def data_changed(settings: Settings, *kinds: str) -> None:
    """Answers made from these kinds of data are not given any more. Without the store they end by their own time."""
    address = settings.cache.redis_url or _embedded(settings)
    if settings.cache.enabled and address:
        await asyncio.to_thread(_say, address, kinds)


def _embedded(settings: Settings) -> str:
    socket = socket_of(cache_folder(settings.data))
    return f"unix://{socket}" if socket.exists() else ""


def _say(address: str, kinds: tuple[str, ...]) -> None:
    from redis import Redis
    from redis.exceptions import RedisError

    try:
        with Redis.from_url(address, socket_timeout=LIMIT_S, socket_connect_timeout=LIMIT_S, protocol=2) as client:
            client.hset(VERSIONS, mapping={kind: secrets.token_hex(6) for kind in kinds})
    except (RedisError, OSError) as error:
        log.warning("the cache could not be told of new data (%s)", type(error).__name__, extra={"kinds": kinds})
