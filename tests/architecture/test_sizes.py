"""The house's sizes: a place where everything comes together grows for ever unless a test holds it."""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_LINES = 300
MOST_TEST_LINES = 500
MOST_FUNCTION_LINES = 40
MOST_CLASS_LINES = 150
MOST_ENTRY_LINES = 150


def _sources() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()
    return [ROOT / name for name in listed if (ROOT / name).exists()]


def _nodes(path: Path) -> Iterator[tuple[str, str, int]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.end_lineno:
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            yield kind, node.name, node.end_lineno - node.lineno + 1


def _is_test(path: Path) -> bool:
    return path.relative_to(ROOT).parts[0] == "tests"


@pytest.mark.parametrize("path", _sources(), ids=lambda p: str(p.relative_to(ROOT)))
def test_no_file_outgrows_its_limit(path: Path) -> None:
    lines = path.read_text("utf-8").count("\n")
    limit = MOST_TEST_LINES if _is_test(path) else MOST_LINES
    assert lines <= limit, f"{lines} lines, at most {limit}: the design is missing a noun"


@pytest.mark.parametrize("path", [p for p in _sources() if not _is_test(p)], ids=lambda p: str(p.relative_to(ROOT)))
def test_no_function_or_class_outgrows_its_limit(path: Path) -> None:
    limits = {"function": MOST_FUNCTION_LINES, "class": MOST_CLASS_LINES}
    too_long = [f"{kind} {name}: {size}" for kind, name, size in _nodes(path) if size > limits[kind]]
    assert too_long == []


@pytest.mark.parametrize("name", ["main.py", "main_http_api.py"])
def test_entry_points_stay_small(name: str) -> None:
    assert (ROOT / name).read_text("utf-8").count("\n") <= MOST_ENTRY_LINES


def test_the_core_package_itself_is_empty() -> None:
    assert (ROOT / "core" / "__init__.py").read_text("utf-8") == ""


def test_the_top_level_holds_only_what_the_design_names() -> None:
    fixed = "main_http_api.py main.py core a2a_servers mcp_server mcp_tools config.yaml docker-compose.yml nginx tests"
    usual = (
        "requirements.txt README.md README.zh-CN.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md pyproject.toml "
        "Makefile Dockerfile .env.example mkdocs.yml docs benchmarks examples deploy .ci .gitignore .dockerignore"
    )
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert {name.split("/")[0] for name in listed} <= {*fixed.split(), *usual.split()}
