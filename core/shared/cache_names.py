"""How the cache's first level is named and where its embedded form listens: for all who say that data has changed."""

import tempfile
from hashlib import sha256
from pathlib import Path

PREFIX = "smartvoyage:cache:"
VERSIONS = f"{PREFIX}versions"
"""A hash: kind of data → what stands for its present state. Answers made from another state are not found."""

LONGEST_SOCKET = 100
"""A Unix socket's path has room for 107 bytes."""


def cache_folder(data: Path) -> Path:
    """Where the embedded stores of the cache lie in the data folder."""
    return data / "cache"


def socket_of(folder: Path) -> Path:
    """In the folder, unless its path is too long for one."""
    path = folder.absolute() / "valkey.sock"
    if len(str(path).encode()) <= LONGEST_SOCKET:
        return path
    return Path(tempfile.gettempdir()) / f"smartvoyage-{sha256(str(path).encode()).hexdigest()[:16]}" / "valkey.sock"
