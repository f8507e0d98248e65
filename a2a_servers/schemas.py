"""Writes the JSON schemas of the agent protocol: `python -m a2a_servers.schemas`."""

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel

from core.types.agent_protocol import AgentRequest, AgentResponse

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "schemas"
_MODELS: Mapping[str, tuple[type[BaseModel], str]] = {
    "agent-request.schema.json": (AgentRequest, "What a caller asks of an agent, as the data part of an A2A message."),
    "agent-response.schema.json": (AgentResponse, "What an agent answers, as a data part of the task's artifact."),
}


def schemas() -> dict[str, str]:
    """File name → the schema's text."""
    return {name: _text(name, model, about) for name, (model, about) in _MODELS.items()}


def _text(name: str, model: type[BaseModel], about: str) -> str:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": name,
        **model.model_json_schema(),
        "description": about,
    }
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def main() -> None:
    """Write all schemas to docs/schemas."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in schemas().items():
        (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
