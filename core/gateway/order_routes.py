"""Offers and orders over HTTP: calling the confirm or cancel route is a yes."""

import re
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from core.gateway.access import BackendIn, UserIn
from core.gateway.once import ONCE, OnceRoute
from core.gateway.problems import documented
from core.gateway.reply_json import order_out
from core.gateway.schemas import OrderOut, OrdersOut
from core.orders.ledger import AskedBy
from core.shared.errors import Conflict, InvalidRequest, NotFound, SmartVoyageError, UpstreamUnavailable

router = APIRouter(tags=["orders"], route_class=OnceRoute)

OfferId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
OrderId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
_MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(?:\.[0-9]{1,6})?(?:Z|[+-][0-9]{2}:[0-9]{2})"
_MOMENT_AND_ID = re.compile(rf"({_MOMENT})\|[^\s|]{{1,64}}")


def _cursor(before: str) -> str:
    """Checked before any agent is asked. A client that did not encode it sends the offset's plus as a blank."""
    cursor = before.replace(" ", "+")
    found = _MOMENT_AND_ID.fullmatch(cursor)
    try:
        datetime.fromisoformat(found[1] if found else "")
    except ValueError as error:
        raise PydanticCustomError("cursor", "不是有效的翻页位置，请使用上一页返回的 next。") from error
    return cursor


BeforeIn = Annotated[str, Query(max_length=128), AfterValidator(_cursor)]
_PROBLEMS = documented(InvalidRequest, NotFound, Conflict, UpstreamUnavailable, SmartVoyageError)


@router.post("/api/offers/{offer_id}/confirm", summary="Place an offer", dependencies=ONCE, responses=_PROBLEMS)
async def confirm(offer_id: OfferId, user_id: UserIn, backend: BackendIn, request: Request) -> OrdersOut:
    """Places the offer once. 409 when it was placed, withdrawn or has expired, or when price or stock changed."""
    resumed = getattr(request.state, "resumed", False)
    placement = await backend.desk.confirm(user_id, offer_id, request.state.traceparent, resumed=resumed)
    return OrdersOut(orders=[order_out(order) for order in placement.orders], next=None)


@router.delete("/api/offers/{offer_id}", status_code=204, summary="Withdraw an offer", responses=_PROBLEMS)
async def withdraw(offer_id: OfferId, user_id: UserIn, backend: BackendIn) -> None:
    await backend.desk.withdraw(user_id, offer_id)


@router.get("/api/orders", summary="A person's orders, newest first", responses=_PROBLEMS)
async def orders(
    user_id: UserIn,
    backend: BackendIn,
    request: Request,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    before: BeforeIn | None = None,
) -> OrdersOut:
    """`before` is the `next` of the page before."""
    page = await backend.ledger.page(AskedBy(user_id, request.state.traceparent), limit=limit, before=before)
    return OrdersOut(orders=[order_out(order) for order in page.orders], next=page.next)


@router.get("/api/orders/{order_id}", summary="One order", responses=_PROBLEMS)
async def order(order_id: OrderId, user_id: UserIn, backend: BackendIn, request: Request) -> OrderOut:
    return order_out(await backend.ledger.get(AskedBy(user_id, request.state.traceparent), order_id))


@router.post("/api/orders/{order_id}/cancel", summary="Cancel an order", dependencies=ONCE, responses=_PROBLEMS)
async def cancel(order_id: OrderId, user_id: UserIn, backend: BackendIn, request: Request) -> OrderOut:
    """Returns the stock; a second cancel answers the same."""
    who = AskedBy(user_id, request.state.traceparent)
    found = await backend.ledger.get(who, order_id)
    if found.get("status") == "cancelled":
        return order_out(found)
    try:
        agent, quote = await backend.ledger.cancellation(who, order_id)
        placement = await backend.desk.place_at_once(user_id, agent, quote, who.traceparent)
    except (Conflict, NotFound):  # of several who cancel at once one does it
        found = await backend.ledger.get(who, order_id)
        if found.get("status") != "cancelled":
            raise
        return order_out(found)
    return order_out(placement.orders[0])
