"""The cast over HTTP: list, make, change, remove. Cards are in `cards`; what a persona may hold is judged in `domain/personas/limits`."""

import asyncio
from dataclasses import replace
from typing import get_args

from fastapi import APIRouter, Request

from coterie.domain.personas.limits import judge_content, tidy_content
from coterie.domain.personas.persona import Attribute, Persona, PersonaContent, SampleDialogue
from coterie.flows.manage.pictures import drop_unused
from coterie.platforms.web.asked import AskedHouse, AskedWorkspace, persona_in
from coterie.platforms.web.avatars import is_picture_path
from coterie.platforms.web.house import House
from coterie.platforms.web.refusals import Refused, refusals
from coterie.platforms.web.shapes import Done
from coterie.platforms.web.shapes_setup import AttributeBody, DialogueBody, NewPersona, PersonaBody, PersonaList, PersonaUpdate
from coterie.platforms.web.talk import is_model_name
from coterie.ports.model import Level
from coterie.ports.stores import PersonaDraft

router = APIRouter(tags=["personas"])


@router.get("/v1/personas", responses=refusals(404))
async def list_personas(house: AskedHouse, workspace: AskedWorkspace) -> PersonaList:
    """The cast of a workspace, main first."""
    cast = await house.casts.cast(workspace)
    return PersonaList(personas=[persona_body(persona) for persona in cast.personas])


@router.post("/v1/personas", status_code=201, responses=refusals(404, 409, 422))
async def create_persona(house: AskedHouse, workspace: AskedWorkspace, body: NewPersona) -> PersonaBody:
    """Add an alter; with `is_alter` false, put another main in the place of the present one."""
    content = _judged(
        PersonaContent(body.name, body.role, tuple(body.trigger_words), _attributes(body.attributes), _dialogues(body.sample_dialogues))
    )
    draft = PersonaDraft(content, is_alter=body.is_alter, avatar=await _picture(house, body.avatar))
    before = (await house.casts.cast(workspace)).main
    created = await house.casts.create(workspace, draft)
    if not body.is_alter and before is not None:
        await drop_unused(house.casts, house.pictures, workspace, [sprite.picture for sprite in before.sprites])
    return persona_body(created)


@router.get("/v1/personas/{handle}", responses=refusals(404))
async def show_persona(house: AskedHouse, workspace: AskedWorkspace, handle: str) -> PersonaBody:
    """One persona."""
    return persona_body(persona_in(await house.casts.cast(workspace), handle))


@router.patch("/v1/personas/{handle}", responses=refusals(404, 409, 422))
async def change_persona(request: Request, house: AskedHouse, workspace: AskedWorkspace, handle: str, body: PersonaUpdate) -> PersonaBody:
    """Change what is sent; the handle stays, also when the name changes."""
    # A persona is read, changed and written whole, so one change at a time: two of them on different fields both count.
    edits: asyncio.Lock = request.app.state.persona_edits
    async with edits:
        persona = persona_in(await house.casts.cast(workspace), handle)
        if body.revision is not None and body.revision != persona.revision:
            raise Refused(409, f"{persona.name} was changed meanwhile; it is at revision {persona.revision} now.")
        content = _judged(_changed(persona.content, body))
        avatar = persona.avatar if body.avatar is None else await _picture(house, body.avatar)
        model, reasoning = _played_with(house, persona, body)
        changed = await house.casts.change(workspace, persona.handle, content, avatar)
        if (model, reasoning) != (persona.model, persona.reasoning):
            changed = await house.casts.play_with(workspace, persona.handle, model, reasoning)
        return persona_body(changed)


@router.delete("/v1/personas/{handle}", responses=refusals(404, 409))
async def delete_persona(house: AskedHouse, workspace: AskedWorkspace, handle: str) -> Done:
    """Remove an alter; what it said stays under its name. Main can be replaced but not removed (409)."""
    persona = persona_in(await house.casts.cast(workspace), handle)
    removed = await house.casts.remove(workspace, persona.handle)
    await drop_unused(house.casts, house.pictures, workspace, removed.pictures)
    return Done()


def persona_body(persona: Persona) -> PersonaBody:
    """A persona as the API shows it."""
    content = persona.content
    return PersonaBody(
        handle=persona.handle,
        name=content.name,
        is_alter=persona.is_alter,
        trigger_words=list(content.trigger_words),
        effective_trigger_words=list(persona.effective_trigger_words),
        role=content.role,
        attributes=[AttributeBody(text=each.text, is_public=each.is_public) for each in content.attributes],
        sample_dialogues=[DialogueBody(user=each.user, bot=each.bot) for each in content.sample_dialogues],
        avatar=persona.avatar,
        model=persona.model,
        reasoning=persona.reasoning,
        revision=persona.revision,
    )


def _played_with(house: House, persona: Persona, body: PersonaUpdate) -> tuple[str | None, str | None]:
    """The model and the level of its own that a persona is to have."""
    model = persona.model if body.model is None else body.model.strip() or None
    reasoning = persona.reasoning if body.reasoning is None else body.reasoning.strip().lower() or None
    if model is not None and not is_model_name(house, model):
        raise Refused(422, "model takes provider:model with a known provider, or nothing.")
    if reasoning is not None and reasoning not in get_args(Level):
        raise Refused(422, f"reasoning takes one of {', '.join(get_args(Level))}, or nothing.")
    return model, reasoning


def _changed(content: PersonaContent, body: PersonaUpdate) -> PersonaContent:
    return replace(
        content,
        name=content.name if body.name is None else body.name,
        role=content.role if body.role is None else body.role,
        trigger_words=content.trigger_words if body.trigger_words is None else tuple(body.trigger_words),
        attributes=content.attributes if body.attributes is None else _attributes(body.attributes),
        sample_dialogues=content.sample_dialogues if body.sample_dialogues is None else _dialogues(body.sample_dialogues),
    )


def _judged(content: PersonaContent) -> PersonaContent:
    tidy = tidy_content(content)
    judge_content(tidy)
    return tidy


def _attributes(given: list[AttributeBody]) -> tuple[Attribute, ...]:
    return tuple(Attribute(each.text, each.is_public) for each in given)


def _dialogues(given: list[DialogueBody]) -> tuple[SampleDialogue, ...]:
    return tuple(SampleDialogue(each.user, each.bot) for each in given)


async def _picture(house: House, path: str | None) -> str | None:
    """A picture that is there. An empty path is none."""
    if not path:
        return None
    if not is_picture_path(path) or await house.pictures.read(path) is None:
        raise Refused(422, "avatar takes the path of a picture that exists, as other personas show it.")
    return path
