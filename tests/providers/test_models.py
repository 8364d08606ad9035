"""Which model a name means, which one is the default, and what is missing where one cannot be asked."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from coterie.domain.ids import UserId, WorkspaceId
from coterie.domain.turns.funding import INSTALLATION, Holder, Route, Source, person_holder, workspace_holder
from coterie.ports.accounts import Account
from coterie.ports.model import (
    ChatText,
    Model,
    ModelBroken,
    ModelBusy,
    ModelRefused,
    ModelRequest,
    ModelUnknown,
    Restarted,
    SpeakerNote,
    TextDelta,
)
from coterie.providers.catalogue import BY_NAME, PROVIDERS, Wire
from coterie.providers.embedded import READY, EmbeddedModel
from coterie.providers.models import InstalledModels
from providers.loopback import Answer, Loopback, loopback

REQUEST = ModelRequest("You are Bob.", (ChatText("user", "Hi"),), note=SpeakerNote("bob", "{{say: scripted}}"))


class AccountsInMemory:
    """The saved accounts, kept in a dictionary."""

    def __init__(self, *accounts: Account) -> None:
        self._kept = {account.provider: account for account in accounts}
        self.held: dict[Holder, list[Account]] = {}

    async def list(self, holder: Holder = INSTALLATION) -> Sequence[Account]:
        return tuple(self._kept.values()) if holder == INSTALLATION else tuple(self.held.get(holder, ()))

    async def keep(self, account: Account, holder: Holder = INSTALLATION) -> None:
        assert holder == INSTALLATION
        self._kept[account.provider] = account

    async def forget(self, provider: str, holder: Holder = INSTALLATION) -> bool:
        assert holder == INSTALLATION
        return self._kept.pop(provider, None) is not None


async def installed(environment: Mapping[str, str] | None = None, *accounts: Account) -> InstalledModels:
    models = InstalledModels(environment or {}, AccountsInMemory(*accounts), EmbeddedModel())
    await models.refresh()
    return models


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    async with loopback() as running:
        yield running


async def said(model: Model) -> str:
    return "".join([event.text async for event in model.stream(REQUEST) if isinstance(event, TextDelta)])


@pytest.mark.parametrize(
    ("environment", "accounts", "name"),
    [
        ({}, [], "embedded:smollm2-135m"),
        ({"COTERIE_MODEL": "embedded"}, [], "embedded:smollm2-135m"),
        ({"COTERIE_MODEL": "scripted", "OPENAI_API_KEY": "k"}, [], "scripted:scripted"),
        ({"COTERIE_MODEL": "openai:gpt-4o-mini"}, [], "openai:gpt-4o-mini"),
        ({"COTERIE_MODEL": "ollama:qwen3:8b"}, [], "ollama:qwen3:8b"),
        ({"COTERIE_MODEL": " OpenAI "}, [], "openai:gpt-6-luna"),
        ({"COTERIE_MODEL": "auto", "GEMINI_API_KEY": "k"}, [], "gemini:gemini-3.8-flash"),
        ({"COTERIE_MODEL": "", "ANTHROPIC_API_KEY": "k", "GEMINI_API_KEY": "k"}, [], "anthropic:claude-haiku-5-5"),
        ({"OPENAI_API_KEY": " "}, [], "embedded:smollm2-135m"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:1234/v1"}, [], "openai:gpt-6-luna"),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:1234"}, [], "embedded:smollm2-135m"),
        ({"OLLAMA_BASE_URL": "http://127.0.0.1:1234/v1"}, [], "embedded:smollm2-135m"),
        ({}, [Account("mistral", key="k")], "mistral:mistral-small-latest"),
        ({}, [Account("openai", key="k", model="gpt-6-astra")], "openai:gpt-6-astra"),
        ({}, [Account("ollama", model="qwen3:8b")], "ollama:qwen3:8b"),
        ({}, [Account("anthropic", model="claude-opus-5-5")], "embedded:smollm2-135m"),
        ({"GEMINI_API_KEY": "k"}, [Account("deepseek", key="k")], "gemini:gemini-3.8-flash"),
    ],
)
async def test_the_default(environment: Mapping[str, str], accounts: Sequence[Account], name: str) -> None:
    assert (await installed(environment, *accounts)).default_name() == name


@pytest.mark.parametrize(
    ("name", "full"),
    [
        (None, "scripted:scripted"),
        ("", "scripted:scripted"),
        (" ", "scripted:scripted"),
        ("auto", "scripted:scripted"),
        ("scripted", "scripted:scripted"),
        ("embedded", "embedded:smollm2-135m"),
        ("embedded:smollm2-135m", "embedded:smollm2-135m"),
        ("openai", "openai:gpt-6-luna"),
        ("openai:ft:gpt-4o:acme", "openai:ft:gpt-4o:acme"),
        ("openrouter:google/gemini-3.8-flash", "openrouter:google/gemini-3.8-flash"),
        ("ollama", "ollama:llama3.2"),
    ],
)
async def test_a_name_means_a_model(name: str | None, full: str) -> None:
    models = await installed({"COTERIE_MODEL": "scripted", "OPENAI_API_KEY": "k", "OPENROUTER_API_KEY": "k"})
    assert (await models.model(name)).info.name == full
    assert name is None or not name.strip() or name == "auto" or models.knows(name)


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("nobody:model", ModelUnknown, "There is no provider 'nobody'"),
        ("gpt-6-luna", ModelUnknown, "There is no provider 'gpt-6-luna'; there are openai, anthropic"),
        ("embedded:llama", ModelUnknown, "embedded has no model 'llama', only smollm2-135m"),
        ("openai:gpt-6-luna", ModelRefused, "openai needs a key: set OPENAI_API_KEY"),
        ("mistral", ModelRefused, "mistral needs a key: set MISTRAL_API_KEY"),
    ],
)
async def test_a_model_that_cannot_be_had(name: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        await (await installed()).model(name)


async def test_an_unknown_default_is_told_when_it_is_asked() -> None:
    models = await installed({"COTERIE_MODEL": "nobody:model"})
    assert (models.default_name(), models.knows("nobody:model")) == ("nobody:model", False)
    with pytest.raises(ModelUnknown, match="nobody"):
        await models.model(None)


async def test_the_embedded_model_is_the_one_that_was_given() -> None:
    models = await installed()
    assert await models.model(None) is models.embedded
    assert models.embedded.state.sentence == "The embedded model is loaded when it is first needed."


async def test_what_is_known_of_windows_and_of_other_models() -> None:
    models = await installed({"OPENAI_API_KEY": "k"})
    known, other = (await models.model("openai")).info, (await models.model("openai:mine")).info
    assert (known.context_window, known.max_output, known.can_call_tools) == (1_050_000, 128_000, True)
    assert (other.context_window, other.max_output, other.can_call_tools) == (32_000, 8_000, True)


async def test_a_model_is_made_once() -> None:
    models = await installed({"OPENAI_API_KEY": "k"})
    assert await models.model("openai") is await models.model("openai:gpt-6-luna")


async def test_an_address_alone_is_enough_for_a_server_of_ones_own(server: Loopback) -> None:
    models = await installed({"OPENAI_BASE_URL": f"{server.address}/v1/"})
    assert await said(await models.model(None)) == "Hello there"
    assert server.asked[0]["model"] == "gpt-6-luna"
    await models.close()


async def test_saved_accounts_go_before_the_environment(server: Loopback) -> None:
    environment = {"OPENAI_API_KEY": "from-environment", "OPENAI_BASE_URL": f"{server.address}/v1"}
    accounts = AccountsInMemory()
    models = InstalledModels(environment, accounts, EmbeddedModel())
    await models.refresh()
    await said(await models.model("openai"))
    await accounts.keep(Account("openai", key="from-account"))
    await models.refresh()
    await said(await models.model("openai"))
    await models.refresh()
    await said(await models.model("openai"))
    assert [headers["authorization"] for headers in server.headers] == ["Bearer from-environment", *["Bearer from-account"] * 2]
    assert server.ports[0] != server.ports[1] == server.ports[2], "an account that did not change keeps its connection"
    await models.close()


async def test_the_key_of_the_environment_goes_to_no_other_address(server: Loopback) -> None:
    account = Account("openai", base_url=f"{server.address}/v1")
    models = await installed({"OPENAI_API_KEY": "from-environment"}, account)
    await said(await models.model("openai"))
    assert "from-environment" not in server.headers[0].get("authorization", "")
    await models.close()


async def test_fallbacks_are_asked_in_order_and_those_without_a_key_are_left_out(server: Loopback) -> None:
    environment = {
        "OPENAI_BASE_URL": f"{server.address}/v1",
        "COTERIE_FALLBACK_MODELS": "anthropic, openai:gpt-6-luna, scripted,",
    }
    models = await installed(environment)
    model = await models.model(None)
    assert await said(model) == "Hello there"
    server.next = Answer(("one", "two"), then="dies")
    events = [event async for event in model.stream(REQUEST) if isinstance(event, TextDelta | Restarted)]
    *told, restarted, spare = events
    assert "".join(event.text for event in told) == "onetwo"
    assert (restarted, spare) == (Restarted("scripted:scripted"), TextDelta("scripted"))
    await models.close()


async def test_an_unknown_fallback_is_told_with_its_variable() -> None:
    with pytest.raises(ModelUnknown, match="COTERIE_FALLBACK_MODELS names 'nobody:x', and there is no such provider"):
        await (await installed({"COTERIE_FALLBACK_MODELS": "scripted, nobody:x"})).model(None)


async def test_an_account_is_tried_with_one_short_answer(server: Loopback) -> None:
    models = await installed()
    await models.check(Account("openai", key="k", base_url=f"{server.address}/v1", model="mine"))
    assert (server.asked[0]["model"], server.asked[0]["max_tokens"]) == ("mine", 16)
    server.next = Answer(status=401, error={"error": {"message": "Incorrect API key provided"}})
    with pytest.raises(ModelRefused, match="OPENAI_API_KEY was refused by openai: Incorrect API key provided"):
        await models.check(Account("openai", key="k", base_url=f"{server.address}/v1"))


@pytest.mark.parametrize(
    ("account", "error", "words"),
    [
        (Account("anthropic"), ModelRefused, "anthropic needs a key"),
        (Account("openai", key="k", base_url="http://127.0.0.1:9/v1"), ModelBroken, "could not be reached"),
        (Account("openai", key="k", base_url="not an address"), ModelBroken, "openai"),
        (Account("embedded", key="k"), ModelUnknown, "embedded takes no account; those that do are openai"),
        (Account("nobody", key="k"), ModelUnknown, "nobody takes no account"),
    ],
)
async def test_an_account_that_does_not_work(account: Account, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        await (await installed()).check(account)


async def test_the_list_says_what_is_missing() -> None:
    models = await installed({"OPENAI_API_KEY": "k", "COTERIE_MODEL": "openai:mine"}, Account("groq", model="qwen/qwen3.8-27b"))
    listed = await models.list()
    needs = {model.name: model.needs for model in listed}
    assert needs["openai:mine"] == needs["embedded:smollm2-135m"] == needs["scripted:scripted"] == needs["ollama:llama3.2"] == ""
    assert needs["groq:qwen/qwen3.8-27b"] == "groq needs a key: set GROQ_API_KEY, or save one for it in the page."
    usable = [not model.needs for model in listed]
    assert usable == sorted(usable, reverse=True), "those that can answer at once come first"
    assert len(needs) == len(listed), "no model is listed twice"
    assert listed[1].title == "OpenAI"


async def test_providers_are_listed_with_their_variables_and_without_keys() -> None:
    listed = (await installed({"GEMINI_API_KEY": "secret"})).providers()
    gemini = next(provider for provider in listed if provider.name == "gemini")
    assert (gemini.variables, gemini.from_environment, gemini.needs_key) == (("GEMINI_API_KEY",), True, True)
    assert [provider.name for provider in listed] == list(BY_NAME)
    assert "secret" not in str(listed)


async def test_warming_up_says_nothing_of_failures_and_makes_the_default_ready(server: Loopback) -> None:
    await (await installed({"COTERIE_MODEL": "nobody"})).warm_up()
    await (await installed({"COTERIE_MODEL": "openai"})).warm_up()
    await (await installed({"COTERIE_MODEL": "scripted"})).warm_up()
    models = await installed({"OPENAI_BASE_URL": f"{server.address}/v1"})
    await models.warm_up()
    assert await said(await models.model(None)) == "Hello there"
    await models.close()


@pytest.mark.embedded
async def test_warming_up_loads_the_embedded_model_also_where_others_stand_behind_it() -> None:
    models = await installed({"COTERIE_FALLBACK_MODELS": "scripted"})
    await models.warm_up()
    assert models.embedded.state == READY
    await models.close()


def test_the_rows_of_the_catalogue_differ_and_are_complete() -> None:
    assert len(BY_NAME) == len(PROVIDERS)
    hosted = [provider for provider in PROVIDERS if provider.wire is not Wire.IN_PROCESS]
    variables = [name for provider in hosted for name in (provider.key_variable, provider.base_url_variable)]
    assert all(variables)
    assert len(set(variables)) == len(variables)
    for provider in PROVIDERS:
        assert provider.name == provider.name.lower()
        windows = [provider.otherwise, *provider.windows.values()]
        assert all(0 < window.output < window.context for window in windows)
    assert all(provider.base_url.startswith("https://") for provider in hosted if provider.needs_key)


def test_no_key_is_shown() -> None:
    assert "secret" not in repr(Account("openai", key="secret"))


HERS, THEIRS = person_holder(UserId("1")), workspace_holder(WorkspaceId("discord:1"))
OWN = Route(Source.PERSONAL, HERS, "openai:own", 1, server_funded=False)
SERVED = Route(Source.SERVER, THEIRS, "openai:theirs", 1)


@asynccontextmanager
async def brought(server: Loopback, **keys: str) -> AsyncIterator[tuple[InstalledModels, AccountsInMemory]]:
    """Models where a person and a server have saved keys, for a catalogue whose OpenAI is the loopback server."""
    accounts = AccountsInMemory()
    accounts.held = {HERS: [Account("openai", keys.get("hers", ""))], THEIRS: [Account("openai", keys.get("theirs", ""))]}
    catalogue = {"openai": replace(BY_NAME["openai"], base_url=f"{server.address}/v1")}
    models = InstalledModels({"COTERIE_MODEL": "scripted"}, accounts, EmbeddedModel(), catalogue)
    await models.refresh()
    yield models, accounts
    await models.close()


async def admitted() -> None:
    """Whoever asks may."""


async def test_each_attempt_is_made_with_its_holders_key_and_model(server: Loopback):
    async with brought(server, hers="key-a", theirs="key-b") as (models, _):
        assert await said(await models.routed([OWN, SERVED], admitted)) == "Hello there"
        assert await said(await models.routed([SERVED], admitted)) == "Hello there"
    assert [asked["model"] for asked in server.asked] == ["own", "theirs"]
    assert [headers["authorization"] for headers in server.headers] == ["Bearer key-a", "Bearer key-b"]


async def test_what_the_server_is_to_pay_for_after_all_is_asked_for_first(server: Loopback):
    asked = []

    async def admit() -> None:
        asked.append(len(server.asked))
        raise ModelRefused("Not today.")

    async with brought(server, hers="key-a", theirs="key-b") as (models, _):
        server.next = Answer(status=401, error={"error": {"message": "no"}})
        with pytest.raises(ModelRefused, match=r"Not today\."):
            await said(await models.routed([OWN, SERVED], admit))
        assert asked == [1]
        assert len(server.asked) == 1


async def test_an_attempt_without_a_key_is_passed_over_and_alone_it_is_one_sentence(server: Loopback):
    async with brought(server, theirs="key-b") as (models, _):
        assert await said(await models.routed([OWN, SERVED], admitted)) == "Hello there"
        with pytest.raises(ModelRefused, match=r"No key for OpenAI is saved\."):
            await models.routed([OWN], admitted)
        with pytest.raises(ModelUnknown, match="no provider 'scripted' that takes a key"):
            await models.routed([replace(OWN, model="scripted")], admitted)
        assert await said(await models.routed([Route(Source.SERVER, INSTALLATION, None)], admitted)) == "scripted"


async def test_a_changed_key_is_used_from_its_version_on(server: Loopback):
    async with brought(server, hers="old") as (models, accounts):
        await said(await models.routed([OWN], admitted))
        accounts.held[HERS] = [Account("openai", "new")]
        await said(await models.routed([OWN], admitted))
        await said(await models.routed([replace(OWN, version=2)], admitted))
    assert [headers["authorization"] for headers in server.headers] == ["Bearer old", "Bearer old", "Bearer new"]


async def test_several_keys_take_turns_and_a_busy_one_rests(server: Loopback):
    async with brought(server, hers="a\nb\nc") as (models, _):
        model = await models.routed([OWN], admitted)
        for _ in range(4):
            await said(model)
        server.next = Answer(status=429, error={"error": {"message": "later"}})
        with pytest.raises(ModelBusy):
            await said(model)
        server.next = Answer(("Hello",))
        await said(model)
    assert [headers["authorization"][-1] for headers in server.headers] == ["a", "b", "c", "a", "b", "c", "a", "b"]
