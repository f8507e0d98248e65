"""Keep the demo data reaching to the horizon while the service runs."""

import asyncio
import logging

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from core.shared.clock import Clock, seconds_to_midnight, today
from mcp_tools.demo.extend import extend_demo_data

logger = logging.getLogger(__name__)

_LONGEST_NAP_S = 3600.0
"""A machine that was suspended slept through its timer: look at the calendar at least once an hour."""


async def keep_demo_data_fresh(engine: Engine, clock: Clock, *, weather: bool = True) -> None:
    """Extend the demo data at each of Shanghai's midnights, until cancelled. A database that is away is tried again."""
    while True:
        await clock.sleep(min(seconds_to_midnight(clock.now()), _LONGEST_NAP_S))
        try:
            added = await asyncio.to_thread(extend_demo_data, engine, today(clock), weather=weather)
        except SQLAlchemyError as error:
            logger.warning("demo data not extended (%s); it is tried again within the hour", type(error).__name__)
            continue
        if added:
            logger.info("demo data extended by %d rows", added)
