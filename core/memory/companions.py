"""Who travels along or belongs to the household: 带两个孩子, 和父母一起, 孩子5岁."""

import re
from collections.abc import Iterator

_NUMBER = r"[一二两俩三仨四五六七八九十\d]{1,3}"
_KIN = (
    r"老人家?|孩子|小孩子?|小朋友|宝宝|婴儿|娃娃?|儿子|女儿|父母亲?|爸妈|爸爸?妈妈?|爸爸|妈妈|爷爷奶奶|爷爷|奶奶|外公外婆|外公|外婆|姥姥姥爷|姥姥|姥爷|"
    r"岳父岳母|公婆|公公婆婆|老婆孩子|老婆|老公|妻子|丈夫|爱人|家人|全家"
)
_TAKES = re.compile(
    rf"(?:带|领|抱|陪)(?:着|上|了)?(?:我们?家?的?)?(?P<count>{_NUMBER})?(?:个|位|名|口)?(?:\d+岁的|小的|年幼的|年迈的|上了年纪的)?(?P<kin>{_KIN})"
)
_TOGETHER = re.compile(
    rf"(?:和|跟|同|与)(?:我们?家?的?)?(?P<count>{_NUMBER})?(?:个|位|名)?(?P<kin>{_KIN})(?:一起|一块儿?|一同|同行|同游|结伴)"
)
_HAS = re.compile(rf"(?:家里|我们?|我家|家中)(?:还|都)?有(?P<count>{_NUMBER})?(?:个|位|名)(?P<kin>{_KIN})")
_ALONG = re.compile(
    rf"(?:同行|随行|一行)(?:的|人)?(?:里|中)?(?:还)?有(?P<count>{_NUMBER})?(?:个|位|名)?(?P<kin>{_KIN})"
)
_AGE = re.compile(
    rf"(?P<kin>老人|孩子|小孩|宝宝|儿子|女儿|爸爸|妈妈|父母|爷爷|奶奶|外公|外婆|我妈|我爸|老大|老二)(?:今年|都|刚|已经|才|快)*(?P<age>{_NUMBER})(?:多)?岁"
)
_AND_MORE = re.compile(rf"(?:和|跟|、|加|还有|以及)?(?P<count>{_NUMBER})?(?:个|位|名)?(?P<kin>{_KIN})")
_DENIAL = re.compile(r"不|没|(?<!特)别|以后|适合再|如果|要是|自己|一个人")
_SAME = {
    "小孩": "孩子", "小孩子": "孩子", "小朋友": "孩子", "娃": "孩子", "娃娃": "孩子", "宝宝": "孩子", "老人家": "老人",
    "父母亲": "父母", "爸妈": "父母", "爸爸妈妈": "父母", "我妈": "妈妈", "我爸": "爸爸", "妻子": "老婆",
    "丈夫": "老公",
}
_SPOKEN = {"二": "两", "俩": "两", "仨": "三", "2": "两", "1": "一"}
_COUNTED = ("孩子", "老人", "婴儿", "儿子", "女儿")


def companions_in(text: str) -> Iterator[str]:
    """What a clause says of those who come along, and how old they are."""
    if _DENIAL.search(text):
        return
    if found := _TAKES.search(text) or _ALONG.search(text):
        yield f"同行有{_people(found)}"
        if more := _AND_MORE.match(text, found.end()):
            yield f"同行有{_people(more)}"
    elif found := _TOGETHER.search(text):
        kin = _kin(found)
        yield f"同行有{_people(found)}" if found["count"] or kin in _COUNTED else f"和{kin}一起出行"
    elif found := _HAS.search(text):
        yield f"家里有{_people(found)}"
    for aged in _AGE.finditer(text):
        yield f"{_kin(aged)}{aged['age']}岁"


def _people(found: re.Match[str]) -> str:
    count, kin = found["count"], _kin(found)
    if not count:
        return kin
    return f"{_SPOKEN.get(count, count)}{'位' if kin == '老人' else '个'}{kin}"


def _kin(found: re.Match[str]) -> str:
    return _SAME.get(found["kin"], found["kin"])
