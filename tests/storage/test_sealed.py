import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from coterie.ports.stores import StorageUnavailable
from coterie.storage.sealed import SealBroken, Sealer

PLACE = "provider_accounts:openai"


def test_a_secret_is_made_once_and_kept_for_its_owner_alone(tmp_path):
    home = tmp_path / "home"
    sealed = Sealer.from_secrets({}, home).seal("sk-1", PLACE)
    kept = home / "secret"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert len(kept.read_bytes()) == 64
    assert Sealer.from_secrets({}, home).open(sealed, PLACE) == "sk-1"
    assert [path.name for path in home.iterdir()] == ["secret"]


def test_many_who_make_the_secret_at_once_end_with_one(tmp_path):
    with ThreadPoolExecutor(8) as threads:
        sealers = list(threads.map(lambda _: Sealer.from_secrets({}, tmp_path), range(8)))
    sealed = [sealer.seal("sk-1", PLACE) for sealer in sealers]
    assert {sealer.open(value, PLACE) for sealer in sealers for value in sealed} == {"sk-1"}


def test_no_file_is_made_where_the_environment_has_a_secret(tmp_path):
    Sealer.from_secrets({"CRYPTO_SECRET": "x" * 32}, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "sk-1", "ключ 鍵", "x" * 10_000])
def test_what_is_sealed_opens_and_does_not_show(tmp_path, text):
    sealer = Sealer.from_secrets({}, tmp_path)
    sealed = sealer.seal(text, PLACE)
    assert sealer.open(sealed, PLACE) == text
    assert not text or text.encode() not in sealed
    assert sealer.seal(text, PLACE) != sealed


def test_a_value_moved_to_another_row_does_not_open(tmp_path):
    sealer = Sealer.from_secrets({}, tmp_path)
    with pytest.raises(SealBroken, match="provider_accounts:gemini does not open"):
        sealer.open(sealer.seal("sk-1", PLACE), "provider_accounts:gemini")


def test_a_value_altered_anywhere_does_not_open(tmp_path):
    sealer = Sealer.from_secrets({}, tmp_path)
    sealed = sealer.seal("sk-1", PLACE)
    for index in range(len(sealed)):
        altered = sealed[:index] + bytes([sealed[index] ^ 1]) + sealed[index + 1 :]
        with pytest.raises(SealBroken):
            sealer.open(altered, PLACE)
    for length in range(len(sealed)):
        with pytest.raises(SealBroken):
            sealer.open(sealed[:length], PLACE)


def test_secrets_are_changed_one_after_the_other(tmp_path):
    old = {"CRYPTO_SECRET": "a" * 32}
    both = old | {"CRYPTO_SECRET_V1": "b" * 32}
    new = {"CRYPTO_SECRET_V1": "b" * 32, "CRYPTO_SECRET_V2": "c" * 32}
    before = Sealer.from_secrets(old, tmp_path).seal("sk-1", PLACE)
    changing = Sealer.from_secrets(both, tmp_path)
    assert changing.open(before, PLACE) == "sk-1"
    after = changing.seal("sk-1", PLACE)
    assert Sealer.from_secrets(new, tmp_path).open(after, PLACE) == "sk-1"
    with pytest.raises(SealBroken, match=r"not here \(CRYPTO_SECRET\)"):
        Sealer.from_secrets(new, tmp_path).open(before, PLACE)


@pytest.mark.parametrize("current", ["V1", "v1", "1", "CRYPTO_SECRET_V1"])
def test_which_secret_seals_can_be_said(tmp_path, current):
    secrets = {"CRYPTO_SECRET_V1": "a" * 32, "CRYPTO_SECRET_V2": "b" * 32}
    sealed = Sealer.from_secrets(secrets | {"CRYPTO_SECRET_CURRENT": current}, tmp_path).seal("sk-1", PLACE)
    assert Sealer.from_secrets({"CRYPTO_SECRET_V1": "a" * 32}, tmp_path).open(sealed, PLACE) == "sk-1"


def test_the_highest_secret_seals_by_itself(tmp_path):
    sealed = Sealer.from_secrets({"CRYPTO_SECRET_V9": "a" * 32, "CRYPTO_SECRET_V10": "b" * 32}, tmp_path).seal("sk-1", PLACE)
    assert Sealer.from_secrets({"CRYPTO_SECRET_V10": "b" * 32}, tmp_path).open(sealed, PLACE) == "sk-1"


def test_a_current_secret_that_is_not_set(tmp_path):
    with pytest.raises(StorageUnavailable, match="CRYPTO_SECRET_V3 is not set"):
        Sealer.from_secrets({"CRYPTO_SECRET_V1": "a" * 32, "CRYPTO_SECRET_CURRENT": "V3"}, tmp_path)


def test_what_the_homes_secret_sealed_still_opens_when_the_environment_has_one(tmp_path):
    before = Sealer.from_secrets({}, tmp_path).seal("sk-1", PLACE)
    assert Sealer.from_secrets({"CRYPTO_SECRET": "a" * 32}, tmp_path).open(before, PLACE) == "sk-1"


@pytest.mark.parametrize("content", [b"", b"\n", b"short"])
def test_a_file_that_holds_no_secret_is_not_written_over(tmp_path, content):
    (tmp_path / "secret").write_bytes(content)
    with pytest.raises(StorageUnavailable, match="holds no secret"):
        Sealer.from_secrets({}, tmp_path)
    assert (tmp_path / "secret").read_bytes() == content


def test_a_secret_that_cannot_be_kept(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageUnavailable, match="cannot be used"):
        Sealer.from_secrets({}, tmp_path / "file")
