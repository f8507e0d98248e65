"""Where two cuts cost the same, the one that people mean: 看下|周三 is 看|下周三."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.language.lexicon import base_lexicon
from core.language.tokens import Token

_NEXT = "下"
_OF_A_WEEK = ("week", "weekday", "weekend", "month_word")


def resplit(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens; a verb of asking gives its 下 to the day behind it."""
    return tuple(_resplit(tokens))


def _resplit(tokens: Sequence[Token]) -> Iterator[Token]:
    for place, token in enumerate(tokens):
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        verb = token.text.removesuffix(_NEXT)
        if following is None or verb == token.text or not token.is_any("query") or not following.is_any(*_OF_A_WEEK):
            yield token
            continue
        words = base_lexicon().words
        cut = token.start + len(verb)
        yield replace(token, text=verb, end=cut, meanings=words.get(verb, token.meanings))
        yield replace(token, text=_NEXT, start=cut, meanings=words[_NEXT])
