"""A real MariaDB in a temporary folder, for the tests that need to see MySQL's own behaviour."""

import contextlib
import getpass
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.support.whole import free_port

INSTALLED = all(shutil.which(name) for name in ("mariadbd", "mariadb-install-db", "mariadb"))

# Nothing here has to survive a power cut.
_IN_A_HURRY = ("--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0")
_ALWAYS = ("--innodb-log-file-size=256M", "--skip-log-bin", "--max-connections=400")


class MariaDb:
    """One server. `durable`: what it has acknowledged survives its sudden death, as in a real installation."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self.port = free_port()
        self._socket = f"--socket={folder / 's'}"
        self._data = f"--datadir={folder / 'data'}"
        self._flags = _ALWAYS if durable else (*_ALWAYS, *_IN_A_HURRY)
        self._server: subprocess.Popen[str] | None = None

    def install(self) -> None:
        """Make the data folder."""
        method = "--auth-root-authentication-method=normal"
        _run("mariadb-install-db", "--no-defaults", self._data, method, _user())

    def start(self) -> None:
        """Start, or start again; it accepts connections afterwards."""
        address = (f"--port={self.port}", "--bind-address=127.0.0.1")
        self._server = subprocess.Popen(
            ["mariadbd", "--no-defaults", _user(), self._data, self._socket, *address, *self._flags],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        _until_ready(self._server)

    def kill(self) -> None:
        """As a machine that loses its power, but for the disk."""
        self._end(lambda server: server.kill())

    def stop(self) -> None:
        """In peace. Nothing happens to one that has ended."""
        self._end(lambda server: server.terminate())

    def admin(self, statements: str) -> None:
        """As root."""
        _run("mariadb", "--no-defaults", self._socket, "-uroot", "-e", statements)

    def new_database(self, name: str) -> str:
        """An empty database with an account of the same name that may do everything there; its address."""
        self.admin(
            f"CREATE DATABASE {name}; CREATE USER {name}@'127.0.0.1' IDENTIFIED BY '{name}';"
            f"GRANT ALL ON {name}.* TO {name}@'127.0.0.1'"
        )
        return self.url(name, name)

    def url(self, database: str, user: str) -> str:
        """An account's address; its password is its name."""
        return f"mysql+pymysql://{user}:{user}@127.0.0.1:{self.port}/{database}"

    def _end(self, how: Callable[[subprocess.Popen[str]], None]) -> None:
        if self._server is not None:
            how(self._server)
            self._server.communicate(timeout=30)
            self._server = None


@contextlib.contextmanager
def mariadb(folder: Path, *, durable: bool = False) -> Iterator[MariaDb]:
    """A running server; ends with the block."""
    server = MariaDb(folder, durable=durable)
    server.install()
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def running_mariadb(folder: Path) -> Iterator[str]:
    """A server of its own on a free port; the address of an empty database. Ends with the block."""
    with mariadb(folder) as server:
        yield server.new_database("tools")


def _user() -> str:
    return f"--user={getpass.getuser()}"


def _until_ready(server: subprocess.Popen[str]) -> None:
    log = []
    for line in server.stderr or ():
        log.append(line)
        if "ready for connections" in line:
            return
    raise RuntimeError("MariaDB ended while it was starting:\n" + "".join(log))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=60)
