"""The gateway alone: `uvicorn main_http_api:app --port 8888`. Agents and tool servers are expected to run already."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from core.bootstrap import open_backend
from core.gateway.app import create_app
from core.service import Backend
from core.shared import logging
from core.shared.clock import SystemClock
from core.shared.settings import load_settings


@asynccontextmanager
async def _backend() -> AsyncIterator[Backend]:
    settings = load_settings(Path(__file__).with_name("config.yaml"))
    logging.configure(settings.log_level)
    async with open_backend(settings, SystemClock(settings.now)) as backend:
        yield backend


app = create_app(_backend)
