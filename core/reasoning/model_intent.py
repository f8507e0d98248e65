"""Understanding by a model, checked by the grammar, with the rules beneath it."""

import logging
from dataclasses import replace

from core.language.frames import Reading
from core.language.guard_words import harmless
from core.ports.language_model import ModelAsk
from core.reasoning.intent import RuleUnderstander, words_of
from core.reasoning.labels import abilities
from core.reasoning.model_answers import Heard, heard
from core.reasoning.model_evidence import PLACES, Evidence, evidence_of
from core.reasoning.model_inputs import (
    context_part,
    history_part,
    intents_lines,
    message_part,
    profile_part,
    today_line,
    tools_lines,
)
from core.reasoning.model_merge import Merging, merged
from core.reasoning.model_stage import ModelDesk, schema_of
from core.reasoning.routing import Router
from core.shared.json_types import JsonValue
from core.types.network import Skill
from core.types.turn import Turn
from core.types.understanding import Understanding

log = logging.getLogger(__name__)

STAGE = "intent"

_OPEN = frozenset({"travel", "other"})
"""What a sentence without a wish may be about for a model to make more of it than the grammar did."""

_ANSWERABLE = frozenset({"missing", "past_date", "impossible_date", "same_place", "bad_count"})
"""Troubles of a sentence that was read to its last word: only earlier messages could help, and only with the first."""


class ModelUnderstander:
    """Implements the port Understander. A sentence of which the grammar leaves nothing open costs no call."""

    def __init__(self, desk: ModelDesk, rules: RuleUnderstander, router: Router) -> None:
        self._desk = desk
        self._rules = rules
        self._router = router

    async def understand(self, turn: Turn, skills: tuple[Skill, ...]) -> Understanding:
        reading = self._rules.hear(turn, skills)
        if isinstance(reading, Understanding):
            return reading
        if not _needs_a_model(reading, turn):
            return self._rules.understood(turn, reading, skills)
        known = reading
        merging = Merging(evidence_of(turn, reading), tuple(map(words_of, skills)), turn.clock.now())

        def use(answer: JsonValue) -> tuple[Heard, Reading]:
            said = heard(answer, [skill.name for skill in skills])
            return said, merged(said, known, merging)

        if (answered := await self._desk.answer(turn, self._question(turn, skills), use)) is None:
            return replace(self._rules.understood(turn, reading, skills), degraded=True)
        understanding = self._decided(turn, *answered, skills)
        return replace(understanding, note=_with_guesses(understanding, merging.evidence))

    def _question(self, turn: Turn, skills: tuple[Skill, ...]) -> ModelAsk:
        memory = turn.memory
        values = {
            "tools": tools_lines(self._router.tools()),
            "intents": intents_lines(skills),
            "today": today_line(turn.clock.now()),
            "profile": profile_part(memory.user_profile, memory.long_term),
            "context": context_part(memory.task_context),
            "history": history_part(memory.short_term),
            "message": message_part(turn),
        }
        return self._desk.question(STAGE, self._desk.prompts.get("intent"), values, schema_of("intent"))

    def _decided(self, turn: Turn, said: Heard, reading: Reading, skills: tuple[Skill, ...]) -> Understanding:
        """What both together say; without any wish, what the model would say instead of running one."""
        leaned = reading.leaned or bool(turn.memory.short_term)
        if reading.frames:
            return replace(self._rules.understood(turn, reading, skills), leaned=leaned)
        message = harmless(said.message, self._desk.prompts, allowed=turn.message.text)
        if said.foreign:
            return Understanding("out_of_scope", message=f"抱歉，这项服务暂不支持。{abilities(skills)}")
        if said.outside or said.tasks:
            ours = self._rules.understood(turn, reading, skills)
            return Understanding("out_of_scope", message=message or ours.message)
        if message:
            return Understanding("follow_up", message=message, leaned=leaned)
        return Understanding("not_understood", message=f"抱歉，我没有听懂，请换个说法。{abilities(skills)}")


def _with_guesses(understanding: Understanding, evidence: Evidence) -> str:
    """What is told beside the answer: also the places that nobody named and a model chose."""
    named = (getattr(task.slots, name) for task in understanding.tasks for name in PLACES)
    guessed = [place for place in dict.fromkeys(named) if place and not evidence.names(place)]
    said = f"您没有说地方，我先按{'、'.join(guessed)}查的，想去别处请告诉我。" if guessed else ""
    return "\n".join(filter(None, (understanding.note, said)))


def _needs_a_model(reading: Reading, turn: Turn) -> bool:
    """Whether there is anything that the grammar has not settled by itself."""
    if reading.leftover:
        return bool(reading.frames) or reading.topic in _OPEN
    if not reading.frames:
        return reading.topic == "travel"
    if any(frame.certainty < 1 and not frame.troubles for frame in reading.frames):
        return True
    kinds = {trouble.kind for frame in reading.frames for trouble in frame.troubles}
    return bool(kinds - _ANSWERABLE) or ("missing" in kinds and bool(turn.memory.short_term))
