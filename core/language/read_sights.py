"""What is asked of a sight in numbers (评分4.5分以上, 玩2小时-3小时): no slot holds it, the words stay in the query."""

from core.language.scan import Scene
from core.language.values import Found, Note

_BACK = 5
"""Words before a number among which 评分 makes it a mark."""
_UNITS = ("小时", "钟头")
_BOUNDS = ("以上", "以下", "以内", "左右", "之上", "之间")


def hours_or_mark(scene: Scene, place: int) -> list[Found]:
    """两三个小时, 3-5个小时, 4.5分以上."""
    if scene.number(place) is None:
        return []
    end = place + 1
    if scene.text(end) in (".", "点") and scene.number(end + 1) is not None:
        end += 2
    if (scene.has(end, "dash") or scene.text(end) in ("到", "至")) and scene.number(end + 1) is not None:
        end += 2
    unit = scene.skip_text(end, "个")
    if not (scene.text(unit).startswith(_UNITS) or (scene.text(unit) == "分" and _is_a_mark(scene, place))):
        return []
    end = unit + 1
    end += scene.text(end) in _BOUNDS
    return [scene.found(Note(scene.said(place, end)), place, end)]


def _is_a_mark(scene: Scene, place: int) -> bool:
    return any("评" in scene.text(at) for at in range(max(0, place - _BACK), place))
