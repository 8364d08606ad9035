"""Who may call whom, over HTTP: the lists of a workspace, row by row. What they mean is in `domain/access`."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Path

from coterie.domain.access import Access, Cooldown, CooldownKind, Spotlight
from coterie.domain.ids import PersonaId, PlaceId, RoleId, UserId, WorkspaceId
from coterie.domain.personas.persona import Cast, Persona
from coterie.domain.settings import judge
from coterie.platforms.rooms.events import rfc3339
from coterie.platforms.web.asked import AskedHouse, AskedWorkspace, persona_in
from coterie.platforms.web.house import House
from coterie.platforms.web.refusals import Refused, refusals
from coterie.platforms.web.shapes_access import (
    AccessBody,
    AutoRow,
    AutoUpdate,
    ChannelRow,
    ChannelUpdate,
    CooldownBody,
    PersonaChannels,
    PersonaRow,
    SpotlightRow,
    SpotlightUpdate,
    is_snowflake,
    snowflake_schema,
)
from coterie.ports.access import Edit

router = APIRouter(tags=["access"])

Identity = TypeVar("Identity", bound=str)

_Id = Annotated[str, Path(json_schema_extra=snowflake_schema(), description="Its id on Discord.")]


async def _channel(channel: _Id) -> PlaceId:
    return PlaceId(_judged("channel", channel))


async def _role(role: _Id) -> RoleId:
    return RoleId(_judged("role", role))


async def _user(user: _Id) -> UserId:
    return UserId(_judged("user", user))


async def _persona(house: AskedHouse, workspace: AskedWorkspace, handle: str) -> Persona:
    return persona_in(await house.casts.cast(workspace), handle)


def _judged(name: str, given: str) -> str:
    if not is_snowflake(given):
        raise Refused(422, f"{name} takes a decimal id, as Discord shows it.")
    return given


AskedChannel = Annotated[PlaceId, Depends(_channel)]
AskedRole = Annotated[RoleId, Depends(_role)]
AskedUser = Annotated[UserId, Depends(_user)]
AskedPersona = Annotated[Persona, Depends(_persona)]

_REMOVED = refusals(404, 422)
_LISTED = refusals(404, 409, 422)


@router.get("/v1/access", responses=refusals(404))
async def show_access(house: AskedHouse, workspace: AskedWorkspace) -> AccessBody:
    """Who may call whom, where, and who answers without being called. Each list has at most 500 rows; of spotlights, 500 a person."""
    return await _shown(house, workspace, await house.access.access(workspace))


@router.put("/v1/access/channels/{channel}", responses=_LISTED)
async def list_channel(
    house: AskedHouse, workspace: AskedWorkspace, channel: AskedChannel, body: ChannelUpdate | None = None
) -> AccessBody:
    """Let personas be called in this channel; once one is listed, in no other."""
    cooldown = _cooldown(body.cooldown) if body is not None and body.cooldown is not None else None
    return await _changed(house, workspace, lambda access: access.listing_channel(channel, cooldown))


@router.delete("/v1/access/channels/{channel}", responses=_REMOVED)
async def leave_out_channel(house: AskedHouse, workspace: AskedWorkspace, channel: AskedChannel) -> AccessBody:
    """Take this channel from the list; with the last one gone, personas may be called in all."""
    return await _changed(house, workspace, lambda access: access.without_channel(channel))


@router.put("/v1/access/roles/{role}", responses=_LISTED)
async def list_role(house: AskedHouse, workspace: AskedWorkspace, role: AskedRole) -> AccessBody:
    """Let those call who have this role; once one is listed, nobody without any."""
    return await _changed(house, workspace, lambda access: access.listing_role(role))


@router.delete("/v1/access/roles/{role}", responses=_REMOVED)
async def leave_out_role(house: AskedHouse, workspace: AskedWorkspace, role: AskedRole) -> AccessBody:
    """Take this role from the list; with the last one gone, no role is asked for."""
    return await _changed(house, workspace, lambda access: access.without_role(role))


@router.put("/v1/access/blacklist/{user}", responses=_LISTED)
async def bar_user(house: AskedHouse, workspace: AskedWorkspace, user: AskedUser) -> AccessBody:
    """Bar somebody from calling."""
    return await _changed(house, workspace, lambda access: access.barring(user))


@router.delete("/v1/access/blacklist/{user}", responses=_REMOVED)
async def let_user_call(house: AskedHouse, workspace: AskedWorkspace, user: AskedUser) -> AccessBody:
    """Let somebody call again."""
    return await _changed(house, workspace, lambda access: access.without_barring(user))


@router.put("/v1/access/auto-trigger-channels/{channel}", responses=_LISTED)
async def answer_in_channel(
    house: AskedHouse, workspace: AskedWorkspace, channel: AskedChannel, body: AutoUpdate | None = None
) -> AccessBody:
    """Let somebody answer in this channel without being called: after how many messages, `auto-trigger-threshold` says."""
    handle = body.persona if body is not None else None
    persona = persona_in(await house.casts.cast(workspace), handle).id if handle is not None else None
    return await _changed(house, workspace, lambda access: access.answering_in(channel, persona))


@router.delete("/v1/access/auto-trigger-channels/{channel}", responses=_REMOVED)
async def answer_no_more_in_channel(house: AskedHouse, workspace: AskedWorkspace, channel: AskedChannel) -> AccessBody:
    """Let nobody answer there without being called."""
    return await _changed(house, workspace, lambda access: access.not_answering_in(channel))


@router.put("/v1/access/personas/{handle}", responses=_LISTED)
async def keep_persona(house: AskedHouse, workspace: AskedWorkspace, persona: AskedPersona, body: PersonaChannels) -> AccessBody:
    """Let a persona be heard in these channels only."""
    places = frozenset(PlaceId(channel) for channel in body.channels)
    return await _changed(house, workspace, lambda access: access.keeping_persona_to(persona.id, places))


@router.delete("/v1/access/personas/{handle}", responses=_REMOVED)
async def keep_persona_no_more(house: AskedHouse, workspace: AskedWorkspace, persona: AskedPersona) -> AccessBody:
    """Let a persona be heard everywhere."""
    return await _changed(house, workspace, lambda access: access.keeping_persona_to(persona.id, frozenset()))


@router.put("/v1/access/spotlights/{user}/{channel}", responses=_LISTED)
async def shine(house: AskedHouse, workspace: AskedWorkspace, user: AskedUser, channel: AskedChannel, body: SpotlightUpdate) -> AccessBody:
    """Narrow a channel, for one person, to some personas."""
    spotlight = _spotlight(house, await house.casts.cast(workspace), body)
    return await _changed(house, workspace, lambda access: access.shining(user, channel, spotlight))


@router.delete("/v1/access/spotlights/{user}/{channel}", responses=_REMOVED)
async def shine_no_more(house: AskedHouse, workspace: AskedWorkspace, user: AskedUser, channel: AskedChannel) -> AccessBody:
    """Let a person hear everybody in a channel again."""
    return await _changed(house, workspace, lambda access: access.shining(user, channel, None))


async def _changed(house: House, workspace: WorkspaceId, edit: Edit) -> AccessBody:
    return await _shown(house, workspace, await house.access.change(workspace, edit))


def _cooldown(body: CooldownBody) -> Cooldown:
    kind, seconds = judge("cooldown-type", body.type), judge("cooldown-length", body.length)
    return Cooldown(CooldownKind(str(kind)), timedelta(seconds=int(seconds)))


def _spotlight(house: House, cast: Cast, body: SpotlightUpdate) -> Spotlight:
    personas = frozenset(persona_in(cast, handle).id for handle in body.personas)
    auto = persona_in(cast, body.auto).id if body.auto is not None else None
    if auto is not None and auto not in personas:
        raise Refused(422, "auto takes one of the personas of the spotlight.")
    return Spotlight(personas, auto, house.clock.now() + timedelta(hours=body.hours) if body.hours else None)


async def _shown(house: House, workspace: WorkspaceId, access: Access) -> AccessBody:
    cast = await house.casts.cast(workspace)
    return AccessBody(
        channels=[ChannelRow(channel=place, cooldown=_cooldown_body(access.channels[place])) for place in _in_order(access.channels)],
        roles=list(_in_order(access.roles)),
        personas=[
            PersonaRow(persona=persona.handle, channels=list(_in_order(access.persona_channels[persona.id])))
            for persona in cast.personas
            if persona.id in access.persona_channels
        ],
        blacklist=list(_in_order(access.blacklist)),
        auto_trigger_channels=[
            AutoRow(channel=place, persona=_handle(cast, access.auto_channels[place])) for place in _in_order(access.auto_channels)
        ],
        spotlights=_spotlight_rows(house, cast, access),
    )


def _spotlight_rows(house: House, cast: Cast, access: Access) -> list[SpotlightRow]:
    """Those that have not run out."""
    now = house.clock.now()
    lit = [(user, place, spotlight) for (user, place), spotlight in access.spotlights.items() if spotlight.holds(now)]
    return [
        SpotlightRow(
            user=user,
            channel=place,
            personas=[persona.handle for persona in cast.personas if persona.id in spotlight.personas],
            auto=_handle(cast, spotlight.auto),
            expires_at=rfc3339(spotlight.expires_at) if spotlight.expires_at is not None else None,
        )
        for user, place, spotlight in sorted(lit, key=lambda row: (len(row[0]), row[0], len(row[1]), row[1]))
    ]


def _cooldown_body(cooldown: Cooldown | None) -> CooldownBody | None:
    return CooldownBody(type=cooldown.kind.value, length=int(cooldown.length.total_seconds())) if cooldown is not None else None


def _handle(cast: Cast, persona: PersonaId | None) -> str | None:
    found = cast.by_id(persona) if persona is not None else None
    return found.handle if found is not None else None


def _in_order(ids: Iterable[Identity]) -> list[Identity]:
    """As numbers, which is how they were given out."""
    return sorted(ids, key=lambda each: (len(each), each))
