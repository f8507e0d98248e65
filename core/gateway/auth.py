"""Who is calling: a bearer token is checked and becomes a caller; with auth off everyone is the local operator."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import jwt

from core.shared.errors import Forbidden, Unauthenticated
from core.shared.identifiers import IDENTIFIER
from core.shared.settings import AuthSettings

LOCAL_USER = "local"
"""The user id where auth is off and none is given."""

ACT_AS, OPERATOR = "act_as", "operator"

_PUBLIC = ("/", "/docs", "/openapi.json", "/health", "/health/live", "/health/ready", "/api/guest")
_PUBLIC_FOLDERS = ("/static/",)
_ALGORITHM = "HS256"


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose token it is, and what it allows beyond that person's own things."""

    user_id: str
    scopes: frozenset[str] = frozenset()

    @property
    def operator(self) -> bool:
        return OPERATOR in self.scopes

    def acting_for(self, user_id: str | None) -> str:
        """The user whose things are touched. Forbidden when that is another without the scope for it."""
        if user_id is None or user_id == self.user_id or ACT_AS in self.scopes:
            return user_id or self.user_id
        raise Forbidden("不能以其他用户的身份访问。")


NOBODY = Caller("")
"""The caller of a public route: nothing is known of them and nothing of anybody is shown."""

EVERYBODY = Caller(LOCAL_USER, frozenset({ACT_AS, OPERATOR}))
"""Who calls while auth is off: the gateway then answers on the loopback address only."""


def is_public(path: str) -> bool:
    """Whether a path needs no token."""
    return path in _PUBLIC or path.startswith(_PUBLIC_FOLDERS)


class Gate:
    """Checks tokens by `auth`. Everything but HS256 with our key and audience is refused, `none` above all."""

    def __init__(self, auth: AuthSettings) -> None:
        self._auth = auth

    @property
    def open(self) -> bool:
        """Whether everybody is let in."""
        return self._auth.mode == "off"

    def caller(self, authorization: str | None) -> Caller:
        """The caller of a request by its Authorization header; Unauthenticated without a valid token."""
        if self.open:
            return EVERYBODY
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Unauthenticated("需要登录：请在 Authorization 头里带上 Bearer 令牌。")
        try:
            claims = jwt.decode(
                token.strip(),
                _key(self._auth),
                algorithms=[_ALGORITHM],
                audience=self._auth.audience,
                options={"require": ["exp", "sub", "aud"]},
            )
        except jwt.InvalidTokenError as error:
            raise Unauthenticated("令牌无效或已过期，请重新登录。") from error
        if not IDENTIFIER.fullmatch(str(claims["sub"])):
            raise Unauthenticated("令牌里的用户标识不合规则。")
        scopes = claims.get("scope")
        return Caller(claims["sub"], frozenset(scopes.split()) if isinstance(scopes, str) else frozenset())


def make_token(auth: AuthSettings, user_id: str, scopes: frozenset[str], days: int) -> str:
    """A signed token for `user_id`, good for `days`."""
    now = datetime.now(UTC)
    claims = {
        "sub": user_id,
        "aud": auth.audience,
        "iat": now,
        "exp": now + timedelta(days=days),
        "scope": " ".join(sorted(scopes)),
    }
    return jwt.encode(claims, _key(auth), algorithm=_ALGORITHM)


def _key(auth: AuthSettings) -> str:
    return auth.secret.get_secret_value() if auth.secret else ""
