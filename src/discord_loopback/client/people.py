"""A person from the client's side: writes, edits, reacts, types, begins threads, uses commands, buttons and modals."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from discord_loopback.client.channels import Channel
from discord_loopback.client.links import PATIENCE, Link, until
from discord_loopback.client.seen import Message
from discord_loopback.refusals import Json


@dataclass(frozen=True, slots=True)
class Interaction:
    """Something a person did with an application."""

    link: Link
    raw: Json

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.raw["id"])

    @property
    def user(self) -> str:
        """The id of the person."""
        return str(self.raw["user_id"])

    async def state(self) -> Json:
        """How far it is: `type` of the answer (null without one), `message`, or `data` of a modal or of choices."""
        state: Json = await self.link.call("answer_of", interaction=self.id)
        return state

    async def until(self, holds: Callable[[Json], object], *, patience: float = PATIENCE) -> Json:
        """Wait until something holds of its state. Raises `NotSeen`."""
        return await until(self.link, self.state, holds, "the answer to an interaction", patience=patience)

    async def answered(self, *, patience: float = PATIENCE) -> Json:
        """Wait for the first answer, deferred or not."""
        return await self.until(lambda state: state["type"] is not None, patience=patience)

    async def message(self, *, patience: float = PATIENCE) -> Message:
        """Wait for the answer's message, complete."""
        state = await self.until(lambda state: "message" in state and not state["message"]["flags"] & 1 << 7, patience=patience)
        return Message(state["message"])

    async def modal(self) -> Json:
        """Wait for the modal that it is answered with."""
        state = await self.until(lambda state: state["type"] == 9)
        return dict(state["data"])

    async def choices(self) -> list[Any]:
        """Wait for the choices that an autocompletion is answered with; their values."""
        state = await self.until(lambda state: state["type"] == 8)
        return [one["value"] for one in state["data"]["choices"]]

    async def submit(self, **fields: Any) -> "Interaction":
        """Wait for the modal and send it, fields by custom id; files are made with `file`."""
        await self.modal()
        return Interaction(self.link, await self.link.call("submit", interaction=self.id, fields=fields))


@dataclass(frozen=True, slots=True)
class Person:
    """A person by the account's id."""

    link: Link
    id: str
    name: str

    @property
    def mention(self) -> str:
        """What mentions the person in a text."""
        return f"<@{self.id}>"

    async def write(self, channel: Channel, content: str = "", *, reply_to: Message | None = None, **more: Any) -> Message:
        """Write a message; more: `files`, `stickers` (ids), `embeds`, `ping` (False: a reply that pings nobody)."""
        answered = reply_to.id if reply_to else "0"
        return Message(await self.link.call("write", person=self.id, channel=channel.id, content=content, reply_to=answered, **more))

    async def write_many(self, channel: Channel, contents: list[str]) -> None:
        """Write many messages at once."""
        await self.link.call("write_many", person=self.id, channel=channel.id, contents=contents)

    async def edit(self, message: Message, content: str) -> Message:
        """Change a message's text."""
        return Message(await self.link.call("edit", channel=message.channel, message=message.id, content=content))

    async def delete(self, message: Message) -> None:
        """Delete a message."""
        await self.link.call("delete", channel=message.channel, message=message.id)

    async def forward(self, message: Message, to: Channel) -> Message:
        """Send a message on."""
        return Message(await self.link.call("forward", person=self.id, channel=message.channel, message=message.id, to=to.id))

    async def react(self, message: Message, emoji: str, *, remove: bool = False) -> None:
        """Give or take back a reaction."""
        await self.link.call("react", person=self.id, channel=message.channel, message=message.id, emoji=emoji, remove=remove)

    async def type(self, channel: Channel) -> None:
        """Type for ten seconds."""
        await self.link.call("type", person=self.id, channel=channel.id)

    async def begin_thread(self, channel: Channel, name: str, *, at: Message | None = None, private: bool = False) -> Channel:
        """Begin a thread, at a message or without one."""
        number = at.id if at else "0"
        made = await self.link.call("begin_thread", person=self.id, channel=channel.id, name=name, message=number, private=private)
        return Channel(self.link, made["id"], made["name"])

    async def post(self, forum: Channel, name: str, content: str, *, tags: list[str] | None = None) -> Channel:
        """Begin a post in a forum."""
        made = await self.link.call("post", person=self.id, channel=forum.id, name=name, content=content, tags=tags)
        return Channel(self.link, made["id"], made["name"])

    async def enter_thread(self, thread: Channel, *, who: str = "", leave: bool = False) -> None:
        """Join or leave a thread, or add another account to it or remove it."""
        await self.link.call("enter_thread", person=who or self.id, thread=thread.id, leave=leave)

    async def direct(self, other: str) -> Channel:
        """Open direct messages with another account, by its id."""
        made = await self.link.call("direct", person=self.id, other=other)
        return Channel(self.link, made["id"], f"direct messages of {self.name}")

    async def commands(self, channel: Channel) -> list[Json]:
        """The commands that can be used in a channel."""
        found: list[Json] = await self.link.call("commands", channel=channel.id, person=self.id)
        return found

    async def set_locale(self, locale: str) -> None:
        """Have Discord in another language, such as `ja`."""
        await self.link.call("set_locale", person=self.id, locale=locale)

    async def slash(self, channel: Channel, command: str, /, **options: Any) -> Interaction:
        """Run a slash command such as `persona list`; users, roles and channels by id."""
        return await self._use("slash", channel=channel.id, command=command, options=options)

    async def autocomplete(self, channel: Channel, command: str, option: str, typed: str, /, **options: Any) -> Interaction:
        """Type in an option."""
        return await self._use("autocomplete", channel=channel.id, command=command, option=option, typed=typed, options=options)

    async def menu(self, target: Message, command: str) -> Interaction:
        """Use a message's context menu."""
        return await self._use("menu", channel=target.channel, command=command, message=target.id)

    async def user_menu(self, channel: Channel, user: str, command: str) -> Interaction:
        """Use an account's context menu."""
        return await self._use("menu", channel=channel.id, command=command, user=user)

    async def press(self, message: Message, button: str) -> Interaction:
        """Press a button, by its custom id or label."""
        return await self._use("press", channel=message.channel, message=message.id, button=button)

    async def select(self, message: Message, custom_id: str, *values: str) -> Interaction:
        """Choose in a select."""
        return await self._use("select", channel=message.channel, message=message.id, custom_id=custom_id, values=list(values))

    async def _use(self, operation: str, **arguments: Any) -> Interaction:
        return Interaction(self.link, await self.link.call(operation, person=self.id, **arguments))
