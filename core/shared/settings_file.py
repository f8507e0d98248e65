"""config.yaml as it is written: strict YAML, in which a key that stands twice is an error and not a silent choice."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from core.shared.errors import SettingsError

_MERGE = "tag:yaml.org,2002:merge"


class _StrictLoader(yaml.SafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE:
                continue
            if key.value in seen:
                raise SettingsError(f"line {key.start_mark.line + 1}: {key.value}: stands twice; expected once")
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_settings_file(path: Path) -> dict[str, Any]:
    """The mapping in the file, empty for an empty file. Raises SettingsError."""
    try:
        raw = yaml.load(path.read_text("utf-8-sig"), _StrictLoader)  # noqa: S506  a SafeLoader, only stricter
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: expected text in UTF-8, found byte {error.object[error.start]:#04x}") from error
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        raise SettingsError(f"{path}: not valid YAML ({' '.join(str(error).split())})") from error
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        raise SettingsError(f"{path}: a mapping of settings was expected, found {type(raw).__name__}")
    return raw
