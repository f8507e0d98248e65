"""A scripted address, a clock whose short waits pass at once, and the adapter between them."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

import pytest

from core.adapters.llm.budget import TurnBudget
from core.adapters.llm.opening import open_model
from core.ports.language_model import LanguageModel
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import Settings, parse_settings
from tests.support.model_server import ModelServer, model_server

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
KEY = "sk-secret-0123456789abcdefghijklmnop"
LEAP_BELOW_S = 20.0


class LeapingClock(ManualClock):
    """Waits under 20 s (between tries, between the drops of a drip) pass at once; longer ones, deadlines, stand."""

    def __init__(self) -> None:
        super().__init__(NOW)
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        if seconds >= LEAP_BELOW_S:
            await super().sleep(seconds)
            return
        self.waits.append(seconds)
        await asyncio.sleep(0)
        self.advance(seconds)


def settings_for(url: str, **llm: Any) -> Settings:
    return parse_settings({"llm": {"model": "test-model", "base_url": url, "api_key": KEY, **llm}})


def budget_on(clock: ManualClock, *, calls: int = 12, seconds: float = 60) -> TurnBudget:
    return TurnBudget(clock, calls=calls, seconds=seconds)


@pytest.fixture
def clock() -> LeapingClock:
    return LeapingClock()


@pytest.fixture
async def server(clock: LeapingClock) -> AsyncIterator[ModelServer]:
    async with model_server(clock) as running:
        yield running


@pytest.fixture
async def model(server: ModelServer, clock: LeapingClock) -> AsyncIterator[LanguageModel]:
    """Streams from the first word; tests of held-back thinking open their own."""
    async with open_model(settings_for(server.url, thinking_tags="show"), clock) as opened:
        assert opened is not None
        yield opened
