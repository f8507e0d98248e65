"""A turn has one deadline and one end."""

import asyncio
from datetime import datetime

import pytest

from core.chat_service_core import VoyageChatCore
from core.language.slots import Slots
from core.memory.memory_manager import ConversationMemory
from core.orders.desk import OrderDesk
from core.orders.offer_book import OfferBook
from core.orders.placing import Placing
from core.reasoning.executor import StepExecutor
from core.reasoning.planner import RulePlanner
from core.reasoning.routing import Router
from core.reasoning.summary import TemplateSummarizer
from core.service import ChatRequest, TurnService
from core.shared.call_context import CallContext
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.errors import DeadlineExceeded
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.events import Began, Delta, Done, Event, Planned, StepEnded, StepStarted, Understood
from core.types.network import Skill
from core.types.turn import Reply, Turn
from core.types.understanding import Task, Understanding
from tests.support.network import InMemoryNetwork, answering
from tests.support.offers import InMemoryOfferStore
from tests.support.stores import in_memory_stores

REQUEST = ChatRequest("u1", "s1", "问")


class Understands:
    """An understander that always understands the same intents."""

    def __init__(self, *intents: str, slots: Slots | None = None) -> None:
        slots = slots or Slots(city="上海")
        self._tasks = tuple(Task(f"t{i}", intent, "查", slots) for i, intent in enumerate(intents, 1))

    async def understand(self, turn: Turn, skills: tuple[Skill, ...]) -> Understanding:
        return Understanding(outcome="tasks", tasks=self._tasks)


class NeverUnderstands:
    def __init__(self) -> None:
        self.ended = False

    async def understand(self, turn: Turn, skills: tuple[Skill, ...]) -> Understanding:
        try:
            await asyncio.Event().wait()
        finally:
            self.ended = True
        raise AssertionError("unreachable")


def service(
    network: InMemoryNetwork, understander: Understands | NeverUnderstands, clock: ManualClock
) -> TurnService:
    router = Router(network, ())
    placing = Placing(network)
    desk = OrderDesk(OfferBook(InMemoryOfferStore(), placing, clock), placing)
    core = VoyageChatCore(
        understander, RulePlanner(), StepExecutor(network, router, 120_000), TemplateSummarizer(), router, desk
    )
    stores = in_memory_stores()
    memory = ConversationMemory(stores.history, clock)
    return TurnService(core, memory, stores.order, clock, turn_ms=60_000)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 8, 16, 12, tzinfo=SHANGHAI))


@pytest.fixture
def network() -> InMemoryNetwork:
    network = InMemoryNetwork()
    network.add("weather", ["query weather"], answering("晴"))
    network.add("ticket", ["query train tickets"], answering("有票", kind="train"))
    return network


async def events_of(turns: TurnService) -> list[Event]:
    return [event async for event in turns.stream(REQUEST)]


async def test_the_events_of_a_turn_come_in_order(network: InMemoryNetwork, clock: ManualClock) -> None:
    events = await events_of(service(network, Understands("query weather"), clock))
    assert [type(e) for e in events] == [Began, Understood, Planned, StepStarted, StepEnded, Delta, Done]


async def test_the_deltas_add_up_to_the_reply(network: InMemoryNetwork, clock: ManualClock) -> None:
    events = await events_of(service(network, Understands("query weather", "query train tickets"), clock))
    done = events[-1]
    assert isinstance(done, Done)
    assert "".join(e.text for e in events if isinstance(e, Delta)) == done.reply.answer.text


async def test_the_deadline_ends_a_turn_with_a_clear_error(network: InMemoryNetwork, clock: ManualClock) -> None:
    stuck = NeverUnderstands()
    asking = asyncio.create_task(service(network, stuck, clock).chat(REQUEST))
    await clock.somebody_sleeps()
    clock.advance(60)
    with pytest.raises(DeadlineExceeded):
        await asking
    assert stuck.ended


async def test_a_client_that_leaves_ends_the_turn(network: InMemoryNetwork, clock: ManualClock) -> None:
    stuck = NeverUnderstands()
    stream = service(network, stuck, clock).stream(REQUEST)
    assert isinstance(await anext(stream), Began)
    await asyncio.sleep(0)
    await stream.aclose()
    assert stuck.ended
    assert clock.sleeping == 0


async def test_one_result_is_returned_as_its_agent_worded_it(network: InMemoryNetwork, clock: ManualClock) -> None:
    reply = await service(network, Understands("query weather"), clock).chat(REQUEST)
    assert (reply.answer.text, reply.answer.status, reply.answer.rounds) == ("晴", "answered", 1)


async def test_several_results_are_one_text_of_at_most_300_characters(clock: ManualClock) -> None:
    network = InMemoryNetwork()
    network.add("weather", ["query weather"], answering("上海晴。" * 80))
    network.add("ticket", ["query train tickets"], answering("有票。"))
    reply = await service(network, Understands("query weather", "query train tickets"), clock).chat(REQUEST)
    assert len(reply.answer.text) <= 300
    assert "【天气】上海晴。" in reply.answer.text
    assert "【火车票】有票。" in reply.answer.text


async def test_a_missing_agent_makes_the_answer_partial_and_is_named(clock: ManualClock) -> None:
    network = InMemoryNetwork()
    network.add("weather", ["query weather"], answering("晴。"))
    reply = await service(network, Understands("query weather", "query car rental"), clock).chat(REQUEST)
    assert reply.answer.status == "partial"
    assert "租车目前还没有开通" in reply.answer.text


async def test_what_nobody_offers_is_out_of_scope(network: InMemoryNetwork, clock: ManualClock) -> None:
    reply = await service(network, Understands("query car rental"), clock).chat(REQUEST)
    assert reply.answer.status == "out_of_scope"
    assert "租车目前还没有开通" in reply.answer.text
    assert "天气" in reply.answer.text
    assert network.calls == []


async def test_an_empty_result_is_looked_for_again_with_one_wish_less(clock: ManualClock) -> None:
    async def tours(request: AgentRequest, context: CallContext) -> AgentResponse:
        asked = request.action_code[0].parameter.get("days")
        found = [
            {"name": "熊猫一日", "days": 1, "price": "298.00"},
            {"name": "青城山一日", "days": 1, "price": "320.00"},
            {"name": "九寨两日", "days": 2, "price": "880.00"},
        ]
        rows = [row for row in found if asked in (None, row["days"])]
        answer = {"status": "completed", "observation": "短线若干" if rows else "没有。"}
        return AgentResponse.model_validate({**answer, "data": {"kind": "tour_group", "rows": rows}})

    network = InMemoryNetwork()
    network.add("trip", ["query tour group"], tours)
    wish = Understands("query tour group", slots=Slots(destination="成都", days=3))
    reply: Reply = await service(network, wish, clock).chat(REQUEST)
    assert [len(r.data.rows) if r.data else None for r in reply.answer.results] == [0, 3]
    assert reply.answer.rounds == 2
    assert "熊猫一日（1天，¥298.00） + 九寨两日（2天，¥880.00）" in reply.answer.text


async def test_an_empty_result_without_a_wish_to_give_up_is_an_answer(clock: ManualClock) -> None:
    network = InMemoryNetwork()
    network.add("weather", ["query weather"], answering("没有查到。", rows=0))
    reply = await service(network, Understands("query weather"), clock).chat(REQUEST)
    assert (reply.answer.status, reply.answer.text, len(network.calls)) == ("answered", "没有查到。", 1)
