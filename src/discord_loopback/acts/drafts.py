"""Reads the body of a message to be sent or edited: texts, embeds, files, stickers, allowances. Stores nothing."""

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from discord_loopback.acts.components import check_components
from discord_loopback.acts.embeds import read_embeds
from discord_loopback.forms import Form, snowflake
from discord_loopback.model import COMPONENTS_V2, EPHEMERAL, SUPPRESS_EMBEDS, SUPPRESS_NOTIFICATIONS, VOICE_MESSAGE, Sticker
from discord_loopback.refusals import Json, refused
from discord_loopback.world import World

SENT_FLAGS = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2 | VOICE_MESSAGE
"""Flags that a sender may set; the others are dropped, as Discord does."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that comes with a request; `number` is n of `files[n]`."""

    filename: str
    data: bytes
    content_type: str | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Allowed:
    """Who may be pinged: kinds whose mentions in the text count, or named ids."""

    parse: frozenset[str] = frozenset(("users", "roles", "everyone"))
    users: frozenset[int] = frozenset()
    roles: frozenset[int] = frozenset()
    replied_user: bool = True


USERS_ONLY = Allowed(parse=frozenset(("users",)))
"""The default of webhooks and interactions (Discord docs, Webhook)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A message before it is one. `kept` are the attachments an edit keeps; none means all."""

    content: str | None = None
    embeds: list[Json] | None = None
    components: list[Json] | None = None
    stickers: list[Sticker] = field(default_factory=list)
    uploads: tuple[Upload, ...] = ()
    descriptions: dict[int, str] = field(default_factory=dict)
    spoken: frozenset[int] = frozenset()
    kept: frozenset[int] | None = None
    allowed: Allowed | None = None
    reference: Json | None = None
    flags: int = 0
    tts: bool = False
    nonce: str | int | None = None
    is_unique: bool = False
    poll: Json | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to see in it."""
        return not (self.content and self.content.strip()) and not (
            self.embeds or self.components or self.stickers or self.uploads or self.poll or self.kept
        )


def read_draft(body: Json, uploads: tuple[Upload, ...], world: World, *, may_press: bool = True, may_hide: bool = False) -> Draft:
    """A draft from a body; raises `Refused` (50035, 40005).

    `may_press` tells whether buttons and selects may be in it, `may_hide` whether it may be for one person's eyes alone.
    """
    _check_sizes(uploads, world)
    form = Form(body)
    form.text("content", body.get("content"), most=2000)
    embeds = read_embeds(form, body.get("embeds")) if "embeds" in body else None
    # A copy: what was recorded of the request stays as it came.
    components = deepcopy(body.get("components"))
    if components:
        check_components(form, components, may_press=may_press)
    descriptions, kept = _attachments(form, body, uploads)
    stickers = _stickers(form, body, world)
    nonce = body.get("nonce")
    if isinstance(nonce, str):
        form.text("nonce", nonce, most=25)
    allowed = read_allowed(form, body.get("allowed_mentions"))
    form.done()
    content = body.get("content")
    return Draft(
        content=content.strip() if isinstance(content, str) else ("" if "content" in body else None),
        embeds=embeds,
        components=(components or []) if "components" in body else None,
        stickers=stickers,
        uploads=uploads,
        descriptions=descriptions,
        spoken=frozenset(upload.number for upload in uploads) if (body.get("flags") or 0) & VOICE_MESSAGE else frozenset(),
        kept=kept,
        allowed=allowed,
        reference=body.get("message_reference"),
        flags=(body.get("flags") or 0) & (SENT_FLAGS | (EPHEMERAL if may_hide else 0)),
        tts=bool(body.get("tts")),
        nonce=nonce,
        is_unique=bool(body.get("enforce_nonce")),
        poll=_poll(body.get("poll")),
    )


def _check_sizes(uploads: tuple[Upload, ...], world: World) -> None:
    limits = world.switches
    if (
        any(len(upload.data) > limits.file_limit for upload in uploads)
        or sum(len(upload.data) for upload in uploads) > limits.request_limit
    ):
        raise refused(40005)


def _attachments(form: Form, body: Json, uploads: tuple[Upload, ...]) -> tuple[dict[int, str], frozenset[int] | None]:
    """Descriptions by file number, and the ids of stored attachments that an edit keeps."""
    if "attachments" not in body:
        return {}, None
    numbers = {upload.number for upload in uploads}
    descriptions: dict[int, str] = {}
    kept: set[int] = set()
    for place, item in enumerate(form.items("attachments", body["attachments"], most=10)):
        which = snowflake(form, ("attachments", place, "id"), item.get("id"))
        if which in numbers:
            if form.text(("attachments", place, "description"), item.get("description"), most=1024):
                descriptions[which] = item["description"]
        else:
            kept.add(which)
    return descriptions, frozenset(kept)


def _stickers(form: Form, body: Json, world: World) -> list[Sticker]:
    wanted = [
        snowflake(form, ("sticker_ids", place), item)
        for place, item in enumerate(form.items("sticker_ids", body.get("sticker_ids"), most=3))
    ]
    found = []
    for one in wanted:
        sticker = next((guild.stickers[one] for guild in world.guilds.values() if one in guild.stickers), None)
        if sticker is None:
            raise refused(50081)
        found.append(sticker)
    return found


def read_allowed(form: Form, value: Any) -> Allowed | None:
    """Allowed mentions; kinds in `parse` and a list of the same kind exclude each other."""
    if not isinstance(value, dict):
        return None
    parse = frozenset(form.items(("allowed_mentions", "parse"), value.get("parse"), most=3))
    lists = {}
    for kind in ("users", "roles"):
        items = form.items(("allowed_mentions", kind), value.get(kind), most=100)
        lists[kind] = frozenset(snowflake(form, ("allowed_mentions", kind, place), item) for place, item in enumerate(items))
        if lists[kind] and kind in parse:
            message = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            form.wrong("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)
    return Allowed(parse, lists["users"], lists["roles"], bool(value.get("replied_user")))


def _poll(value: Any) -> Json | None:
    if not isinstance(value, dict):
        return None
    answers = [{"answer_id": place, "poll_media": one.get("poll_media", {})} for place, one in enumerate(value.get("answers") or [], 1)]
    return {
        "question": value.get("question", {}),
        "answers": answers,
        "expiry": None,
        "allow_multiselect": bool(value.get("allow_multiselect")),
        "layout_type": value.get("layout_type") or 1,
        "results": {"answer_counts": [], "is_finalized": False},
    }
