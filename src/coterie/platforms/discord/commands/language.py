"""The language in which a person is answered, and in which Discord shows the commands."""

from importlib.resources import files

import discord
from discord import app_commands

from coterie.kit.tongues import Tongue, Tongues

TONGUES = Tongues(files("coterie") / "locales", "coterie")


def tongue_of(locale: discord.Locale | str) -> Tongue:
    """The language of a person, or of their Discord; English where we do not speak it."""
    return TONGUES.of(str(locale))


class Translator(app_commands.Translator):
    """Translates names and descriptions for Discord's own list of commands."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """The text in this language; nothing where it has none of its own, so that Discord shows English."""
        return tongue_of(locale).known(string.message)
