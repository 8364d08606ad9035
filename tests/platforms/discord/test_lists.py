"""Lists that are kept with commands on Discord: shown, changed, and rid of what is no more, by those who may."""

import pytest

from coterie.domain.access import Cooldown, CooldownKind
from coterie.domain.ids import PlaceId, RoleId, UserId
from discord_loopback.client import Message, OperationFailed, Person
from discord_loopback.serving import serving
from platforms.discord.sprite_scenes import workspace_of
from platforms.discord.stage_scenes import OnDiscord, answer, everybody_sees, on_discord

FORBIDDEN = "Only those who may manage this server can do this."
OPEN = "Nothing is listed: everybody can call every persona in all channels."


@pytest.fixture
async def ben(scene: OnDiscord) -> Person:
    """A member who manages nothing."""
    return await scene.loopback.person("ben")


async def lists(scene: OnDiscord):
    return await scene.storage.access.access(workspace_of(scene))


async def listed(scene: OnDiscord, who: Person, command: str) -> Message:
    return await (await who.slash(scene.general, command)).message()


def offered(message: Message) -> list[str]:
    """What a menu offers to take out."""
    return [option["label"] for row in message.components for menu in row["components"] for option in menu["options"]]


async def take_out(who: Person, message: Message, *labels: str) -> Message:
    (menu,) = [menu for row in message.components for menu in row["components"]]
    values = [option["value"] for option in menu["options"] if option["label"] in labels]
    clicked = await who.select(message, menu["custom_id"], *values)
    done = await clicked.until(lambda state: state.get("message", message.raw)["content"] != message.content)
    return Message(done["message"])


async def test_what_is_listed_is_shown_and_taken_out(scene: OnDiscord):
    news, role = await scene.guild.channel("news"), await scene.guild.create_role("keeper")
    assert await answer(scene.ann, scene.general, "server whitelist list") == OPEN
    told = await answer(scene.ann, scene.general, "server whitelist add", channel=news.id)
    assert told == f"<#{news.id}> is listed: the cast can be called in listed channels only."
    await answer(scene.ann, scene.general, "server whitelist add", channel=scene.general.id, cooldown_type="per-user", cooldown_length=30)
    told = await answer(scene.ann, scene.general, "server whitelist role", role=role)
    assert told == f"<@&{role}> is listed: only members with a listed role can call the cast."
    for channel in (news, scene.general):
        told = await answer(scene.ann, scene.general, "server whitelist persona", persona="bram", channel=channel.id)
    assert told == f"**Bram** is heard in these channels only: {', '.join(sorted((f'<#{news.id}>', f'<#{scene.general.id}>')))}"
    shown = await listed(scene, scene.ann, "server whitelist list")
    assert sorted(shown.content.splitlines()[1:]) == sorted(
        [
            f"- <#{news.id}>",
            f"- <#{scene.general.id}> – cooldown of its own: per-user, 30 s",
            f"- <@&{role}>",
            f"- **Bram** only in <#{news.id}>",
            f"- **Bram** only in <#{scene.general.id}>",
        ]
    )
    left = await take_out(scene.ann, shown, "#news", "@keeper", "Bram only in #general")
    assert sorted(offered(left)) == ["#general", "Bram only in #news"]
    access = await lists(scene)
    assert access.channels == {PlaceId(scene.general.id): Cooldown(CooldownKind.PER_USER, Cooldown().length * 6)}
    assert (access.roles, [*access.persona_channels.values()]) == (frozenset(), [{PlaceId(news.id)}])
    assert (await take_out(scene.ann, left, *offered(left))).content == OPEN


async def test_a_cooldown_of_a_channels_own_is_as_usual_where_it_is_not_named(scene: OnDiscord):
    add = "server whitelist add"
    assert (await answer(scene.ann, scene.general, add, channel=scene.general.id, cooldown_length=9)).startswith("Nobody has to wait")
    await answer(scene.ann, scene.general, "server cooldown triggers", cooldown_type="server", cooldown_length=60)
    await answer(scene.ann, scene.general, add, channel=scene.general.id, cooldown_length=9)
    assert (await lists(scene)).channels[PlaceId(scene.general.id)] == Cooldown(CooldownKind.SERVER, Cooldown().length / 5 * 9)
    await answer(scene.ann, scene.general, add, channel=scene.general.id, cooldown_type="off")
    assert (await lists(scene)).channels[PlaceId(scene.general.id)].kind is CooldownKind.OFF


