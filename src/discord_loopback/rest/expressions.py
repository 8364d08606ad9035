"""Routes of a guild's emojis and stickers."""

from discord_loopback import permissions as p
from discord_loopback import shown
from discord_loopback.acts import guilds
from discord_loopback.forms import Form
from discord_loopback.refusals import refused
from discord_loopback.rest.call import Answer, Call
from discord_loopback.rest.images import decode


def emojis(call: Call) -> Answer:
    """GET /guilds/{guild}/emojis and /{emoji}."""
    guild = call.guild()
    if "emoji" not in call.ids:
        return [shown.emoji(one) for one in guild.emojis.values()]
    if call.id("emoji") not in guild.emojis:
        raise refused(10014)
    return shown.emoji(guild.emojis[call.id("emoji")])


def create_emoji(call: Call) -> Answer:
    """POST /guilds/{guild}/emojis."""
    guild = call.guild(p.CREATE_EXPRESSIONS)
    form = Form(call.form)
    name = form.text("name", call.form.get("name"), least=2, most=32, needed=True)
    picture = decode(form, "image", call.form.get("image"))
    form.done()
    assert picture is not None
    call.status = 201
    return shown.emoji(guilds.add_emoji(call.world, guild, name or "", *picture, user=call.me.bot))


def delete_emoji(call: Call) -> Answer:
    """DELETE /guilds/{guild}/emojis/{emoji}."""
    guild = call.guild(p.MANAGE_EXPRESSIONS)
    if guild.emojis.pop(call.id("emoji"), None) is None:
        raise refused(10014)
    guilds.emojis_changed(call.world, guild)
    return None


def stickers(call: Call) -> Answer:
    """GET /guilds/{guild}/stickers and /{sticker}, and /stickers/{sticker}."""
    if "guild" not in call.ids:
        found = next((one.stickers[call.id("sticker")] for one in call.world.guilds.values() if call.id("sticker") in one.stickers), None)
    else:
        guild = call.guild()
        if "sticker" not in call.ids:
            return [shown.sticker(one) for one in guild.stickers.values()]
        found = guild.stickers.get(call.id("sticker"))
    if found is None:
        raise refused(10060)
    return shown.sticker(found)


def create_sticker(call: Call) -> Answer:
    """POST /guilds/{guild}/stickers, as a form."""
    guild = call.guild(p.CREATE_EXPRESSIONS)
    form = Form(call.fields)
    name = form.text("name", call.fields.get("name"), least=2, most=30, needed=True)
    tags = form.text("tags", call.fields.get("tags"), least=1, most=200, needed=True)
    if not call.uploads:
        form.wrong("file", "BASE_TYPE_REQUIRED", "This field is required")
    form.done()
    upload = call.uploads[0]
    kind, description = upload.content_type or "image/png", str(call.fields.get("description") or "")
    call.status = 201
    made = guilds.add_sticker(call.world, guild, name or "", upload.data, kind, description=description, tags=tags or "", user=call.me.bot)
    return shown.sticker(made)


def delete_sticker(call: Call) -> Answer:
    """DELETE /guilds/{guild}/stickers/{sticker}."""
    guild = call.guild(p.MANAGE_EXPRESSIONS)
    if guild.stickers.pop(call.id("sticker"), None) is None:
        raise refused(10060)
    guilds.stickers_changed(call.world, guild)
    return None
