"""From the core's frozen words to the shapes of the HTTP contract."""

from core.gateway.schemas import AgentOut, OfferItemOut, OfferOut, OrderOut, ReplyOut, SkillOut, StepOut, TaskOut
from core.shared.json_types import JsonObject
from core.types.events import StepStarted
from core.types.network import AgentView
from core.types.orders import Offer
from core.types.plan import Step, StepResult
from core.types.turn import Answer, Reply
from core.types.understanding import Task


def reply_out(reply: Reply) -> ReplyOut:
    """The Reply of the contract. The by-intent forms hold the first task of each intent."""
    answer, message = reply.answer, reply.message
    tasks = [task_out(task) for task in answer.understanding.tasks]
    first = {task.intent: task for task in reversed(tasks)}
    intents = list(dict.fromkeys(task.intent for task in tasks))
    return ReplyOut(
        reply=answer.text,
        status=answer.status,
        user_id=message.user_id,
        session_id=message.session_id,
        trace_id=message.trace_id,
        elapsed_ms=reply.elapsed_ms,
        tasks=tasks,
        intents=intents,
        user_queries={intent: first[intent].query for intent in intents},
        slots={intent: first[intent].slots for intent in intents},
        follow_up_message=_follow_up(answer),
        steps=[step_out(result) for result in answer.results],
        rounds=answer.rounds,
        degraded=answer.degraded,
        model_calls=reply.model_calls,
        model_tokens=reply.model_tokens,
        cached=reply.cache_level is not None,
        cache_level=reply.cache_level,
        as_of=reply.as_of.isoformat(timespec="seconds") if reply.as_of else None,
        offers=[_offer_out(offer) for offer in answer.offers],
        orders=[order_out(order) for order in answer.orders],
    )


def step_out(result: StepResult) -> StepOut:
    step = result.step
    return StepOut(
        step=step.number,
        task=step.task,
        intent=step.intent,
        action=step.action,
        agent=result.agent,
        depends_on=list(step.depends_on),
        status=result.status,
        result=result.text,
        data=result.data.model_dump(mode="json") if result.data else None,
        error=result.error,
        round=result.round,
        started_ms=result.started_ms,
        elapsed_ms=result.elapsed_ms,
    )


def order_out(order: JsonObject) -> OrderOut:
    """An order row of an agent; ValidationError for a row that is none, which is a bug of that agent."""
    return OrderOut.model_validate(order)


def _offer_out(offer: Offer) -> OfferOut:
    items = [
        OfferItemOut(item=item.item, quantity=item.quantity, unit_price=item.unit_price) for item in offer.quote.items
    ]
    return OfferOut(
        offer_id=offer.offer_id,
        action=offer.quote.action,
        kind=offer.quote.kind,
        items=items,
        total_price=f"{offer.total_price:.2f}",
        expires_at=offer.expires_at.isoformat(timespec="seconds"),
    )


def started_out(event: StepStarted) -> StepOut:
    """A step that has just begun: what it is to do, nothing yet of what it brings."""
    blank = StepResult(
        step=event.step, status="skipped", round=event.round, agent=event.agent, started_ms=event.started_ms
    )
    return step_out(blank).model_copy(update={"status": "started"})


def planned_out(step: Step) -> JsonObject:
    """A step of a plan before it runs."""
    return {
        "step": step.number,
        "task": step.task,
        "intent": step.intent,
        "action": step.action,
        "depends_on": list(step.depends_on),
    }


def agent_out(agent: AgentView, *, operator: bool) -> AgentOut:
    """A card as clients see it; the inner address only for operators."""
    skills = [
        SkillOut(name=s.name, description=s.description, tags=list(s.tags), examples=list(s.examples))
        for s in agent.skills
    ]
    return AgentOut(
        name=agent.name,
        description=agent.description,
        version=agent.version,
        healthy=agent.healthy,
        skills=skills,
        url=agent.url if operator else None,
    )


def task_out(task: Task) -> TaskOut:
    return TaskOut(id=task.id, intent=task.intent, query=task.query, slots=task.slots.to_json())


def _follow_up(answer: Answer) -> str | None:
    """The question that is put to the person, whoever asks it: the core or an agent."""
    if answer.understanding.follow_up_message:
        return answer.understanding.follow_up_message
    asked = [result.text for result in answer.results if result.status == "input_required"]
    return "\n".join(asked) or None
