"""A real MariaDB in a temporary folder, for the tests that need to see MySQL's own behaviour."""

import contextlib
import getpass
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.support.whole import free_port

INSTALLED = all(shutil.which(name) for name in ("mariadbd", "mariadb-install-db", "mariadb"))

# Nothing here has to survive a power cut.
_IN_A_HURRY = (
    "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0", "--innodb-log-file-size=256M", "--skip-log-bin",
)


@contextlib.contextmanager
def running_mariadb(folder: Path) -> Iterator[str]:
    """A server of its own on a free port; the address of an empty database. Ends with the block."""
    user = f"--user={getpass.getuser()}"
    data, listen, port = folder / "data", f"--socket={folder / 's'}", free_port()
    _run("mariadb-install-db", "--no-defaults", f"--datadir={data}", "--auth-root-authentication-method=normal", user)
    server = subprocess.Popen(
        [
            "mariadbd", "--no-defaults", user, f"--datadir={data}", listen, f"--port={port}",
            "--bind-address=127.0.0.1", *_IN_A_HURRY,
        ],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )
    try:
        _until_ready(server)
        _run(
            "mariadb", "--no-defaults", listen, "-uroot", "-e",
            "CREATE DATABASE tools; CREATE USER tools@'127.0.0.1' IDENTIFIED BY 'tools';"
            "GRANT ALL ON tools.* TO tools@'127.0.0.1'",
        )
        yield f"mysql+pymysql://tools:tools@127.0.0.1:{port}/tools"
    finally:
        server.terminate()
        server.communicate(timeout=30)


def _until_ready(server: subprocess.Popen[str]) -> None:
    log = []
    for line in server.stderr or ():
        log.append(line)
        if "ready for connections" in line:
            return
    raise RuntimeError("MariaDB ended while it was starting:\n" + "".join(log))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=60)
