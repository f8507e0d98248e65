"""The gateway's application: routes, errors, limits, and a backend that opens with its lifespan."""

import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from fastapi import FastAPI

from core.gateway import memory_routes, order_routes, routes, session_routes
from core.gateway.auth import Gate
from core.gateway.edge import Edge
from core.gateway.problems import add_problem_handlers
from core.gateway.schemas import ProblemOut
from core.service import Backend
from core.shared.settings import AuthSettings
from core.shared.version import VERSION

AUTH_OFF = AuthSettings()

OpenBackend = Callable[[], AbstractAsyncContextManager[Backend]]


class Gateway(FastAPI):
    """FastAPI whose description also holds the shape of our problem details, which no route returns by itself."""

    def openapi(self) -> dict[str, Any]:
        described = super().openapi()
        schemas = described.setdefault("components", {}).setdefault("schemas", {})
        schemas.setdefault("ProblemOut", ProblemOut.model_json_schema())
        return described


def create_app(open_backend: OpenBackend, auth: AuthSettings = AUTH_OFF) -> FastAPI:
    """The application; nothing is opened before its lifespan begins."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_backend() as backend:
            app.state.backend = backend
            yield

    app = Gateway(
        title="SmartVoyage 智途",
        version=VERSION,
        summary="A travel assistant that understands several wishes in one Chinese sentence.",
        lifespan=lifespan,
    )
    add_problem_handlers(app)
    for router in (routes.router, order_routes.router, memory_routes.router, session_routes.router):
        app.include_router(router)
    app.add_middleware(Edge, gate=Gate(auth))
    return app
