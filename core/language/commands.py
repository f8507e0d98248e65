"""Commands to other services take the words beside them along: 提醒我订机票 and 发短信说我到北京了 wish no journey."""

from collections.abc import Iterator, Sequence

from core.language.clauses import role_of
from core.language.scan import Scene
from core.language.values import Found, Mark, Talk

_ENDS = ("stop", "connective", "chain")
_MESSAGE = "message"
_CONTENT_BEGINS = ("说", "告诉他", "告诉她", "告诉", "内容", "跟他说", "跟她说")


def without_commanded(scene: Scene, founds: Sequence[Found]) -> list[Found]:
    """The values without those that such a command takes along: its clause, and the clause that says a message."""
    kept: list[Found] = []
    message = False
    for clause in _clauses(scene, founds):
        command = _command(scene, clause)
        if command is None and not (message and scene.text(clause[0].first) in _CONTENT_BEGINS):
            kept.extend(clause)
            message = False
            continue
        message = command == _MESSAGE
        kept.extend(found for found in clause if isinstance(found.value, (Mark, Talk)))
    return kept


def _clauses(scene: Scene, founds: Sequence[Found]) -> Iterator[list[Found]]:
    """Each with the boundary that ends it; what follows a colon is still said in its clause."""
    current: list[Found] = []
    for found in founds:
        current.append(found)
        if role_of(found) in _ENDS and scene.text(found.first) != ":":
            yield current
            current = []
    if current:
        yield current


def _command(scene: Scene, clause: Sequence[Found]) -> str | None:
    return next((kind for found in clause if isinstance(found.value, Talk)
                 and (kind := scene.get(found.first, "command")) is not None), None)
