"""How often the cache had the answer, and the operator's way to empty it."""

from fastapi import APIRouter
from pydantic import BaseModel

from core.cache.counting import CacheStatistics, Level
from core.gateway.access import BackendIn, CallerIn
from core.gateway.problems import documented
from core.ports.cache import CacheAway
from core.shared.errors import Forbidden, SmartVoyageError, UpstreamUnavailable

router = APIRouter(prefix="/api/cache", tags=["cache"])

RETRY_AFTER_S = 5


class ExactOut(BaseModel):
    """The first level: equal questions."""

    hits: int
    misses: int


class SemanticOut(BaseModel):
    """The second level: other wordings. `rejected` were near to a kept question and ask something else."""

    hits: int
    misses: int
    rejected: int
    promotions: int


class CacheOut(BaseModel):
    redis: ExactOut
    milvus: SemanticOut
    writes: int


@router.get("/stats", summary="How often each level had the answer", responses=documented(SmartVoyageError))
async def stats(backend: BackendIn) -> CacheOut:
    """Of all replicas together, as long as the first level's store has lived."""
    counted = await backend.cache.statistics() if backend.cache is not None else _NOTHING
    return CacheOut(
        redis=ExactOut(hits=counted.redis.hits, misses=counted.redis.misses),
        milvus=SemanticOut(
            hits=counted.milvus.hits,
            misses=counted.milvus.misses,
            rejected=counted.rejected,
            promotions=counted.promotions,
        ),
        writes=counted.writes,
    )


@router.delete(
    "",
    status_code=204,
    summary="Empty the cache",
    responses=documented(Forbidden, UpstreamUnavailable, SmartVoyageError),
)
async def clear(backend: BackendIn, caller: CallerIn) -> None:
    """For operators. 503 when a level cannot be reached, and so may still hold something."""
    if not caller.operator:
        raise Forbidden("清空缓存需要管理员权限。")
    if backend.cache is None:
        return
    try:
        await backend.cache.clear()
    except CacheAway as error:
        raise UpstreamUnavailable("缓存暂时联系不上，请稍后再试。", retry_after_s=RETRY_AFTER_S) from error


_NOTHING = CacheStatistics(redis=Level(0, 0), milvus=Level(0, 0), rejected=0, promotions=0, writes=0)
