"""Answers to what a person asks about their own memories, from the memories alone."""

import re
from collections.abc import Callable, Sequence

from core.memory.facts import facts_of
from core.memory.preferences import preferences_of
from core.memory.sayings import not_to_be_kept
from core.memory.statements import only_tells
from core.memory.telling import preferences_in_words, standing
from core.types.memory import MemoryContext, Profile

_ORDERS = re.compile(r"订单|订的|买的|订了|买了|订过|买过|车票|机票|门票|行程单")
_FORGET = re.compile(
    r"(删除?|清除|清空|清掉|忘掉|忘记|忘了|抹掉|移除|别再?记着?)(一下)?(你)?.{0,6}(记忆|偏好|我的信息|我的资料|个人信息|我说过的|关于我|聊天记录|对话记录|历史|我的名字|记录)|"
    r"(记忆|偏好|我的信息|我的资料|个人信息|我说过的.{0,3}|关于我的.{0,4}|聊天记录|对话记录|历史|名字|记录).{0,6}(删|清除|清空|清掉|忘掉|忘了|忘记|抹掉|移除)|忘了我吧?$|忘掉我吧?$"
)
_NAME = re.compile(
    r"我(的名字)?(叫|是)(什么|谁|啥)|我的名字(是什么|呢)?[？?]?$|(记得|知道)我(的名字|叫什么|是谁|姓什么)|我姓什么"
)
_HOME = re.compile(
    r"我(家|住)(在)?(哪|什么地方)|我(一般|平时|通常)(都)?从(哪|什么地方)|我(是|老家(是|在)?)哪|(?<!告诉)(?<!给)我的?(常住|出发)(城市|地)(是|在)?(哪|什么)?"
)
_ALLERGY = re.compile(r"我(对|有)(什么|哪些|啥).{0,4}过敏|我(对.{1,8})?过敏(吗|什么)|(记得|知道)我.{0,6}过敏|我的过敏")
_COMPANY = re.compile(r"我(一般|平时)?(带|和|跟|家里?有)(了)?(谁|几个|多少|什么人)|(记得|知道)我.{0,4}(孩子|老人|家人)")
_PREFERENCES = re.compile(
    r"我的?(出行|旅行|座位|乘车|购票|订票)?(偏好|喜好|习惯)(是|有|都)*(什么|哪些|啥|呢)|我(一般|平时|通常|喜欢|习惯|爱)(坐|订|买|用)?(什么|哪种|啥|哪个)|"
    r"(看|查|列|说|告诉).{0,6}我的(个人)?(偏好|喜好|记忆|资料|信息)|我的偏好[？?。]?$"
)
_PAST = re.compile(
    r"(刚才|刚刚|之前|前面|上次|上一句|上一个问题|上回|方才)我?(都|们|和你|跟你)*(问|说|查|聊|讲|提)(了|过|的|到)*(些)?(什么|啥|哪|内容|吗)|"
                   r"我(刚才|刚刚|之前|前面|上次|上一句|上回)(都|是)?(问|说|查|聊|讲|提)(了|过|的|到)*(些)?(是)?(什么|啥|哪)|(记得|知道)(我们?)?(刚才|之前|上次|聊)")
_ALL = re.compile(
    r"(记得|记住|记着|知道|了解|记了|记下|存了|保存了)(了)?(关于)?我(的)?(哪些|什么|啥|多少|吗|么|$|[？?])|还记得我|(都|还)?(记住|记得|记了|记下|存了)(了)?(些)?(什么|哪些|啥)|"
    r"关于我.{0,6}(什么|哪些|啥|多少)|你(有|能|会)(没有)?(记忆|记住|记得)"
)
_WISH = re.compile(r"查(?!看)|搜|找|推荐|帮我订|预订|买[一两张]|天气|景点")

HOW_TO_CLEAR = (
    "为避免误删，我不在对话里直接删除记忆。要清除，请使用清除记忆的接口：DELETE /api/memory 清除偏好、要点和本次对话，"
    "DELETE /api/memory/user_profile 只清除偏好，DELETE /api/memory/long_term 只清除要点；清除后立即生效，不能恢复。"
)
_NOTHING = (
    "我还没有记下关于您的信息。您可以告诉我常坐的席别、常从哪里出发、同行的老人孩子或过敏情况，以后查询时会用上。"
)
_MOST_QUOTED = 3
_LONGEST_QUOTE = 40


