"""An in-memory store of memories for tests of the rooms; it passes the same contract as the one in the database."""

import copy
from dataclasses import dataclass, field

from core.shared.errors import InvalidRequest
from core.types.memory import (
    NO_CONTEXT,
    Fact,
    Feedback,
    MemoryContext,
    MemoryKind,
    Message,
    Page,
    Profile,
    SessionView,
    TaskContext,
    TurnRecord,
)
from core.types.trace import Trace
from tests.support.session_order import InMemorySessionOrder

TITLE_CHARACTERS = 30


@dataclass
class _Talk:
    messages: list[tuple[int, Message]] = field(default_factory=list)
    context: TaskContext = NO_CONTEXT
    title: str = ""
    listed: bool = False


@dataclass
class _Person:
    talks: dict[str, _Talk] = field(default_factory=dict)
    profile: Profile = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    feedback: dict[str, Feedback] = field(default_factory=dict)
    traces: list[Trace] = field(default_factory=list)


class InMemoryHistoryStore:
    """Copies in and out. Implements the ports HistoryStore and TraceStore."""

    def __init__(self, order: InMemorySessionOrder | None = None) -> None:
        self._people: dict[str, _Person] = {}
        self._number = 0
        self._order = order or InMemorySessionOrder()

    async def read(self, user_id: str, session_id: str, *, messages: int, facts: int) -> MemoryContext:
        person = self._people.get(user_id, _Person())
        talk = person.talks.get(session_id, _Talk())
        said = [message for _, message in talk.messages]
        context = MemoryContext(
            short_term=tuple(said[max(0, len(said) - messages) :]),
            user_profile=person.profile,
            task_context=talk.context,
            long_term=tuple(person.facts[max(0, len(person.facts) - facts) :]),
        )
        return copy.deepcopy(context)

    async def record(self, turn: TurnRecord, *, facts: int) -> None:
        if turn.place and not self._order.holds(turn.place):
            return
        kept = copy.deepcopy(turn)
        person = self._people.setdefault(turn.user_id, _Person())
        talk = person.talks.setdefault(turn.session_id, _Talk())
        for message in kept.messages:
            self._number += 1
            talk.messages.append((self._number, message))
            talk.listed = True
            if message.role == "user" and not talk.title:
                talk.title = " ".join(message.content.split())[:TITLE_CHARACTERS]
        talk.context = talk.context if kept.task_context is None else kept.task_context
        person.profile.update(kept.profile)
        person.profile = {key: value for key, value in person.profile.items() if kept.profile.get(key) != ""}
        for fact in kept.facts:
            person.facts = [known for known in person.facts if known.content != fact.content] + [fact]
        person.facts = person.facts[max(0, len(person.facts) - facts) :] if kept.facts else person.facts
        person.traces += [kept.trace] if kept.trace is not None else []

    async def find(self, user_id: str, trace_id: str) -> Trace | None:
        runs = [trace for trace in self._people.get(user_id, _Person()).traces if trace.trace_id == trace_id]
        return copy.deepcopy(runs[-1]) if runs else None

    async def replace_profile(self, user_id: str, profile: Profile) -> None:
        self._people.setdefault(user_id, _Person()).profile = copy.deepcopy(profile)

    async def merge_profile(self, user_id: str, changes: Profile) -> Profile:
        person = self._people.setdefault(user_id, _Person())
        person.profile.update(copy.deepcopy(changes))
        return copy.deepcopy(person.profile)

    async def clear(self, user_id: str, session_id: str, kinds: tuple[MemoryKind, ...]) -> None:
        of_the_session = set(kinds) <= {"short_term", "task_context"}
        self._order.take_away(user_id, session_id if of_the_session else None)
        person = self._people.get(user_id, _Person())
        talk = person.talks.get(session_id, _Talk())
        person.traces = [t for t in person.traces if of_the_session and t.session_id != session_id]
        if "short_term" in kinds:
            talk.messages, talk.title, talk.listed = [], "", False
        if "task_context" in kinds:
            talk.context = NO_CONTEXT
        if "user_profile" in kinds:
            person.profile = {}
        if "long_term" in kinds:
            person.facts = []

    async def sessions(self, user_id: str) -> tuple[SessionView, ...]:
        talks = self._people.get(user_id, _Person()).talks
        views = [
            SessionView(session_id, talk.title, talk.messages[-1][1].created_at)
            for session_id, talk in sorted(talks.items())
            if talk.listed
        ]
        return tuple(sorted(views, key=lambda view: view.updated_at, reverse=True))

    async def messages(self, user_id: str, session_id: str, *, limit: int, before: str | None) -> Page | None:
        talk = self._people.get(user_id, _Person()).talks.get(session_id, _Talk())
        if before is not None and not (before.isascii() and before.isdigit()):
            raise InvalidRequest("before")
        if not talk.listed:
            return None
        end = self._number + 1 if before is None else int(before)
        found = [(number, message) for number, message in reversed(talk.messages) if number < end]
        more = str(found[limit - 1][0]) if len(found) > limit else None
        return Page(tuple(message for _, message in found[:limit]), more)

    async def delete_session(self, user_id: str, session_id: str) -> bool:
        self._order.take_away(user_id, session_id)
        person = self._people.get(user_id, _Person())
        person.traces = [trace for trace in person.traces if trace.session_id != session_id]
        return person.talks.pop(session_id, None) is not None

    async def add_feedback(self, user_id: str, feedback: Feedback) -> None:
        self._people.setdefault(user_id, _Person()).feedback[feedback.trace_id] = feedback

    async def export(self, user_id: str) -> dict[str, object]:
        person = self._people.get(user_id, _Person())
        said = [
            {"session_id": session_id, "kind": "short_term", "role": message.role, "content": message.content}
            for session_id, talk in person.talks.items()
            for _, message in talk.messages
        ]
        facts = [{"session_id": "", "kind": "long_term", "role": "", "content": fact.content} for fact in person.facts]
        profile = [
            {"session_id": "", "kind": "user_profile", "role": "", "content": {"key": key, "value": value}}
            for key, value in person.profile.items()
        ]
        return {
            "conversation_memory": [*said, *facts, *profile],
            "sessions": [{"session_id": s.session_id, "title": s.title} for s in await self.sessions(user_id)],
            "feedback": [{"trace_id": f.trace_id, "comment": f.comment} for f in person.feedback.values()],
            "offers": [],
        }

    async def erase(self, user_id: str) -> None:
        self._order.take_away(user_id)
        self._people.pop(user_id, None)
