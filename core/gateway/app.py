"""The gateway's application: routes, errors, limits, and a backend that opens with its lifespan."""

import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

from fastapi import FastAPI

from core.gateway import cache_routes, description, memory_routes, order_routes, routes, session_routes, trace_routes
from core.gateway.auth import Gate
from core.gateway.description import DescribedApp
from core.gateway.edge import Edge
from core.gateway.problems import add_problem_handlers
from core.service import Backend
from core.shared.settings import AuthSettings
from core.shared.version import VERSION

AUTH_OFF = AuthSettings()

OpenBackend = Callable[[], AbstractAsyncContextManager[Backend]]


def create_app(open_backend: OpenBackend, auth: AuthSettings = AUTH_OFF) -> FastAPI:
    """The application; nothing is opened before its lifespan begins."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_backend() as backend:
            app.state.backend = backend
            yield

    app = DescribedApp(
        title="SmartVoyage 智途",
        version=VERSION,
        summary="A travel assistant that understands several wishes in one Chinese sentence.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # a redirection would lead to whatever host the request claims to have asked
    )
    add_problem_handlers(app)
    for module in (description, routes, order_routes, memory_routes, session_routes, cache_routes, trace_routes):
        app.include_router(module.router)
    app.add_middleware(Edge, gate=Gate(auth))
    return app
