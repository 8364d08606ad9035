"""Limits of rate: buckets per route, per webhook, per channel and for all; with Discord's headers. Off unless a switch is on."""

import hashlib
from dataclasses import dataclass

from discord_loopback.model import Webhook
from discord_loopback.refusals import Json
from discord_loopback.rest.call import Call
from discord_loopback.rest.routes import Route
from discord_loopback.switches import Switches

CHANNEL_WEBHOOKS = (30, 60.0)
"""Executions over all webhooks of a channel, confirmed of Discord once and in no header."""
EVERYTHING = (50, 1.0)
KEPT = 20_000
"""Buckets remembered; the oldest are dropped beyond."""


@dataclass(slots=True)
class _Bucket:
    resets: float
    left: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the limits say: headers for any answer, and the body of a 429 if it is one."""

    headers: dict[str, str]
    refusal: Json | None = None


class Limits:
    """All buckets of a server."""

    def __init__(self, switches: Switches) -> None:
        self._switches = switches
        self._buckets: dict[tuple[str, str], _Bucket] = {}

    def ask(self, route: Route, call: Call) -> Verdict:
        """Take one from every bucket that this request is in."""
        switches, now = self._switches, call.world.clock()
        is_execution = route.path == "/webhooks/{webhook}/{token}" and route.method == "POST"
        if switches.global_limit and call.login is not None and (wait := self._take("all", str(call.login.id), EVERYTHING, now)[1]):
            return refusal(wait, "global", switches, {})
        webhook = call.world.webhooks.get(int(call.ids["webhook"])) if is_execution and call.ids["webhook"].isdigit() else None
        if switches.channel_webhook_limit and webhook is not None and (wait := self._channel(webhook, now)):
            return refusal(wait, "shared", switches, {})
        if not (switches.rate_limits or (switches.webhook_limit and is_execution)):
            return Verdict({})
        name = hashlib.md5(f"{route.method} {route.path}".encode(), usedforsecurity=False).hexdigest()
        bucket, wait = self._take(name, _major(call), route.limit, now)
        headers = {
            "X-RateLimit-Limit": str(route.limit[0]),
            "X-RateLimit-Remaining": str(bucket.left),
            "X-RateLimit-Reset": f"{bucket.resets:.3f}",
            "X-RateLimit-Reset-After": f"{bucket.resets - now:.3f}",
            "X-RateLimit-Bucket": name,
        }
        return refusal(wait, "user", switches, headers) if wait else Verdict(headers)

    def _channel(self, webhook: Webhook, now: float) -> float:
        return self._take("channel", str(webhook.channel), CHANNEL_WEBHOOKS, now)[1]

    def _take(self, name: str, key: str, limit: tuple[int, float], now: float) -> tuple[_Bucket, float]:
        """The bucket, and how long to wait if it was empty."""
        bucket = self._buckets.get((name, key))
        if bucket is None or bucket.resets <= now:
            bucket = self._buckets[name, key] = _Bucket(now + limit[1], limit[0])
            while len(self._buckets) > KEPT:
                del self._buckets[next(iter(self._buckets))]
        if bucket.left == 0:
            return bucket, bucket.resets - now
        bucket.left -= 1
        return bucket, 0.0


def _major(call: Call) -> str:
    return ":".join(call.ids.get(name, "") for name in ("guild", "channel", "webhook", "token"))


def refusal(wait: float, scope: str, switches: Switches, headers: dict[str, str]) -> Verdict:
    """A 429 with Discord's body and headers; `Via` tells a library that it comes from Discord itself."""
    wait = max(wait, 0.001)
    headers = {**headers, "Retry-After": str(max(1, round(wait + 0.5))), "X-RateLimit-Scope": scope}
    if scope == "global":
        headers["X-RateLimit-Global"] = "true"
    if switches.via_header:
        headers["Via"] = "1.1 google"
    return Verdict(headers, {"message": "You are being rate limited.", "retry_after": round(wait, 3), "global": scope == "global"})
