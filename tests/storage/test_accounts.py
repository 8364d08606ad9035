import pytest

from coterie.ports.accounts import Account
from coterie.storage.opening import open_storage
from coterie.storage.schema.accounts import provider_accounts


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
