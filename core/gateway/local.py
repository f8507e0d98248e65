"""Whether a request belongs to this machine alone: by its connection, by the name it was sent to, by its page."""

import ipaddress
from urllib.parse import urlsplit

from starlette.types import Scope


def on_loopback(scope: Scope) -> bool:
    """Whether the connection's local end is a loopback address (or no network address at all)."""
    host, port = scope.get("server") or ("", None)
    if port is None:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return True


def is_local(named: str | None) -> bool:
    """Whether a Host or Origin header names this machine. One that is absent names nobody else.

    Against DNS rebinding: a stranger's name can be made to lead to 127.0.0.1, yet it is what the header says.
    """
    if named is None:
        return True
    try:
        host = urlsplit(named if "//" in named else f"//{named}").hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
