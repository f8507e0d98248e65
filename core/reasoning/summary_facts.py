"""The facts behind a summary: what the results of a turn's steps let a sentence say."""

import datetime as dt
from collections.abc import Sequence

from core.language import guard_facts
from core.language.guard_facts import Facts, Source
from core.types.plan import StepResult
from core.types.services import services


def facts_of(results: Sequence[StepResult], today: dt.date) -> Facts:
    """Everything that these results, and the wishes behind them, say."""
    return guard_facts.facts_of([_source(result) for result in results], today)


def _source(result: StepResult) -> Source:
    data = result.data
    asked = "\n".join(text for text in (result.error, result.step.query) if text)
    return Source(
        rows=data.rows if data else (), wish=result.step.slots.to_json(), words=result.text, asked=asked,
        more=data.more if data else 0, services=len(services(data.kind, data.rows)) if data else 0,
    )
