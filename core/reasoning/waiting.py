"""Of several wishes, those that wait while the others are answered: one in trouble holds up only its own."""

from collections.abc import Collection, Sequence

from core.types.understanding import Task


def held_back(tasks: Sequence[Task], troubled: Collection[str]) -> tuple[str, ...]:
    """Ids of the tasks that wait: the troubled ones, what a condition joins to one, and with an order all orders.

    What a condition joins is one thing to the person, and is kept whole until it can be judged. A journey there and
    back is bought as one thing: half an offer would be confirmed before the question is answered.
    """
    waiting = set(troubled)
    if any(_orders(task) for task in tasks if task.id in waiting):
        waiting |= {task.id for task in tasks if _orders(task)}
    for _ in tasks:  # as many passes as the longest chain could need
        for task in tasks:
            if task.when is not None and waiting & {task.id, task.when.of}:
                waiting |= {task.id, task.when.of}
    return tuple(task.id for task in tasks if task.id in waiting)


def _orders(task: Task) -> bool:
    return task.intent.startswith("order ")
