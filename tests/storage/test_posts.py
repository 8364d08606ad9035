"""Which message of Discord carries which line."""

from dataclasses import replace
from datetime import timedelta

from coterie.domain.ids import MessageId, SessionId, WorkspaceId
from coterie.domain.sessions.session import Place
from coterie.ports.posts import Post, PostId
from coterie.ports.webhooks import ChannelId, WebhookId
from coterie.storage.schema.conversations import messages
from storage.talking import NOON, ROOM, said

CHANNEL = SessionId("dc-" + "1" * 64)


async def talked(scene):
    """A person and a persona have spoken in the room."""
    await scene.hears("m1")
    await scene.plans("m1", "bram", "wren")
    await scene.says("m1.bram", "Yes.")
    await scene.says("m1.wren", "No.")
    return [message for message in (await scene.storage.conversations.history(ROOM, 9)).messages if message.turn]


async def test_a_post_leads_to_its_line_and_a_line_to_its_post(scene, elsewhere):
    first, second = await talked(scene)
    by_bot = Post(PostId(11), first.id, ChannelId(5))
    by_webhook = Post(PostId(2**63 - 1), second.id, ChannelId(5), WebhookId(7))
    for post in (by_bot, by_webhook, by_bot):
        await scene.storage.posts.keep(post)
    assert sorted(await elsewhere.posts.of_lines([first.id, second.id, MessageId("m1")]), key=lambda post: post.id) == [by_bot, by_webhook]
    assert await elsewhere.posts.lines([by_bot.id, by_webhook.id, PostId(3)]) == {by_bot.id: first, by_webhook.id: second}
    assert await elsewhere.posts.lines([]) == {}


async def test_the_post_of_a_line_that_is_gone_is_not_kept_and_goes_with_its_line(scene):
    first, _ = await talked(scene)
    await scene.storage.posts.keep(Post(PostId(11), MessageId("never said"), ChannelId(5)))
    await scene.storage.posts.keep(Post(PostId(12), first.id, ChannelId(5)))
    await scene.storage.conversations.unsay(first.turn, [first.id])
    assert await scene.storage.posts.lines([PostId(11), PostId(12)]) == {}


async def test_lines_of_channels_that_have_no_post_are_on_their_way(scene):
    storage = scene.storage
    await talked(scene)
    await storage.sessions.create(CHANNEL, WorkspaceId("discord:1"), place=Place("5", "1"))
    await storage.conversations.hear(said("m2", session=CHANNEL))
    lines = []
    for handle in ("bram", "wren"):
        line = replace(await scene.line(f"m2.{handle}"), session=CHANNEL)
        await storage.database.write(lambda connection, line=line: connection.execute(messages.insert().values(row_of(line))).rowcount)
        lines.append(line)
    assert [line.id for line in await storage.posts.unsent(NOON)] == ["m2.bram.1", "m2.wren.1"]
    await storage.posts.keep(Post(PostId(20), lines[0].id, ChannelId(5)))
    assert [line.id for line in await storage.posts.unsent(NOON)] == ["m2.wren.1"]
    assert await storage.posts.unsent(NOON + timedelta(minutes=1)) == []


def row_of(line):
    """A line as a row of the table, without a turn behind it."""
    author = {"persona_id": line.author.id, "persona_handle": line.author.handle, "author_name": line.author.name}
    return {"message_id": line.id, "session_id": line.session, "text": line.text, "created_at": line.created_at, **author}
