"""Pictures from strangers' addresses: what is asked, never reached, taken. Reserved addresses are judged, never dialled."""

import asyncio
import gzip
import ipaddress
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from yarl import URL

from coterie.media.outbound import GuardedFetch, is_picture, is_public, may_ask
from coterie.ports.outbound import FetchRefused
from fakes.card_files import png


@asynccontextmanager
async def serving(answer):
    """A server on loopback; gives its address."""
    application = web.Application()
    application.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def on_loopback(**more):
    return GuardedFetch(**({"connects": lambda address: address == "127.0.0.1", "asks": lambda url: url.scheme == "http"} | more))


async def refusal(url, fetch=None):
    with pytest.raises(FetchRefused) as refused:
        await (fetch or GuardedFetch()).fetch(url)
    return str(refused.value)


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8"])
def test_addresses_of_the_open_internet(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.9.1",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "192.0.0.1",
        "192.88.99.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001::1",
        "2001:db8::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
    ],
)
def test_addresses_that_are_never_reached(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("https://cdn.example/a.png", True),
        ("http://cdn.example/a.png", True),
        ("https://cdn.example:443/a.png", True),
        ("https://cdn.example:80/a.png", False),
        ("http://cdn.example:8080/a.png", False),
        ("http://cdn.example:22/", False),
        ("https://user:word@cdn.example/a.png", False),
        ("https://user@cdn.example/a.png", False),
        ("ftp://cdn.example/a.png", False),
        ("file:///etc/passwd", False),
        ("data:image/png;base64,AAAA", False),
        ("//cdn.example/a.png", False),
        ("a.png", False),
        ("", False),
    ],
)
def test_what_is_asked_at_all(url, asked):
    assert may_ask(URL(url)) is asked


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0"]
)
async def test_no_spelling_of_this_machine_is_reached(host):
    async def answer(request):
        asked.append(request.path)
        return web.Response(body=png())

    asked = []
    async with serving(answer) as base:
        port = URL(base).port
        sentence = await refusal(f"http://{host}:{port}/a.png", GuardedFetch(asks=lambda url: True))
    assert sentence in ("This address is not on the open internet, so it is not asked.", "This is no address of a picture.")
    assert asked == []


async def test_a_picture_is_fetched():
    async def answer(request):
        assert "Cookie" not in request.headers
        return web.Response(body=png(), headers={"Set-Cookie": "a=b"})

    async with serving(answer) as base:
        fetch = on_loopback()
        assert [await fetch.fetch(f"{base}/a.png") for _ in range(2)] == [png(), png()]


async def test_a_redirect_is_followed_and_judged_like_the_first_address():
    async def answer(request):
        target = {"/near": "/there", "/metadata": "http://169.254.169.254/latest", "/file": "file:///etc/passwd", "/round": "/round"}
        if request.path in target:
            raise web.HTTPFound(target[request.path])
        return web.Response(body=png())

    async with serving(answer) as base:
        assert await on_loopback().fetch(f"{base}/near") == png()
        assert "not on the open internet" in await refusal(f"{base}/metadata", on_loopback())
        assert "Only http and https" in await refusal(f"{base}/file", on_loopback())
        assert "without an end" in await refusal(f"{base}/round", on_loopback())


async def test_a_redirect_back_to_this_machine_is_not_followed_by_the_guard_as_it_is():
    async def answer(request):
        raise web.HTTPFound("http://127.0.0.1:1/a.png")

    async with serving(answer) as base:
        port = URL(base).port
        first_only = GuardedFetch(connects=lambda address: address == "127.0.0.1", asks=lambda url: url.port == port)
        assert "Only http and https" in await refusal(f"{base}/a.png", first_only)


async def test_more_bytes_than_a_picture_has_are_not_read():
    sent = 0

    async def answer(request):
        nonlocal sent
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(png())
        while sent < 10_000_000_000:
            await response.write(b"x" * 65536)
            sent += 65536
        return response

    async with serving(answer) as base:
        assert "larger than 1 MB" in await refusal(f"{base}/a.png", on_loopback(most=1024 * 1024))
    assert sent < 64 * 1024 * 1024


async def test_a_compressed_answer_is_not_unpacked():
    async def answer(request):
        return web.Response(body=gzip.compress(png() + bytes(1_000_000)), headers={"Content-Encoding": "gzip"})

    async with serving(answer) as base:
        assert "is no PNG" in await refusal(f"{base}/a.png", on_loopback())


@pytest.mark.parametrize(("body", "status", "says"), [(b"<svg/>", 200, "is no PNG"), (b"", 200, "is no PNG"), (png(), 404, "answered 404")])
async def test_what_is_no_picture_is_refused(body, status, says):
    async def answer(request):
        return web.Response(body=body, status=status)

    async with serving(answer) as base:
        assert says in await refusal(f"{base}/a.png", on_loopback())


async def test_a_server_that_takes_its_time_is_given_up():
    async def answer(request):
        await asyncio.sleep(600)

    async with serving(answer) as base:
        assert "took too long" in await refusal(f"{base}/a.png", on_loopback(seconds=0.1))


@pytest.mark.parametrize("url", ["http://", "http://[", "http://exa mple/", "", "http://x:99999/", "http:///a"])
async def test_broken_addresses_are_refused_with_a_sentence(url):
    assert (await refusal(url)).endswith(".")


@pytest.mark.parametrize(
    ("data", "is_one"),
    [
        (b"\x89PNG\r\n\x1a\nx", True),
        (b"\xff\xd8\xff\xe0", True),
        (b"GIF89a", True),
        (b"RIFF0000WEBP", True),
        (b"RIFF0000WAVE", False),
        (b"", False),
    ],
)
def test_how_pictures_begin(data, is_one):
    assert is_picture(data) is is_one


def test_every_private_address_of_ipv4_is_judged_so():
    for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8", "100.64.0.0/10"):
        whole = ipaddress.ip_network(network)
        assert not any(is_public(str(address)) for address in (whole[0], whole[1], whole[-1]))
