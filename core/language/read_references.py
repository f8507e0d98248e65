"""Readers of words that point back: 第二个, 就这趟, 再往后推一天, 更早的, 老地方."""

from core.language.gazetteer import places
from core.language.scan import Scene
from core.language.values import Compare, Found, Mark, Pick, Shift, Where, Word

_LONGEST_LIST = 50
_SORT = "slot:sort"


def ranked(scene: Scene, place: int) -> list[Found]:
    """第二个, 第3趟, 最后一班, 倒数第二个; a rank without a thing counts only at the end of a clause."""
    rank, end = _rank(scene, place)
    if rank is None:
        return []
    if scene.has(end, "measure") and not scene.has(end, "number"):
        end += 1
    elif not scene.text(end - 1).endswith("个") and not (scene.text(end) in ("的", "吧") or _at_end(scene, end)):
        return []
    return [scene.found(Pick(rank, scene.said(place, end)), place, end)]


def _rank(scene: Scene, place: int) -> tuple[int | None, int]:
    named = scene.get(place, "rank")
    if named is not None:
        return int(named), place + 1 + (named == "-1" and scene.text(place + 1) == "一")
    number = scene.number(place + 1)
    if not scene.has(place, "ordinal") or number is None or not 1 <= number <= _LONGEST_LIST:
        return None, place
    return number, place + 2


def _at_end(scene: Scene, place: int) -> bool:
    """第一， opens a list of wishes."""
    return scene.skip(place, "stop") >= len(scene.tokens)


def refused(scene: Scene, place: int) -> list[Found]:
    """不要第一个: no choice of it."""
    named = ranked(scene, scene.skip(place + 1, "polite"))
    return [Found(Mark("refused"), place, named[-1].end)] if named else []


def pointed(scene: Scene, place: int) -> list[Found]:
    """这个, 那趟, 刚才那单: words that also fill pauses, so that they count only where nothing else is said."""
    return [scene.found(Pick(None, scene.text(place)), place, place + 1)]


def again(scene: Scene, place: int) -> list[Found]:
    """一样的, 老样子."""
    return [scene.found(Mark("again"), place, place + 1)]


def shifted(scene: Scene, place: int) -> list[Found]:
    """往后推一天, 提前两天, 晚一周: counted from the day talked about before."""
    number = scene.number(place + 1)
    way = scene.get(place, "shift")
    if way is None or number is None or not 1 <= number <= 366:
        return []
    unit = scene.skip_text(place + 2, "个")
    length = 7 if scene.has(unit, "week") else 1 if scene.has(unit, "days") else 0
    return [scene.found(Shift(int(way) * number * length), place, unit + 1)] if length else []


def end_of_holiday(scene: Scene, place: int) -> list[Found]:
    """假期最后一天: of the holiday talked about before."""
    at = scene.skip_text(scene.skip(place, "period"), "的")
    return [scene.found(Shift(0, to_end=True), place, at + 1)] if scene.has(at, "last_day") else []


def compared(scene: Scene, place: int) -> list[Found]:
    """更早的, 便宜点的, 别的; in a sentence of its own also the order in which rows are wished."""
    found = [scene.found(Compare(scene.get(place, "compare") or ""), place, place + 1)]
    sort = scene.get(place, _SORT)
    return [*found, scene.found(Word("sort", sort), place, place + 1)] if sort else found


def home(scene: Scene, place: int) -> list[Found]:
    """老地方: where the person usually sets out from; 家里 only where one leaves from."""
    known = places().get(scene.home or "")
    leaves = scene.has(place - 1, "from") or scene.has(place + 1, "depart")
    if known is None or not (leaves or scene.text(place) == "老地方"):
        return []
    return [scene.found(Where(known, said=scene.text(place), from_past=True), place, place + 1)]