async def test_what_is_deleted_is_shown_as_such_and_can_be_taken_out(scene: OnDiscord):
    gone, role = await scene.guild.create_channel("gone"), RoleId("123")
    await answer(scene.ann, scene.general, "server whitelist add", channel=scene.general.id)
    await answer(scene.ann, scene.general, "server whitelist add", channel=gone.id)
    await scene.storage.access.change(workspace_of(scene), lambda access: access.listing_role(role))
    await answer(scene.ann, scene.general, "server auto-trigger channels", channel=gone.id, persona="wren")
    await gone.delete()
    shown = await listed(scene, scene.ann, "server whitelist list")
    assert shown.content.splitlines()[1:3] == [f"- *deleted channel {gone.id}*", f"- *deleted role {role}*"]
    assert offered(await take_out(scene.ann, shown, f"deleted role {role}")) == [f"deleted channel {gone.id}", "#general"]
    found = await scene.ann.autocomplete(scene.general, "server whitelist remove", "channel", "deleted")
    (value,) = await found.choices()
    assert await answer(scene.ann, scene.general, "server whitelist remove", channel=value) == f"<#{gone.id}> is not listed any more."
    triggers = await listed(scene, scene.ann, "server auto-trigger channels")
    assert offered(triggers) == [f"deleted channel {gone.id}: Wren"]
    empty = await take_out(scene.ann, triggers, *offered(triggers))
    assert empty.content == "There is no channel in which somebody answers without being called."
    assert empty.components == []


async def test_an_archived_thread_and_a_hidden_channel_are_not_deleted(scene: OnDiscord):
    thread = await scene.ann.begin_thread(scene.general, "moths")
    hidden = await scene.guild.create_channel("hidden")
    for place in (thread, hidden):
        await answer(scene.ann, scene.general, "server whitelist add", channel=place.id)
    await thread.set_thread(archived=True)
    await hidden.set_overwrite((await scene.loopback.application()).id, deny=["view_channel"])
    assert not any("deleted" in label for label in offered(await listed(scene, scene.ann, "server whitelist list")))


@pytest.mark.parametrize("named", ["{id}", "<#{id}>", "general", "#general"])
async def test_a_channel_is_taken_out_by_whatever_names_it(scene: OnDiscord, named):
    await answer(scene.ann, scene.general, "server whitelist add", channel=scene.general.id)
    assert await answer(scene.ann, scene.general, "server whitelist remove", channel="news") == "That channel is not listed."
    told = await answer(scene.ann, scene.general, "server whitelist remove", channel=named.format(id=scene.general.id))
    assert told == f"<#{scene.general.id}> is not listed any more. The cast can be called in all channels."
    assert not (await lists(scene)).channels


async def test_a_menu_works_after_a_restart_and_asks_again_who_may(storage, tmp_path):
    async with serving() as loopback:
        async with on_discord(storage, loopback, tmp_path) as before:
            ben, role = await loopback.person("ben"), await before.guild.create_role("keeper", allowed=["manage_guild"])
            await before.guild.set_role(ben.id, role)
            await answer(ben, before.general, "server whitelist add", channel=before.general.id)
            shown = await listed(before, ben, "server whitelist list")
        async with on_discord(storage, loopback, tmp_path) as after:
            await after.guild.set_role(ben.id, role, remove=True)
            assert (await take_out(ben, shown, "#general")).content == FORBIDDEN
            assert (await lists(after)).channels
            await after.guild.set_role(ben.id, role)
            again = await listed(after, ben, "server whitelist list")
            async with on_discord(storage, loopback, tmp_path):
                pass
            assert (await take_out(ben, again, "#general")).content == OPEN


