"""The intent `attraction`, answered by the core itself from a bundled list of sights."""

from collections.abc import Sequence

from core.language.sights import sights_of
from core.ports.reasoning import LocalResult
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
        sights = sights_of(city)[: BRIEF if brief else FULL]
        data = ResultData(
            kind="attraction", rows=[{"title": s.name, "city": city, "note": s.note} for s in sights], origin="bundled"
        )
        if not sights:
            return LocalResult(text=f"抱歉，还没有收录{city}的景点。", data=data)
        return LocalResult(text=told(city, [(sight.name, sight.note) for sight in sights], brief), data=data)


def told(city: str, sights: Sequence[tuple[str, str]], brief: bool) -> str:
    """Sights, each with its name and a sentence about it, as a traveller reads them."""
    if brief:
        return f"{city}推荐{'、'.join(name for name, _ in sights)}。"
    lines = "\n".join(f"· {name}：{note}" for name, note in sights)
    return f"{city}值得一去的地方：\n{lines}"
