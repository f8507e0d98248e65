"""Who is calling, and the backend that serves them: the dependencies of every route.

All are coroutines: FastAPI sends a plain function to a thread, which costs more than what it does here.
"""

from typing import Annotated

from fastapi import Depends, Query, Request

from core.gateway.auth import Caller
from core.gateway.schemas import Identifier
from core.service import Backend


async def backend(request: Request) -> Backend:
    """What the application's lifespan has opened."""
    found: Backend = request.app.state.backend
    return found


async def caller(request: Request) -> Caller:
    """Whom the gate has let in."""
    found: Caller = request.state.caller
    return found


CallerIn = Annotated[Caller, Depends(caller)]


async def user(caller: CallerIn, user_id: Annotated[Identifier | None, Query()] = None) -> str:
    """The user of a route that takes it as a query parameter. Forbidden where that is not the caller's to name."""
    return caller.acting_for(user_id)


BackendIn = Annotated[Backend, Depends(backend)]
UserIn = Annotated[str, Depends(user)]
