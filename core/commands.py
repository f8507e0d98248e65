"""What the core offers the command line: the gateway as a service."""

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
