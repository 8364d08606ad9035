"""The models of this installation: names are resolved, keys found, clients shared. The rows themselves are in `catalogue.py`."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from coterie.domain.turns.funding import INSTALLATION, Holder, Route
from coterie.kit.streams import closing
from coterie.ports.accounts import Account, Accounts
from coterie.ports.model import Admit, ChatText, Model, ModelError, ModelRefused, ModelRequest, Models, ModelUnknown
from coterie.ports.model_list import ListedModel, ListedProvider, ModelList
from coterie.providers.catalogue import (
    BY_NAME,
    EMBEDDED,
    FALLBACK_VARIABLE,
    MODEL_VARIABLE,
    OPENAI,
    PROVIDERS,
    SCRIPTED,
    Provider,
    Wire,
    split_name,
)
from coterie.providers.embedded import EmbeddedModel
from coterie.providers.endpoints import Client, Endpoint
from coterie.providers.failures import missing_key
from coterie.providers.held import HeldModels
from coterie.providers.hosted import HostedModel
from coterie.providers.scripted import ScriptedModel
from coterie.providers.wrappers import Admitting, Fallback, WithInactivityTimeout

CHECK_PATIENCE = 30.0
_MOST_HELD = 256
"""Of how many servers and people the clients are kept."""
_TRIAL = ModelRequest("Answer in one word.", (ChatText("user", "Say ok."),), max_output_tokens=16, level="none")


class InstalledModels(Models, ModelList):
    """Every model that can be named here. `environment` is read for the variables of the catalogue and never changes.

    Saved accounts go before the environment, the environment before the catalogue. Call `refresh` once before anything else.
    What servers and people have saved is asked at the addresses of `catalogue`.
    """

    def __init__(
        self, environment: Mapping[str, str], accounts: Accounts, embedded: EmbeddedModel, catalogue: Mapping[str, Provider] = BY_NAME
    ) -> None:
        self.embedded = embedded
        self._environment = environment
        self._accounts = accounts
        self._saved: Mapping[str, Account] = {}
        self._scripted = ScriptedModel()
        self._clients: dict[str, Client] = {}
        self._hosted: dict[str, Model] = {}
        self._warming: asyncio.Task[None] | None = None
        self._catalogue = catalogue
        self._held: OrderedDict[Holder, HeldModels] = OrderedDict()

    async def model(self, name: str | None) -> Model:
        """The model of this name with its fallbacks behind it. Raises `ModelUnknown`, `ModelRefused`."""
        chosen = self._full_name(name if name and name.strip() not in ("", "auto") else self.default_name())
        main = self._single(chosen)
        spares = [spare for spare in self._fallback_names() if spare != chosen and self._is_usable(spare)]
        return Fallback([main, *(self._single(spare) for spare in spares)]) if spares else main

    async def routed(self, routes: Sequence[Route], admit: Admit) -> Model:
        """The models of these attempts, one behind the other. Raises the error of the last one where none can be asked at all."""
        models: list[Model] = []
        problem: ModelError = ModelUnknown("There is no model to be asked.")
        for route in routes:
            try:
                model = await (self.model(route.model) if route.holder == INSTALLATION else self._held_model(route))
            except ModelError as error:
                problem = error
                continue
            # What was to be paid for by somebody else was not asked for the server's leave before.
            models.append(Admitting(model, admit) if route.server_funded and not routes[0].server_funded else model)
        if not models:
            raise problem
        return models[0] if len(models) == 1 else Fallback(models)

    async def _held_model(self, route: Route) -> Model:
        held = self._held.get(route.holder)
        if held is None or held.version != route.version:
            accounts = {account.provider: account for account in await self._accounts.list(route.holder)}
            if held is not None:
                await held.retire()
            held = self._held[route.holder] = HeldModels(accounts, route.version, self._catalogue)
            if len(self._held) > _MOST_HELD:
                _, oldest = self._held.popitem(last=False)
                await oldest.retire()
        self._held.move_to_end(route.holder)
        return held.model(route.model or "")

    def default_name(self) -> str:
        """`COTERIE_MODEL`, else the first provider that was set up (by a key, or OpenAI's by an address alone), else the embedded one."""
        chosen = self._environment.get(MODEL_VARIABLE, "").strip()
        if chosen and chosen != "auto":
            return self._full_name(chosen) if self.knows(chosen) else chosen
        found = next((provider for provider in PROVIDERS if self._is_set_up(provider)), EMBEDDED)
        return self._full_name(found.name)

    def knows(self, name: str) -> bool:
        """Whether the provider of `provider:model` (or a bare provider) is in the catalogue."""
        return split_name(name)[0] in BY_NAME

    def providers(self) -> Sequence[ListedProvider]:
        """The catalogue, in its order."""
        return [
            ListedProvider(
                name=provider.name,
                title=provider.title,
                needs_key=provider.needs_key,
                default_model=provider.default_model,
                default_base_url=provider.base_url,
                variables=(provider.key_variable,) if provider.key_variable else (),
                from_environment=bool(self._variable(provider.key_variable)),
            )
            for provider in PROVIDERS
        ]

    async def list(self) -> Sequence[ListedModel]:
        """The models that are known by name, those that can answer at once first."""
        listed = [
            ListedModel(name, provider.title, self._needs(provider)) for provider in PROVIDERS for name in self._known_names(provider)
        ]
        return sorted(listed, key=lambda model: bool(model.needs))

    async def check(self, account: Account, holder: Holder = INSTALLATION) -> None:
        """Have the provider of an account answer one word to each of its keys. Raises a `ModelError`."""
        provider = _hosted(account.provider)
        for key in account.key.split("\n"):
            one = replace(account, key=key)
            await _try(provider, self._endpoint(provider, one) if holder == INSTALLATION else self._brought(provider, one), one.model)

    async def check_subscription(self, account: Account) -> None:
        """Whether this installation has an account that could answer in its place. Raises a `ModelError`."""
        provider = _hosted(account.provider)
        if not self._endpoint(provider).is_usable:
            raise ModelRefused(f"The operator of this installation has no account with {provider.title}.")

    def _brought(self, provider: Provider, account: Account) -> Endpoint:
        if not account.key:
            raise ModelRefused(f"{provider.title} needs a key.")
        listed = self._catalogue.get(provider.name, provider)
        return Endpoint(listed, listed.base_url, account.key)

    async def refresh(self) -> None:
        """Read the saved accounts again; clients of accounts that changed end with the streams that use them."""
        self._saved = {account.provider: account for account in await self._accounts.list()}
        for name, client in tuple(self._clients.items()):
            if client.endpoint != self._endpoint(BY_NAME[name]):
                await self._forget(name)

    async def warm_up(self) -> None:
        """Make the default model ready to answer, so that the first message need not wait. Failures show when a model is asked."""
        with suppress(ModelError):
            await self.model(None)
            provider, model = split_name(self.default_name())
            if provider == EMBEDDED.name:
                await self.embedded.load()
            elif provider in self._clients:
                async with self._clients[provider].model(model):
                    pass

    def begin_warming(self) -> None:
        """Warm up beside whatever else runs in this loop; `close` waits for it."""
        self._warming = asyncio.create_task(self.warm_up())

    async def close(self) -> None:
        """Free the embedded model and close every client."""
        await self.embedded.close()
        if self._warming:
            await self._warming
        for name in tuple(self._clients):
            await self._forget(name)
        for held in self._held.values():
            await held.retire()

    def _full_name(self, name: str) -> str:
        """`provider:model`, with the provider's default model where only the provider is named. Raises `ModelUnknown`."""
        provider, model = self._found(name)
        saved = self._saved.get(provider.name)
        return f"{provider.name}:{model or (saved.model if saved else '') or provider.default_model}"

    def _found(self, name: str) -> tuple[Provider, str]:
        provider, model = split_name(name)
        if provider not in BY_NAME:
            raise ModelUnknown(f"There is no provider {provider!r}; there are {', '.join(BY_NAME)}.")
        return BY_NAME[provider], model

    def _single(self, name: str) -> Model:
        """One model without fallbacks, by its full name."""
        provider, model = self._found(name)
        if provider.wire is not Wire.IN_PROCESS:
            return self._hosted_model(provider, model)
        if model != provider.default_model:
            raise ModelUnknown(f"{provider.name} has no model {model!r}, only {provider.default_model}.")
        return self.embedded if provider is EMBEDDED else self._scripted

    def _hosted_model(self, provider: Provider, model: str) -> Model:
        name = f"{provider.name}:{model}"
        if name not in self._hosted:
            endpoint = self._endpoint(provider)
            if not endpoint.is_usable:
                raise missing_key(endpoint)
            client = self._clients.setdefault(provider.name, Client(endpoint))
            self._hosted[name] = WithInactivityTimeout(HostedModel(client, model))
        return self._hosted[name]

    async def _forget(self, provider: str) -> None:
        """Let go of a provider's client and models."""
        self._hosted = {name: model for name, model in self._hosted.items() if split_name(name)[0] != provider}
        await self._clients.pop(provider).retire()

    def _fallback_names(self) -> Sequence[str]:
        """The models of `COTERIE_FALLBACK_MODELS` by their full names. Raises `ModelUnknown`."""
        names = [name for name in self._environment.get(FALLBACK_VARIABLE, "").split(",") if name.strip()]
        if unknown := next((name for name in names if not self.knows(name)), None):
            raise ModelUnknown(f"{FALLBACK_VARIABLE} names {unknown.strip()!r}, and there is no such provider.")
        return [self._full_name(name) for name in names]

    def _endpoint(self, provider: Provider, account: Account | None = None) -> Endpoint:
        """Where and as whom a provider is reached: account, then environment, then catalogue.

        The environment's key was given for the environment's address; no other server that an account names gets to see it.
        """
        account = account or self._saved.get(provider.name) or Account(provider.name)
        usual = (self._variable(provider.base_url_variable) or provider.base_url).rstrip("/")
        base_url = account.base_url.rstrip("/") or usual
        return Endpoint(provider, base_url, account.key or (self._variable(provider.key_variable) if base_url == usual else ""))

    def _variable(self, name: str) -> str:
        return self._environment.get(name, "").strip() if name else ""

    def _is_set_up(self, provider: Provider) -> bool:
        """Whether somebody gave this provider a key; OpenAI's dialect is also set up by an address alone, a free one by an account."""
        if provider.wire is Wire.IN_PROCESS:
            return False
        endpoint = self._endpoint(provider)
        if provider is OPENAI:
            return endpoint.is_usable
        return bool(endpoint.key) or (not provider.needs_key and provider.name in self._saved)

    def _is_usable(self, name: str) -> bool:
        provider, _ = self._found(name)
        return not self._needs(provider)

    def _needs(self, provider: Provider) -> str:
        """What is missing before this provider can be asked, as a sentence."""
        if provider is SCRIPTED:
            return ""
        if provider is EMBEDDED:
            return "" if self.embedded.is_installed() else "The packages of the embedded model are not installed."
        endpoint = self._endpoint(provider)
        return "" if endpoint.is_usable else str(missing_key(endpoint))

    def _known_names(self, provider: Provider) -> Sequence[str]:
        """The full names of a provider's models, the one that is its default first."""
        default = self._full_name(provider.name)
        chosen = self.default_name()
        others = [f"{provider.name}:{model}" for model in provider.windows]
        return list(dict.fromkeys([default, *([chosen] if split_name(chosen)[0] == provider.name else []), *others]))


def _hosted(name: str) -> Provider:
    """A provider that takes accounts. Raises `ModelUnknown`."""
    provider = BY_NAME.get(name)
    if provider is None or provider.wire is Wire.IN_PROCESS:
        raise ModelUnknown(f"{name} takes no account; those that do are {', '.join(_hosted_names())}.")
    return provider


async def _try(provider: Provider, endpoint: Endpoint, model: str) -> None:
    """Have one endpoint answer one word. Raises a `ModelError`."""
    client = Client(endpoint)
    try:
        trial = WithInactivityTimeout(HostedModel(client, model or provider.default_model), CHECK_PATIENCE)
        async with closing(trial.stream(_TRIAL)) as events:
            await anext(events, None)
    finally:
        await client.retire()


def _hosted_names() -> Sequence[str]:
    return [provider.name for provider in PROVIDERS if provider.wire is not Wire.IN_PROCESS]
