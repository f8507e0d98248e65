"""The reply by templates: nothing found, one result, or several in one text of at most 300 characters."""

from core.reasoning.labels import label
from core.reasoning.reflection import given_up, latest_by_task
from core.reasoning.tour_mix import cheapest_mix
from core.types.plan import StepResult
from core.types.turn import UserMessage

MOST_CHARACTERS = 300
"""Of a summary of several results; a single result is given as its agent words it."""

NOTHING = "抱歉，这次没有查到您要的信息，请换个条件再试试。"


class TemplateSummarizer:
    """Implements the port Summarizer without a model."""

    async def summarize(self, message: UserMessage, results: tuple[StepResult, ...]) -> str:
        told = [(result, _told(result, results)) for result in latest_by_task(results)]
        told = [(result, text) for result, text in told if text]
        if not told:
            return NOTHING
        if len(told) == 1:
            return told[0][1]
        return _together([_with_label(result, text) for result, text in told])


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


def _with_label(result: StepResult, text: str) -> str:
    return f"【{label(result.step.intent)}】{text}"


def _together(parts: list[str]) -> str:
    """Join with an opening line; what is too long loses the last sentence of its longest part, again and again."""
    opening = "为您查好了："
    while len(text := "\n".join([opening, *parts])) > MOST_CHARACTERS:
        longest = max(range(len(parts)), key=lambda index: len(parts[index]))
        shorter = _without_last_sentence(parts[longest])
        if shorter == parts[longest]:
            return text
        parts = [*parts[:longest], shorter, *parts[longest + 1 :]]
    return text


def _without_last_sentence(text: str) -> str:
    body = text.rstrip("。；\n，")
    cut = max(body.rfind(mark) for mark in "。；\n，")
    return f"{body[:cut]}。" if cut > 0 else text
