"""The intent `attraction` by a model: it may name sights, never prices or hours; the bundled list stands beneath."""

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.language.guard_words import breaks_the_rules, plain
from core.language.sights import all_sights
from core.ports.language_model import ModelAsk
from core.ports.reasoning import LocalResult, LocalSkill
from core.reasoning.attractions import BRIEF, FULL, told
from core.reasoning.model_names import our_keys
from core.reasoning.model_stage import ModelDesk, Unfit, schema_of
from core.shared.json_types import JsonObject, JsonValue
from core.shared.prompts import fenced
from core.shared.tolerant_json import unwrap_json_strings
from core.shared.tolerant_shapes import unwrapped
from core.types.agent_protocol import ResultData
from core.types.network import Skill
from core.types.plan import Step
from core.types.turn import Turn

STAGE = "attraction"

_NAME = re.compile(r"[\u4e00-\u9fff·A-Za-z0-9]{2,20}")
_HOURS_AND_MONEY = re.compile(
    r"\d|[零一二两三四五六七八九十百千]+(?:元|块|点|时|分|小时|折)|门票|票价|免费|收费|价格|费用|开放|开门|关门|闭馆|营业|预约|优惠"
)


class _SightIn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: Annotated[str, Field(min_length=2, max_length=20)]
    note: Annotated[str, Field(max_length=200)] = ""


class _SightsIn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    sights: Annotated[list[_SightIn], Field(min_length=1, max_length=20)]


class ModelAttractions:
    """Implements the port LocalSkill; what it cannot give, `bundled` does."""

    def __init__(self, desk: ModelDesk, bundled: LocalSkill) -> None:
        self._desk = desk
        self._bundled = bundled

    @property
    def skill(self) -> Skill:
        return self._bundled.skill

    async def run(self, turn: Turn, step: Step, *, brief: bool) -> LocalResult:
        city = step.slots.city or step.slots.destination or step.slots.to_city
        if not city:
            return await self._bundled.run(turn, step, brief=brief)
        most = BRIEF if brief else FULL

        def use(answer: JsonValue) -> list[JsonObject]:
            rows = [_row(sight, city) for sight in _read(answer) if self._may_be_told(sight, city)]
            if not rows:
                raise Unfit("没有可用的景点：名字要真实，且不能写数字、价格、时间和网址。")
            return rows[:most]

        rows = await self._desk.answer(turn, self._question(turn, step, city, most), use)
        if rows is None:
            return await self._bundled.run(turn, step, brief=brief)
        data = ResultData(kind="attraction", rows=rows, origin="model")
        return LocalResult(text=told(city, [(str(row["title"]), str(row["note"])) for row in rows], brief), data=data)

    def _question(self, turn: Turn, step: Step, city: str, most: int) -> ModelAsk:
        wish = fenced("要求", {"城市": city, "个数": most, "用户的话": turn.message.text, "问题": step.query})
        return self._desk.question(
            STAGE, self._desk.prompts.get("attraction"), {"wish": wish}, schema_of("attraction")
        )

    def _may_be_told(self, sight: _SightIn, city: str) -> bool:
        """A sight of this city as far as the tables know, without hours and money in its words."""
        elsewhere = {home for name, home in all_sights() if name == sight.name} - {city}
        words = f"{sight.name}，{sight.note}"
        return (
            bool(_NAME.fullmatch(sight.name))
            and not elsewhere
            and not _HOURS_AND_MONEY.search(plain(words))
            and not breaks_the_rules(words, self._desk.prompts)
        )


def _read(answer: JsonValue) -> list[_SightIn]:
    answer = unwrapped(answer, ("sights", "attractions", "spots", "景点"))
    if isinstance(answer, list):
        answer = {"sights": answer}
    if not isinstance(answer, dict):
        raise Unfit("需要一个 JSON 对象。")
    try:
        return _SightsIn.model_validate(unwrap_json_strings(our_keys(answer), ("sights",))).sights
    except ValidationError as error:
        raise Unfit("需要 {sights: [{name, note}]} 这样的对象，至少一个景点。") from error


def _row(sight: _SightIn, city: str) -> JsonObject:
    note = sight.note.strip()
    return {"title": sight.name, "city": city, "note": note if not note or note[-1] in "。！" else f"{note}。"}
