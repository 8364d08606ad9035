"""The way to providers as it is outside: TLS, and a proxy of the surroundings."""

import asyncio
import datetime
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from coterie.ports.model import ChatText, ModelBroken, ModelRequest, TextDelta
from coterie.providers.catalogue import ANTHROPIC, GEMINI, OPENAI, Provider, Wire
from coterie.providers.endpoints import Client, Endpoint
from coterie.providers.hosted import HostedModel
from providers.loopback import Loopback, loopback

HOST = "model.test"
REQUEST = ModelRequest("You are Bob.", (ChatText("user", "Ann: Hi"),))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for `HOST` that vouches for itself, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    pem = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    paths[1].write_bytes(key.private_bytes(*pem))
    return paths


@asynccontextmanager
async def proxy(behind: Loopback, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[str]]:
    """A proxy that leads every tunnel to one server, named in the surroundings; what it was asked for."""
    asked: list[str] = []

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while some := await reader.read(65_536):
            writer.write(some)
            await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).decode().splitlines()[0])
        there = await asyncio.open_connection("127.0.0.1", int(behind.address.rpartition(":")[2]))
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(pass_on(reader, there[1]), pass_on(there[0], writer), return_exceptions=True)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    yield asked
    server.close()


async def said(provider: Provider) -> str:
    """What a model at `HOST` answers."""
    client = Client(Endpoint(provider, f"https://{HOST}" + ("/v1" if provider.wire is Wire.OPENAI else ""), "sk-test-0123456789abcdef"))
    try:
        return "".join([event.text async for event in HostedModel(client, "m").stream(REQUEST) if isinstance(event, TextDelta)])
    finally:
        await client.retire()


@pytest.mark.parametrize("provider", [OPENAI, ANTHROPIC, GEMINI], ids=lambda provider: provider.name)
async def test_a_provider_is_reached_over_tls_and_through_a_proxy(provider, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    async with loopback(*certificate) as server, proxy(server, monkeypatch) as asked:
        assert await said(provider) == "Hello there"
        assert asked[0].startswith(f"CONNECT {HOST}:443 ")


async def test_a_server_that_nobody_vouches_for_is_not_told_the_key(certificate, monkeypatch):
    async with loopback(*certificate) as server, proxy(server, monkeypatch):
        with pytest.raises(ModelBroken, match="certificate"):
            await said(OPENAI)
        assert server.asked == []
