"""A channel, thread or direct message from the client's side: reading it, waiting for it, and what admins do with it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from discord_loopback.client.links import PATIENCE, Link, until
from discord_loopback.client.seen import Message
from discord_loopback.refusals import Json


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel by its id."""

    link: Link
    id: str
    name: str

    async def messages(self, *, eyes_of: str = "0", limit: int = 200) -> list[Message]:
        """Its newest messages, oldest first; with those for one person's eyes alone if that person's id is given."""
        return [Message(one) for one in await self.link.call("messages", channel=self.id, person=eyes_of, limit=limit)]

    async def until(
        self, holds: Callable[[list[Message]], object], *, eyes_of: str = "0", limit: int = 200, patience: float = PATIENCE
    ) -> list[Message]:
        """Wait, without polling, until something holds of the newest messages; returns them. Raises `NotSeen`."""

        async def look() -> list[Message]:
            return await self.messages(eyes_of=eyes_of, limit=limit)

        return await until(self.link, look, holds, f"what {self.name} should show", patience=patience)

    async def until_said(self, content: str, *, name: str | None = None, eyes_of: str = "0", patience: float = PATIENCE) -> Message:
        """Wait for a message with this text, from this name if one is given; returns the newest such. Raises `NotSeen`."""

        def fits(one: Message) -> bool:
            return one.content == content and name in (None, one.name)

        found = await self.until(lambda messages: any(map(fits, messages)), eyes_of=eyes_of, patience=patience)
        return next(one for one in reversed(found) if fits(one))

    async def webhooks(self) -> list[Json]:
        """Its webhooks with their tokens."""
        found: list[Json] = await self.link.call("list_webhooks", channel=self.id)
        return found

    async def create_webhook(self, name: str, *, application: str = "0") -> Json:
        """A foreign webhook: made by a person, or by an application."""
        made: Json = await self.link.call("create_webhook", channel=self.id, name=name, application=application)
        return made

    async def delete_webhooks(self) -> None:
        """Delete all of its webhooks, as an admin may at any time."""
        for one in await self.webhooks():
            await self.link.call("delete_webhook", webhook=one["id"])

    async def renew_webhook_tokens(self) -> None:
        """Make the tokens of its webhooks wrong (50027)."""
        for one in await self.webhooks():
            await self.link.call("renew_webhook_token", webhook=one["id"])

    async def fill_webhooks(self) -> None:
        """Fill it with foreign webhooks up to the cap (30007)."""
        await self.link.call("fill_webhooks", channel=self.id)

    async def set_overwrite(self, who: str = "0", *, allow: list[str] | None = None, deny: list[str] | None = None) -> None:
        """Set permissions of a role or account (of everyone for 0) here; neither takes the overwrite away."""
        await self.link.call("overwrite", channel=self.id, who=who, allow=allow, deny=deny)

    async def allowed(self, who: str) -> list[str]:
        """The names of the permissions that an account has here."""
        names: list[str] = await self.link.call("allowed", channel=self.id, who=who)
        return names

    async def delete(self) -> None:
        """Delete it."""
        await self.link.call("delete_channel", channel=self.id)

    async def rename(self, name: str) -> None:
        """Give it another name."""
        await self.link.call("rename_channel", channel=self.id, name=name)

    async def set_thread(self, **changes: Any) -> None:
        """Archive, lock or rename this thread: `archived`, `locked`, `name`."""
        await self.link.call("set_thread", thread=self.id, **changes)

    async def repost(self, message: Message, *, webhook: str, name: str, **how: Any) -> Message:
        """Let a proxy service replace a message: `content`, `avatar_url`, `delete_first`."""
        return Message(await self.link.call("repost", channel=self.id, message=message.id, webhook=webhook, name=name, **how))

    async def delete_message(self, message: Message) -> None:
        """Let a moderator delete a message."""
        await self.link.call("delete", channel=self.id, message=message.id)

    async def delete_messages(self, *messages: Message) -> None:
        """Let a moderator delete messages in bulk."""
        await self.link.call("delete_many", channel=self.id, ids=[one.id for one in messages])
