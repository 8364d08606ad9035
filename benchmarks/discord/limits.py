"""What discord.py itself costs: `python limits.py bare` hears and does nothing, `python limits.py minimal` answers a word with one call.

No history, no database, no gates: nobody can be quicker. Address and token come from the environment, as for `coterie serve`.
"""

import os
import sys

import aiohttp
import discord
import yarl

INTENTS = discord.Intents(guilds=True, guild_messages=True, message_content=True)


class Bare(discord.Client):
    """An empty handler, but for the line that ends a measurement."""

    def __init__(self):
        super().__init__(intents=INTENTS, max_messages=None, chunk_guilds_at_startup=False)

    async def on_message(self, message):
        if message.content == "That was all.":
            await message.channel.send("all heard")


class Minimal(Bare):
    """A trigger word, one call of the model, one webhook."""

    def __init__(self):
        super().__init__()
        self.webhooks = {}

    async def setup_hook(self):
        self.web = aiohttp.ClientSession()

    async def on_message(self, message):
        if message.webhook_id or not message.content.startswith("wren"):
            return
        asked = {"model": "bench", "messages": [{"role": "user", "content": message.content}]}
        async with self.web.post(f"{os.environ['OPENAI_BASE_URL']}/chat/completions", json=asked) as answer:
            said = (await answer.json())["choices"][0]["message"]["content"]
        webhook = self.webhooks.get(message.channel.id)
        if webhook is None:
            webhook = self.webhooks[message.channel.id] = await message.channel.create_webhook(name="minimal")
        await webhook.send(said, username="Wren")


def main():
    url = os.environ["DISCORD_SERVER_URL"]
    discord.http.Route.BASE = f"{url}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{url}/gw".replace("http", "ws", 1))
    {"bare": Bare, "minimal": Minimal}[sys.argv[1]]().run(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    main()
