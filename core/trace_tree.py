"""A recorded run as a tree with a time line, for the terminal."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from core.reasoning.tracing_weakest import weakest_link
from core.shared.json_types import JsonObject, JsonValue
from core.types.plan import Considered
from core.types.trace import AgentCalled, Ending, ModelAsked, RoundTrace, StepTrace, Trace, TracedRun

_BAR, _NOTE, _HEAD = 30, 60, 200
"""Cells of the time line, characters of a note and of the message."""

_STYLES = {
    "ok": "green",
    "completed": "green",
    "failed": "bold red",
    "unreachable": "bold red",
    "unfinished": "bold red",
    "skipped": "dim",
    "input_required": "cyan",
    "degraded": "yellow",
}


@dataclass(frozen=True, slots=True)
class _Node:
    """A line of the tree; one without a length has no bar."""

    label: str
    started_ms: int = 0
    elapsed_ms: int | None = None
    status: str = ""
    children: tuple["_Node", ...] = ()


def draw(runs: list[TracedRun], console: Console) -> None:
    """All runs of one id, one below the other."""
    for run in runs:
        console.print(_drawn(run))


def _drawn(run: TracedRun) -> Group:
    trace = run.trace
    table = Table.grid(padding=(0, 1))
    table.add_column(overflow="ellipsis", no_wrap=True, ratio=1)
    table.add_column(no_wrap=True, width=_BAR)
    table.add_column(no_wrap=True, justify="right", min_width=8)
    table.add_column(no_wrap=True)
    for guide, node in _lines(_nodes(trace), ""):
        table.add_row(*_row(guide, node, trace.elapsed_ms))
    table.expand = True
    return Group(*_head(run), table, _weakest(trace))


def _head(run: TracedRun) -> Iterator[Text]:
    trace = run.trace
    yield Text(f"trace {trace.trace_id} · {run.user_id} / {trace.session_id} · {trace.started_at:%Y-%m-%d %H:%M:%S}")
    cached = f" · from the cache ({trace.cache_level})" if trace.cache_level else ""
    spent = f"{trace.model_calls} model calls, {trace.model_tokens} tokens"
    degraded = " · degraded" if trace.degraded else ""
    yield Text(f"{trace.status} ({trace.outcome}) · {trace.elapsed_ms} ms · {spent}{cached}{degraded}")
    yield Text(f"→ {_plain(trace.query, _HEAD)}")
    yield Text(_plain(_ended(end), _HEAD), "bold red") if (end := trace.ending) else Text(
        f"← {_plain(trace.reply, _HEAD)}"
    )


def _ended(end: Ending) -> str:
    how = {"deadline": "its time was over", "cancelled": "nobody waited any longer"}.get(end.why, end.detail or end.why)
    return f"no answer: {how}, while {end.where} had been running for {end.elapsed_ms} ms"


def _weakest(trace: Trace) -> Text:
    link = weakest_link(trace)
    if link is None:
        return Text("weakest link: none")
    return Text(f"weakest link: {_plain(link.where, _HEAD)} — {link.why}: {_plain(link.detail, _HEAD)}", "bold")


def _nodes(trace: Trace) -> tuple[_Node, ...]:
    """What happened, in the order in which it began."""
    plain = [asked for asked in trace.asked if asked.step is None]
    nodes = [_Node(phase.name, phase.started_ms, phase.elapsed_ms) for phase in trace.phases]
    nodes += [_model(asked) for asked in plain]
    nodes += [_call(call) for call in trace.calls]
    nodes += [_round(one, trace.asked) for one in trace.rounds]
    return tuple(sorted(nodes, key=lambda node: node.started_ms))


def _round(one: RoundTrace, asked: tuple[ModelAsked, ...]) -> _Node:
    children = (*map(_compared, one.considered), *(_step(step, asked) for step in one.steps))
    label = f"round {one.number}: {_plain(one.thought)}"
    return _Node(label, one.started_ms, one.elapsed_ms, children=children)


def _compared(one: Considered) -> _Node:
    """The paths for a task, the one that was taken first."""
    paths = tuple(
        _Node(f"{'taken' if path is one.paths[0] else 'other'} {path.cost:g}: {_plain(' → '.join(path.tools), _HEAD)}")
        for path in one.paths
    )
    return _Node(f"paths for {one.task} to {_plain(one.closing)}: {_plain(one.why)}", children=paths)


def _step(step: StepTrace, asked: tuple[ModelAsked, ...]) -> _Node:
    children = [_Node(f"in  {_object(step.input)}")] if not step.calls else []
    children += [_model(one) for one in asked if one.step == step.number]
    children += [_call(call) for call in step.calls]
    children.append(_Node(f"out {_plain(step.error or step.output)}{_rows(step.data)}"))
    after = f" after {', '.join(map(str, step.depends_on))}" if step.depends_on else ""
    label = f"step {step.number}{after} · {_plain(step.intent)}"
    return _Node(label, step.started_ms, step.elapsed_ms, step.status, tuple(children))


def _call(call: AgentCalled) -> _Node:
    children = [_Node(f"in  {_action(call.request)}")]
    at = call.started_ms
    for number, one in enumerate(call.rounds, 1):
        said = (_Node(f"in  {_object(one.action)}"), _Node(f"out {_plain(one.observation)}"))
        asked = f" · {one.agent}" if one.agent else ""
        thinking = f" · {one.model_calls} model calls" if one.model_calls else ""
        label = f"inner round {number}{asked}{thinking}: {_plain(one.thought)}"
        children.append(_Node(label, at, one.elapsed_ms, children=said))
        at += one.elapsed_ms
    children.append(_Node(f"out {_plain(call.observation)}{_rows(call.data)}"))
    spent = f" · {call.model_calls} model calls, {call.model_tokens} tokens" if call.model_calls else ""
    status = "degraded" if call.degraded and call.status == "completed" else call.status
    return _Node(f"{call.agent}{spent}", call.started_ms, call.elapsed_ms, status, tuple(children))


def _model(asked: ModelAsked) -> _Node:
    label = f"model for {asked.stage} · {asked.calls} calls, {asked.tokens} tokens"
    status = f"failed: {asked.failure}" if asked.failure else "ok"
    return _Node(label, asked.started_ms, asked.elapsed_ms, status)


def _lines(nodes: tuple[_Node, ...], before: str) -> Iterator[tuple[str, _Node]]:
    for node in nodes:
        last = node is nodes[-1]
        yield f"{before}{'└─' if last else '├─'} ", node
        yield from _lines(node.children, f"{before}{'   ' if last else '│  '}")


def _row(guide: str, node: _Node, whole_ms: int) -> tuple[Text, Text, Text, Text]:
    style = _STYLES.get(node.status.partition(":")[0], "")
    if node.elapsed_ms is None:
        return Text(guide, "dim").append(node.label, "dim"), Text(""), Text(""), Text("")
    bar = Text(_bar(node.started_ms, node.elapsed_ms, whole_ms), style or "blue")
    return Text(guide, "dim").append(node.label), bar, Text(f"{node.elapsed_ms} ms"), Text(node.status, style)


def _bar(started_ms: int, elapsed_ms: int, whole_ms: int) -> str:
    """Where it began and how long it took, of the whole turn; the shortest is one cell."""
    scale = _BAR / max(1, whole_ms)
    start = min(_BAR - 1, max(0, int(started_ms * scale)))
    return " " * start + "█" * max(1, min(_BAR - start, round(elapsed_ms * scale)))


def _action(request: JsonObject) -> str:
    actions = request.get("action_code")
    return "; ".join(_object(one) for one in actions if isinstance(one, dict)) if isinstance(actions, list) else "?"


def _object(action: JsonObject) -> str:
    """The tool with its parameters, or plain slots."""
    if "tool_name" not in action:
        return ", ".join(f"{_plain(name)}={_value(value)}" for name, value in action.items())
    parameter = action.get("parameter")
    return f"{_value(action['tool_name'])} {{{_object(parameter) if isinstance(parameter, dict) else ''}}}"


def _value(value: JsonValue) -> str:
    return _plain(str(value))


def _rows(data: JsonObject | None) -> str:
    return f" [{data.get('rows_total', 0)} rows of {_value(data.get('kind'))}]" if data else ""


def _plain(text: str, most: int = _NOTE) -> str:
    """One line that no terminal takes for a command, whoever wrote it."""
    line = " ".join(text.split())
    seen = "".join(character if character.isprintable() else "?" for character in line)
    return seen if len(seen) <= most else f"{seen[: most - 1]}…"
