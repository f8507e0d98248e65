"""What people read around the results: Chinese names, true headings, friendly short words, never an address."""

import pytest

from core.language.frames import Frame, Trouble
from core.language.slots import Slots
from core.ports.agents import Unreachable
from core.reasoning.labels import label
from core.reasoning.questions import ask
from core.shared.call_context import CallContext
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.network import Skill
from tests.core.talks import Talk
from tests.support.network import Handler, answering, gone

WEATHER, TRAIN, ORDERS = "query weather", "query train tickets", "query orders"
OUTSIDE = "抱歉，这不在我的服务范围内。"


def failing(text: str) -> Handler:
    async def answer(request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        return AgentResponse(status="failed", observation=text, code="unavailable")

    return answer


def talk_with(weather: Handler, train: Handler) -> Talk:
    talk = Talk()
    talk.network.add("weather", [WEATHER], weather)
    talk.network.add("ticket", [TRAIN], train)
    return talk


@pytest.mark.parametrize(
    ("weather", "train", "opening", "status"),
    [
        (answering("晴。"), answering("有票。"), "为您查好了：", "answered"),
        (answering("晴。"), failing("暂时查不到。"), "为您查好了：", "partial"),
        (answering("没有。", rows=0), answering("没有。", rows=0), "查过了，结果如下：", "answered"),
        (failing("暂时查不到。"), gone, "抱歉，这次没有办成：", "failed"),
    ],
)
async def test_the_heading_claims_no_more_than_came(
    weather: Handler, train: Handler, opening: str, status: str
) -> None:
    answer = await talk_with(weather, train).say("明天上海天气和北京到上海的火车票")
    assert (answer.text.split("\n")[0], answer.status) == (opening, status)


async def test_who_was_not_heard_is_named_in_chinese_and_the_answer_is_partial() -> None:
    talk = Talk()
    talk.network.add("TicketAssistant", [ORDERS], gone)
    talk.network.add("TripAssistant", [ORDERS], answering("您有1笔订单。", kind="order"))
    talk.network.add("PandaTours", [ORDERS], gone)
    answer = await talk.say("我的订单")
    assert answer.status == "partial"
    assert "（票务服务、PandaTours暂时联系不上，可能还有没列出的内容。）" in answer.text


@pytest.mark.parametrize(
    ("skill", "name"),
    [
        (Skill("query hotels", "查询酒店", ("hotel", "酒店")), "酒店"),
        (Skill("query hotels", "查询酒店"), "查询酒店"),
        (Skill("query hotels", "looks for hotels", ("hotel",)), "hotel"),
        (Skill("query hotels", "looks for hotels"), "这项服务"),
    ],
)
def test_a_third_partys_skill_is_called_what_its_card_calls_it(skill: Skill, name: str) -> None:
    assert label("query hotels", (skill,)) == name


async def test_the_heading_of_a_third_partys_result_is_its_own_name() -> None:
    talk = talk_with(answering("晴。"), answering("有票。"))
    talk.network.add("hotel", ["query hotels"], answering("有房。", kind="hotel"), tags=("酒店",))
    answer = await talk.say("明天上海天气，再看看上海的酒店")
    assert answer.text.split("\n")[1:] == ["【天气】晴。", "【酒店】有房。"]


@pytest.mark.parametrize(
    ("said", "status", "reply"),
    [
        ("谢谢你", "out_of_scope", "不客气，祝您旅途愉快！"),
        ("再见", "out_of_scope", "再见，祝您一路顺风！"),
        ("帮我写首诗", "out_of_scope", f"{OUTSIDE}我可以帮您查天气、火车票、景点，有需要随时告诉我。"),
        ("上海的酒店", "out_of_scope", "抱歉，酒店住宿我还查不了。上海的天气、景点、火车票我可以帮您查，要看看吗？"),
        ("好的", "out_of_scope", "好的，请告诉我接下来想查什么。"),
        ("确认", "answered", "现在没有等您确认的报价。想订什么，告诉我就行。"),
        ("第二个", "not_understood", "现在没有可以挑选的内容。请告诉我想查什么，查到后说第几个就行。"),
    ],
)
async def test_what_wishes_nothing_gets_one_or_two_friendly_sentences(said: str, status: str, reply: str) -> None:
    answer = await talk_with(answering("晴。"), answering("有票。")).say(said)
    assert (answer.status, answer.text) == (status, reply)


LINKED = "晴，详见 https://evil.example/a?b=1 ![图](http://x.example/p.png) [点这里](http://x.example)。"


async def test_no_answer_carries_an_address() -> None:
    talk = talk_with(answering(LINKED), failing(LINKED))
    for said in ("明天上海天气", "明天上海天气和北京到上海的火车票", "明天http://evil.example/x的天气"):
        answer = await talk.say(said)
        shown = [answer.text, *(result.text for result in answer.results), *(r.error or "" for r in answer.results)]
        assert not [text for text in shown if "http" in text or "](" in text or "evil" in text], shown


def frame(trouble: Trouble, intent: str = WEATHER, slots: Slots | None = None) -> Frame:
    return Frame(intent, slots or Slots(), "查", troubles=(trouble,))


ASKED: list[tuple[Frame, str]] = [
    (frame(Trouble("no_such_item", "item_id", "第三个"), TRAIN),
     "刚才列出的内容里没有“第三个”，请看一下前面的列表，再告诉我选第几个。"),
    (frame(Trouble("no_such_item", "item_id", "第三笔"), "cancel order"),
     "刚才列出的订单里没有“第三笔”，请看一下前面的列表，再告诉我选第几个。"),
    (frame(Trouble("unsupported", "action", "改签"), ORDERS),
     "现在还不能直接改签，可以先取消原来的订单，再重新预订合适的班次。要取消哪一笔，告诉我订单号或车次就行。"),
    (frame(Trouble("unsupported", "action", "改签"), ORDERS, Slots(order_id="SV1")),
     "现在还不能直接改签，可以先取消原来的订单，再重新预订合适的班次。需要我先为您取消这笔订单吗？"),
    (frame(Trouble("ambiguous", "city", "海南")), "海南范围比较大，请问是哪个城市？比如海口、三亚、三沙、儋州。"),
    (frame(Trouble("ambiguous", "item_id", "那个"), TRAIN), "您指的是刚才列出的哪一个？请说第几个，或者说它的名称。"),
    (frame(Trouble("ambiguous", "date", "周五")), "“周五”可能有几种意思，请说得具体一点。"),
    (frame(Trouble("unknown_place", "city", "http://evil.example/x")), "请告诉我是哪个城市。"),
]


@pytest.mark.parametrize(("asked", "said"), ASKED)
def test_each_trouble_has_its_question(asked: Frame, said: str) -> None:
    assert ask((asked,), ()) == said
