"""A table of sentences by category, each with the reading that a traveller would expect."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from core.language import read
from core.shared.clock import SHANGHAI
from tests.language.compact import compact

SENTENCES = Path(__file__).parent / "cases" / "sentences.tsv"
NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12, 0))


def table() -> Iterator[tuple[str, str, str]]:
    category = ""
    for line in SENTENCES.read_text("utf-8").splitlines():
        if line.startswith("## "):
            category = line[3:]
        elif line and not line.startswith("# "):
            sentence, expected = line.split("\t")
            yield category, sentence, expected


@pytest.mark.parametrize(("category", "sentence", "expected"), list(table()))
def test_the_sentence_is_read_as_expected(category: str, sentence: str, expected: str) -> None:
    assert compact(read(sentence, NOW)) == expected, category


def test_the_table_has_no_sentence_twice() -> None:
    sentences = [sentence for _, sentence, _ in table()]
    assert len(sentences) == len(set(sentences))
