"""What a message was understood to ask for."""

from dataclasses import dataclass
from typing import Literal

from core.language.slots import Slots

Outcome = Literal["tasks", "follow_up", "out_of_scope", "not_understood", "told", "withdrawn"]
"""`told`: answered from what is known of the person, without any task. `withdrawn`: what we asked about is given up."""


@dataclass(frozen=True, slots=True)
class When:
    """Run only if the result of another task or step (by its id or number) passes the named test."""

    of: str
    test: str


@dataclass(frozen=True, slots=True)
class Task:
    """One thing asked for. The same intent may stand twice in a message; ids tell them apart."""

    id: str
    intent: str
    query: str
    slots: Slots
    when: When | None = None


@dataclass(frozen=True, slots=True)
class Understanding:
    """The message as tasks; `message` is what is said instead of running them, for every outcome but `tasks`.

    `note` is said beside the answer (which preferences were applied). `leaned`: the history was needed.
    `degraded`: a model should have read it, and the rules had to. Of several tasks some may wait for the person while
    the others run: `waiting` are their ids, and `asking` is the question about them.
    """

    outcome: Outcome
    tasks: tuple[Task, ...] = ()
    message: str | None = None
    note: str = ""
    leaned: bool = False
    degraded: bool = False
    asking: str = ""
    waiting: tuple[str, ...] = ()

    @property
    def ready(self) -> tuple[Task, ...]:
        """The tasks that can be run now."""
        return tuple(task for task in self.tasks if task.id not in self.waiting)

    @property
    def follow_up_message(self) -> str | None:
        return self.message if self.outcome == "follow_up" else self.asking or None
