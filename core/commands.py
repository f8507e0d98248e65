"""What the core offers the command line: the gateway as a service, and a conversation with it."""

import argparse
from typing import TYPE_CHECKING, Any

from starlette.types import ASGIApp

from core.shared.clock import Clock
from core.shared.errors import SettingsError
from core.shared.identifiers import IDENTIFIER
from core.shared.on_database import on_database
from core.shared.serving import Service
from core.shared.settings import Settings
from core.types.trace import TracedRun

if TYPE_CHECKING:
    from sqlalchemy import Engine


def services(settings: Settings, clock: Clock) -> list[Service]:
    """The gateway, on the address of `gateway.host` and `gateway.port`."""

    def make_app() -> ASGIApp:
        from core.adapters.stores.migration import refuse_old_tables
        from core.bootstrap import open_backend
        from core.gateway.app import create_app

        refuse_old_tables(settings.database_url)
        return create_app(lambda: open_backend(settings, clock), settings.auth)

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
    """`chat`: talk to a running gateway; `check`: try every address; `token`: let somebody in; `trace`: draw a turn."""
    chat = commands.add_parser("chat", help="a conversation in the terminal with the running gateway")
    chat.add_argument("--user", default="local", type=_id, metavar="U", help="the user id (default: local)")
    chat.add_argument("--session", default="default", type=_id, metavar="S", help="the session id (default: default)")
    chat.add_argument("--url", default=None, help="the gateway's address (default: that of config.yaml)")
    chat.set_defaults(run=_chat)
    check = commands.add_parser(
        "check", help="is everything configured and within reach?",
        description="Says what is configured and what is embedded, and tries every address. Exit status 0 when all "
        "of them answer, 1 when one does not, 2 for a broken configuration.",
    )
    check.set_defaults(run=_check)
    token = commands.add_parser("token", help="print a token for a user (auth.mode jwt)")
    token.add_argument("user_id", metavar="USER_ID", help="1-64 characters of A-Z a-z 0-9 _ . @ : -")
    token.add_argument("--act-as", action="store_true", help="may name any user: for a trusted backend")
    token.add_argument("--operator", action="store_true", help="may see metrics, inner addresses, prompts")
    token.add_argument("--days", type=int, default=30, metavar="N", help="how long it is good (default: 30)")
    token.set_defaults(run=_token)
    trace = commands.add_parser(
        "trace", help="draw the recorded run of a turn",
        description="Reads the run from the database and draws it as a tree with a time line; names its weakest link.",
    )
    trace.add_argument("trace_id", metavar="ID", help="the trace_id of a reply")
    trace.set_defaults(run=_trace)


def run_migrate(_arguments: argparse.Namespace, settings: Settings) -> int:
    """Upgrade the core's own tables at the configured address."""
    from core.adapters.stores.migration import migrate_core

    def work(engine: "Engine") -> str:
        migrate_core(engine)
        return "core tables: up to date"

    return on_database(settings, work)


def _id(text: str) -> str:
    if not IDENTIFIER.fullmatch(text):
        raise argparse.ArgumentTypeError("expected 1-64 characters of A-Z a-z 0-9 _ . @ : -")
    return text


def _token(arguments: argparse.Namespace, settings: Settings) -> int:
    from core.gateway.auth import ACT_AS, OPERATOR, make_token

    if settings.auth.mode != "jwt":
        raise SettingsError("auth.mode (environment AUTH_MODE): tokens are for auth.mode jwt, found 'off'")
    if not IDENTIFIER.fullmatch(arguments.user_id) or arguments.days < 1:
        raise SettingsError("token: USER_ID must be 1-64 characters of A-Z a-z 0-9 _ . @ : - and --days at least 1")
    wanted = {ACT_AS: arguments.act_as, OPERATOR: arguments.operator}
    scopes = frozenset(scope for scope, given in wanted.items() if given)
    print(make_token(settings.auth, arguments.user_id, scopes, arguments.days))
    return 0


def _trace(arguments: argparse.Namespace, settings: Settings) -> int:
    from rich.console import Console

    from core.adapters.stores.migration import make_ready
    from core.adapters.stores.trace_rows import all_runs
    from core.trace_tree import draw

    runs: list[TracedRun] = []

    def work(engine: "Engine") -> str:
        make_ready(engine)
        with engine.connect() as connection:
            runs.extend(all_runs(connection, arguments.trace_id))
        console = Console(highlight=False)
        with console.capture() as captured:
            draw(runs, console)
        return captured.get().rstrip("\n") or f"no recorded run has the id {arguments.trace_id!r}"

    return on_database(settings, work) or (0 if runs else 1)


def _check(_arguments: argparse.Namespace, settings: Settings) -> int:
    import asyncio

    from core.checking import check, told

    findings = asyncio.run(check(settings))
    print(told(settings, findings))
    return 0 if all(finding.fine for finding in findings) else 1


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