async def test_who_is_barred_is_listed_and_let_in_again(scene: OnDiscord, ben):
    blacklist = "server user-blacklist"
    assert await answer(scene.ann, scene.general, f"{blacklist} list") == "Nobody is barred."
    assert await answer(scene.ann, scene.general, f"{blacklist} add", member=ben.id) == f"<@{ben.id}> cannot call anybody here any more."
    assert await answer(scene.ann, scene.general, f"{blacklist} list") == f"- <@{ben.id}> (`{ben.id}`)"
    await scene.guild.kick(ben.id)
    assert await answer(scene.ann, scene.general, f"{blacklist} remove", member=ben.id) == f"<@{ben.id}> can call again."
    assert (await lists(scene)).blacklist == frozenset()


async def test_members_change_nothing_of_a_server(scene: OnDiscord, ben):
    role, here = await scene.guild.create_role("any"), scene.general.id
    with pytest.raises(OperationFailed, match="no command"):
        await ben.slash(scene.general, "server whitelist list")
    await everybody_sees(scene, "server")
    for command, options in [
        ("whitelist add", {"channel": here}),
        ("whitelist remove", {"channel": here}),
        ("whitelist role", {"role": role}),
        ("whitelist persona", {"persona": "bram", "channel": here}),
        ("whitelist list", {}),
        ("user-blacklist add", {"member": scene.ann.id}),
        ("user-blacklist remove", {"member": scene.ann.id}),
        ("user-blacklist list", {}),
        ("auto-trigger channels", {"channel": here}),
        ("auto-trigger channels", {}),
        ("quota reset", {}),
    ]:
        assert await answer(ben, scene.general, f"server {command}", **options) == FORBIDDEN
    assert await (await ben.autocomplete(scene.general, "server whitelist remove", "channel", "")).choices() == []
    assert await lists(scene) == type(await lists(scene))()
    direct = await scene.ann.direct((await scene.loopback.application()).id)
    for command in ("server whitelist list", "server auto-trigger channels", "server quota reset", "personal spotlight manage"):
        assert await answer(scene.ann, direct, command) == "This is there in servers only, not in direct messages."


# Spotlights


async def test_a_spotlight_is_set_for_a_channel_also_from_a_thread_and_ended_by_a_menu(scene: OnDiscord, ben):
    spot, thread = "personal spotlight", await scene.ann.begin_thread(scene.general, "moths")
    assert await answer(ben, scene.general, f"{spot} manage") == "You hear everybody everywhere."
    told = await answer(ben, thread, f"{spot} set", hours=0, personas="Bram, wren,bram", auto_persona="wren")
    assert told == f"In <#{scene.general.id}> you hear these only: **Bram**, **Wren** – uncalled: **Wren**"
    news = await scene.guild.channel("news")
    told = await answer(ben, scene.general, f"{spot} set", hours=2, personas="odile", channel=news.id)
    assert told.startswith(f"In <#{news.id}> you hear these only: **Odile** – until <t:")
    shown = await listed(scene, ben, f"{spot} manage")
    assert sorted(offered(shown)) == ["#general: Bram, Wren", "#news: Odile"]
    assert await answer(scene.ann, scene.general, f"{spot} manage") == "You hear everybody everywhere."
    left = await take_out(ben, shown, "#news: Odile")
    assert offered(left) == ["#general: Bram, Wren"]
    assert [*(await lists(scene)).spotlights] == [(UserId(ben.id), PlaceId(scene.general.id))]


async def test_a_spotlight_names_those_who_are_there(scene: OnDiscord, ben):
    spot = "personal spotlight set"
    assert (await answer(ben, scene.general, spot, hours=0, personas="bram, mira")).startswith("There is no persona mira here")
    assert await answer(ben, scene.general, spot, hours=0, personas=" , ") == "Name at least one persona."
    assert await answer(ben, scene.general, spot, hours=0, personas="bram", auto_persona="wren") == (
        "Who answers you without being called has to be one of those that you want to hear."
    )
    with pytest.raises(OperationFailed):
        await ben.slash(scene.general, spot, hours=-1, personas="bram")
    found = await ben.autocomplete(scene.general, spot, "personas", "bram, wr")
    assert await found.choices() == ["bram, wren"]
    assert not (await lists(scene)).spotlights
