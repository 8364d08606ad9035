"""Tells a person, kindly and privately, why nobody answers them for the moment. Once, not with every further try."""

from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime

import aiohttp
import discord

from coterie.domain.conversation import IncomingMessage
from coterie.domain.ids import UserId
from coterie.domain.turns.plan import Why
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.language import TONGUES
from coterie.ports.access import People
from coterie.ports.clock import Clock

AGAIN_AFTER = 600.0
"""Seconds during which a person is not told the same thing twice."""
_KEPT = 10_000

REASONS: Mapping[Why, str] = {
    Why.COOLDOWN: "In {server} you can call somebody again {when}.",
    Why.BUSY_PERSON: "In {server} several messages of yours are still being answered; wait for an answer, then try again.",
    Why.BUSY_SERVER: "In {server} a great deal is being answered at the moment; try again a little later.",
    Why.DAILY_QUOTA: "In {server} your answers for today are used up; there are new ones {when}.",
    Why.SERVER_QUOTA: "In {server} the answers for this period are used up; those who manage the server know when there are new ones.",
    Why.OWN_PROVIDER_NEEDED: "In {server} everybody brings a model provider of their own; you have none yet, or it is switched off.",
    Why.SUBSCRIPTION_INACTIVE: "In {server} nobody could answer you: the subscription that was to pay for it is not active.",
    Why.NO_CREDENTIALS: "In {server} nobody could answer you: those who manage it have not saved a key for the model's provider yet.",
}


class Declining:
    """Private notices. Where a person takes none, nothing is said."""

    def __init__(self, client: discord.Client, people: People, clock: Clock) -> None:
        self._client, self._people, self._clock = client, people, clock
        self._told: OrderedDict[tuple[UserId, Why], float] = OrderedDict()

    async def tell(self, message: IncomingMessage, why: Why, until: datetime | None) -> None:
        """Tell the author of a message why nobody answers it, unless they were told lately."""
        text = REASONS.get(why)
        if text is None or not message.author.id.isdecimal() or self._was_told(message.author.id, why):
            return
        tongue = await self._tongue(message)
        # Discord shows such a moment in the reader's own language, and counts it down.
        when = f"<t:{int(until.timestamp()) + 1}:R>" if until is not None else tongue.say("later")
        with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
            channel = await self._client.create_dm(discord.Object(int(message.author.id)))
            said = tongue.say(text, server=self._server(message, tongue), when=when)
            await channel.send(said, allowed_mentions=discord.AllowedMentions.none())

    def _was_told(self, person: UserId, why: Why) -> bool:
        now, last = self._clock.monotonic(), self._told.get((person, why))
        if last is not None and now - last < AGAIN_AFTER:
            return True
        self._told[person, why] = now
        self._told.move_to_end((person, why))
        if len(self._told) > _KEPT:
            self._told.popitem(last=False)
        return False

    async def _tongue(self, message: IncomingMessage) -> Tongue:
        return TONGUES.of(await self._people.locale(message.author.id) or message.standing.locale)

    def _server(self, message: IncomingMessage, tongue: Tongue) -> str:
        guild = self._client.get_guild(int(message.workspace.partition(":")[2]))
        return f"**{discord.utils.escape_markdown(guild.name)}**" if guild is not None else tongue.say("this server")
