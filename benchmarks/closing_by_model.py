"""How often a model that is shown a list of all tools picks the right one: the other side of the closing tool's table.

`python -m benchmarks.closing_by_model URL [MODEL]` prints the rows of docs/planning.md for the model that is served at
URL (up to and including `/v1`). The list stands first in every prompt and is the same for all wishes, so that a server
that keeps the beginning of a prompt reads it once. The names are those that the tools have on the wire.
"""

import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx

from benchmarks.planning import declared
from benchmarks.planning_tools import distractors, wishes
from core.reasoning.tools_dag import DagTool, build_dag
from core.types.network import AgentView

_ASK = (
    "以下是全部可用的工具，每行一个，冒号前是名称：\n{tools}\n\n"
    '用户会说一句话。选出最终能满足他的那一个工具，只输出 JSON：{{"tool": "名称"}}'
)
_LONGEST_S = 600.0


@dataclass
class Count:
    """How the wishes came out."""

    right: int = 0
    fitting: int = 0
    invented: int = 0
    prompt_tokens: int = 0
    seconds: list[float] = field(default_factory=list)

    def note(self, picked: str, intent: str, known: dict[str, str]) -> None:
        found = known.get(picked, "")
        self.invented += not found
        self.right += found == intent
        self.fitting += found.split(" ")[0] == intent.split(" ")[0]


def listed(agents: Sequence[AgentView], others: int) -> tuple[str, dict[str, str]]:
    """The list, in an order that favours nobody, and the intent behind each name."""
    tools = [tool for tool in build_dag([*agents, distractors(others)]).tools if not tool.inside]
    words = {_name(tool): tool for tool in tools}
    names = sorted(words)
    random.Random(7).shuffle(names)  # noqa: S311 - the same order at every run
    return "\n".join(f"{name}: {words[name].words}" for name in names), {n: words[n].intent for n in names}


def _name(tool: DagTool) -> str:
    return tool.key.split("/")[1].replace(" ", "_")


async def picked(client: httpx.AsyncClient, model: str, tools: str, text: str) -> tuple[str, int]:
    """The name that the model says, and how many tokens it was shown."""
    said = [{"role": "system", "content": _ASK.format(tools=tools)}, {"role": "user", "content": text}]
    body = {
        "model": model, "messages": said, "temperature": 0, "max_tokens": 40, "cache_prompt": True,
        "response_format": {"type": "json_object"},
    }
    response = await client.post("chat/completions", json=body)
    answer = response.raise_for_status().json()
    try:
        name = str(json.loads(answer["choices"][0]["message"]["content"])["tool"])
    except (ValueError, KeyError, TypeError):
        name = ""
    return name, int(answer["usage"]["prompt_tokens"])


async def main(url: str, model: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        agents = await declared(folder)
    async with httpx.AsyncClient(base_url=url.rstrip("/") + "/", timeout=_LONGEST_S) as client:
        for others in (0, 200):
            tools, known = listed(agents, others)
            count = Count()
            for text, intent in wishes():
                began = time.perf_counter()
                name, count.prompt_tokens = await picked(client, model, tools, text)
                count.seconds.append(time.perf_counter() - began)
                count.note(name, intent, known)
                print(f"# {'+' if known.get(name) == intent else '-'} {text} -> {name}", file=sys.stderr)
            print(_row(model, others, count))


def _row(model: str, others: int, count: Count) -> str:
    asked, first = len(count.seconds), count.seconds[0]
    later = sorted(count.seconds[1:])[(asked - 1) // 2]
    told = f"{count.right}/{asked} | {count.invented} | {count.prompt_tokens} | {first:.0f}, then {later:.1f}"
    return f"| {model} | {others} | {told} |"


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "model"))
