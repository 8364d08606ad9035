"""A menu that takes entries out of a list. Its id says which list, its values say which entries: it works after a restart as before."""

import re
from functools import reduce
from typing import TYPE_CHECKING, Any

import discord

from coterie.kit.text import head
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import Answer, answered
from coterie.platforms.discord.commands.desk import Desk, here_of, person_of
from coterie.platforms.discord.commands.listings import LISTINGS, Entry, Listing, Looking
from coterie.platforms.discord.commands.named import Names
from coterie.platforms.discord.commands.persona import as_many_as_fit

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At

_MOST_OFFERED = 25
_LONGEST = 100

Select = discord.ui.Select[discord.ui.View]


class TakingOut(discord.ui.DynamicItem[Select], template=r"coterie:take-out:(?P<listing>[a-z-]+)"):
    """The menu below a list."""

    def __init__(self, listing: Listing, select: Select) -> None:
        super().__init__(select)
        self._listing = listing

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str]) -> "TakingOut":
        """The menu as somebody finds it."""
        assert isinstance(item, discord.ui.Select)
        return cls(next(one for one in LISTINGS if one.name == match["listing"]), item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Take out what was chosen, if the person still may, and show what is left."""

        async def work(desk: Desk, tongue: Tongue) -> Answer:
            self._listing.require(interaction, tongue)
            person, keys = person_of(interaction), self.item.values
            await desk.edit(
                here_of(interaction),
                lambda access: reduce(lambda left, key: self._listing.without(left, key, person), keys, access),
            )
            return await shown(self._listing, interaction, desk, tongue)

        await answered(interaction, work)


async def shown(listing: Listing, interaction: "At", desk: Desk, tongue: Tongue) -> Answer:
    """A list with its menu. Raises `Declined`."""
    listing.require(interaction, tongue)
    here = here_of(interaction)
    looking = Looking(person_of(interaction), desk.clock.now(), Names(interaction.guild, await desk.cast(here), tongue), tongue)
    entries = await listing.entries(await desk.lists(here), looking)
    above, none = listing.heads(tongue)
    if not entries:
        return Answer(none)
    # Those that no command can name any more are the first to be offered.
    entries.sort(key=lambda entry: not entry.named.is_gone)
    return Answer(as_many_as_fit([above, *(f"- {entry.named.shown}" for entry in entries)], tongue), _menu(listing, entries, tongue))


def _menu(listing: Listing, entries: list[Entry], tongue: Tongue) -> discord.ui.View:
    offered = [discord.SelectOption(label=head(entry.named.label, _LONGEST), value=entry.key) for entry in entries[:_MOST_OFFERED]]
    select: Select = discord.ui.Select(
        custom_id=f"coterie:take-out:{listing.name}",
        placeholder=tongue.say("Take out of the list"),
        options=offered,
        max_values=len(offered),
    )
    view = discord.ui.View(timeout=None)
    view.add_item(TakingOut(listing, select))
    return view
