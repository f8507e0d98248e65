"""A conversation in the terminal: the plan's steps as they run, the text as it comes."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
from rich.console import Console
from rich.live import Live
from rich.table import Table

# The gateway ends every turn within its own deadline; silence is filled with comments every 10 s.
SILENCE_S = 30.0

_MARKS = {"started": "…", "ok": "✓", "failed": "✗", "skipped": "–", "input_required": "?"}
_STYLES = {"started": "yellow", "ok": "green", "failed": "red", "skipped": "dim", "input_required": "cyan"}


@dataclass(frozen=True, slots=True)
class Conversation:
    """Whose conversation it is, and where the gateway listens."""

    url: str
    user_id: str
    session_id: str


def converse(conversation: Conversation, console: Console) -> None:
    """Read lines and answer them until the person ends it (empty end of input, exit, quit or 退出)."""
    console.print("[bold]智途旅行助手[/bold]  说出您的出行需求，输入“退出”结束。")
    with httpx.Client(base_url=conversation.url, timeout=httpx.Timeout(10, read=SILENCE_S), trust_env=False) as client:
        while (said := _said(console)) is not None:
            if said:
                _answer(client, conversation, said, console)


def _said(console: Console) -> str | None:
    try:
        line = console.input("\n[bold cyan]您：[/bold cyan]").strip()
    except (EOFError, KeyboardInterrupt):
        return None
    return None if line in ("exit", "quit", "退出") else line


def _answer(client: httpx.Client, conversation: Conversation, said: str, console: Console) -> None:
    body = {"query": said, "user_id": conversation.user_id, "session_id": conversation.session_id}
    try:
        with client.stream("POST", "/api/chat/stream", json=body) as response:
            if response.status_code != httpx.codes.OK:
                response.read()
                console.print(f"[red]{response.json().get('detail', response.status_code)}[/red]")
                return
            _show(_events(response), console)
    except httpx.HTTPError as error:
        console.print(f"[red]连不上网关 {conversation.url}（{type(error).__name__}）[/red]")


def _show(events: Iterator[tuple[str, Any]], console: Console) -> None:
    steps: dict[int, dict[str, Any]] = {}
    speaking = False
    with Live(console=console, refresh_per_second=12) as live:
        for name, data in events:
            if name == "step":
                steps[data["step"]] = data
                live.update(_table(steps))
            elif name in ("delta", "error"):
                if not speaking:
                    live.stop()
                    console.print()
                speaking = True
                text = data["text"] if name == "delta" else data["detail"]
                console.print(text, end="", markup=False, highlight=False, style="red" if name == "error" else None)
    console.print()


def _table(steps: dict[int, dict[str, Any]]) -> Table:
    table = Table.grid(padding=(0, 1))
    for step in steps.values():
        style = _STYLES[step["status"]]
        took = "" if step["status"] == "started" else f"{step['elapsed_ms']} ms"
        table.add_row(f"[{style}]{_MARKS[step['status']]}[/{style}]", step["action"], f"[dim]{took}[/dim]")
    return table


def _events(response: httpx.Response) -> Iterator[tuple[str, Any]]:
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))
