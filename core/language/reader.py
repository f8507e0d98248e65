"""The door of the grammar: one sentence in, its reading out."""

from collections.abc import Sequence
from datetime import datetime

from core.language.carry import carry_over
from core.language.chosen_days import with_chosen_days
from core.language.clauses import segments
from core.language.commands import without_commanded
from core.language.comparing import with_comparison
from core.language.drafts import MOST_DRAFTS, Draft, drafts_of, first_and_last
from core.language.excerpt import excerpt
from core.language.frames import Expression, Frame, ReadContext, Reading, Span
from core.language.frames_of import frames_of
from core.language.history import lean, with_there
from core.language.normalise import Normalised, normalise
from core.language.readers import any_reader
from core.language.resplit import resplit
from core.language.scan import Scene, scan
from core.language.scope import in_scope, without_repeats
from core.language.skills import lexicon_for
from core.language.sounds import repaired
from core.language.tokens import Token
from core.language.topics import topic_of, unread_tokens
from core.language.unknowns import with_unknown_places
from core.language.values import Found, Mark, Talk, Test
from core.language.wishes import gather

_NO_CONTEXT = ReadContext()
_OUTSIDE_TRAVEL = {"memory"}


def read(text: str, now: datetime, context: ReadContext = _NO_CONTEXT) -> Reading:
    """Read a sentence said at `now` (Asia/Shanghai). Never raises; what it cannot read it leaves over."""
    typed = normalise(text)
    said, beyond = excerpt(typed.text, lexicon_for(context.skills))
    tokens = repaired(resplit(said))
    scene = Scene(tokens, now, context.home_city)
    seen = without_commanded(scene, scan(scene, any_reader))
    founds = with_there(scene, with_unknown_places(scene, seen), context)
    unread = unread_tokens(scene, founds)
    reached = lean(scene, founds, unread, in_scope(_drafts(founds, context), founds, unread), context)
    drafts = with_comparison(with_chosen_days(without_repeats(reached.drafts[:MOST_DRAFTS]), scene), scene)
    spans = [tuple(_span(typed, tokens, found) for found in draft.founds) for draft in drafts]
    frames = frames_of(drafts, scene.today, spans)
    topic = reached.answer or topic_of(founds, bool(frames) or reached.leaned, len(unread))
    return Reading(
        text, frames, tuple(_expression(typed, tokens, f) for f in founds if not _is_boundary(f)),
        _merged([typed.span(*place) for place in [*((tokens[n].start, tokens[n].end) for n in unread), *beyond]]),
        topic, not beyond and _is_certain(frames, unread, founds), reached.leaned,
    )


def _drafts(founds: Sequence[Found], context: ReadContext) -> list[Draft]:
    """The drafts; a sentence about what the assistant is to remember has none of its own."""
    if any(isinstance(found.value, Talk) and found.value.topic in _OUTSIDE_TRAVEL for found in founds):
        return []
    wishes = first_and_last(gather(segments(founds)))
    return carry_over(drafts_of(wishes, context.skills))


def _is_certain(frames: Sequence[Frame], unread: Sequence[int], founds: Sequence[Found]) -> bool:
    if _has_strange_condition(founds):
        return False
    return bool(frames) and not unread and all(frame.certainty >= 1.0 and not frame.troubles for frame in frames)


def _has_strange_condition(founds: Sequence[Found]) -> bool:
    """如果便宜的话: a condition that no test stands for."""
    conditional = any(isinstance(f.value, Mark) and f.value.role == "if" for f in founds)
    return conditional and not any(isinstance(f.value, Test) for f in founds)


def _is_boundary(found: Found) -> bool:
    return isinstance(found.value, Mark) and found.value.role in ("stop", "connective", "chain", "beside", "joiner")


def _span(typed: Normalised, tokens: Sequence[Token], found: Found) -> Span:
    return typed.span(tokens[found.first].start, tokens[found.end - 1].end)


def _expression(typed: Normalised, tokens: Sequence[Token], found: Found) -> Expression:
    return Expression(type(found.value).__name__.lower(), found.value, _span(typed, tokens, found), found.certainty)


def _merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Neighbouring spans as one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
