"""The intent `attraction`, answered by the core itself from a bundled list of sights."""

from collections.abc import Sequence

from core.language.sights import Sight, all_sights, sights_of
from core.ports.reasoning import LocalResult
from core.reasoning.sight_answers import answer_about
from core.shared.json_types import JsonObject
from core.types.agent_protocol import ResultData
from core.types.network import Skill
from core.types.plan import Step
from core.types.turn import Turn

BRIEF, FULL = 3, 6


class Attractions:
    """Implements the port LocalSkill without a model."""

    @property
    def skill(self) -> Skill:
        return Skill(
            name="attraction",
            description="推荐一个城市的景点",
            tags=("景点", "好玩的", "名胜", "旅游攻略"),
            examples=("上海有什么好玩的", "推荐几个北京的景点"),
        )

    async def run(self, turn: Turn, step: Step, *, brief: bool) -> LocalResult:
        city = step.slots.city or step.slots.destination or step.slots.to_city or ""
        sights = sights_of(city)
        if not sights:
            return LocalResult(text=f"抱歉，还没有收录{city}的景点。", data=_data(city, ()))
        if brief:
            shown = sights[:BRIEF]
            return LocalResult(text=told(city, _lines(shown), brief), data=_data(city, shown))
        seen = _seen(turn, city)
        answer = answer_about(turn.message.text, city, sights[:FULL], seen)
        shown = answer.sights
        alone = len(shown) == 1
        lines = f"{shown[0].name}：{shown[0].note}" if alone else told(city, _lines(shown), brief) if shown else ""
        parts = (answer.before, lines, answer.after)
        text = "\n".join(part for part in parts if part)
        return LocalResult(text=text, data=_data(city, sights[:FULL] if seen else shown))


def _lines(sights: Sequence[Sight]) -> list[tuple[str, str]]:
    return [(sight.name, sight.note) for sight in sights]


def _data(city: str, sights: Sequence[Sight]) -> ResultData:
    rows: list[JsonObject] = [{"title": s.name, "city": city, "note": s.note} for s in sights]
    return ResultData(kind="attraction", rows=rows, origin="bundled")


def _seen(turn: Turn, city: str) -> tuple[str, ...]:
    """The sights of the city that the last list put before the person.

    None of them for a message that names the place itself: it leans on nothing, and its answer may be given to others.
    """
    context, said = turn.memory.task_context, turn.message.text
    if city in said or any(word in said for word, its_city in all_sights() if its_city == city):
        return ()
    rows = context.shown if context.shown_kind == "attraction" else ()
    return tuple(str(row.get("title")) for row in rows if row.get("city") == city)


def told(city: str, sights: Sequence[tuple[str, str]], brief: bool) -> str:
    """Sights, each with its name and a sentence about it, as a traveller reads them."""
    if brief:
        return f"{city}推荐{'、'.join(name for name, _ in sights)}。"
    lines = "\n".join(f"· {name}：{note}" for name, note in sights)
    return f"{city}值得一去的地方：\n{lines}"
