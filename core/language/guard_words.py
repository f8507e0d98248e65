"""What no sentence of a model may hold, whatever it is about: addresses, markup, our own prompts, talk of itself."""

import re
import unicodedata
from collections.abc import Hashable
from functools import lru_cache
from typing import Protocol

from core.shared.prompts import Prompt

MOST_TALK = 200
"""Characters of a question or a refusal in a model's words."""

_RUN = 10
"""Characters in a row that betray a prompt."""

_FORBIDDEN = re.compile(
    r"""https?|://|www\.|\.(?:com|cn|net|org|io|top|xyz|cc|ru|info|shop)(?![A-Za-z])|@|\\u[0-9a-f]{4}|&\#?\w+;
    |[{}\[\]<>`|*_\\]|^\s*\#|!\(|二维码|扫码|加微|微信|QQ|加群|私信|点击|点此|戳这|银行卡|卡号|密码|验证码|身份证号|汇款|转账|电话|热线|客服号|链接|网址|公众号
    |提示词|系统提示|系统指令|指令|prompt|system|assistant|作为(?:一?[个名])?(?:AI|人工智能|语言模型|大模型)|JSON|API|用户ID""",
    re.IGNORECASE | re.VERBOSE,
)
_INVISIBLE = frozenset({"Cf", "Cc", "Co", "Cn", "Cs"})
_NUMBER = re.compile(r"\d+")


class Prompts(Hashable, Protocol):
    """The prompts whose words must never come back."""

    def all(self) -> tuple[Prompt, ...]: ...


def plain(text: str) -> str:
    """One spelling for all checks: half-width, without what cannot be seen; a Chinese comma parts no thousands."""
    folded = unicodedata.normalize("NFKC", text.replace("，", "、"))
    return "".join(c for c in folded if c == "\n" or unicodedata.category(c) not in _INVISIBLE)


def is_hidden(text: str) -> bool:
    """Whether there are characters that a reader does not see."""
    return any(unicodedata.category(c) in _INVISIBLE for c in text if c != "\n")


def breaks_the_rules(text: str, prompts: Prompts) -> bool:
    """Whether a text holds anything that must never reach a person."""
    said = plain(text)
    return bool(_FORBIDDEN.search(said)) or is_hidden(text) or _quotes_a_prompt(said, _runs(prompts))


def harmless(text: str | None, prompts: Prompts, *, allowed: str) -> str | None:
    """A question or a refusal of a model's that may be shown; None where it may not.

    It holds no number but those of `allowed`, the person's own words.
    """
    if text is None or not (said := text.strip()) or len(said) > MOST_TALK or breaks_the_rules(said, prompts):
        return None
    numbers = set(_NUMBER.findall(plain(said)))
    return said if numbers <= set(_NUMBER.findall(plain(allowed))) and not CLAIMED.search(said) else None


CLAIMED = re.compile(
    r"(?:已|已经|成功)(?:为您|帮您|给您|替您)?(?:成功)?(?P<done>预订|预定|订好|订购|下单|购买|买好|出票|支付|付款|扣款|预留|锁定|锁座|取消|退票|退款|改签)"
    r"|(?P<well>预订|预定|下单|购买|出票|支付|付款|取消|退票|退款|改签|订票)(?:已)?(?:成功|完成|好了|完毕)"
    r"|(?:票|单|座位?)(?:都|也|就|均)?已(?:经)?(?:出|订|买|付|退|锁)|(?:锁|留|占)(?:好|住|着|下)了?(?:座|票)|(?:座|票)位?.{0,6}(?:留|锁|占)(?:好|住|着|下)"
    r"|(?:已|已经)到账|(?:订|买|办|退)(?:好|妥|成)了?|(?:为|帮|给|替)您(?:订|买|下|退|取消)(?:了|下了|好)"
)
"""Words that say that something was ordered, paid for, cancelled."""


def _quotes_a_prompt(said: str, runs: frozenset[str]) -> bool:
    return any(said[at : at + _RUN] in runs for at in range(len(said) - _RUN + 1))


@lru_cache(maxsize=4)
def _runs(prompts: Prompts) -> frozenset[str]:
    lines = (line for prompt in prompts.all() for line in prompt.system.splitlines())
    # An example's JSON is the travellers' own kind of words: 北京到上海的高铁 betrays nothing.
    texts = [plain(line) for line in lines if not line.startswith("{")]
    return frozenset(text[at : at + _RUN] for text in texts for at in range(len(text) - _RUN + 1))


_LINK = re.compile(
    r"!?\[([^\]\n]{0,80})\]\([^)\n]*\)|<[^<>\n]{0,300}>|(?:https?:)?//[^\s，。；！？、）]+|www\.[^\s，。；！？、）]+",
    re.IGNORECASE,
)


def without_links(text: str) -> str:
    """What a tool's row says, without addresses, markup and characters that cannot be seen."""
    seen = "".join(c for c in text if c == "\n" or unicodedata.category(c) not in _INVISIBLE)
    return _LINK.sub(lambda link: link.group(1) or "", seen)
