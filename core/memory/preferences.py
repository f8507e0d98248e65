"""Lasting preferences, read by rules from what a person says: 以后都订二等座, 我一般靠窗, 我叫林小满."""

import re
from collections.abc import Iterator

from core.memory.homes import home_of, left_home
from core.memory.names import name_in
from core.memory.sayings import Clause, clauses, not_to_be_kept
from core.memory.travel_words import SlotWord, find_slot_words
from core.types.memory import Profile

KEEP = re.compile(r"记一下|记下|记住|记着|记得给我|帮我记|请记|存一下|设为默认|默认|偏好.{0,4}(改|换|设)(成|为|到)")
_FROM_NOW_ON = re.compile(r"以后|今后|往后|从现在起|从今往后|之后都|每次|长期|默认|(座位|席别|舱位|出行|乘车|我的)偏好")
_HABIT = re.compile(
    r"一般(?!的|般)|通常|平时|平常|向来|从来|总是|一直|老是|习惯|历来|都是|基本上|经常|常常|只(坐|订|买|选|乘|飞|要)"
)
_LIKING = re.compile(r"喜欢|偏好|偏爱|爱坐|更愿意|最爱|倾向")
_DENIAL = re.compile(
    r"不(?!管|论|错|过|然|仅|但|好意思|如)|(?<![席特区级类])别(?!的)|讨厌|甭|没(?!事|关系)|拒绝|受不了|除了"
)
_NO_MORE = re.compile(r"不.{0,6}了|不再|别再|别.{0,6}了|取消|不用再")
_OTHERS = re.compile(
    r"他|她|它|朋友|同事|同学|妈|爸|父母|老婆|老公|爱人|妻子|丈夫|孩子|小孩|儿子|女儿|老人|爷爷|奶奶|外婆|外公|姥|别人|大家|人们|有人|很多人|"
    r"客户|领导|老板|邻居|亲戚|你|您|人一般|人都"
)
_VERB = r"(坐|订|买|选|要|乘|飞|定|搭|用|是|给我|睡|走)"


def preferences_of(message: str, profile: Profile) -> Profile:
    """Changes to lay over `profile`; an empty text takes a preference back that this message says is none any more."""
    if not_to_be_kept(message):
        return {}
    changes: Profile = {}
    keep, from_now_on = bool(KEEP.search(message)), False
    for clause in clauses(message):
        from_now_on = lasting_from(clause, from_now_on)
        if clause.asks:
            continue
        changes |= _personal(clause, profile)
        changes |= _choices(clause, profile | changes, lasting=from_now_on or (keep and not clause.this_time))
    return {key: value for key, value in changes.items() if value != "" or key in profile}


def lasting_from(clause: Clause, before: bool) -> bool:
    """Whether 以后 is in force: once said it holds until a clause that speaks of one journey."""
    return (before or bool(_FROM_NOW_ON.search(clause.text))) and not clause.this_time


def _personal(clause: Clause, profile: Profile) -> Profile:
    """Name and home: lasting by their nature."""
    changes: Profile = {}
    if name := name_in(clause.text):
        changes["name"] = name
    if home := home_of(clause):
        changes["home_city"] = home
    elif (gone := left_home(clause.text)) and profile.get("home_city") == gone:
        changes["home_city"] = ""
    return changes


def _choices(clause: Clause, profile: Profile, *, lasting: bool) -> Profile:
    wanted: dict[str, list[str]] = {}
    changes: Profile = {}
    for word, denied in _judged(clause.text):
        if denied:
            if profile.get(word.slot) == _value(word) and (lasting or _is_taken_back(clause)):
                changes[word.slot] = ""
        elif (lasting and not _of_others(clause, word)) or _is_habit(clause, word):
            wanted.setdefault(word.slot, []).append(word.value)
            changes[word.slot] = _value(word)
    two_minds = {slot for slot, values in wanted.items() if len(set(values)) > 1}
    return {slot: value for slot, value in changes.items() if slot not in two_minds}


def _judged(text: str) -> Iterator[tuple[SlotWord, bool]]:
    """Each word with whether it is denied: by what stands between it and the word before."""
    place = 0
    for word in find_slot_words(text):
        yield word, bool(_DENIAL.search(text[place : word.start]))
        place = word.end


def _value(word: SlotWord) -> str | bool:
    return word.value == "yes" if word.slot == "direct" else word.value


def _is_taken_back(clause: Clause) -> bool:
    said = _NO_MORE.search(clause.text) or _LIKING.search(clause.text) or _HABIT.search(clause.text)
    return bool(said) and not clause.this_time and not _OTHERS.search(clause.text)


def _is_habit(clause: Clause, word: SlotWord) -> bool:
    """一般坐二等座, 二等座是我最喜欢的; but not 高铁总是晚点, and not 明天想坐靠窗."""
    before = clause.text[: word.start]
    habit, liking = _HABIT.search(before), _LIKING.search(before)
    if not (habit or liking):
        mine = "我" in clause.text[word.end :] and _LIKING.search(clause.text[word.end :])
        return bool(mine) and not clause.this_time and not _of_others(clause, word)
    if _of_others(clause, word) or (clause.this_time and not habit):
        return False
    said = habit or liking
    return bool(liking) or "我" in before or bool(said and re.search(_VERB, before[said.start() :]))


def _of_others(clause: Clause, word: SlotWord) -> bool:
    before = clause.text[: word.start]
    said = _OTHERS.search(before.replace("帮您", ""))
    return bool(said) and not re.search(r"^[你您]?(帮我|给我|请|以后|今后)", before)
