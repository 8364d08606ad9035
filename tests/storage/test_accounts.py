import pytest
import sqlalchemy as sa

from coterie.domain.ids import UserId, WorkspaceId
from coterie.domain.turns.funding import INSTALLATION, Entry, Grant, PersonalFunding, person_holder, workspace_holder
from coterie.ports.accounts import Account, Subscription
from coterie.storage.opening import open_storage
from coterie.storage.schema.accounts import provider_accounts, saved_provider_configs, user_saved_provider_configs
from storage.talking import NOON


async def rows(storage):
    return await storage.database.read(lambda connection: connection.execute(provider_accounts.select()).all())


async def test_an_account_reads_back(storage):
    assert await storage.accounts.list() == []
    openai = Account("openai", "sk-1", "http://127.0.0.1:1/v1", "small")
    await storage.accounts.keep(openai)
    await storage.accounts.keep(Account("anthropic", "sk-2"))
    assert await storage.accounts.list() == [Account("anthropic", "sk-2"), openai]


async def test_a_key_never_rests_in_the_open(storage):
    await storage.accounts.keep(Account("openai", "sk-in-the-open"))
    assert "sk-in-the-open" not in repr(await rows(storage))
    assert b"sk-in-the-open" not in bytes((await rows(storage))[0].sealed_key)


async def test_an_account_is_replaced_as_a_whole(storage):
    await storage.accounts.keep(Account("openai", "sk-1", "http://127.0.0.1:1/v1", "small"))
    await storage.accounts.keep(Account("openai", "", "", "large"))
    assert await storage.accounts.list() == [Account("openai", "", "", "large")]
    assert (await rows(storage))[0].sealed_key is None


async def test_an_account_is_forgotten(storage):
    await storage.accounts.keep(Account("openai", "sk-1"))
    assert await storage.accounts.forget("openai") is True
    assert await storage.accounts.forget("openai") is False
    assert await storage.accounts.list() == []


async def test_a_key_moved_to_another_account_does_not_open_and_the_others_stay(storage):
    await storage.accounts.keep(Account("openai", "sk-1", model="small"))
    await storage.accounts.keep(Account("gemini", "sk-2", model="flash"))
    stolen = next(row.sealed_key for row in await rows(storage) if row.provider == "openai")
    move = provider_accounts.update().where(provider_accounts.c.provider == "gemini").values(sealed_key=stolen)
    await storage.database.write(lambda connection: connection.execute(move).rowcount)
    gemini, openai = await storage.accounts.list()
    assert (gemini.key, gemini.model) == ("", "flash")
    assert "does not open" in gemini.problem
    assert openai == Account("openai", "sk-1", model="small")


@pytest.mark.parametrize("environment", [{"CRYPTO_SECRET": "b" * 32}, {}])
async def test_an_account_whose_secret_is_gone_says_so_and_can_be_saved_anew(database_url, tmp_path, environment):
    first = await open_storage(database_url, tmp_path, (), environment={"CRYPTO_SECRET_V1": "a" * 32})
    await first.accounts.keep(Account("openai", "sk-1", model="small"))
    await first.close()
    second = await open_storage(database_url, tmp_path, (), environment=environment)
    (lost,) = await second.accounts.list()
    assert (lost.key, lost.model) == ("", "small")
    assert "CRYPTO_SECRET_V1" in lost.problem
    await second.accounts.keep(Account("openai", "sk-2", model="small"))
    assert await second.accounts.list() == [Account("openai", "sk-2", model="small")]
    await second.close()


async def test_a_key_is_not_in_the_text_of_an_account(storage):
    assert "sk-1" not in repr(Account("openai", "sk-1"))


GUILD, ANN = WorkspaceId("discord:1"), UserId("1")
HOLDERS = (INSTALLATION, workspace_holder(GUILD), person_holder(ANN))


@pytest.mark.parametrize("holder", HOLDERS)
async def test_every_holder_has_accounts_of_its_own(storage, holder):
    for number, each in enumerate(HOLDERS):
        await storage.accounts.keep(Account("openai", f"key-{number}", model="m"), each)
    (found,) = await storage.accounts.list(holder)
    assert (found.key, found.model) == (f"key-{HOLDERS.index(holder)}", "m")
    assert await storage.accounts.forget("openai", holder)
    assert not await storage.accounts.forget("openai", holder)
    assert await storage.accounts.list(holder) == []
    assert sum([len(await storage.accounts.list(each)) for each in HOLDERS]) == 2


async def test_a_key_of_one_holder_does_not_open_in_the_place_of_another(storage):
    await storage.accounts.keep(Account("openai", "secret"), workspace_holder(GUILD))
    await storage.accounts.keep(Account("openai", "other"), person_holder(ANN))
    stolen = sa.select(saved_provider_configs.c.sealed_key).scalar_subquery()
    put = sa.update(user_saved_provider_configs).values(sealed_key=stolen)
    await storage.database.write(lambda connection: connection.execute(put).rowcount)
    (account,) = await storage.accounts.list(person_holder(ANN))
    assert account.key == ""
    assert account.problem


async def test_what_a_server_has_saved_is_known_without_its_keys(storage, elsewhere):
    await storage.accounts.keep(Account("openai", "secret", model="gpt-x"), workspace_holder(GUILD))
    await storage.accounts.keep(Account("anthropic", is_subscription=True), workspace_holder(GUILD))
    found = await elsewhere.accounts.server(GUILD)
    assert found.entries == {"openai": Entry("openai", "gpt-x"), "anthropic": Entry("anthropic", is_subscription=True)}
    assert found.grant is None
    await storage.accounts.grant(Subscription(workspace_holder(GUILD), NOON))
    await elsewhere.casts.check(GUILD)
    assert (await elsewhere.accounts.server(GUILD)).grant == Grant(NOON)
    assert (await storage.accounts.server(WorkspaceId("discord:2"))).entries == {}


async def test_of_a_persons_entries_one_at_most_answers(storage):
    holder = person_holder(ANN)
    await storage.accounts.keep(Account("openai", "a", model="x", is_enabled=True), holder)
    await storage.accounts.keep(Account("anthropic", "b", is_enabled=True), holder)
    await storage.accounts.keep(Account("gemini", "c"), holder)
    found = await storage.accounts.personal(ANN)
    assert (found.entry, found.keys) == (Entry("anthropic"), {"openai", "anthropic", "gemini"})
    await storage.accounts.keep(Account("anthropic", "b"), holder)
    assert (await storage.accounts.personal(ANN)).entry is None
    assert await storage.accounts.personal(UserId("nobody")) == PersonalFunding()


async def test_subscriptions_are_granted_changed_and_revoked(storage):
    holders = [workspace_holder(GUILD), person_holder(ANN)]
    for holder in holders:
        await storage.accounts.grant(Subscription(holder))
    await storage.accounts.grant(Subscription(person_holder(ANN), NOON))
    assert set(await storage.accounts.subscriptions()) == {Subscription(holders[0]), Subscription(holders[1], NOON)}
    assert (await storage.accounts.personal(ANN)).grant == Grant(NOON)
    assert await storage.accounts.revoke(person_holder(ANN))
    assert not await storage.accounts.revoke(person_holder(ANN))
    assert (await storage.accounts.personal(ANN)).grant is None
