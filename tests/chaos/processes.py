"""Every part of an installation as a process of its own, so that one can be killed and started again."""

import contextlib
import getpass
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from tests.support.whole import free_port, free_settings

ROOT = Path(__file__).parents[2]
SERVICES = ("mcp-ticket", "a2a-ticket", "gateway")


@dataclass
class Part:
    """One process that dies without a word and comes back."""

    name: str
    command: list[str]
    log: Path
    process: "subprocess.Popen[bytes] | None" = field(default=None)

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, cwd=ROOT, stdout=log, stderr=log)

    def kill(self) -> None:
        """kill -9: nothing is said, nothing is finished."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def restart(self) -> None:
        self.kill()
        self.start()


@dataclass(frozen=True)
class Installation:
    """MariaDB, the ticket tool server, the ticket agent and the gateway."""

    parts: dict[str, Part]
    gateway_url: str
    database_url: str


@contextlib.contextmanager
def installation(folder: Path) -> Iterator[Installation]:
    """All parts started, in the order in which they need one another; ends with the block."""
    database = _database(folder)
    url = f"mysql+pymysql://root@127.0.0.1:{database[1]}/smartvoyage"
    config, gateway = _config(folder, url)
    parts = {"database": Part("database", database[0], folder / "database.log")}
    for name in SERVICES:
        command = [sys.executable, str(ROOT / "main.py"), "--config", str(config)]
        parts[name] = Part(name, [*command, "serve", name], folder / f"{name}.log")
    try:
        parts["database"].start()
        _until_listening(folder / "database.log")
        _sql(folder, "CREATE DATABASE smartvoyage")
        for command in (["migrate"], ["demo-data"]):
            subprocess.run(
                [sys.executable, str(ROOT / "main.py"), "--config", str(config), *command],
                cwd=ROOT,
                check=True,
                timeout=300,
            )
        for name in SERVICES:
            parts[name].start()
        yield Installation(parts, gateway, url)
    finally:
        for part in parts.values():
            if part.process is not None:
                part.kill()


def _config(folder: Path, database_url: str) -> tuple[Path, str]:
    """Settings like config.yaml's on free ports; of the three agents only the ticket agent is ever started."""
    settings = free_settings(folder, database_url=database_url)
    raw = {
        "agents": [{"name": a.name, "a2a_url": a.a2a_url, "mcp_url": a.mcp_url} for a in settings.agents],
        "database": {"url": database_url},
        "gateway": {"port": settings.gateway.port},
        "data": str(folder),
    }
    config = folder / "config.yaml"
    config.write_text(yaml.safe_dump(raw), "utf-8")
    return config, f"http://127.0.0.1:{settings.gateway.port}"


def _database(folder: Path) -> tuple[list[str], int]:
    """The command of a MariaDB that keeps what it has acknowledged when its process is killed, and its port."""
    user, data, port = f"--user={getpass.getuser()}", f"--datadir={folder / 'data'}", free_port()
    subprocess.run(
        ["mariadb-install-db", "--no-defaults", data, "--auth-root-authentication-method=normal", user],
        check=True,
        capture_output=True,
        timeout=120,
    )
    command = [
        "mariadbd",
        "--no-defaults",
        user,
        data,
        f"--socket={folder / 's'}",
        f"--port={port}",
        "--bind-address=127.0.0.1",
        "--innodb-flush-log-at-trx-commit=2",
        "--skip-log-bin",
    ]
    return command, port


def _until_listening(log: Path) -> None:
    tail = subprocess.Popen(["tail", "-n", "+1", "-f", str(log)], stdout=subprocess.PIPE, text=True)
    try:
        for line in tail.stdout or ():
            if "ready for connections" in line:
                return
    finally:
        tail.kill()
        tail.communicate()


def _sql(folder: Path, statement: str) -> None:
    subprocess.run(
        ["mariadb", "--no-defaults", f"--socket={folder / 's'}", "-uroot", "-e", statement],
        check=True,
        capture_output=True,
        timeout=60,
    )
