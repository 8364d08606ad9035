"""Secrets as they rest: AES-GCM under a named key, bound to their row, so that a value moved to another row does not open."""

import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from coterie.ports.stores import StorageUnavailable, StoreError

SECRET_FILE = "secret"
"""The name of the file in the home that holds the secret where the environment gives none."""

_NONCE = 12
_VERSIONED = re.compile(r"CRYPTO_SECRET_V([0-9]{1,6})", re.ASCII)


class SealBroken(StoreError):
    """A sealed value does not open with the secrets that are here. The text is one sentence and names no secret."""


class Sealer:
    """Seals with one key and opens with all. A key is named in what it seals, so that secrets can be changed one after the other."""

    def __init__(self, keys: Mapping[str, bytes], current: str) -> None:
        self._keys = {name: AESGCM(_derive(secret)) for name, secret in keys.items()}
        self._current = current

    @classmethod
    def from_secrets(cls, environment: Mapping[str, str], home: Path) -> "Sealer":
        """Take `CRYPTO_SECRET`, `CRYPTO_SECRET_V1`, … and `CRYPTO_SECRET_CURRENT` (by default the highest), else a secret kept in the home.

        The home's secret is made on first use, readable by its owner alone; one that is there opens old values also when the
        environment has others. Raises `StorageUnavailable`.
        """
        given = {name: value for name, value in environment.items() if value}
        numbered = {int(found[1]): name for name in given if (found := _VERSIONED.fullmatch(name))}
        keys = {f"v{number}": given[name].encode() for number, name in numbered.items()}
        if "CRYPTO_SECRET" in given:
            keys["env"] = given["CRYPTO_SECRET"].encode()
        newest = f"v{max(numbered)}" if numbered else "env"
        kept = _kept_secret(home / SECRET_FILE, make=not keys)
        if kept is not None:
            keys["home"] = kept
        return cls(keys, _choose(given.get("CRYPTO_SECRET_CURRENT", ""), keys, newest if newest in keys else "home"))

    def seal(self, text: str, place: str) -> bytes:
        """Seal a text for `place`, which is `table:row`."""
        nonce, name = secrets.token_bytes(_NONCE), self._current.encode()
        return bytes([len(name)]) + name + nonce + self._keys[self._current].encrypt(nonce, text.encode(), place.encode())

    def open(self, sealed: bytes, place: str) -> str:
        """The text that was sealed for `place`. Raises `SealBroken`."""
        end = 1 + sealed[0] if sealed else 1
        name, nonce, rest = sealed[1:end].decode("ascii", "replace"), sealed[end : end + _NONCE], sealed[end + _NONCE :]
        key = self._keys.get(name)
        if key is None:
            raise SealBroken(f"A value of {place} was sealed with a secret that is not here ({_variable(name)}).")
        try:
            return key.decrypt(nonce, rest, place.encode()).decode()
        except (InvalidTag, ValueError) as error:
            raise SealBroken(
                f"A value of {place} does not open: it was altered, or {_variable(name)} is another secret than it was."
            ) from error


def _derive(secret: bytes) -> bytes:
    return HKDF(SHA256(), length=32, salt=None, info=b"coterie sealed values").derive(secret)


def _choose(wanted: str, keys: Mapping[str, bytes], otherwise: str) -> str:
    """The name of the key that seals new values; `V2`, `v2` and `2` all mean `CRYPTO_SECRET_V2`."""
    if not wanted:
        return otherwise
    name = "v" + wanted.strip().lower().removeprefix("crypto_secret_").removeprefix("v")
    if name not in keys:
        raise StorageUnavailable(f"CRYPTO_SECRET_CURRENT names {wanted}, but CRYPTO_SECRET_{name.upper()} is not set.")
    return name


def _variable(name: str) -> str:
    """Where the secret of a key comes from, for people."""
    match name:
        case "home":
            return f"the file {SECRET_FILE} in the home"
        case "env":
            return "CRYPTO_SECRET"
        case _:
            return f"CRYPTO_SECRET_{name.upper()}"


def _kept_secret(path: Path, *, make: bool) -> bytes | None:
    """The secret of a home. It is never written over: whatever it sealed would be lost."""
    try:
        if make and not path.exists():
            _write_once(path, secrets.token_hex(32).encode())
        kept = path.read_bytes().strip() if path.exists() else None
    except OSError as error:
        raise StorageUnavailable(f"{path} cannot be used ({error.strerror}); it seals the saved keys.") from error
    if kept is not None and len(kept) < 16:
        raise StorageUnavailable(f"{path} holds no secret; put back the one that was there, or remove the file and save the keys anew.")
    return kept


def _write_once(path: Path, secret: bytes) -> None:
    """Write under another name first: two programs that start at once end with one secret, and a full disk with none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        os.link(part, path)
    except FileExistsError:
        pass
    finally:
        part.unlink(missing_ok=True)
