"""What is listed, entry by entry, and how an entry is taken out again. An entry's key says all that has to be known for that."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from coterie.domain.access import Access, Cooldown, Spotlight
from coterie.domain.ids import PersonaId, PlaceId, RoleId, UserId
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.managing import require_server, require_server_manager
from coterie.platforms.discord.commands.named import Named, Names

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is listed. Where something of it is gone, it can only be taken out."""

    key: str
    named: Named


@dataclass(frozen=True, slots=True)
class Looking:
    """Who looks at a list, when, and how things are called for them."""

    person: UserId
    now: datetime
    names: Names
    tongue: Tongue


class Listing(Protocol):
    """A list that people look at and take entries out of."""

    @property
    def name(self) -> str:
        """What a menu remembers of it."""
        ...

    def require(self, interaction: "At", tongue: Tongue) -> None:
        """Whether the person may. Raises `Declined`."""
        ...

    def heads(self, tongue: Tongue) -> tuple[str, str]:
        """What stands above the entries, and what in their place where there are none."""
        ...

    async def entries(self, access: Access, looking: Looking) -> list[Entry]:
        """All entries."""
        ...

    def without(self, access: Access, key: str, person: UserId) -> Access:
        """The lists without an entry; as they are where it is gone already."""
        ...


class _Whitelist:
    """Channels and roles that may call, and the channels in which personas are heard."""

    name = "whitelist"

    def require(self, interaction: "At", tongue: Tongue) -> None:
        require_server_manager(interaction, tongue)

    def heads(self, tongue: Tongue) -> tuple[str, str]:
        return (
            tongue.say("Where any channel is listed, the cast can be called in listed ones only; the same with roles:"),
            tongue.say("Nothing is listed: everybody can call every persona in all channels."),
        )

    async def entries(self, access: Access, looking: Looking) -> list[Entry]:
        names, tongue = looking.names, looking.tongue
        found = [Entry(f"channel:{place}", _with_cooldown(await names.place(place), own, tongue)) for place, own in access.channels.items()]
        found += [Entry(f"role:{role}", names.role(role)) for role in sorted(access.roles)]
        for persona, places in access.persona_channels.items():
            for place in sorted(places):
                found.append(Entry(f"persona:{persona}:{place}", _within(names.persona(persona), await names.place(place), tongue)))
        return found

    def without(self, access: Access, key: str, person: UserId) -> Access:
        match key.split(":"):
            case ["channel", place]:
                return access.without_channel(PlaceId(place))
            case ["role", role]:
                return access.without_role(RoleId(role))
            case ["persona", persona, place] if persona.isdecimal():
                who = PersonaId(int(persona))
                return access.keeping_persona_to(who, access.persona_channels.get(who, frozenset()) - {PlaceId(place)})
            case _:
                return access


class _AutoTriggers:
    """Channels in which somebody answers without being called."""

    name = "auto-trigger"

    def require(self, interaction: "At", tongue: Tongue) -> None:
        require_server_manager(interaction, tongue)

    def heads(self, tongue: Tongue) -> tuple[str, str]:
        return (
            tongue.say("Here somebody answers without being called (how often: `/server auto-trigger threshold`):"),
            tongue.say("There is no channel in which somebody answers without being called."),
        )

    async def entries(self, access: Access, looking: Looking) -> list[Entry]:
        names, main = looking.names, Named(looking.tongue.say("main"), looking.tongue.say("main"))
        return [
            Entry(f"channel:{place}", _joined(await names.place(place), names.persona(persona) if persona is not None else main))
            for place, persona in access.auto_channels.items()
        ]

    def without(self, access: Access, key: str, person: UserId) -> Access:
        return access.not_answering_in(PlaceId(key.removeprefix("channel:")))


class _Spotlights:
    """The channels in which a person hears some personas only."""

    name = "spotlight"

    def require(self, interaction: "At", tongue: Tongue) -> None:
        require_server(interaction, tongue)

    def heads(self, tongue: Tongue) -> tuple[str, str]:
        return tongue.say("Here you hear some personas only:"), tongue.say("You hear everybody everywhere.")

    async def entries(self, access: Access, looking: Looking) -> list[Entry]:
        own = [(place, light) for (person, place), light in access.spotlights.items() if person == looking.person]
        return [
            Entry(f"channel:{place}", _joined(await looking.names.place(place), _lit(light, looking)))
            for place, light in own
            if light.holds(looking.now)
        ]

    def without(self, access: Access, key: str, person: UserId) -> Access:
        return access.shining(person, PlaceId(key.removeprefix("channel:")), None)


WHITELIST, AUTO_TRIGGERS, SPOTLIGHTS = _Whitelist(), _AutoTriggers(), _Spotlights()
LISTINGS: tuple[Listing, ...] = (WHITELIST, AUTO_TRIGGERS, SPOTLIGHTS)


def own_cooldown(cooldown: Cooldown, tongue: Tongue) -> str:
    """A cooldown in words."""
    kind, seconds = tongue.say(cooldown.kind.value), int(cooldown.length.total_seconds())
    return tongue.say("cooldown of its own: {kind}, {seconds} s", kind=kind, seconds=seconds)


def _with_cooldown(place: Named, cooldown: Cooldown | None, tongue: Tongue) -> Named:
    if cooldown is None:
        return place
    return Named(f"{place.shown} – {own_cooldown(cooldown, tongue)}", place.label, place.is_gone)


def _within(who: Named, place: Named, tongue: Tongue) -> Named:
    def said(persona: str, channel: str) -> str:
        return tongue.say("{persona} only in {channel}", persona=persona, channel=channel)

    return Named(said(who.shown, place.shown), said(who.label, place.label), who.is_gone or place.is_gone)


def _joined(place: Named, who: Named) -> Named:
    return Named(f"{place.shown}: {who.shown}", f"{place.label}: {who.label}", place.is_gone or who.is_gone)


def _lit(light: Spotlight, looking: Looking) -> Named:
    who = [looking.names.persona(persona) for persona in sorted(light.personas)]
    shown = [", ".join(one.shown for one in who)]
    if light.auto is not None:
        shown.append(looking.tongue.say("uncalled: {name}", name=looking.names.persona(light.auto).shown))
    if light.expires_at is not None:
        shown.append(looking.tongue.say("until {when}", when=moment(light.expires_at)))
    return Named(" – ".join(shown), ", ".join(one.label for one in who))


def moment(when: datetime) -> str:
    """A moment as Discord shows it to each reader in their own time."""
    return f"<t:{int(when.timestamp())}:f>"
