"""What no single key can know: settings that contradict one another, or that this machine cannot fulfil."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.shared.errors import SettingsError
from core.shared.settings_shape import Settings
from core.shared.settings_wording import shown

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

SECRET_BYTES = 32
"""What HS256 needs (RFC 7518, 3.2): a key at least as long as its hash."""

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  compared with, not listened on
_DATABASE = "database.url (environment DATABASE_URL)"
_DATA = "data (environment SMARTVOYAGE_DATA)"
_DRIVERS = ("sqlite", "sqlite+pysqlite", "mysql", "mysql+pymysql")


def refuse_contradictions(settings: Settings, source: str) -> None:
    """Raise SettingsError for the first rule that is broken."""
    _refuse_twins(settings, source)
    _refuse_shared_ports(settings, source)
    _refuse_open_door(settings)
    _refuse_weak_auth(settings)
    _refuse_unusable_data(settings)
    _refuse_unusable_database(settings)


def _refuse_twins(settings: Settings, source: str) -> None:
    names = [entry.name for entry in settings.agents]
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(f"{source}: agents: {name!r} stands {names.count(name)} times; names must differ")


def _refuse_shared_ports(settings: Settings, source: str) -> None:
    """Each of our own services listens on a port of its own; foreign agents may share one with one another."""
    taken: dict[tuple[str, int], tuple[str, bool]] = {}
    for key, host, port, own in _listeners(settings):
        other, other_own = taken.setdefault((host, port), (key, own))
        if other != key and (own or other_own):
            raise SettingsError(f"{source}: {key}: expected a port of its own, found {port}, which is that of {other}")


def _listeners(settings: Settings) -> Iterator[tuple[str, str, int, bool]]:
    """Key, host, port, and whether the service is one of ours."""
    yield "gateway.port", _same_name(settings.gateway.host), settings.gateway.port, True
    if settings.collector.enabled:
        yield "collector.port", _same_name(settings.services.host), settings.collector.port, True
    for number, entry in enumerate(settings.agents):
        for key, url in (("a2a_url", entry.a2a_url), ("mcp_url", entry.mcp_url)):
            if url is not None:
                parts = urlsplit(url)
                port = parts.port or (443 if parts.scheme == "https" else 80)
                place = f"agents.{number}.{key} ({entry.name})"
                yield place, _same_name(parts.hostname or ""), port, entry.mcp_url is not None


def _same_name(host: str) -> str:
    return "127.0.0.1" if host in (*_LOOPBACK, *_EVERYWHERE) else host


def _refuse_open_door(settings: Settings) -> None:
    if settings.auth.mode == "off" and settings.gateway.host not in _LOOPBACK:
        raise SettingsError(
            f"gateway.host: {settings.gateway.host!r} is not a loopback address, and auth.mode is off; "
            "listen on 127.0.0.1 or switch auth on with auth.mode (environment AUTH_MODE)"
        )


def _refuse_weak_auth(settings: Settings) -> None:
    if settings.auth.mode != "jwt":
        return
    secret = settings.auth.secret.get_secret_value() if settings.auth.secret else ""
    if len(secret.encode()) < SECRET_BYTES:
        raise SettingsError(
            f"auth.secret (environment AUTH_SECRET): at least {SECRET_BYTES} bytes are needed for auth.mode jwt, "
            f"found {len(secret.encode())}; make one with: python -c 'import secrets; print(secrets.token_hex(32))'"
        )
    if settings.now is not None:
        raise SettingsError("now (environment SMARTVOYAGE_NOW): a set clock is accepted only with auth.mode off")


def _refuse_unusable_data(settings: Settings) -> None:
    """The folder is made later, at the first writing; here it is only seen whether that can be."""
    folder = settings.data.absolute()
    there = next(place for place in (folder, *folder.parents) if os.path.exists(place))
    if not there.is_dir():
        raise SettingsError(f"{_DATA}: expected a folder, found the file {str(there)!r}")
    if not settings.database.url and not os.access(there, os.W_OK | os.X_OK):
        raise SettingsError(f"{_DATA}: expected a folder that can be written to, found {str(there)!r}")


def _refuse_unusable_database(settings: Settings) -> None:
    if not settings.database.url:
        return
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        address = make_url(settings.database.url)
    except (ArgumentError, ValueError) as error:
        raise SettingsError(f"{_DATABASE}: {_EXPECTED}, found a text that is none") from error
    if address.drivername not in _DRIVERS:
        raise SettingsError(f"{_DATABASE}: {_EXPECTED}, found {shown(address.drivername + '://')}")
    if address.get_backend_name() == "sqlite":
        _refuse_unusable_file(address, settings.data.absolute())
    elif not address.host or not address.database:
        raise SettingsError(f"{_DATABASE}: {_EXPECTED}, found one without a host or the name of a database")


_EXPECTED = "expected mysql://user:password@host:port/database or sqlite:///path/to/file.db"


def _refuse_unusable_file(address: "URL", data: Path) -> None:
    if address.database in (None, "", ":memory:"):
        raise SettingsError(f"{_DATABASE}: expected the path of a file, found none; services do not share a memory")
    file = Path(str(address.database)).absolute()
    if file.is_dir():
        raise SettingsError(f"{_DATABASE}: expected the path of a file, found the folder {str(file)!r}")
    if not file.parent.is_dir() and not file.parent.is_relative_to(data):
        raise SettingsError(f"{_DATABASE}: expected a file in a folder that exists, found {str(file)!r}")
