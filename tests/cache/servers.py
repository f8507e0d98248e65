"""Real servers for the tests: Debian's Redis, Milvus Lite behind its network door, Milvus 2.3.5."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.support.whole import free_port

PATIENCE_S = 90.0


def redis_binary() -> str | None:
    return shutil.which("redis-server")


def milvus_missing() -> str:
    """Why the real Milvus cannot be started here; empty when it can. Its etcd listens on fixed ports."""
    if not (Path(sys.executable).parent / "milvus-server").exists():
        return "the package milvus is not installed"
    for port in (2379, 2380):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                return f"somebody holds port {port}"
    return ""


@contextlib.contextmanager
def redis_server(port: int | None = None) -> Iterator[str]:
    """The address of a private Redis of Debian's package."""
    port = port or free_port()
    binary = redis_binary()
    assert binary is not None
    command = [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with _running(command, port, tempfile.gettempdir()):
        yield f"redis://127.0.0.1:{port}/0"


@contextlib.contextmanager
def milvus_lite_server(port: int | None = None) -> Iterator[str]:
    """The address of a Milvus Lite that is spoken to over the network."""
    port = port or free_port()
    with tempfile.TemporaryDirectory() as folder:
        binary = str(Path(sys.executable).parent / "milvus-lite")
        command = [binary, "server", "--data-dir", f"{folder}/data", "--host", "127.0.0.1", "--port", str(port)]
        with _running(command, port, folder):
            yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def milvus_server() -> Iterator[str]:
    """The address of a real Milvus 2.3.5."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        binary = str(Path(sys.executable).parent / "milvus-server")
        command = [binary, "--data", f"{folder}/data", "--proxy-port", str(port)]
        for name in ("etcd", "root-coord", "proxy-internal", "query-coord", "query-node", "index-coord", "index-node",
                     "data-coord", "data-node"):
            command += [f"--{name}-port", str(free_port())]
        with _running(command, port, folder):
            yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def _running(command: list[str], port: int, folder: str) -> Iterator[None]:
    """The process and its children, from when it listens until they have ended."""
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _until_it_listens(process, port)
        yield
    finally:
        os.killpg(process.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _until_it_listens(process: "subprocess.Popen[bytes]", port: int) -> None:
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:
        assert process.poll() is None, f"the server ended with status {process.returncode}"
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.5):
            return
        time.sleep(0.05)
    raise AssertionError("the server never listened")
