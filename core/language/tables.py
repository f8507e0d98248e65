"""Read the grammar's tables: text files beside the code, one row a line, `#` for remarks."""

from collections.abc import Iterator
from importlib import resources


def rows(name: str) -> Iterator[list[str]]:
    """The tab-separated rows of a table in core/language/data."""
    for line in lines(name):
        yield line.split("\t")


def lines(name: str) -> Iterator[str]:
    """The lines of a table without its remarks and empty lines."""
    for line in text(name).splitlines():
        if line.strip() and not line.startswith("# "):
            yield line


def text(name: str) -> str:
    """A data file as it stands."""
    return (resources.files("core.language") / "data" / name).read_text("utf-8")
