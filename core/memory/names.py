"""The name a person gives for themselves."""

import re
from functools import cache
from importlib import resources

_SAYS = re.compile(
    r"(?:^|[，,。！!\s])(?:您好|你好|嗨|对了|嗯)?"
    r"(?:我的?(?:名字)?(?:叫做|叫|名叫|是叫)|(?:我的?)?名字(?:是|叫)|本人叫|(?:请|你|您|大家|朋友们?|都|可以|就)*(?:叫|称呼|喊)我(?:为)?)"
    r"(?P<name>[\u4e00-\u9fff·]{1,8}|[A-Za-z][A-Za-z .'-]{0,30})\s*$"
)
_TAIL = re.compile(r"(就行了?|就好了?|就可以了?|即可|吧|啊|呀|哦|呢|啦|哈|嘛|好了)$")
_NO_NAME = re.compile(r"[什么谁了过你您他她它这那个辆张车票次吗不外卖快递]")
_LONGEST = 4


def name_in(clause: str) -> str | None:
    """The name in 我叫林小满, 叫我小林就行, 我叫Tom; None for 我叫了辆车 and 我叫什么."""
    found = _SAYS.search(clause)
    if found is None:
        return None
    name = _TAIL.sub("", found["name"].strip())
    if name.isascii():
        return name or None
    return name if len(name.replace("·", "")) >= 2 and _is_name(name) else None


def _is_name(name: str) -> bool:
    single, starts = _beginnings()
    if len(name) > 1 and _NO_NAME.search(name[1:]):
        return False
    if "·" in name:
        return True
    return len(name) <= _LONGEST and (name[0] in single or name.startswith(starts))


@cache
def _beginnings() -> tuple[frozenset[str], tuple[str, ...]]:
    """Surnames of one character, then what else a name may begin with."""
    singles, others = (resources.files("core.memory") / "data" / "surnames.txt").read_text("utf-8").splitlines()
    return frozenset(singles), tuple(others.split())
