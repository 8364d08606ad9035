"""Who may come in, and how much they may bring: wraps the whole app. Which route does what it does not know.

Without a token (loopback only) the danger is a foreign web page in the owner's browser: it can reach 127.0.0.1, also under a name of its
own (DNS rebinding). So the Host must be ours, and an Origin, where the browser sends one, must be the page's own.
"""

import hashlib
import hmac
import ipaddress
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coterie.domain.personas.cards import MAX_CARD_BYTES
from coterie.platforms.web.house import House
from coterie.platforms.web.refusals import Refused, refusal

COOKIE = "coterie"
MAX_BODY_BYTES = 3_000_000
"""Enough for the longest message however its characters are escaped."""
_FORM_BYTES = 65_536
"""What a multipart form adds around its file."""
IMPORT_PATH = "/v1/personas/import"

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_OPEN = ("/healthz", "/v1/login", "/")
_OPEN_BELOW = "/static/"

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class TokenNeeded(Exception):
    """The API would be reachable from other machines without a token; the text is one sentence for a person."""


def judge_doors(house: House) -> None:
    """Raise `TokenNeeded` where strangers could reach a house that asks for no token."""
    if not house.token and not house.is_loopback:
        raise TokenNeeded("Set COTERIE_API_TOKEN before listening on an address that other machines can reach.")


class Guard:
    """The outermost layer of the app."""

    def __init__(self, app: ASGIApp, house: House) -> None:
        self._app = app
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Judge a request, then hand it on with its body bounded."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = self._with_headers(scope, send)
        try:
            self._judge(scope)
        except Refused as refused:
            headers = {"WWW-Authenticate": "Bearer"} if refused.status == 401 else {}
            await refusal(refused.status, str(refused), headers)(scope, receive, send)
            return
        await self._app(scope, _bounded(receive, _most(scope["path"])), send)

    def _judge(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        token = self._house.token
        if not token and not is_loopback_name(_name_of(headers.get("host", ""))):
            raise Refused(403, "This server is not known under this name; set COTERIE_API_TOKEN to use it under any.")
        if not _is_our_page(headers):
            raise Refused(403, "Another web page may not use this server.")
        if token and not _is_open(scope["path"]) and not is_let_in(headers, token):
            raise Refused(401, "A token is needed: send Authorization: Bearer TOKEN, or log in on the page.")
        announced = headers.get("content-length", "0")
        if announced.isdecimal() and int(announced[:20]) > _most(scope["path"]):
            raise _too_large(scope["path"])

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
                self._count(scope, message["status"])
            await send(message)

        return send_with_headers

    def _count(self, scope: Scope, status: int) -> None:
        # Only names that we know become labels: a client may send any method and any path.
        method = scope["method"] if scope["method"] in _METHODS else "other"
        route = getattr(scope.get("route"), "path", "")
        self._house.metrics.http_requests.labels(method, route, str(status)).inc()


def is_loopback_name(name: str) -> bool:
    """Whether a host name or address without a port means this machine."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_let_in(headers: Headers, token: str) -> bool:
    """Whether a request carries the token, as a bearer or as the page's cookie."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    # Headers are read as Latin-1; a token beyond ASCII was sent as UTF-8.
    if scheme.lower() == "bearer" and is_token(given.strip().encode("latin-1"), token):
        return True
    return hmac.compare_digest(_cookie(headers.get("cookie", "")).encode(), cookie_value(token).encode())


def is_token(given: bytes, token: str) -> bool:
    """Compare in a time that says nothing about where they differ."""
    return hmac.compare_digest(given, token.encode("utf-8", "surrogateescape"))


def cookie_value(token: str) -> str:
    """What the page's cookie holds: made from the token, so that a stolen cookie does not tell it."""
    return hmac.new(token.encode("utf-8", "surrogateescape"), b"coterie page", hashlib.sha256).hexdigest()


def _cookie(header: str) -> str:
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def _is_our_page(headers: Headers) -> bool:
    """Whether the request comes from our own page, or from no page at all."""
    origin = headers.get("origin")
    if origin is not None:
        page = _authority(origin)
        return page is not None and page == _authority(f"//{headers.get('host', '')}")
    # Browsers leave Origin out of plain GETs (images, scripts); another port of this machine counts as the same site.
    is_foreign = headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}
    return not is_foreign or headers.get("sec-fetch-mode") == "navigate"


def _authority(url: str) -> tuple[str, int | None] | None:
    """Host and port of an origin; the default ports of both schemes count as none, since a proxy may speak TLS for us."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    return (parts.hostname, None if port in {80, 443} else port) if parts.hostname else None


def _name_of(host: str) -> str:
    found = _authority(f"//{host}")
    return found[0].rstrip(".") if found else ""


def _is_open(path: str) -> bool:
    return path in _OPEN or path.startswith(_OPEN_BELOW)


def _most(path: str) -> int:
    return MAX_CARD_BYTES + _FORM_BYTES if path == IMPORT_PATH else MAX_BODY_BYTES


def _too_large(path: str) -> Refused:
    most = MAX_CARD_BYTES if path == IMPORT_PATH else MAX_BODY_BYTES
    return Refused(413, f"The body is larger than {most:,} bytes, which is the most that is taken here.")


def _bounded(receive: Receive, most: int) -> Receive:
    """Count what really arrives; a body without an announced length is cut off where the bound is."""
    seen = 0

    async def receive_bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            # An HTTPException is the one kind that body parsers let through.
            raise HTTPException(413, f"The body is larger than {most:,} bytes, which is the most that is taken here.")
        return message

    return receive_bounded
