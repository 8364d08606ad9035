"""The shared webhooks of channels; their tokens rest sealed."""

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.ports.webhooks import ChannelId, KeptWebhook, WebhookId
from coterie.storage.database import Database
from coterie.storage.schema.columns import now
from coterie.storage.schema.webhooks import discord_managed_webhooks
from coterie.storage.sealed import SealBroken, Sealer

_c = discord_managed_webhooks.c
_GET = sa.select(_c.webhook_disc_id, _c.sealed_token).where(_c.channel_disc_id == bindparam("channel"))
_new = insert(discord_managed_webhooks)
_KEEP = _new.on_conflict_do_update(
    index_elements=[_c.channel_disc_id],
    set_={column: _new.excluded[column] for column in ("webhook_disc_id", "sealed_token", "updated_at")},
)
_LEAVE_OTHERS = sa.delete(discord_managed_webhooks).where(
    _c.webhook_disc_id == bindparam("webhook"), _c.channel_disc_id != bindparam("channel")
)
_FORGET = sa.delete(discord_managed_webhooks).where(_c.channel_disc_id == bindparam("channel"), _c.webhook_disc_id == bindparam("webhook"))


class SqlWebhooks:
    """`KeptWebhooks` over a database."""

    def __init__(self, database: Database, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer

    async def get(self, channel: ChannelId) -> KeptWebhook | None:
        """See `ports.webhooks.KeptWebhooks`."""
        row = await self._database.read(lambda connection: connection.execute(_GET, {"channel": channel}).one_or_none())
        if row is None:
            return None
        webhook = WebhookId(row.webhook_disc_id)
        try:
            return KeptWebhook(channel, webhook, self._sealer.open(bytes(row.sealed_token), _place(channel, webhook)))
        except SealBroken:
            return None

    async def keep(self, webhook: KeptWebhook) -> None:
        """See `ports.webhooks.KeptWebhooks`."""
        moment = now()
        row = {
            "channel_disc_id": webhook.channel,
            "webhook_disc_id": webhook.webhook,
            "sealed_token": self._sealer.seal(webhook.token, _place(webhook.channel, webhook.webhook)),
            "created_at": moment,
            "updated_at": moment,
        }

        def change(connection: Connection) -> None:
            connection.execute(_LEAVE_OTHERS, {"webhook": webhook.webhook, "channel": webhook.channel})
            connection.execute(_KEEP, row)

        await self._database.write(change)

    async def forget(self, channel: ChannelId, webhook: WebhookId) -> bool:
        """See `ports.webhooks.KeptWebhooks`."""
        which = {"channel": channel, "webhook": webhook}
        return bool(await self._database.write(lambda connection: connection.execute(_FORGET, which).rowcount))


def _place(channel: ChannelId, webhook: WebhookId) -> str:
    return f"discord_managed_webhooks:{channel}:{webhook}"
