"""What the core offers the command line: the gateway as a service, and a conversation with it."""

import argparse
from typing import Any

from starlette.types import ASGIApp

from core.shared.clock import Clock
from core.shared.serving import Service
from core.shared.settings import Settings


def services(settings: Settings, clock: Clock) -> list[Service]:
    """The gateway, on the address of `gateway.host` and `gateway.port`."""

    def make_app() -> ASGIApp:
        from core.bootstrap import open_backend
        from core.gateway.app import create_app

        return create_app(lambda: open_backend(settings, clock), loopback_only=settings.auth.mode == "off")

    return [
        Service(
            name="gateway",
            host=settings.gateway.host,
            port=settings.gateway.port,
            make_app=make_app,
            setting="gateway.port (environment GATEWAY_PORT)",
        )
    ]


def add_commands(commands: "argparse._SubParsersAction[Any]") -> None:
    """`chat`: talk to a running gateway in the terminal."""
    chat = commands.add_parser("chat", help="a conversation in the terminal with the running gateway")
    chat.add_argument("--user", default="local", metavar="U", help="the user id (default: local)")
    chat.add_argument("--session", default="default", metavar="S", help="the session id (default: default)")
    chat.add_argument("--url", default=None, help="the gateway's address (default: that of config.yaml)")
    chat.set_defaults(run=_chat)


def _chat(arguments: argparse.Namespace, settings: Settings) -> int:
    import httpx
    from rich.console import Console

    from core.terminal import Conversation, converse

    url = arguments.url or f"http://{settings.gateway.host}:{settings.gateway.port}"
    console = Console()
    try:
        httpx.get(f"{url}/health/live", timeout=5, trust_env=False).raise_for_status()
    except httpx.HTTPError:
        console.print(f"smartvoyage: no gateway answers at {url}; start one with `make run`, or name it with --url")
        return 1
    converse(Conversation(url, arguments.user, arguments.session), console)
    return 0