def recall(message: str, known: MemoryContext) -> str | None:
    """The answer to a message about memory itself; None for every other message.

    A message that only tells something to be kept is acknowledged, so the caller must record its preferences and facts.
    Nothing is ever deleted here: it is said where that can be done.
    """
    if _FORGET.search(message) and not _ORDERS.search(message):
        return f"{HOW_TO_CLEAR}\n{_everything(known)}"
    if _WISH.search(message) or _ORDERS.search(message):
        return None
    for question, answer in _QUESTIONS:
        if question.search(message):
            return answer(known)
    if not_to_be_kept(message):
        return "好的，这条我不会记成您的偏好或要点；对话内容仍会保留在会话记录里。"
    if only_tells(message, known.user_profile):
        return _acknowledged(preferences_of(message, known.user_profile), facts_of(message), known.user_profile)
    return None


def _acknowledged(changes: Profile, facts: Sequence[str], profile: Profile) -> str | None:
    kept = {key: value for key, value in changes.items() if value != ""}
    gone = {key: profile[key] for key, value in changes.items() if value == ""}
    others = [fact for fact in facts if not _is_said_by(fact, kept)]
    told = "；".join(part for part in (preferences_in_words(kept), "、".join(others)) if part)
    said = [f"好的，记下了：{told}。"] if told else []
    if gone:
        said.append(f"{'' if said else '好的，'}不再把{preferences_in_words(gone)}当作您的偏好。")
    return "".join(said) or None


def _is_said_by(fact: str, kept: Profile) -> bool:
    """名字 and 常住城市 stand in both; they are told once."""
    return any(isinstance(value, str) and fact.endswith(value) for value in kept.values())


def _everything(known: MemoryContext) -> str:
    facts = "、".join(standing(known.long_term))
    parts = []
    if known.user_profile:
        parts.append(f"您的偏好：{preferences_in_words(known.user_profile)}")
    if facts:
        parts.append(f"您提到过：{facts}")
    return f"目前我记得的有：{'；'.join(parts)}。" if parts else _NOTHING


def _name(known: MemoryContext) -> str:
    name = known.user_profile.get("name")
    return f"您告诉过我，您叫{name}。" if name else "您还没有告诉过我怎么称呼您。"


def _home(known: MemoryContext) -> str:
    places = [fact for fact in standing(known.long_term) if re.match(r"住在|老家|一般从|在|是.+人$", fact)]
    home = known.user_profile.get("home_city")
    said = [f"常住城市是{home}"] if home and f"住在{home}" not in places else []
    told = "、".join([*said, *places])
    return f"您告诉过我：{told}。" if told else "您还没有告诉过我住在哪里、一般从哪里出发。"


def _preferences(known: MemoryContext) -> str:
    if not known.user_profile:
        return "您还没有告诉过我出行偏好。可以说“以后都订二等座”“我喜欢靠窗”，我会记住，查询时默认按它筛选。"
    return f"您的偏好：{preferences_in_words(known.user_profile)}。"


def _matching(pattern: str, nothing: str) -> Callable[[MemoryContext], str]:
    def answer(known: MemoryContext) -> str:
        told = "、".join(fact for fact in standing(known.long_term) if re.search(pattern, fact))
        return f"您告诉过我：{told}。" if told else nothing

    return answer


def _past(known: MemoryContext) -> str:
    said = [message.content for message in known.short_term if message.role == "user"][-_MOST_QUOTED:]
    if not said:
        return "这次对话里还没有更早的消息；别的对话我在这里看不到。"
    quoted = "、".join(f"“{_short(text)}”" for text in said)
    return f"在这次对话里，您最近说过：{quoted}。别的对话我在这里看不到，可以在会话记录里查看。"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST_QUOTE else f"{flat[:_LONGEST_QUOTE]}…"


_QUESTIONS: tuple[tuple[re.Pattern[str], Callable[[MemoryContext], str]], ...] = (
    (_PAST, _past),
    (_NAME, _name),
    (_HOME, _home),
    (_ALLERGY, _matching("过敏", "您还没有告诉过我过敏情况。")),
    (_COMPANY, _matching("同行|家里有|一起出行|岁$", "您还没有告诉过我和谁一起出行。")),
    (_PREFERENCES, _preferences),
    (_ALL, _everything),
)
