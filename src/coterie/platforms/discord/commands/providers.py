"""`/provider` and `/personal provider`: whose account with which model provider answers. Keys are typed into a form, never shown."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.app_commands import locale_str

from coterie.domain.turns.funding import Holder, person_holder, workspace_holder
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import Command, answered, at_once
from coterie.platforms.discord.commands.desk import Declined, Desk, here_of, person_of
from coterie.platforms.discord.commands.language import tongue_of
from coterie.platforms.discord.commands.managing import require_manager
from coterie.ports.accounts import Account, AccountRefused, judge_brought
from coterie.ports.model import ModelError
from coterie.ports.model_list import ListedProvider

if TYPE_CHECKING:
    from coterie.platforms.discord.client import Client
    from coterie.platforms.discord.commands.desk import At

MOST_KEY, MOST_MODEL = 4_000, 200
"""Characters of the form's fields; 4,000 is what Discord lets one hold."""


@dataclass(frozen=True, slots=True)
class _Whose:
    """Whose accounts a command is about, and who may change them."""

    holder: Callable[["At"], Holder]
    require: Callable[["At", Tongue], None]
    is_personal: bool


def _anybody(_interaction: "At", _tongue: Tongue) -> None:
    """What is one's own is one's own."""


SERVERS = _Whose(lambda interaction: workspace_holder(here_of(interaction).workspace), require_manager, is_personal=False)
ONES_OWN = _Whose(lambda interaction: person_holder(person_of(interaction)), _anybody, is_personal=True)


class KeyForm(discord.ui.Modal):
    """Asks for a key and a model. What is left empty stays as it was."""

    def __init__(self, tongue: Tongue, whose: _Whose, provider: ListedProvider) -> None:
        super().__init__(title=provider.title[:45], timeout=900)
        self._whose, self._provider = whose, provider
        self.key: discord.ui.TextInput[KeyForm] = discord.ui.TextInput(
            label=tongue.say("Key; several on a line each take turns"),
            style=discord.TextStyle.paragraph,
            max_length=MOST_KEY,
            required=False,
        )
        self.model: discord.ui.TextInput[KeyForm] = discord.ui.TextInput(
            label=tongue.say("Model; empty for the usual one"), placeholder=provider.default_model, max_length=MOST_MODEL, required=False
        )
        self.add_item(self.key)
        self.add_item(self.model)

    async def on_submit(self, interaction: "discord.Interaction[Client]", /) -> None:  # type: ignore[override]
        """The provider is asked whether it takes the key before anything is kept."""
        key, model = "\n".join(self.key.value.split()), self.model.value.strip()

        async def work(desk: Desk, tongue: Tongue) -> str:
            saved = await _saved(desk, self._whose.holder(interaction), self._provider.name)
            account = replace(saved, key=key or saved.key, model=model, is_subscription=False, is_enabled=self._whose.is_personal)
            return await _keep(interaction, desk, tongue, self._whose, account)

        await answered(interaction, work)


async def _keep(interaction: "At", desk: Desk, tongue: Tongue, whose: _Whose, account: Account) -> str:
    whose.require(interaction, tongue)
    holder = whose.holder(interaction)
    try:
        judge_brought(account)
        if account.is_subscription:
            await desk.models.check_subscription(account)
        else:
            await desk.models.check(account, holder)
    except (AccountRefused, ModelError) as error:
        raise Declined(str(error)) from error
    await desk.accounts.keep(account, holder)
    return tongue.say("{provider} is saved; its key is never shown again.", provider=account.provider)


async def _saved(desk: Desk, holder: Holder, provider: str) -> Account:
    found = (account for account in await desk.accounts.list(holder) if account.provider == provider)
    return next(found, Account(provider))


async def _offer_providers(interaction: "At", typed: str) -> list[app_commands.Choice[str]]:
    desk = interaction.client.desk
    wanted = typed.casefold().strip()
    fitting = [each for each in (_hosted(desk) if desk is not None else ()) if wanted in f"{each.name} {each.title}".casefold()]
    return [app_commands.Choice(name=each.title, value=each.name) for each in fitting[:25]]


def _hosted(desk: Desk) -> list[ListedProvider]:
    """The providers with which somebody can have an account."""
    return [provider for provider in desk.models.providers() if provider.default_base_url]


