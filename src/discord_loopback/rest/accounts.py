"""Routes of the login itself: who it is, its application, where its gateway is."""

from discord_loopback import shown
from discord_loopback.forms import Form
from discord_loopback.rest.call import Answer, Call
from discord_loopback.rest.images import read_image


def me(call: Call) -> Answer:
    """GET /users/@me."""
    return shown.self_user(call.me.bot)


def modify_me(call: Call) -> Answer:
    """PATCH /users/@me: name, avatar, banner."""
    form = Form(call.form)
    name = form.text("username", call.form.get("username"), least=2, most=32)
    form.done()
    bot = call.me.bot
    bot.name = name or bot.name
    for part in ("avatar", "banner"):
        if part in call.form:
            setattr(bot, part, read_image(call, part, f"{part}s/{bot.id}"))
    return shown.self_user(bot)


def application(call: Call) -> Answer:
    """GET /applications/@me and /oauth2/applications/@me."""
    return shown.application(call.me, call.world)


def modify_application(call: Call) -> Answer:
    """PATCH /applications/@me: its description."""
    form = Form(call.form)
    form.text("description", call.form.get("description"), most=400)
    form.done()
    call.me.description = call.form.get("description") or call.me.description
    return shown.application(call.me, call.world)


def gateway(call: Call) -> Answer:
    """GET /gateway and /gateway/bot."""
    answer = {"url": call.world.base.replace("http", "ws", 1) + "/gw"}
    if not call.path.endswith("/bot"):
        return answer
    guilds = sum(call.me.bot.id in guild.members for guild in call.world.guilds.values())
    limit = {"total": 1000, "remaining": 1000, "reset_after": 14_400_000, "max_concurrency": 16}
    return {**answer, "shards": max(1, -(-guilds // 1000)), "session_start_limit": limit}


def voice_regions(_: Call) -> Answer:
    """GET /voice/regions: none."""
    return []


def sticker_packs(_: Call) -> Answer:
    """GET /sticker-packs: none."""
    return {"sticker_packs": []}
