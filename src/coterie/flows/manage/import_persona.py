"""A character card becomes a persona: read, convert, store its picture, write its rows; a failure on the way leaves nothing behind."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace

from coterie.domain.ids import WorkspaceId
from coterie.domain.personas.cards import Fate, ReadCard, ReportLine, read_card, to_persona
from coterie.domain.personas.limits import fit_content
from coterie.domain.personas.ownership import word_key
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.flows.manage.pictures import drop_unused
from coterie.ports.media import PictureRefused, Pictures
from coterie.ports.stores import Casts, PersonaDraft, StoreError

_PICTURE = "picture"


@dataclass(frozen=True, slots=True)
class Imported:
    """The new persona as it was stored, and what became of each part of the file."""

    persona: Persona
    report: tuple[ReportLine, ...]


async def import_persona(
    casts: Casts,
    pictures: Pictures,
    workspace: WorkspaceId,
    data: bytes,
    file_name: str = "",
    *,
    is_alter: bool = True,
    extra_triggers: Sequence[str] = (),
) -> Imported:
    """Make an alter of a card, or put it in the place of main.

    `extra_triggers` are words a person adds, or lists of them; they come before those made from the card's name. Words that another
    persona owns are left out and reported. The file itself is kept byte for byte. Raises `CardRefused` for the file, `NameTaken`,
    `CastFull`, `StorageUnavailable` (also for pictures) from the stores.
    """
    read = await asyncio.to_thread(read_card, data, file_name)
    cast = await casts.cast(workspace)
    content, notes = await asyncio.to_thread(_content, read, file_name, cast, tuple(extra_triggers))
    content, about_words = _without_owned(content, cast, is_alter=is_alter)
    async with _picture(casts, pictures, cast, read, is_alter=is_alter) as (avatar, about_picture):
        draft = PersonaDraft(content, is_alter, avatar, data, read.media_type)
        persona = await casts.create(workspace, draft)
    if not is_alter and cast.main is not None:
        await drop_unused(casts, pictures, workspace, [sprite.picture for sprite in cast.main.sprites])
    return Imported(persona, (*read.report, *notes, *about_words, *about_picture))


def _content(read: ReadCard, file_name: str, cast: Cast, extra: tuple[str, ...]) -> tuple[PersonaContent, tuple[ReportLine, ...]]:
    """The card's content with the added words first."""
    content, report = to_persona(read.card, file_name=file_name, base_words=cast.base_words)
    if not extra:
        return content, report
    content, cuts = fit_content(replace(content, trigger_words=(*extra, *content.trigger_words)))
    return content, (*report, *(ReportLine(cut.part, Fate.REPAIRED, cut.note) for cut in cuts))


def _without_owned(content: PersonaContent, cast: Cast, *, is_alter: bool) -> tuple[PersonaContent, list[ReportLine]]:
    """Leave out words that another persona of the cast owns; main's own words are free for what takes its place."""
    owners = {word_key(word): cast.main.name for word in cast.base_words if cast.main is not None} if is_alter else {}
    for persona in cast.personas:
        if is_alter or persona.is_alter:
            owners |= {word_key(word): persona.name for word in persona.effective_trigger_words}
    free = tuple(word for word in content.trigger_words if word_key(word) not in owners)
    lines = [
        ReportLine("trigger_words", Fate.DROPPED, f"{word!r} belongs to {owners[word_key(word)]} already.")
        for word in content.trigger_words
        if word not in free
    ]
    return replace(content, trigger_words=free), lines


@asynccontextmanager
async def _picture(
    casts: Casts, pictures: Pictures, cast: Cast, read: ReadCard, *, is_alter: bool
) -> AsyncIterator[tuple[str | None, list[ReportLine]]]:
    """Keep the card's picture for as long as the block succeeds; without one it is main's, and the report says so."""
    main = cast.main.avatar if cast.main is not None else None
    fallback = "the main persona's is used" if is_alter else "the present one stays"
    if read.picture is None:
        yield main, [ReportLine(_PICTURE, Fate.REPAIRED, f"The card brings no picture along; {fallback}.")]
        return
    try:
        path = await pictures.keep_avatar(cast.workspace, read.picture)
    except PictureRefused as refusal:
        yield main, [ReportLine(_PICTURE, Fate.REPAIRED, f"{refusal} So {fallback}.")]
        return
    is_kept = False
    try:
        yield path, [ReportLine(_PICTURE, Fate.USED, "The persona's face.")]
        is_kept = True
    finally:
        if not is_kept and not await _is_used(casts, cast, path):
            await pictures.drop(path)


async def _is_used(casts: Casts, cast: Cast, path: str) -> bool:
    """Whether a persona has this picture: equal pictures are one file, and a cancelled write may have gone through."""
    # If the stores fail again, what was known before must do, so that the first error is the one that is told.
    with suppress(StoreError):
        cast = await casts.cast(cast.workspace)
    return cast.shows(path)
