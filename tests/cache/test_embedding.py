"""The bundled model, and an embeddings address over HTTP."""

import base64
import struct
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from core.adapters.vectors.embedding import BundledEmbedder, RemoteEmbedder
from core.ports.cache import CacheAway, Vector

LIMIT_S = 30.0


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


async def test_the_bundled_model_finds_other_words_near_and_all_vectors_have_length_one() -> None:
    embedder = BundledEmbedder()
    try:
        with pytest.raises(CacheAway):
            await embedder.embed("你好", LIMIT_S)
        await embedder.load()
        one, other = [await embedder.embed(text, LIMIT_S) for text in ("明天上海天气怎么样", "帮我查上海明天的天气")]
        assert len(one) == 384
        assert cosine(one, one) == pytest.approx(1, abs=1e-3)
        assert cosine(one, other) >= 0.92
        assert len(await embedder.embed("很长" * 2_000, LIMIT_S)) == 384
    finally:
        embedder.close()


def remote(embedding: Any, status: int = 200) -> tuple[RemoteEmbedder, list[Any]]:
    """An embedder over an address that always answers the same, and what it was asked."""
    asked: list[Any] = []

    async def embeddings(request: Request) -> JSONResponse:
        asked.append(await request.json())
        return JSONResponse({"data": [{"embedding": embedding}]}, status_code=status)

    transport = httpx.ASGITransport(app=Starlette(routes=[Route("/v1/embeddings", embeddings, methods=["POST"])]))
    return RemoteEmbedder(httpx.AsyncClient(transport=transport, base_url="http://embeddings/v1/"), "m"), asked


@pytest.mark.parametrize("embedding", [[3.0, 4.0], base64.b64encode(struct.pack("<2f", 3.0, 4.0)).decode()])
async def test_an_address_is_asked_as_openai_has_it(embedding: Any) -> None:
    embedder, asked = remote(embedding)
    assert await embedder.embed("你好", LIMIT_S) == pytest.approx([0.6, 0.8])
    assert asked == [{"model": "m", "input": "你好"}]


@pytest.mark.parametrize(("embedding", "status"), [([1.0], 500), ("?", 200), (None, 200), ([0.0, 0.0], 200)])
async def test_an_address_that_answers_otherwise_is_away(embedding: Any, status: int) -> None:
    embedder, _ = remote(embedding, status)
    with pytest.raises(CacheAway):
        await embedder.embed("你好", LIMIT_S)
