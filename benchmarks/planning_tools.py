"""What benchmarks.planning plans over besides the house's tools: distractors, a large graph, and labelled wishes."""

import random

from core.types.network import AgentView, Skill
from core.types.tool_facts import ToolFacts, Typed

_THINGS = """
船票 汽车票 地铁票 电影票 话剧票 展览票 景区门票 球赛票 滑雪票 温泉票 酒店 民宿 青旅
餐厅 咖啡馆 签证 护照 接机 行李寄存 充电桩 停车位 空气质量 潮汐 紫外线 花粉浓度 日出时间
地震 路况 高速过路费 加油站 导游 翻译 摄影师 婚礼 体检 宠物寄养 鲜花 蛋糕 外卖
快递 洗衣 电话卡 移动流量 汇率 外币兑换 购物退税 图书 课程 会议室 健身房
"""
_NAMES = """
ship_tickets coach_tickets metro_tickets cinema_tickets theatre_tickets exhibition_tickets sight_tickets match_tickets
ski_tickets spa_tickets hotel homestay hostel restaurant cafe visa passport airport_pickup luggage_storage charging_pile
parking air_quality tides ultraviolet pollen sunrise earthquakes traffic motorway_toll petrol_station guide interpreter
photographer wedding health_check pet_boarding flowers cake takeaway parcel laundry sim_card mobile_data exchange_rate
currency tax_refund books courses meeting_room gym
"""
_VERBS = (("query", "查询{}"), ("order", "预订{}"), ("rate", "评价{}"), ("compare", "比较{}的价格"))

_WISHES = """query weather|周末出门要不要带伞|上海这两天会不会很冷|杭州后天的气温|三亚最近热不热|青岛周五刮大风吗
query train tickets|坐高铁去上海要多少钱|明早有没有动车到南京|广州到长沙的列车时刻|二等座还有余票吗
query flight tickets|飞三亚的航班有哪些|下周一最便宜的机票|成都到西安坐飞机多久|公务舱现在什么价
query concert tickets|最近有哪些歌手开唱|周杰伦的巡演什么时候到北京|看台票还有吗|五月天内场多少钱
query car rental|在昆明自驾想要一辆七座车|三亚租个SUV一天多少|杭州有什么商务车可以包车
query tour group|云南有什么跟团的线路|成都三日游的团|报团去黄山大概多少钱
query insurance|出门玩要不要上个意外险|航班延误有什么险可以赔|去西藏的旅行保险
query orders|看看我买过什么|我订的票在哪里|我有哪些订单
order train tickets|帮我买一张去上海的高铁票|订两张二等座
order flight tickets|帮我订去三亚的飞机票|买两张经济舱机票
order concert tickets|帮我抢两张演唱会门票|买五月天内场的票
order car rental|帮我把那辆别克租下来下单|预订一辆七座车
order tour group|给我们两个人报名这个旅游团|预订黄山的跟团
order insurance|给两个人投保|买一份旅行保险
cancel order|票不要了，退掉|把刚才的订单取消"""


def wishes() -> list[tuple[str, str]]:
    """Sentences with the intent of the tool that is right for them; none of them stands in a card."""
    lines = [line.split("|") for line in _WISHES.splitlines()]
    return [(text, intent) for intent, *texts in lines for text in texts]


def distractors(number: int) -> AgentView:
    """Tools for other trades, among them the near ones: coach tickets beside train tickets, tides beside weather."""
    skills = [
        Skill(f"{verb} {name}", words.format(thing), (thing,), (f"帮我{words.format(thing)}",), facts=_facts(verb))
        for verb, words in _VERBS for name, thing in zip(_NAMES.split(), _THINGS.split(), strict=True)
    ]
    return AgentView("others", "http://others", healthy=True, skills=tuple(skills[:number]))


def _facts(verb: str) -> ToolFacts:
    return ToolFacts(yields=(Typed("offer" if verb == "order" else "rows"),))


def layered(number: int, layers: int = 4, sources: int = 3) -> AgentView:
    """A closing tool before so many others in layers: each needs one or two types of the layer below and yields one.

    Every type has some sources to choose from; the lowest layer needs a city, which the person has said.
    """
    chance = random.Random(7)  # noqa: S311 - the same graph at every run
    wide = max(2, (number - 1) // (layers * sources))
    last = ToolFacts("goal", (Typed("t0_0"), Typed("t0_1")), (Typed("rows"),))
    skills = [Skill("close", "", tool="close", facts=last)]
    for place in range(number - 1):
        layer = place * layers // (number - 1)
        below = {f"t{layer + 1}_{chance.randrange(wide)}" for _ in range(2)} if layer < layers - 1 else {"city"}
        own = f"t{layer}_{place % wide}"
        facts = ToolFacts(f"k{place}", tuple(map(Typed, sorted(below))), (Typed(own),), price=chance.random())
        skills.append(Skill(f"make {place}", "", tool=f"make_{place}", facts=facts))
    return AgentView("many", "http://many", healthy=True, skills=tuple(skills))
