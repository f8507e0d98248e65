"""Who is calling, and the backend that serves them: the dependencies of every route."""

from typing import Annotated

from fastapi import Depends, Query, Request

from core.gateway.schemas import Identifier
from core.service import Backend

LOCAL_USER = "local"
"""The user id where auth is off and none is given."""


def backend(request: Request) -> Backend:
    """What the application's lifespan has opened."""
    found: Backend = request.app.state.backend
    return found


def user(user_id: Annotated[Identifier | None, Query()] = None) -> str:
    """The user of a route that takes it as a query parameter."""
    return user_id or LOCAL_USER


BackendIn = Annotated[Backend, Depends(backend)]
UserIn = Annotated[str, Depends(user)]
