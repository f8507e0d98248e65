"""Answers of a model that does each stage's job plausibly, for measurements: right in form, true to the rows."""

import json
import re
import time
from collections.abc import Callable
from typing import Any

from core.reasoning.model_inputs import tokens_of
from tests.support.model_server import DONE, Act, Part, Pause, body, chunk, event, streamed

SECONDS = 0.1
"""How long every answer takes; long beside what the rest of a turn takes, so that the chain of calls shows."""

STAGES = {
    "听懂话": "intent", "安排步骤": "plan", "回话": "summary", "各地景点": "attraction", "填参数": "parameters",
    "说给用户听": "wording", "记住用户": "memory",
}  # fmt: skip
_DATA = re.compile(r"<资料 (?P<name>[^>]+)>\n(?P<json>.*)\n</资料>")
VAGUE = {"id": "t1", "intent": "query tour group", "query": "查询三亚的跟团游", "slots": {"destination": "三亚"}}


class Stages:
    """Chooses the answer by the prompt, and remembers when each call came and what it cost."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, float, int]] = []
        """Stage, second, tokens."""

    def act(self, request: dict[str, Any]) -> Act:
        system, user = (str(message["content"]) for message in request["messages"][:2])
        stage = next(name for words, name in STAGES.items() if words in system[:60])
        text = _ANSWERS[stage]({found["name"]: json.loads(found["json"]) for found in _DATA.finditer(user)})
        tokens = tokens_of(system) + tokens_of(user) + tokens_of(text)
        self.calls.append((stage, time.monotonic(), tokens))
        return _streaming(text, tokens) if request.get("stream") else _whole(text, tokens)

    def chain(self) -> int:
        """How many calls had to wait for one another: the critical path of a turn, in calls."""
        longest: list[int] = []
        for place, (_, began, _) in enumerate(self.calls):
            before = [longest[i] for i in range(place) if self.calls[i][1] + SECONDS * 0.9 <= began]
            longest.append(1 + max(before, default=0))
        return max(longest, default=0)


def _whole(text: str, tokens: int) -> Act:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    played = body({"choices": [choice], "usage": {"total_tokens": tokens}})
    return Act([Pause(SECONDS), *played.parts], played.status, played.headers)


def _streaming(text: str, tokens: int) -> Act:
    sentences: list[Part] = [chunk(sentence) for sentence in re.findall(r"[^。]+。?", text)]
    usage = event({"choices": [], "usage": {"total_tokens": tokens}})
    return streamed(Pause(SECONDS), *sentences, chunk("", finish="stop"), usage, DONE)


def _intent(data: dict[str, Any]) -> str:
    tasks = [VAGUE] if "海边" in data["用户消息"] else []
    return json.dumps({"tasks": tasks, "follow_up_message": None}, ensure_ascii=False)


def _plan(data: dict[str, Any]) -> str:
    numbers = {task["id"]: number for number, task in enumerate(data["任务"], 1)}
    steps = []
    for number, task in enumerate(data["任务"], 1):
        step = {"step": number, "task": task["id"], "action": task["query"], "intent": task["intent"], "depends_on": 0}
        if when := task.get("when"):
            of = numbers[when["task"]]
            step |= {"depends_on": of, "when": {"of": of, "test": when["test"]}}
        steps.append(step)
    return json.dumps({"steps": [] if data["观察"] else steps}, ensure_ascii=False)


def _wording(data: dict[str, Any]) -> str:
    return f"为您查到这些：{_titles(data['查询结果'], 2)}。"


def _summary(data: dict[str, Any]) -> str:
    return "".join(f"{_titles(result, 1) or result['说明']}。" for result in data["结果"])


def _titles(result: dict[str, Any], most: int) -> str:
    shared = result.get("共同", {})
    return "；".join(_title({**shared, **row}) for row in result.get("条目", ())[:most])


def _title(row: dict[str, Any]) -> str:
    """A row by its title; a forecast has none."""
    return str(row.get("title") or f"{row['city']}白天{row['condition_day']}，最高{row['temp_max_c']}℃").rstrip("。")


_ANSWERS: dict[str, Callable[[dict[str, Any]], str]] = {
    "intent": _intent, "plan": _plan, "wording": _wording, "summary": _summary,
    "parameters": lambda data: '{"calls": []}', "memory": lambda data: '{"facts": [], "preferences": []}',
    "attraction": lambda data: '{"sights": [{"name": "西湖", "note": "沿着苏堤慢慢走。"}]}',
}  # fmt: skip
