"""Calls, tokens and critical path of eight typical sentences, beside the same with every step left to the model.

`python -m benchmarks.model_economy` prints the table of docs/models.md. The real agents and tools run on free ports of
this machine; the model is the tests' scripted address, so that the figures are of the calls and not of a provider.
Tokens are estimated as the product trims its history: one for a Chinese character, one for four others.
"""

import asyncio
import logging
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import main as smartvoyage
from benchmarks.left_to_model import Cost, Counter
from benchmarks.scripted_stages import Stages
from core.bootstrap import open_backend
from core.service import Backend, ChatRequest
from core.shared.clock import SystemClock
from core.shared.serving import Service, running
from core.shared.settings import LlmSettings, Settings, load_settings
from core.types.turn import Reply
from tests.support.model_server import ModelServer, model_server
from tests.support.whole import free_settings, services_of


@dataclass(frozen=True)
class Sentence:
    kind: str
    text: str
    before: str = ""


SENTENCES = (
    Sentence("single clear", "后天上海到杭州的高铁"),
    Sentence("single vague", "想找个暖和的海边躺平几天"),
    Sentence("two independent", "后天上海到杭州的高铁，还有后天杭州天气"),
    Sentence("four independent", "后天上海到杭州的高铁，还有后天杭州天气，后天上海天气，后天上海到北京的机票"),
    Sentence("conditional", "如果后天杭州下雨，就查后天上海到杭州的高铁"),
    Sentence("follow-up", "那杭州呢", before="明天北京天气怎么样"),
    Sentence("order", "订一张后天上海到杭州的二等座"),
    Sentence("small talk", "你好"),
)


@dataclass(frozen=True)
class Row:
    sentence: Sentence
    reply: Reply
    ours: Cost
    theirs: Cost


async def measured(folder: Path) -> list[Row]:
    """All sentences, one after another, against one running installation."""
    clock = SystemClock(free_settings(folder).now)
    async with model_server(SystemClock()) as server:
        settings = _settings(folder, server.url)
        async with running(_without_gateway(settings)), open_backend(settings, clock) as backend:
            await _until_skilled(backend)
            return [await _row(backend, server, settings, number) for number in range(len(SENTENCES))]


async def _row(backend: Backend, server: ModelServer, settings: Settings, number: int) -> Row:
    sentence, session = SENTENCES[number], f"s{number}"
    server.answers = Stages().act
    if sentence.before:
        await backend.turns.chat(ChatRequest("bench", session, sentence.before))
    history = (await backend.memory.read("bench", session)).short_term
    stages = Stages()
    server.answers = stages.act
    reply = await backend.turns.chat(ChatRequest("bench", session, sentence.text))
    await backend.turns.settled()
    ours = Cost(len(stages.calls), sum(tokens for _, _, tokens in stages.calls), stages.chain())
    counter = Counter(settings, backend.clock.now(), history)
    return Row(sentence, reply, ours, counter.of(reply, backend.network.agents()))


def _settings(folder: Path, url: str) -> Settings:
    llm = {"model": "scripted", "base_url": url, "api_key": "none-needed", "thinking_tags": "show"}
    written = load_settings(smartvoyage.CONFIG, {}).a2a_servers
    update = {"llm": LlmSettings.model_validate(llm), "a2a_servers": written}
    return free_settings(folder).model_copy(update=update)


def _without_gateway(settings: Settings) -> list[Service]:
    return [one for name, one in services_of(settings).items() if one.in_all and name != "gateway"]


async def _until_skilled(backend: Backend) -> None:
    async with asyncio.timeout(30):
        while not all(agent.skills for agent in backend.network.agents()):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def table(rows: list[Row]) -> Iterator[str]:
    """The rows in Markdown."""
    yield "| Sentence | calls | tokens | path | left to the model: calls | tokens | path |"
    yield "|---|---|---|---|---|---|---|"
    for row in rows:
        ours, theirs = (f"{cost.calls} | {cost.tokens} | {cost.chain}" for cost in (row.ours, row.theirs))
        yield f"| {row.sentence.kind}: {row.sentence.text} | {ours} | {theirs} |"


def main() -> None:
    """Print the table, and on a line of its own what each turn came to."""
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(measured(Path(folder)))
    print("\n".join(table(rows)))
    for row in rows:
        answer = row.reply.answer
        print(f"\n{row.sentence.kind}: {answer.status}, degraded {answer.degraded}\n{answer.text}")


if __name__ == "__main__":
    main()
