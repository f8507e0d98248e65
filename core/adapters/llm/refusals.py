"""An address's error, by status, code and words, as what it means for us."""

import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from core.adapters.llm.failures import TryFailed
from core.shared.json_types import JsonObject, JsonValue

_TOO_LONG = re.compile(
    r"context_length|context length|context window|context size|maximum context|exceed_context|too many tokens"
    r"|prompt is too long|input is too long|reduce the length|range of input length|input length should"
    r"|string_above_max|token limit exceeded|输入过长|prompt\s*超长|长度超过|上下文长度"
)
_FILTERED = re.compile(
    r"content_?filter|data_?inspection_?failed|inappropriate content|content exists risk|content_policy|responsibleai"
    r"|moderation|sensitive|敏感|不安全"
)
_FILTERED_CODES = frozenset(("1301",))
_QUOTA = re.compile(
    r"insufficient_quota|insufficient_balance|insufficient balance|insufficient_user_quota|billing"
    r"|exceeded_current_quota|exceeded your current quota|freetieronly"
    r"|free tier of the model has been exhausted|arrearage|overdue-payment"
    r"|余额不足|欠费|额度已用"
)
_QUOTA_CODES = frozenset(("1113",))
_HINTS = {
    401: "the key is refused; check LLM_API_KEY",
    402: "the account's quota is used up",
    403: "access is refused; check the key's rights and the region",
    404: "not found; check LLM_BASE_URL and LLM_MODEL",
}
_PLAIN_CODE = re.compile(r"[A-Za-z0-9_.:-]{1,48}\Z")
_LOOKS_LIKE_KEY = re.compile(r"sk-|key-|[A-Za-z0-9]{24,}")


class Complaint(NamedTuple):
    """An error body's parts; `words` are all of them in lower case, for recognition only: they may hold a key."""

    code: str
    words: str


def complaint_of(body: JsonValue) -> Complaint:
    """From the many shapes of error bodies: OpenAI's, {detail}, {code, message}, a list of one, plain text."""
    if isinstance(body, list):
        body = body[0] if body else None
    if isinstance(body, dict):
        inner = body.get("error")
        error: JsonObject = inner if isinstance(inner, dict) else body
        texts = [error.get(key) for key in ("code", "type", "status", "message", "detail", "msg", "error")]
        code = next((str(text) for text in texts[:3] if isinstance(text, str | int) and text != ""), "")
        return Complaint(code, " ".join(str(text) for text in texts if text is not None).lower())
    return Complaint("", str(body or "")[:2000].lower())


def refusal(status: int, body: JsonValue, *, after_s: float | None = None) -> TryFailed:
    """What an error with this HTTP status (or the code inside a stream) means. The message quotes no foreign words."""
    complaint = complaint_of(body)
    said = f"status {status}{_shown(complaint.code)}"
    if _TOO_LONG.search(complaint.words) or status == 413:
        return TryFailed("too_long", f"{said}: the conversation does not fit the model")
    if complaint.code in _FILTERED_CODES or (status in (400, 403, 422, 451) and _FILTERED.search(complaint.words)):
        return TryFailed("filtered", f"{said}: the provider's filter refused")
    if complaint.code in _QUOTA_CODES or status == 402 or _QUOTA.search(complaint.words):
        return TryFailed("rejected", f"{said}: {_HINTS[402]}", against=True)
    if status in (408, 425, 429) or status >= 500:
        return TryFailed("unavailable", said, again=True, after_s=after_s, against=True)
    return TryFailed("rejected", f"{said}: {_HINTS.get(status, 'the request is refused')}", against=True)


def error_in(payload: JsonObject) -> bool:
    """Whether an answer with status 200 is an error all the same."""
    if payload.get("error"):
        return True
    return "choices" not in payload and ("code" in payload or payload.get("object") == "error") and "message" in payload


def status_in(payload: JsonObject) -> int:
    """The status that such an error carries, or 500: something broke on the way."""
    error = payload.get("error")
    holder = error if isinstance(error, dict) else payload
    for key in ("code", "status", "http_code"):
        value = holder.get(key)
        if isinstance(value, int | str) and re.fullmatch(r"[45]\d\d", str(value)):
            return int(value)
    words = complaint_of(payload).words
    return 429 if "rate_limit" in words or "rate limit" in words else 500


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to wait, from the header's seconds, milliseconds or date. None when it is missing or unreadable."""
    if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    if (seconds := _number(value)) is not None:
        return seconds
    try:
        moment = parsedate_to_datetime(value or "")
    except ValueError:
        return None
    return max(0.0, (moment - now).total_seconds()) if moment.tzinfo else None


def _number(value: str | None) -> float | None:
    return float(value) if value and re.fullmatch(r"\s*\d{1,7}(\.\d{1,6})?\s*", value) else None


def _shown(code: str) -> str:
    plain = _PLAIN_CODE.match(code) and not _LOOKS_LIKE_KEY.search(code)
    return f" ({code})" if plain else ""
