"""What a user id and a session id may be, wherever they come in."""

import re

from core.shared.errors import InvalidRequest

IDENTIFIER_PATTERN = r"[A-Za-z0-9_.@:-]{1,64}"
IDENTIFIER = re.compile(IDENTIFIER_PATTERN)


def checked_id(text: str) -> str:
    """`text` itself. InvalidRequest when it cannot be an id: it would not fit a key, or look like another one."""
    if not IDENTIFIER.fullmatch(text):
        raise InvalidRequest("user_id 和 session_id 应为 1～64 个字符，可用字母、数字和 _ . @ : -。")
    return text
