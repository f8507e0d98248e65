"""SmartVoyage on the command line, and ChatService, the facade for programs that talk to it in Python."""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from pathlib import Path

import a2a_servers.commands
import core.commands
import mcp_server.commands
import mcp_tools.commands
from core.memory.trace_masking import masked_json
from core.service import Backend, ChatRequest
from core.shared import logging
from core.shared.clock import Clock, SystemClock
from core.shared.errors import SettingsError
from core.shared.identifiers import checked_id
from core.shared.serving import PortInUse, Service, running, until_signalled
from core.shared.settings import Settings, load_settings
from core.shared.settings_wording import used_in_words
from core.shared.version import VERSION
from core.types.events import Event
from core.types.memory import MemoryContext, Profile
from core.types.network import AgentView

CONFIG = Path(__file__).with_name("config.yaml")


class ChatService:
    """One light object per user and session. Give it a `backend` to share one; else it opens its own on first use."""

    def __init__(self, user_id: str, session_id: str = "default", *, backend: Backend | None = None) -> None:
        self.user_id = checked_id(user_id)
        self.session_id = checked_id(session_id)
        self._backend = backend
        self._opening = asyncio.Lock()
        self._opened = contextlib.AsyncExitStack()

    async def chat(self, user_input: str) -> str:
        """The reply to one message. Raises SmartVoyageError when there can be none."""
        backend = await self._open()
        reply = await backend.turns.chat(ChatRequest(self.user_id, self.session_id, user_input))
        return reply.answer.text

    async def stream(self, user_input: str) -> AsyncGenerator[Event]:
        """The same as it happens, Done with the whole reply last. Closing the generator ends the turn."""
        backend = await self._open()
        request = ChatRequest(self.user_id, self.session_id, user_input)
        async with contextlib.aclosing(backend.turns.stream(request)) as events:
            async for event in events:
                yield event

    async def get_agent_cards(self) -> tuple[AgentView, ...]:
        """Every configured agent with its skills, reachable or not."""
        return (await self._open()).network.agents()

    async def update_user_profile(self, profile: Profile) -> Profile:
        """Lay these preferences over the ones that are kept; the whole profile afterwards."""
        return await (await self._open()).memory.merge_profile(self.user_id, profile)

    async def get_memory_state(self) -> MemoryContext:
        """All four memories: of this session the conversation and its context, of the user profile and facts."""
        return await (await self._open()).memory.read(self.user_id, self.session_id)

    async def clear_memory(self) -> None:
        """Delete all four."""
        await (await self._open()).memory.clear(self.user_id, self.session_id)

    async def aclose(self) -> None:
        """Close what this object opened by itself."""
        await self._opened.aclose()

    async def _open(self) -> Backend:
        async with self._opening:
            if self._backend is None:
                from core.bootstrap import open_backend

                settings = load_settings(CONFIG)
                opened = open_backend(settings, SystemClock(settings.now))
                self._backend = await self._opened.enter_async_context(opened)
            return self._backend


def all_services(settings: Settings, clock: Clock) -> dict[str, Service]:
    """Every service by its name, in the order in which they are started: tools, agents, gateway."""
    agents = partial(a2a_servers.commands.services, masked=masked_json)
    parts = (mcp_server.commands.services, agents, core.commands.services)
    return {service.name: service for services in parts for service in services(settings, clock)}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status: 2 for a wrong argument or setting."""
    arguments = _parser().parse_args(argv)
    try:
        settings = load_settings(arguments.config)
        logging.configure(settings.log_level)
        run: Callable[[argparse.Namespace, Settings], int] = arguments.run
        return run(arguments, settings)
    except SettingsError as error:
        print(f"smartvoyage: {error}", file=sys.stderr)
        return 2
    except PortInUse as error:
        print(f"smartvoyage: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python main.py", description="SmartVoyage 智途, a travel assistant backend.")
    parser.add_argument("--version", action="version", version=f"SmartVoyage {VERSION}")
    parser.add_argument("--config", type=Path, default=CONFIG, help="the settings file (default: config.yaml)")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="run everything in one process, or one service alone")
    serve.add_argument("name", nargs="?", default="all", help="all (default) or one service; a wrong name lists them")
    serve.set_defaults(run=_serve)
    commands.add_parser("migrate", help="bring all tables to the newest form").set_defaults(run=_migrate)
    core.commands.add_commands(commands)
    mcp_tools.commands.add_commands(commands)
    return parser


def _migrate(arguments: argparse.Namespace, settings: Settings) -> int:
    return core.commands.run_migrate(arguments, settings) or mcp_tools.commands.run_migrate(arguments, settings)


def _serve(arguments: argparse.Namespace, settings: Settings) -> int:
    services = all_services(settings, SystemClock(settings.now))
    if arguments.name != "all" and arguments.name not in services:
        print(f"smartvoyage: serve: {arguments.name!r} is not one of: all, {', '.join(services)}", file=sys.stderr)
        return 2
    everything = [service for service in services.values() if service.in_all]
    chosen = everything if arguments.name == "all" else [services[arguments.name]]
    asyncio.run(_run_until_signalled(chosen, settings))
    return 0


async def _run_until_signalled(services: list[Service], settings: Settings) -> None:
    print(f"SmartVoyage 智途 {VERSION}", flush=True)
    print(*used_in_words(settings, [service.name for service in services]), sep="\n", flush=True)
    async with running(services, lambda service: print(f"  {service.name:<15} {service.url}", flush=True)):
        gateway = next((service.url for service in services if service.name == "gateway"), None)
        print(f"Ready: open {gateway}/docs" if gateway else "Ready.", flush=True)
        await until_signalled()
        print("Stopping …", flush=True)


if __name__ == "__main__":
    sys.exit(main())
