"""ChatService: the facade for programs, over rooms and stores in memory."""

from datetime import datetime

import pytest

from core.bootstrap import build_backend
from core.service import Backend
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.errors import InvalidRequest
from core.shared.settings import parse_settings
from core.types.events import Done
from main import ChatService
from tests.support.network import InMemoryNetwork, answering
from tests.support.stores import in_memory_stores


@pytest.fixture
def backend() -> Backend:
    network = InMemoryNetwork()
    network.add("WeatherQueryAssistant", ["query weather"], answering("上海晴。"))
    clock = ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12)))
    return build_backend(network, in_memory_stores(), parse_settings({}), clock)


async def test_a_program_talks_and_reads_what_is_remembered(backend: Backend) -> None:
    service = ChatService("u1", backend=backend)
    assert "上海晴。" in await service.chat("上海明天天气")
    state = await service.get_memory_state()
    assert [message.role for message in state.short_term] == ["user", "assistant"]
    assert [card.name for card in await service.get_agent_cards()] == ["WeatherQueryAssistant"]


async def test_the_streaming_form_ends_with_the_same_reply(backend: Backend) -> None:
    events = [event async for event in ChatService("u1", backend=backend).stream("上海明天天气")]
    assert isinstance(events[-1], Done)
    assert "上海晴。" in events[-1].reply.answer.text


async def test_a_profile_is_laid_over_and_all_of_it_is_cleared(backend: Backend) -> None:
    service = ChatService("u1", backend=backend)
    await service.update_user_profile({"seat_class": "二等座"})
    assert await service.update_user_profile({"cabin": "经济舱"}) == {"seat_class": "二等座", "cabin": "经济舱"}
    assert (await ChatService("u2", backend=backend).get_memory_state()).user_profile == {}
    await service.clear_memory()
    assert (await service.get_memory_state()).user_profile == {}


@pytest.mark.parametrize("user_id", ["", "a b", "x" * 65, "李雷", "u1\n"])
def test_an_id_that_cannot_be_one_is_refused(user_id: str) -> None:
    with pytest.raises(InvalidRequest):
        ChatService(user_id)
