"""How the server behaves, as switches that may be turned at any time; and single faults that hit some requests. Decides nothing itself."""

import re
from dataclasses import dataclass, field
from random import Random
from typing import Literal

FaultKind = Literal["late", "lost", "unheard", "latency", "status", "rate_limited", "unlucky"]
"""What a fault does to a request.

late: stored, but answered only after `seconds`. lost: stored, and the connection dies without an answer. unheard: the connection dies and
nothing is stored. latency: waits `seconds` first. status: answers `status`, nothing stored. rate_limited: 429 with `seconds` to wait.
unlucky: stored, but answers `status`.
"""


@dataclass(slots=True)
class Switches:
    """All of the server's behaviours. Times are seconds, sizes bytes; 0 for a count means without bound where that is said."""

    rate_limits: bool = False
    """Buckets per route, with Discord's headers and 429s."""
    webhook_limit: bool = False
    """5 executions per 2 s and webhook."""
    channel_webhook_limit: bool = False
    """30 executions per 60 s over all webhooks of a channel; never in headers."""
    global_limit: bool = False
    """50 requests a second and bot, interactions excepted."""
    via_header: bool = True
    """429s carry `Via`, as Discord's do; without it a library takes them for a ban."""
    latency: float = 0.0
    """Every request waits so long."""
    webhook_cap: int = 15
    """Webhooks per channel (30007)."""
    refuse_here_and_everyone: bool = True
    """Webhook names that contain "here" or "everyone" are refused, as reported of Discord."""
    answer_within: float = 3.0
    """How long an interaction waits for its first answer (10062)."""
    token_lives: float = 900.0
    """How long an interaction's token takes follow-ups."""
    keep_sessions: float = 300.0
    """How long a gateway session outlives its connection."""
    replay: int = 5_000
    """Events a session keeps for a resume."""
    heartbeat_interval: float = 41.25
    client_events: int = 120
    """Frames a client may send in 60 s (4008)."""
    duplicate_events: bool = False
    """Every dispatch is sent twice."""
    keep_messages: int = 5_000
    """Messages kept per channel; older ones are forgotten. 0: all."""
    record: int = 5_000
    """Exchanges and events kept as recorded traffic; may be lowered to 0 (none) while the server runs, but not raised."""
    file_limit: int = 10 * 1024 * 1024
    request_limit: int = 25 * 1024 * 1024
    fetch_avatars: bool = True
    """An `avatar_url` on loopback is fetched when the page shows it; others never are."""


@dataclass(slots=True)
class Fault:
    """Hits requests of `method` whose path matches `route`, such as `/webhooks/*`: `times` times (0: always), a `share` of them."""

    id: int
    kind: FaultKind
    method: str = "*"
    route: str = "*"
    times: int = 0
    share: float = 1.0
    seconds: float = 0.0
    status: int = 500
    seed: int = 0
    hits: int = 0
    _chance: Random = field(init=False, repr=False)
    _pattern: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._chance = Random(self.seed)
        self._pattern = re.compile(".*".join(map(re.escape, self.route.split("*"))))

    def strikes(self, method: str, path: str) -> bool:
        """Whether it hits this request; counts it if so. `path` begins after the version, such as `/channels/1/messages`."""
        if self.method not in ("*", method) or not self._pattern.fullmatch(path):
            return False
        if (self.times and self.hits >= self.times) or self._chance.random() >= self.share:
            return False
        self.hits += 1
        return True
