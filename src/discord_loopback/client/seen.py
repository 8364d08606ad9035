"""A message as the client sees it."""

import base64
import mimetypes
from dataclasses import dataclass
from typing import Any

from discord_loopback.refusals import Json


@dataclass(frozen=True, slots=True)
class Message:
    """A message; `raw` is its JSON. `avatar_url` is the address that a webhook gave for it, as it was given."""

    raw: Json

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.raw["id"])

    @property
    def channel(self) -> str:
        """The id of its channel."""
        return str(self.raw["channel_id"])

    @property
    def content(self) -> str:
        """Its text."""
        return str(self.raw["content"])

    @property
    def name(self) -> str:
        """The name it was sent under."""
        return str(self.raw["author"]["username"])

    @property
    def author(self) -> str:
        """The id of the account or webhook that sent it."""
        return str(self.raw["author"]["id"])

    @property
    def webhook(self) -> str | None:
        """The id of its webhook."""
        value: str | None = self.raw.get("webhook_id")
        return value

    @property
    def avatar(self) -> str | None:
        """The hash of the face it was sent with."""
        value: str | None = self.raw["author"]["avatar"]
        return value

    @property
    def avatar_url(self) -> str | None:
        """The `avatar_url` that the webhook was executed with."""
        value: str | None = self.raw.get("loopback", {}).get("avatar_source")
        return value

    @property
    def embeds(self) -> list[Json]:
        """Its embeds."""
        return list(self.raw["embeds"])

    @property
    def attachments(self) -> list[Json]:
        """Its files."""
        return list(self.raw["attachments"])

    @property
    def components(self) -> list[Json]:
        """Its components."""
        return list(self.raw["components"])

    @property
    def stickers(self) -> list[str]:
        """The names of its stickers."""
        return [str(one["name"]) for one in self.raw.get("sticker_items", ())]

    @property
    def replies_to(self) -> str | None:
        """The id of the message that it answers."""
        value: str | None = self.raw.get("message_reference", {}).get("message_id") if self.raw["type"] == 19 else None
        return value

    @property
    def mentions(self) -> list[str]:
        """The ids of the accounts that it pings."""
        return [str(one["id"]) for one in self.raw["mentions"]]

    @property
    def reactions(self) -> dict[str, int]:
        """How often each emoji was given."""
        return {str(one["emoji"]["name"]): int(one["count"]) for one in self.raw.get("reactions", ())}

    @property
    def is_ephemeral(self) -> bool:
        """Whether one person alone sees it."""
        return bool(self.raw["flags"] & 1 << 6)

    @property
    def is_thinking(self) -> bool:
        """Whether it stands for an answer that is still to come."""
        return bool(self.raw["flags"] & 1 << 7)

    @property
    def is_edited(self) -> bool:
        """Whether it was edited."""
        return self.raw["edited_timestamp"] is not None

    @property
    def is_system(self) -> bool:
        """Whether nobody wrote it, such as a note that a thread was begun."""
        return self.raw["type"] not in (0, 19, 20, 23)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.content!r}{' +embed' * len(self.embeds)}{' ephemeral' if self.is_ephemeral else ''}>"


def file(name: str, data: bytes, content_type: str | None = None) -> Json:
    """A file for a person to send, or to fill in where a command or modal asks for one."""
    kind: Any = content_type or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return {"name": name, "data": base64.b64encode(data).decode(), "type": kind}
