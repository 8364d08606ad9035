"""Messages, their files and reactions on the wire. What does not apply is left out, never null."""

from discord_loopback.model import THREADS, Attachment, Message
from discord_loopback.refusals import Json
from discord_loopback.shown.accounts import user
from discord_loopback.shown.places import thread
from discord_loopback.snowflakes import written
from discord_loopback.world import World


def attachment(one: Attachment, world: World) -> Json:
    """A file of a message."""
    address = world.cdn(one.path)
    shown: Json = {"id": str(one.id), "filename": one.filename, "size": one.size, "url": address, "proxy_url": address}
    if one.content_type:
        shown["content_type"] = one.content_type
    if one.description:
        shown["description"] = one.description
    if one.width and one.height:
        shown |= {"width": one.width, "height": one.height}
    if one.ephemeral:
        shown["ephemeral"] = True
    if one.is_spoken:
        shown |= {"duration_secs": 1.0, "waveform": "AAAA"}
    return shown


def message(one: Message, world: World, *, viewer: int = 0, nested: bool = False) -> Json:
    """A message as the REST API shows it; `viewer` decides which reactions are one's own, `nested` leaves out what it answers."""
    shown: Json = {
        "id": str(one.id),
        "channel_id": str(one.channel),
        "type": one.type,
        "content": one.content,
        "author": user(one.author),
        "timestamp": written(one.made),
        "edited_timestamp": written(one.edited) if one.edited else None,
        "tts": one.tts,
        "mention_everyone": one.mention_everyone,
        "mentions": [user(each) for each in one.mentions],
        "mention_roles": [str(each) for each in one.mention_roles],
        "attachments": [attachment(each, world) for each in one.attachments],
        "embeds": one.embeds,
        "components": one.components,
        "pinned": one.pinned_at is not None,
        "flags": one.flags,
    }
    if one.webhook:
        shown["webhook_id"] = str(one.webhook)
    if one.application:
        shown["application_id"] = str(one.application)
    if one.nonce is not None:
        shown["nonce"] = one.nonce
    if one.stickers:
        shown["sticker_items"] = [{"id": str(each.id), "name": each.name, "format_type": each.format} for each in one.stickers]
    if one.interaction:
        shown["interaction_metadata"] = one.interaction
    if one.poll:
        shown["poll"] = one.poll
    if one.reactions and not nested:
        shown["reactions"] = [reaction(key, who, viewer) for key, who in one.reactions.items()]
    _add_references(shown, one, world, nested=nested)
    return shown


def _add_references(shown: Json, one: Message, world: World, *, nested: bool) -> None:
    if one.reference:
        shown["message_reference"] = one.reference
    if one.snapshot:
        shown["message_snapshots"] = [{"message": one.snapshot}]
    if one.type in (19, 21, 23) and one.reference and not nested:
        there = world.peek(int(one.reference["channel_id"]), int(one.reference["message_id"]))
        shown["referenced_message"] = message(there, world, nested=True) if there else None
    begun = world.channels.get(one.id)
    if begun is not None and begun.type in THREADS and not nested:
        shown["thread"] = thread(begun)


def reaction(key: str, who: list[int], viewer: int) -> Json:
    """How often an emoji was given."""
    return {
        "emoji": emoji_of(key),
        "count": len(who),
        "count_details": {"burst": 0, "normal": len(who)},
        "burst_colors": [],
        "me_burst": False,
        "burst_me": False,
        "me": viewer in who,
        "burst_count": 0,
    }


def emoji_of(key: str) -> Json:
    """An emoji from its key in a reaction: `name:id` for a guild's own, else the character."""
    name, _, number = key.rpartition(":")
    return {"id": number, "name": name, "animated": False} if name and number.isdigit() else {"id": None, "name": key}
