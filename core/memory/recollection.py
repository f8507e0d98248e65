"""What memory does for a turn: it tells what is known, fills in preferences, and keeps what the turn leaves behind."""

from datetime import datetime

from core.memory.context import next_context, with_new_preferences
from core.memory.defaults import with_profile
from core.memory.facts import facts_of
from core.memory.preferences import preferences_of
from core.memory.recall import recall
from core.memory.statements import wish_part
from core.types.memory import Fact, Learned, MemoryContext, Message, Profile, TurnRecord
from core.types.turn import Answer, Turn
from core.types.understanding import Task


class RuleRecollection:
    """Implements the port Recollection without a model."""

    def learned(self, text: str, memory: MemoryContext, now: datetime) -> Learned:
        return learned_from(text, memory, now)

    def told(self, text: str, memory: MemoryContext) -> str | None:
        return recall(text, memory)

    def wish_part(self, text: str, profile: Profile) -> str:
        return wish_part(text, profile)

    def with_profile(self, tasks: tuple[Task, ...], profile: Profile) -> tuple[tuple[Task, ...], str]:
        return with_profile(tasks, profile)


def learned_from(text: str, memory: MemoryContext, now: datetime) -> Learned:
    """Preferences and facts from a person's own words; nothing else is ever a source."""
    facts = tuple(Fact(content, now) for content in facts_of(text))
    return Learned(profile=preferences_of(text, memory.user_profile), facts=facts)


def record_of(turn: Turn, answer: Answer, place: str) -> TurnRecord:
    """Everything the turn leaves behind; `place` is the one it has in its session's queue."""
    message, now = turn.message, turn.clock.now()
    learned = learned_from(message.text, turn.memory, now)
    context = next_context(turn.memory.task_context, answer)
    said = Message("user", message.text, now, message.trace_id)
    replied = Message("assistant", answer.text, now, message.trace_id)
    return TurnRecord(
        user_id=message.user_id,
        session_id=message.session_id,
        messages=(said, replied),
        task_context=context if answer.understanding.tasks else with_new_preferences(context, learned.profile),
        profile=learned.profile,
        facts=learned.facts,
        place=place,
        made=tuple(offer.offer_id for offer in answer.offers),
    )
