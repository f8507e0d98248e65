"""The tables of sentences beside the tests."""

from pathlib import Path

_CASES = Path(__file__).parent / "cases"


def rows(name: str) -> list[tuple[str, str]]:
    """Each line as its first column and its second, which may be missing."""
    lines = (_CASES / name).read_text("utf-8").splitlines()
    pairs = (line.partition("\t") for line in lines if line and not line.startswith("#"))
    return [(said, wanted) for said, _, wanted in pairs]
