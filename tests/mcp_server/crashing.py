"""A tool server in a process of its own, which can be killed, and stubborn buyers who ask until there is an answer."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import Engine

from mcp_tools.imports.kinds import IMPORTS
from mcp_tools.imports.reading import CsvLine
from mcp_tools.imports.rows import rows_of
from mcp_tools.imports.writing import write
from tests.mcp_server.servers import caller
from tests.mcp_tools.demo_file import NOW, TOMORROW

ROOT = Path(__file__).parents[2]
_TOGETHER = 8
PRICE = "58.00"


@dataclass
class ToolProcess:
    """`python main.py serve mcp-ticket`, as a container runs it."""

    config: Path
    database_url: str
    health: str
    process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """It answers calls afterwards."""
        self.process = await asyncio.to_thread(self._popen)
        async with httpx.AsyncClient(trust_env=False) as http, asyncio.timeout(60):
            while not await _is_well(http, self.health):  # noqa: ASYNC110
                await asyncio.sleep(0.1)

    def _popen(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "DATABASE_URL": self.database_url, "SMARTVOYAGE_NOW": NOW.isoformat()}
        command = [sys.executable, "main.py", "--config", str(self.config), "serve", "mcp-ticket"]
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(30)
            self.process = None


async def _is_well(http: httpx.AsyncClient, health: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return (await http.get(health)).status_code == 200
    return False


@contextlib.asynccontextmanager
async def tool_process(config: Path, database_url: str, health: str) -> AsyncIterator[ToolProcess]:
    """Running; killed at the end, which is what the test is about."""
    tools = ToolProcess(config, database_url, health)
    await tools.start()
    try:
        yield tools
    finally:
        tools.kill()


def put_on_sale(engine: Engine, trains: int, total: int) -> list[str]:
    """So many trains with one seat class each; the names of what is for sale."""
    lines = [
        CsvLine(number + 2, {
            "train_no": f"G{9001 + number}", "from_station": "雄安", "to_station": "北京西", "from_city": "雄安",
            "to_city": "北京", "date": TOMORROW, "depart": 485, "duration_min": 52, "seat_class": "二等座",
            "price": 5800, "total": total,
        })
        for number in range(trains)
    ]
    rows, faults = rows_of(IMPORTS["train"], lines)
    assert not faults
    write(engine, IMPORTS["train"], rows, print, dry_run=False)
    return sorted(rows.sales)


@dataclass
class Buyers:
    """Several at once, each of whom asks under the same key until there is an answer. `acknowledged`: key → order."""

    address: str
    items: list[str]
    acknowledged: dict[str, str] = field(default_factory=dict)
    unanswered: int = 0
    _more: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def buy(self, orders: int) -> None:
        """So many orders of one seat each."""
        waiting = list(range(orders))
        async with httpx.AsyncClient(timeout=15, trust_env=False) as http, asyncio.TaskGroup() as group:
            for _ in range(_TOGETHER):
                group.create_task(self._until_none_waits(http, waiting))

    async def until(self, orders: int) -> None:
        """So many are acknowledged."""
        async with self._more:
            await self._more.wait_for(lambda: len(self.acknowledged) >= orders)

    async def _until_none_waits(self, http: httpx.AsyncClient, waiting: list[int]) -> None:
        while waiting:
            number = waiting.pop()
            order_id = await self._once(http, number)
            if order_id is None:
                self.unanswered += 1
                waiting.append(number)
                await asyncio.sleep(0.05)
                continue
            async with self._more:
                self.acknowledged[f"o{number}:1"] = order_id
                self._more.notify_all()

    async def _once(self, http: httpx.AsyncClient, number: int) -> str | None:
        arguments = {"item_id": self.items[number % len(self.items)], "quantity": 1, "expected_price": PRICE}
        params = {"name": "order_train_ticket", "arguments": arguments, "_meta": caller("alice", f"o{number}:1")}
        message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        headers = {"accept": "application/json, text/event-stream"}
        try:
            answer: dict[str, Any] = (await http.post(self.address, json=message, headers=headers)).json()
        except (httpx.TransportError, ValueError):
            return None
        result = answer.get("result", {})
        if result.get("isError", True):
            return None
        order_id: str = result["structuredContent"]["rows"][0]["order_id"]
        return order_id
