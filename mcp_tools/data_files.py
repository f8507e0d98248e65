"""The vendored tables of this package: tab-separated text with a header line."""

from functools import cache
from importlib.resources import files


@cache
def read_table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of `data/<name>.tsv` by column name, all text; an empty cell is the empty string."""
    lines = (files("mcp_tools") / "data" / f"{name}.tsv").read_text("utf-8").splitlines()
    header = lines[0].split("\t")
    return tuple(dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:] if line)
