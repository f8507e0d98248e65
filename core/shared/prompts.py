"""The one reader of prompt files: words in Markdown, filled with values that can never be taken for instructions."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from core.shared.json_types import JsonValue

_PLACE = re.compile(r"\{([a-z_]+)\}")
_TURN = re.compile(r"^# (system|user)\s*$", re.MULTILINE)


class PromptError(Exception):
    """A prompt file that cannot be used; the message names it and says what is wrong."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt: `system` is the fixed part, first for the sake of prefix caches; `user` holds what changes.

    `version` is a digest of the file: it stands in the log of every call that was made with these words.
    """

    name: str
    version: str
    system: str
    user: str

    def fill(self, **values: str) -> tuple[str, str]:
        """The system and the user text with every `{name}` filled. Values are put in once and never read again."""
        wanted = set(_PLACE.findall(self.system + self.user))
        if wanted != set(values):
            raise PromptError(f"{self.name}: values for {sorted(wanted)} were expected, found {sorted(values)}")
        return _filled(self.system, values), _filled(self.user, values)


class SmartVoyagePrompts:
    """All prompts of one package's folder, read once."""

    def __init__(self, package: str) -> None:
        folder = resources.files(package)
        texts = {item.name.removesuffix(".md"): item for item in folder.iterdir() if item.name.endswith(".md")}
        self._prompts = {name: parse_prompt(name, item.read_text("utf-8")) for name, item in texts.items()}

    def get(self, name: str) -> Prompt:
        """The prompt of the file `<name>.md`."""
        if name not in self._prompts:
            raise PromptError(f"{name}: there is no such prompt")
        return self._prompts[name]

    def all(self) -> tuple[Prompt, ...]:
        """Every prompt, by name."""
        return tuple(self._prompts[name] for name in sorted(self._prompts))


def parse_prompt(name: str, text: str) -> Prompt:
    """A file's two parts, each under a line `# system` or `# user`."""
    pieces = _TURN.split(text)
    parts = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    if set(parts) != {"system", "user"} or len(pieces) != 5:
        raise PromptError(f"{name}: one part '# system' and one part '# user' were expected")
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    return Prompt(name, version, parts["system"].strip(), parts["user"].strip())


def fenced(name: str, value: JsonValue) -> str:
    """Data between two marks that it cannot write itself: as JSON, its angle brackets escaped."""
    written = json.dumps(value, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")
    return f"<资料 {name}>\n{written}\n</资料>"


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda place: values[place.group(1)], text)
