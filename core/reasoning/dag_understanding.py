"""What no path of tools supplies is asked before any call; what one supplies need not be asked."""

from dataclasses import replace

from core.language.frames import Frame, Trouble
from core.ports.reasoning import Understander
from core.reasoning.dag_chains import Chains, own_intents, refers
from core.reasoning.questions import ask
from core.types.network import Skill
from core.types.turn import Turn
from core.types.understanding import Task, Understanding


class DagUnderstander:
    """Implements the port Understander around another one.

    The grammar knows what the house's own wishes need; of a third party's only its declaration tells.
    """

    def __init__(self, inner: Understander, chains: Chains) -> None:
        self._inner = inner
        self._chains = chains

    async def understand(self, turn: Turn, skills: tuple[Skill, ...]) -> Understanding:
        understood = await self._inner.understand(turn, skills)
        if understood.outcome != "tasks":
            return understood
        text = turn.message.text
        if understood.waiting and refers(text) and await self._all_supplied(understood, text):
            understood = replace(understood, waiting=(), asking="")
        return await self._asking(understood, text, skills)

    async def _all_supplied(self, understood: Understanding, text: str) -> bool:
        """Whether each task that waits is supplied by the rows of one that does not."""
        for task in understood.tasks:
            if task.id in understood.waiting:
                chain = await self._chains.of(task, understood.tasks, text)
                if chain is None or chain.asked or not chain.links:
                    return False
        return True

    async def _asking(self, understood: Understanding, text: str, skills: tuple[Skill, ...]) -> Understanding:
        """With the question for what a third party's tool needs and nothing supplies."""
        frames, stuck = [], []
        for task in understood.ready:
            if task.intent in own_intents() or not (missing := await self._missing(task, understood, text)):
                continue
            troubles = tuple(Trouble("missing", name) for name in missing)
            frames.append(Frame(task.intent, task.slots, task.query, troubles=troubles))
            stuck.append(task.id)
        if not stuck:
            return understood
        question, waiting = ask(frames, skills), (*understood.waiting, *stuck)
        if len(waiting) == len(understood.tasks):
            message = "\n".join(filter(None, (understood.asking, question)))
            return replace(understood, outcome="follow_up", message=message, asking="", waiting=())
        return replace(understood, asking="\n".join(filter(None, (understood.asking, question))), waiting=waiting)

    async def _missing(self, task: Task, understood: Understanding, text: str) -> tuple[str, ...]:
        chain = await self._chains.of(task, understood.tasks, text)
        return chain.asked if chain is not None else ()

