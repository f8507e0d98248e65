"""Conversations of two to five turns: what a message means after those before it."""

from datetime import datetime
from pathlib import Path

import pytest

from core.language.frames import ReadContext
from core.shared.clock import SHANGHAI
from tests.language.compact import compact
from tests.language.talk import Dialogue, Talk, dialogues

TABLE = Path(__file__).parent / "cases" / "dialogues.tsv"
NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12, 0))


@pytest.mark.parametrize("dialogue", list(dialogues(TABLE)), ids=lambda dialogue: dialogue.title)
def test_every_turn_is_read_with_what_the_turns_before_it_left(dialogue: Dialogue) -> None:
    talk = Talk(NOW, ReadContext(home_city=dialogue.home))
    for number, (text, expected) in enumerate(dialogue.turns):
        reading = talk.say(text)
        assert ("~ " if reading.leaned else "") + compact(reading) == expected, text
        if number == 0 and dialogue.shown:
            talk.show(dialogue.shown)


def test_there_are_dialogues_enough_and_none_twice() -> None:
    titles = [(dialogue.title, dialogue.shown, dialogue.home) for dialogue in dialogues(TABLE)]
    assert len(titles) >= 80
    assert len(titles) == len(set(titles))
