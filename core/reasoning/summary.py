"""The reply by templates: nothing found, one result, or several in one text of at most 300 characters."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from core.language.guard_words import without_links
from core.reasoning.labels import label
from core.reasoning.reflection import given_up, latest_by_task
from core.reasoning.side_by_side import comparison, ways
from core.reasoning.tour_mix import cheapest_mix
from core.types.plan import StepResult
from core.types.turn import Turn

MOST_CHARACTERS = 300
"""Of a summary of several results; a single result is given as its agent words it."""

NOTHING = "抱歉，这次没有查到您要的信息，请换个条件再试试。"


@dataclass(frozen=True, slots=True)
class Told:
    """The result that counts for a task, in the words that the rules have for it."""

    result: StepResult
    text: str
    way: str = ""
    """去程 or 返程, where both are told."""

    @property
    def labelled(self) -> str:
        return f"【{self.way}{self.result.title or label(self.result.step.intent)}】{self.text}"


class TemplateSummarizer:
    """Implements the port Summarizer without a model."""

    async def words(self, turn: Turn, results: tuple[StepResult, ...]) -> AsyncGenerator[str]:
        yield in_template(told_of(results))


def told_of(results: tuple[StepResult, ...]) -> tuple[Told, ...]:
    """One for each task of which there is anything to say."""
    latest = latest_by_task(results)
    way = ways(latest)
    told = (Told(r, without_links(_told(r, results)), way.get(r.step.task, "")) for r in latest)
    return tuple(each for each in told if each.text)


def in_template(told: Sequence[Told]) -> str:
    """Nothing found, the one result as it is worded, or all of them in one text."""
    if not told:
        return NOTHING
    return told[0].text if len(told) == 1 else together(
        [each.labelled for each in told], comparison([each.result for each in told]) or _opening(told)
    )


def _opening(told: Sequence[Told]) -> str:
    """What the results have in common; never more than is true of them."""
    if any(each.result.quotes for each in told):
        return "为您选好了："
    if any(each.result.status == "ok" and each.result.has_rows for each in told):
        return "为您查好了："
    if any(each.result.status == "input_required" for each in told):
        return "还需要您确认一下："
    answered = any(each.result.status == "ok" for each in told)
    return "查过了，结果如下：" if answered else "抱歉，这次没有办成："


def _told(result: StepResult, results: tuple[StepResult, ...]) -> str:
    text = (result.error or result.text).strip()
    if not (wishes := given_up(result.step)):
        return text
    if not result.has_rows:
        return f"{text}（放宽{wishes}后也没有找到。）"
    return f"没有完全符合{wishes}要求的，放宽后找到这些：{text}{_mix(result, results)}"


def _mix(result: StepResult, results: tuple[StepResult, ...]) -> str:
    """For a tour whose length could not be had: shorter ones that add up to it."""
    asked = next((r.step.slots.days for r in results if r.step.task == result.step.task), None)
    if "days" not in result.step.relaxed or asked is None or result.data is None:
        return ""
    mix = cheapest_mix(result.data.rows, asked)
    if not mix:
        return ""
    names = " + ".join(f"{r.get('name', r.get('title'))}（{r.get('days')}天，¥{r.get('price')}）" for r in mix)
    return f"\n想凑满{asked}天，可以把短线接起来：{names}。"


def together(parts: Sequence[str], opening: str = "", most: int = MOST_CHARACTERS) -> str:
    """Join under an opening line; what is too long loses the last sentence of its longest part, again and again."""
    parts = list(parts)
    while len(text := "\n".join(part for part in [opening, *parts] if part)) > most:
        longest = max(range(len(parts)), key=lambda index: len(parts[index]))
        shorter = _without_last_sentence(parts[longest])
        if shorter == parts[longest]:
            return text
        parts[longest] = shorter
    return text


def _without_last_sentence(text: str) -> str:
    body = text.rstrip("。；\n，")
    cut = max(body.rfind(mark) for mark in "。；\n，")
    return f"{body[:cut]}。" if cut > 0 else text
