"""What keeps two questions apart, kind by kind: words that a grammar may read too kindly, and what it never reads."""

import asyncio

import pytest

from tests.cache.test_promises import means_the_same, question_of
from tests.cache.world import World

APART = {
    "a question of another subject behind it": "明早南昌到九江的高铁|明早南昌到九江的高铁可以退吗",
    "an answer wished in another form": "丽江有哪些景点|丽江有哪些景点，用英文回答|丽江有哪些景点，开车去",
    "both, or one of them": "周二和周三苏州的天气|周二或周三苏州的天气",
    "a class that is read as the nearest": "后天太原到西安的硬卧|后天太原到西安的卧铺",
    "a bargain is not the cheapest": "明天福州飞贵阳最便宜的机票|明天福州飞贵阳打折的机票|明天福州飞贵阳便宜点的机票",
    "early is not the earliest": "后天宁波到温州最早的高铁|后天宁波到温州早一点的高铁|后天宁波到温州越早越好的高铁",
    "morning and forenoon": "明天早上泉州的天气|明天上午泉州的天气",
    "soon is not today": "今天烟台天气怎么样|一会儿烟台天气怎么样|现在烟台天气怎么样",
    "a festival is more than its day": "丽江国庆节天气怎么样|丽江10月1号天气怎么样",
    "nights are not days": "桂林三天的跟团游|桂林三晚的跟团游",
    "old people and grown-ups": "后天长春飞大连，两个老人|后天长春飞大连，两个大人",
    "when it begins, when it is sold": "毛不易南京演唱会什么时候|毛不易南京演唱会什么时候开票",
    "whether it has left": "今天上海到无锡的高铁|今天上海到无锡的高铁开了吗",
    "tickets and flights counted": "后天南京到长沙的机票有几张|后天南京到长沙的机票有几个|后天南京到长沙的机票",
    "some sights, and their number": "推荐几个洛阳的景点|洛阳的景点有几个|推荐一个洛阳的景点",
    "where it is": "毛不易南京演唱会|毛不易南京演唱会在哪",
    "whether it is good": "明天济南到青岛的动车|明天济南到青岛的动车好吗|明天济南到青岛的动车方便吗",
    "how much of what": "都江堰门票多少钱|都江堰门票还有多少张",
    "the next one": "明天济南到青岛的动车|明天济南到青岛下次的动车",
    "signs that say something": "明天济南到青岛的动车|明天济南←青岛的动车|明天济南⇄青岛的动车|🚫明天济南到青岛的动车",
    "what is demanded": "后天在北海租车|后天在北海租车有什么要求",
}

ALIKE = {
    "a word to the assistant": "明天济南到青岛的动车|明天济南到青岛的动车，好吗|好，查明天济南到青岛的动车",
    "faces": "明天济南到青岛的动车|明天济南到青岛的动车😊",
    "or not": "明天济南到青岛的动车还有票吗|明天济南到青岛的动车还有票没",
    "a stop of a tour": "毛不易南京演唱会门票|毛不易南京站演唱会门票|毛不易南京演唱会门票还有吗",
    "the highest warmth": "太原明天最高气温多少度|明天太原最高温度是多少",
    "which is the cheapest": "最便宜的旅游保险|哪个旅游保险最便宜",
    "one denial and another": "明天贵阳到昆明的火车，不坐高铁|明天贵阳到昆明的火车，不要高铁",
    "the hour in two ways": "后天下午四点以后徐州到郑州的高铁|后天16点以后徐州到郑州的高铁",
    "a price as a noun": "都江堰门票多少钱|都江堰门票价格|都江堰门票是多少",
    "seats in digits": "后天在北海租一辆七座车|后天在北海租一辆7座车",
    "one risk by two names": "滑雪险有哪些|滑雪保险有哪些",
}


def wordings(kinds: dict[str, str]) -> list[object]:
    return [
        pytest.param(first, other, id=f"{kind}: {other}")
        for kind, texts in kinds.items()
        for first, *others in [texts.split("|")]
        for other in others
    ]


@pytest.mark.parametrize(("question", "other"), wordings(APART))
def test_what_asks_something_else_never_means_the_same(question: str, other: str) -> None:
    one, two = question_of(question), question_of(other)
    assert one is not None
    assert not means_the_same(question, other)
    assert two is None or one.key != two.key


@pytest.mark.parametrize(("question", "other"), wordings(ALIKE))
def test_what_asks_the_same_means_the_same(question: str, other: str) -> None:
    assert means_the_same(question, other)


@pytest.mark.parametrize("text", ["后天上海飞成都的机票，带一个婴儿", "我的高铁几点开", "成都有哪些景点适合我"])
def test_what_is_about_its_author_is_no_question_for_the_cache(text: str) -> None:
    assert question_of(text) is None


LEANING = {
    "an aspect": ("上海明天天气怎么样", "苏州明天会下雨吗", "那上海呢"),
    "a note": ("上海有哪些景点", "苏州有哪些免费的景点", "那上海呢"),
    "a price": ("后天上海到南京的高铁", "明天上海到南京的高铁多少钱", "后天呢"),
    "its own words": ("上海有哪些景点", "苏州有哪些景点", "那上海的夜景呢"),
}


@pytest.mark.parametrize("kind", LEANING)
async def test_what_leans_on_more_than_slots_is_answered_anew(world: World, kind: str) -> None:
    kept, before, leaning = LEANING[kind]
    await world.ask(kept, "u1")
    await world.ask(before, "u2")
    assert await world.level(leaning, "u2") is None


async def test_fifty_at_once_are_answered_though_the_first_leaves(world: World) -> None:
    world.looker.gate = asyncio.Event()
    asking = [asyncio.create_task(world.ask("后天徐州到郑州的高铁", f"u{n}")) for n in range(50)]
    async with asyncio.timeout(20):
        while not world.looker.looked or (await world.stats_now())["redis"]["misses"] < 50:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    asking[0].cancel()
    await asyncio.wait({asking[0]})
    world.looker.gate.set()
    replies = await asyncio.gather(*asking[1:])
    assert {reply["status"] for reply in replies} == {"answered"}
    assert (world.looker.looked, world.looker.broken_off) == (1, 0)
