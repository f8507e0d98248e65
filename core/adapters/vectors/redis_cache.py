"""The first level in Redis or Valkey: answers by the digest of their question, and the versions of the data."""

import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from core.adapters.vectors.link import Link, Refused
from core.adapters.vectors.valkey import embedded_valkey
from core.ports.cache import Found, Kept, PartState
from core.shared.cache_names import PREFIX, VERSIONS
from core.shared.clock import Clock

if TYPE_CHECKING:
    from redis.asyncio import Redis

T = TypeVar("T")
Client = Any
"""A `Redis`: its own annotations mix up the waiting and the awaiting form of every command."""

LIMIT_S = 0.4
"""What a question may wait for one command."""
PATIENT_S = 3.0
MOST_CONNECTIONS = 32
FORGOTTEN_S = 90_000
"""A mark of an erasure outlives every entry that can have been on its way."""
_BATCH = 500


def redis_link(url: str, folder: Path, clock: Clock) -> "Link[Client]":
    """The way to the server at `url`, or to an embedded one in `folder` where there is none."""

    def opening() -> AbstractAsyncContextManager[Client]:
        return _at_address(url) if url else _embedded(folder)

    return Link("redis", not url, opening, clock)


class RedisExactCache:
    """Implements the port ExactCache."""

    def __init__(self, link: "Link[Client]") -> None:
        self._link = link

    @property
    def state(self) -> PartState:
        return self._link.state

    async def look(self, key: str, meaning: str, kinds: Sequence[str]) -> Found:
        async def asked(client: Client) -> list[Any]:
            pipe = client.pipeline(transaction=False)
            for kind in kinds:
                pipe.hsetnx(VERSIONS, kind, secrets.token_hex(6))
            pipe.hmget(VERSIONS, list(kinds))
            pipe.get(_name("answer", key))
            pipe.get(_name("meaning", meaning))
            answers: list[Any] = await pipe.execute()
            return answers[-3:]

        versions_raw, entry, related = await self._ask(asked, LIMIT_S)
        versions = ".".join(str(version, "ascii") for version in versions_raw)
        return Found(versions, _kept(entry), related == versions.encode())

    async def put(self, kept: Kept, lives_s: float) -> None:
        lives_ms = max(1, int(lives_s * 1000))

        async def asked(client: Client) -> None:
            pipe = client.pipeline(transaction=True)
            pipe.set(_name("answer", kept.key), json.dumps(asdict(kept), ensure_ascii=False), px=lives_ms)
            pipe.set(_name("meaning", kept.meaning), kept.versions, px=lives_ms)
            for cause in kept.causes:
                pipe.sadd(_name("cause", cause), kept.key)
                pipe.expire(_name("cause", cause), FORGOTTEN_S)
            await pipe.execute()

        await self._ask(asked, PATIENT_S)

    async def drop(self, key: str) -> None:
        await self._ask(lambda client: client.unlink(_name("answer", key)), PATIENT_S)

    async def outdate(self, kinds: Sequence[str]) -> None:
        fresh = {kind: secrets.token_hex(6) for kind in kinds}
        await self._ask(lambda client: client.hset(VERSIONS, mapping=fresh), LIMIT_S)

    async def forget(self, cause: str, moment: float) -> None:
        async def asked(client: Client) -> None:
            await client.set(_name("forgotten", cause), repr(moment), ex=FORGOTTEN_S)
            keys = await client.smembers(_name("cause", cause))
            names = [_name("answer", str(key, "ascii")) for key in keys]
            await client.unlink(_name("cause", cause), *names)

        await self._ask(asked, PATIENT_S)

    async def forgotten_since(self, cause: str, moment: float) -> bool:
        marked = await self._ask(lambda client: client.get(_name("forgotten", cause)), LIMIT_S)
        return marked is not None and float(marked) >= moment

    async def clear(self) -> None:
        """All but the marks of erasures; versions are drawn anew, so that no vector is found by an old one."""

        async def asked(client: Client) -> None:
            for group in ("answer", "meaning", "cause", "run"):
                names: list[bytes] = []
                async for name in client.scan_iter(match=f"{PREFIX}{group}:*", count=_BATCH):
                    names.append(name)
                for start in range(0, len(names), _BATCH):
                    await client.unlink(*names[start : start + _BATCH])
            await client.unlink(VERSIONS)

        await self._ask(asked, PATIENT_S)

    async def claim(self, name: str, holder: str, bound_s: float) -> bool:
        bound_ms = int(bound_s * 1000)
        taken = await self._ask(lambda client: client.set(_name("run", name), holder, nx=True, px=bound_ms), LIMIT_S)
        return bool(taken)

    async def claimed(self, name: str) -> bool:
        return bool(await self._ask(lambda client: client.exists(_name("run", name)), LIMIT_S))

    async def release(self, name: str, holder: str) -> None:
        async def asked(client: Client) -> None:
            if await client.get(_name("run", name)) == holder.encode():
                await client.unlink(_name("run", name))

        await self._ask(asked, PATIENT_S)

    async def count(self, counted: Mapping[str, int]) -> None:
        async def asked(client: Client) -> None:
            pipe = client.pipeline(transaction=False)
            for name, number in counted.items():
                pipe.hincrby(_name("counts"), name, number)
            await pipe.execute()

        await self._ask(asked, PATIENT_S)

    async def counts(self) -> Mapping[str, int]:
        raw = await self._ask(lambda client: client.hgetall(_name("counts")), LIMIT_S)
        return {str(name, "utf-8"): int(number) for name, number in raw.items()}

    async def _ask(self, work: Callable[[Client], Awaitable[T]], limit_s: float) -> T:
        async def asked(client: Client) -> T:
            from redis.exceptions import ResponseError

            try:
                return await work(client)
            except ResponseError as error:
                raise Refused(str(error)) from error

        return await self._link.use(asked, limit_s)


def _name(*parts: str) -> str:
    return PREFIX + ":".join(parts)


def _kept(entry: bytes | None) -> Kept | None:
    """None for nothing, and for what is no entry of ours."""
    if entry is None:
        return None
    try:
        raw = json.loads(entry)
        texts = {name: str(raw[name]) for name in ("key", "meaning", "versions", "payload")}
        causes = tuple(str(cause) for cause in raw["causes"])
        return Kept(**texts, causes=causes, made_at=float(raw["made_at"]), expire_at=float(raw["expire_at"]))
    except (ValueError, TypeError, KeyError):
        return None


@contextlib.asynccontextmanager
async def _embedded(folder: Path) -> AsyncIterator[Client]:
    async with embedded_valkey(folder) as path, _at_address(f"unix://{path}") as client:
        yield client


@contextlib.asynccontextmanager
async def _at_address(url: str) -> AsyncIterator[Client]:
    """A client that has been answered. Imported here: in a thread, when a cache is really wanted."""
    client: Client = await _client(url)
    try:
        await client.ping()
        yield client
    finally:
        await client.aclose(close_connection_pool=True)


async def _client(url: str) -> "Redis":
    import asyncio

    return await asyncio.to_thread(_made, url)


def _made(url: str) -> "Redis":
    from redis.asyncio import BlockingConnectionPool, Redis
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=MOST_CONNECTIONS,
        timeout=LIMIT_S,
        socket_connect_timeout=PATIENT_S,
        socket_timeout=PATIENT_S,
        protocol=2,
        retry=Retry(NoBackoff(), 0),
    )
    return Redis(connection_pool=pool)
