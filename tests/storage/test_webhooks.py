import pytest

from coterie.ports.webhooks import ChannelId, KeptWebhook, WebhookId
from coterie.storage.opening import open_storage
from coterie.storage.schema.webhooks import discord_managed_webhooks

HERE, THERE = ChannelId(2**53 + 1), ChannelId(2**62)
FIRST = KeptWebhook(HERE, WebhookId(11), "first-token")
SECOND = KeptWebhook(HERE, WebhookId(12), "second-token")


async def rows(storage):
    return await storage.database.read(lambda connection: connection.execute(discord_managed_webhooks.select()).all())


async def test_a_webhook_reads_back_after_a_restart(storage, elsewhere):
    assert await storage.webhooks.get(HERE) is None
    await storage.webhooks.keep(FIRST)
    assert await elsewhere.webhooks.get(HERE) == FIRST
    assert await elsewhere.webhooks.get(THERE) is None


async def test_a_token_never_rests_in_the_open_and_is_in_no_text(storage):
    await storage.webhooks.keep(FIRST)
    (row,) = await rows(storage)
    assert b"first-token" not in bytes(row.sealed_token)
    assert "first-token" not in repr(FIRST)


async def test_a_channel_has_one_webhook(storage):
    await storage.webhooks.keep(FIRST)
    (before,) = await rows(storage)
    await storage.webhooks.keep(SECOND)
    (after,) = await rows(storage)
    assert await storage.webhooks.get(HERE) == SECOND
    assert after.created_at == before.created_at
    assert after.updated_at > before.updated_at


async def test_a_webhook_that_moved_is_in_one_channel(storage):
    await storage.webhooks.keep(FIRST)
    moved = KeptWebhook(THERE, FIRST.webhook, "new-token")
    await storage.webhooks.keep(moved)
    assert await storage.webhooks.get(HERE) is None
    assert await storage.webhooks.get(THERE) == moved


async def test_only_the_webhook_that_is_meant_is_forgotten(storage):
    await storage.webhooks.keep(SECOND)
    assert await storage.webhooks.forget(HERE, FIRST.webhook) is False
    assert await storage.webhooks.get(HERE) == SECOND
    assert await storage.webhooks.forget(HERE, SECOND.webhook) is True
    assert await storage.webhooks.get(HERE) is None


async def test_a_token_moved_to_another_row_counts_as_gone(storage):
    await storage.webhooks.keep(FIRST)
    await storage.webhooks.keep(KeptWebhook(THERE, WebhookId(13), "third-token"))
    stolen = next(row.sealed_token for row in await rows(storage) if row.channel_disc_id == HERE)
    move = discord_managed_webhooks.update().where(discord_managed_webhooks.c.channel_disc_id == THERE).values(sealed_token=stolen)
    await storage.database.write(lambda connection: connection.execute(move).rowcount)
    assert await storage.webhooks.get(THERE) is None
    assert await storage.webhooks.get(HERE) == FIRST


@pytest.mark.parametrize(
    ("later", "opens"),
    [
        ({"CRYPTO_SECRET_V1": "a" * 32, "CRYPTO_SECRET_V2": "b" * 32}, True),
        ({"CRYPTO_SECRET_V2": "b" * 32}, False),
        ({"CRYPTO_SECRET_V1": "c" * 32}, False),
    ],
)
async def test_a_token_whose_secret_is_lost_counts_as_gone_and_can_be_kept_anew(database_url, tmp_path, later, opens):
    first = await open_storage(database_url, tmp_path, (), environment={"CRYPTO_SECRET_V1": "a" * 32})
    await first.webhooks.keep(FIRST)
    await first.close()
    second = await open_storage(database_url, tmp_path, (), environment=later)
    assert await second.webhooks.get(HERE) == (FIRST if opens else None)
    await second.webhooks.keep(FIRST)
    assert await second.webhooks.get(HERE) == FIRST
    await second.close()
