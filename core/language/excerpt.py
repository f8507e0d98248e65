"""What of a very long text is read: the clauses that speak of travelling; the rest is left over, unread."""

from collections.abc import Iterator, Sequence

from core.language.tokens import Token

MOST_TOKENS = 400
"""More than a person says in one message. Reading costs in proportion to it, however long the text is."""
_LONGEST_CLAUSE = 60
_TELLING = frozenset((
    "mention", "skill", "place", "rail", "air", "line", "artist", "train_no", "flight_no", "order_no", "order",
    "correct", "slot:seat_class", "slot:cabin", "slot:airline", "slot:sort", "chat_memory", "day", "day_part",
    "festival", "weekday",
))


def excerpt(tokens: Sequence[Token]) -> tuple[tuple[Token, ...], list[tuple[int, int]]]:
    """The tokens to read, and the stretches (in normalised characters) that nobody reads."""
    if len(tokens) <= MOST_TOKENS:
        return tuple(tokens), []
    clauses = list(_clauses(tokens))
    telling = [number for number, clause in enumerate(clauses) if _tells(clause)] or list(range(len(clauses)))
    kept: list[Token] = []
    read: set[int] = set()
    for number in telling:
        if len(kept) + len(clauses[number]) > MOST_TOKENS:
            break
        kept.extend(clauses[number])
        read.add(number)
    left = [(clause[0].start, clause[-1].end) for number, clause in enumerate(clauses) if number not in read]
    return tuple(kept), left


def _clauses(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Stretches up to a stop; one that never ends is cut."""
    begin = 0
    for place, token in enumerate(tokens):
        if "stop" in token.meanings or place - begin >= _LONGEST_CLAUSE:
            yield tokens[begin : place + 1]
            begin = place + 1
    if begin < len(tokens):
        yield tokens[begin:]


def _tells(clause: Sequence[Token]) -> bool:
    return any(not _TELLING.isdisjoint(token.meanings) for token in clause)
