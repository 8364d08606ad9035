"""Character cards over HTTP: in as a form with a file, out as a download. What a card means is in `domain/personas/cards`."""

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, File, Form, Query, Response, UploadFile

from coterie.domain.personas.cards import MAX_CARD_BYTES, CardFormat
from coterie.domain.personas.persona import Persona
from coterie.flows.manage.export_persona import export_persona
from coterie.flows.manage.import_persona import import_persona
from coterie.platforms.web.asked import AskedHouse, AskedWorkspace, persona_in
from coterie.platforms.web.personas import persona_body
from coterie.platforms.web.refusals import Refused, refusals
from coterie.platforms.web.shapes_setup import ImportBody, ReportRow

router = APIRouter(tags=["personas"])


@router.post("/v1/personas/import", status_code=201, responses=refusals(404, 409, 422))
async def import_card(
    house: AskedHouse,
    workspace: AskedWorkspace,
    file: Annotated[UploadFile, File(description="A character card: PNG, JSON or CHARX, at most 10 MB.")],
    kind: Annotated[Literal["main", "alter"], Form(alias="type", description="Whether it joins the cast or takes main's place.")] = "alter",
    triggers: Annotated[str, Form(max_length=2000, description="Further trigger words, with commas between them.")] = "",
) -> ImportBody:
    """Make a persona of a card that any software wrote; the report says what became of each part of it."""
    data = await file.read(MAX_CARD_BYTES + 1)
    if len(data) > MAX_CARD_BYTES:
        raise Refused(413, f"A card may have {MAX_CARD_BYTES:,} bytes at most.")
    imported = await import_persona(
        house.casts,
        house.pictures,
        workspace,
        data,
        file.filename or "",
        is_alter=kind == "alter",
        extra_triggers=_words(triggers),
    )
    rows = [ReportRow(part=line.part, fate=line.fate.value, note=line.note) for line in imported.report]
    return ImportBody(persona=persona_body(imported.persona), report=rows)


def _words(given: str) -> tuple[str, ...]:
    return tuple(word for part in given.replace("、", ",").split(",") if (word := part.strip()))


@router.get(
    "/v1/personas/{handle}/export",
    response_class=Response,
    responses={
        **refusals(404),
        200: {
            "description": "The card.",
            "content": {kind.media_type: {"schema": {"type": "string", "format": "binary"}} for kind in CardFormat},
        },
    },
)
async def export_card(
    house: AskedHouse, workspace: AskedWorkspace, handle: str, kind: Annotated[CardFormat, Query(alias="format")] = CardFormat.PNG
) -> Response:
    """A persona as a card that other software reads; what came with an imported one goes out again."""
    persona = persona_in(await house.casts.cast(workspace), handle)
    data = await export_persona(house.casts, house.pictures, workspace, persona.handle, kind)
    return Response(data, headers={"Content-Type": kind.media_type, "Content-Disposition": _attachment(persona, kind)})


def _attachment(persona: Persona, kind: CardFormat) -> str:
    """RFC 6266: the name in any script, and the handle for those who cannot read that."""
    name = quote(f"{persona.name}.{kind.value}", safe="")
    return f"attachment; filename=\"{persona.handle}.{kind.value}\"; filename*=UTF-8''{name}"