def _named(desk: Desk, tongue: Tongue, name: str) -> ListedProvider:
    found = next((provider for provider in _hosted(desk) if name.strip().casefold() in (provider.name, provider.title.casefold())), None)
    if found is None:
        known = ", ".join(provider.name for provider in _hosted(desk))
        raise Declined(tongue.say("There is no such provider; there are {known}.", known=known))
    return found


def provider_commands(whose: _Whose) -> tuple[Command, ...]:
    """`set`, `list` and `remove`; for a person also `use`."""

    @app_commands.command(name="set", description=locale_str("Save a key with a model provider; it is asked for in a form."))
    @app_commands.describe(
        provider=locale_str("Which provider."),
        subscription=locale_str("Use the operator's account in place of a key, if that was granted."),
    )
    @app_commands.autocomplete(provider=_offer_providers)
    async def set_provider(interaction: "At", provider: str, subscription: bool = False) -> None:
        tongue, desk = tongue_of(interaction.locale), interaction.client.desk
        if subscription or desk is None:
            await answered(interaction, lambda there, said: _subscribe(interaction, there, said, provider))
            return
        try:
            whose.require(interaction, tongue)
            form = KeyForm(tongue, whose, _named(desk, tongue, provider))
        except Declined as declined:
            await at_once(interaction, str(declined))
            return
        await interaction.response.send_modal(form)

    async def _subscribe(interaction: "At", desk: Desk, tongue: Tongue, provider: str) -> str:
        saved = await _saved(desk, whose.holder(interaction), _named(desk, tongue, provider).name)
        account = replace(saved, key="", is_subscription=True, is_enabled=whose.is_personal)
        return await _keep(interaction, desk, tongue, whose, account)

    @app_commands.command(name="list", description=locale_str("Which providers are saved; never their keys."))
    async def list_providers(interaction: "At") -> None:
        async def work(desk: Desk, tongue: Tongue) -> str:
            whose.require(interaction, tongue)
            saved = await desk.accounts.list(whose.holder(interaction))
            return "\n".join(_line(account, tongue, whose) for account in saved) or tongue.say("No provider is saved.")

        await answered(interaction, work)

    @app_commands.command(name="remove", description=locale_str("Forget a saved provider and its key."))
    @app_commands.describe(provider=locale_str("Which provider."))
    @app_commands.autocomplete(provider=_offer_providers)
    async def remove_provider(interaction: "At", provider: str) -> None:
        async def work(desk: Desk, tongue: Tongue) -> str:
            whose.require(interaction, tongue)
            name = _named(desk, tongue, provider).name
            if not await desk.accounts.forget(name, whose.holder(interaction)):
                raise Declined(tongue.say("No provider is saved."))
            return tongue.say("{provider} is forgotten.", provider=name)

        await answered(interaction, work)

    @app_commands.command(name="use", description=locale_str("Whether a saved provider of yours answers your messages."))
    @app_commands.describe(provider=locale_str("Which provider."), enabled=locale_str("Whether it answers; your others no longer do then."))
    @app_commands.autocomplete(provider=_offer_providers)
    async def use_provider(interaction: "At", provider: str, enabled: bool = True) -> None:
        async def work(desk: Desk, tongue: Tongue) -> str:
            name = _named(desk, tongue, provider).name
            saved = next((one for one in await desk.accounts.list(whose.holder(interaction)) if one.provider == name), None)
            if saved is None:
                raise Declined(tongue.say("No provider is saved."))
            await desk.accounts.keep(replace(saved, is_enabled=enabled), whose.holder(interaction))
            if enabled:
                return tongue.say("{provider} answers your messages from now on.", provider=name)
            return tongue.say("{provider} answers your messages no more.", provider=name)

        await answered(interaction, work)

    return (set_provider, list_providers, remove_provider, *((use_provider,) if whose.is_personal else ()))


def _line(account: Account, tongue: Tongue, whose: _Whose) -> str:
    paid = tongue.say("by subscription") if account.is_subscription else tongue.say("with a key")
    state = [account.model, paid, account.problem]
    if whose.is_personal:
        state.append(tongue.say("answers your messages") if account.is_enabled else tongue.say("switched off"))
    return f"- **{account.provider}**: {', '.join(filter(None, state))}"
