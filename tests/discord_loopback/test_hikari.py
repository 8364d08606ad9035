"""hikari, unmodified and written by other people: a second reader of everything this server sends."""

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

import hikari
import pytest

from discord_loopback.client import Channel, Loopback, Person

E = TypeVar("E", bound=hikari.Event)


class Listening:
    """A hikari bot whose events can be waited for."""

    def __init__(self, bot: hikari.GatewayBot) -> None:
        self.bot = bot
        self._events: asyncio.Queue[hikari.Event] = asyncio.Queue()
        bot.subscribe(hikari.Event, self._hear)

    async def _hear(self, event: hikari.Event) -> None:
        self._events.put_nowait(event)

    async def hears(self, kind: type[E]) -> E:
        async with asyncio.timeout(30):
            while not isinstance(event := await self._events.get(), kind):
                pass
            return event


@pytest.fixture
async def other(loopback: Loopback) -> AsyncIterator[Listening]:
    intents = hikari.Intents.ALL_UNPRIVILEGED | hikari.Intents.MESSAGE_CONTENT | hikari.Intents.GUILD_MEMBERS
    token = (await loopback.application()).token
    bot = hikari.GatewayBot(
        token, rest_url=f"{loopback.url}/api/v10", intents=intents, banner=None, logs=None, suppress_optimization_warning=True
    )
    listening = Listening(bot)
    await bot.start(check_for_updates=False)
    yield listening
    await bot.close()


async def test_it_logs_in_and_knows_the_guild(other: Listening):
    guild = next(iter(other.bot.cache.get_guilds_view().values()))
    assert guild.name == "The House"
    assert {channel.name for channel in guild.get_channels().values()} >= {"general", "questions", "news"}
    assert [member.username for member in await other.bot.rest.fetch_members(guild)] == ["ann", "ben", "Coterie"]


async def test_it_receives_and_answers(other: Listening, general: Channel, ann: Person):
    written = await ann.write(general, "hello")
    heard = await other.hears(hikari.GuildMessageCreateEvent)
    assert (heard.content, heard.author.username, heard.message_id) == ("hello", "ann", int(written.id))
    await heard.message.respond(
        "answer", reply=True, embed=hikari.Embed(title="t", description="d"), attachment=hikari.Bytes(b"abc", "a.txt")
    )
    said = await general.until_said("answer")
    assert (said.replies_to, len(said.attachments), said.embeds[0]["title"]) == (written.id, 1, "t")
    await heard.message.add_reaction("👍")
    thread = await other.bot.rest.create_message_thread(int(general.id), heard.message_id, "aside")
    assert thread.parent_id == int(general.id)


async def test_it_sends_through_a_webhook(other: Listening, general: Channel):
    webhook = await other.bot.rest.create_webhook(int(general.id), "Coterie Multi-Persona")
    assert webhook.token is not None
    sent = await other.bot.rest.execute_webhook(webhook, webhook.token, "Hello", username="Bram")
    assert (sent.webhook_id, sent.author.username) == (webhook.id, "Bram")
    assert (await general.until_said("Hello")).name == "Bram"
    await other.bot.rest.edit_webhook_message(webhook, webhook.token, sent, "Hello!")
    assert [one.content for one in await general.messages()] == ["Hello!"]


async def test_it_registers_and_answers_commands_and_modals(other: Listening, general: Channel, ann: Person):
    rest = other.bot.rest
    me = other.bot.get_me()
    assert me is not None
    slash = rest.slash_command_builder("greet", "Greet someone").add_option(
        hikari.CommandOption(type=hikari.OptionType.USER, name="whom", description="Whom", is_required=True)
    )
    await rest.set_application_commands(me.id, [slash, rest.context_menu_command_builder(hikari.CommandType.MESSAGE, "Why")])
    used = await ann.slash(general, "greet", whom=ann.id)
    begun = (await other.hears(hikari.CommandInteractionCreateEvent)).interaction
    assert begun.resolved is not None
    assert [user.username for user in begun.resolved.users.values()] == ["ann"]
    await begun.create_initial_response(hikari.ResponseType.DEFERRED_MESSAGE_CREATE)
    await begun.edit_initial_response("Good day")
    assert (await used.message()).content == "Good day"

    asked = await ann.slash(general, "greet", whom=ann.id)
    begun = (await other.hears(hikari.CommandInteractionCreateEvent)).interaction
    row = rest.build_modal_action_row().add_text_input("what", "What")
    await begun.create_modal_response("A wish", "wish", components=[row])
    sent = await asked.submit(what="tea")
    modal = (await other.hears(hikari.ModalInteractionCreateEvent)).interaction
    assert modal.components[0].components[0].value == "tea"
    await modal.create_initial_response(hikari.ResponseType.MESSAGE_CREATE, "tea it is", flags=hikari.MessageFlag.EPHEMERAL)
    assert (await sent.message()).is_ephemeral


async def test_it_resumes(other: Listening, loopback: Loopback, general: Channel, ann: Person):
    await loopback.drop()
    await other.hears(hikari.ShardResumedEvent)
    await ann.write(general, "still here?")
    assert (await other.hears(hikari.GuildMessageCreateEvent)).content == "still here?"
