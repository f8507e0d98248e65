"""Intents of third parties: the words that their tags and examples teach."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from core.language.domains import built_in
from core.language.frames import SkillWords
from core.language.lexicon import Lexicon, base_lexicon
from core.language.normalise import normalise
from core.language.read_words import ELSEWHERE
from core.language.tokens import tokenise

_LONGEST_WORD = 6


@lru_cache(maxsize=64)
def lexicon_for(skills: tuple[SkillWords, ...]) -> Lexicon:
    """The tables' words, and those of skills that are not built in."""
    base = base_lexicon()
    foreign = [skill for skill in skills if skill.intent not in _own_intents()]
    if not foreign:
        return base
    ordered = _query_first(foreign)
    return base.widened((word, "skill", skill.intent) for skill in ordered for word in _words(skill, base))


def _own_intents() -> set[str]:
    return {intent for domain in built_in().values() for intent in (domain.query, domain.order)}


def _query_first(skills: Sequence[SkillWords]) -> list[SkillWords]:
    """Where a query and an order share their words, the words name the query; the verb then makes it an order."""
    return sorted(skills, key=lambda skill: skill.intent.startswith("order"))


def _words(skill: SkillWords, base: Lexicon) -> Iterator[str]:
    known = {word for word, meanings in base.words.items() if meanings.keys() != {ELSEWHERE}}
    for tag in skill.tags:
        word = normalise(tag).text
        if word and word not in known:
            yield word
    unread = Counter(run for example in skill.examples for run in set(_unread(example, base)))
    shared_by = 1 if len(skill.examples) == 1 else 2
    for run, count in unread.items():
        if count >= shared_by:
            yield run


def _unread(example: str, base: Lexicon) -> Iterator[str]:
    """The stretches of an example that the tables do not know."""
    run = ""
    for token in tokenise(normalise(example).text, base):
        if not token.meanings and token.text.isalnum():
            run += token.text
            continue
        if 2 <= len(run) <= _LONGEST_WORD:
            yield run
        run = ""
    if 2 <= len(run) <= _LONGEST_WORD:
        yield run
