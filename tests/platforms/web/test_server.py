import asyncio
import socket

import httpx2
import pytest
from fastapi import FastAPI

from coterie.platforms.web.server import AddressRefused, PortTaken, serve


def _app() -> FastAPI:
    app = FastAPI()

    @app.get("/hello")
    async def hello() -> str:
        return "hello"

    return app


async def test_port_zero_takes_a_free_port_and_says_which():
    serving = await serve(_app(), "127.0.0.1", 0)
    assert serving.port > 0
    assert serving.address == f"http://127.0.0.1:{serving.port}"
    async with httpx2.AsyncClient(base_url=serving.address, trust_env=False, timeout=60) as client:
        response = await client.get("/hello")
    assert response.json() == "hello"
    assert "server" not in response.headers
    await serving.close()
    with pytest.raises(httpx2.ConnectError):
        async with httpx2.AsyncClient(base_url=serving.address, trust_env=False, timeout=60) as client:
            await client.get("/hello")


async def test_a_taken_port_is_one_sentence():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortTaken, match=rf"^Port {port} on 127\.0\.0\.1 is taken by another program; .*\.$"):
            await serve(_app(), "127.0.0.1", port)


async def test_two_servers_do_not_share_a_port():
    first = await serve(_app(), "127.0.0.1", 0)
    with pytest.raises(PortTaken):
        await serve(_app(), "127.0.0.1", first.port)
    await first.close()


@pytest.mark.parametrize("host", ["a" * 70, "192.0.2.1"])
async def test_an_address_that_is_not_ours_is_one_sentence(host):
    with pytest.raises(AddressRefused, match=host) as refused:
        await serve(_app(), host, 0)
    assert not isinstance(refused.value, PortTaken)
    assert "\n" not in str(refused.value)


async def test_the_port_is_free_again_after_closing():
    first = await serve(_app(), "127.0.0.1", 0)
    async with httpx2.AsyncClient(base_url=first.address, trust_env=False, timeout=60) as client:
        await client.get("/hello")
    await first.close()
    second = await serve(_app(), "127.0.0.1", first.port)
    assert second.port == first.port
    await second.close()


async def test_a_running_request_is_answered_before_the_server_ends():
    app, begun, may_end = FastAPI(), asyncio.Event(), asyncio.Event()

    @app.get("/slow")
    async def slow() -> str:
        begun.set()
        await may_end.wait()
        return "done"

    serving = await serve(app, "127.0.0.1", 0)
    async with httpx2.AsyncClient(base_url=serving.address, trust_env=False, timeout=60) as client:
        answer = asyncio.create_task(client.get("/slow"))
        await begun.wait()
        closing = asyncio.create_task(serving.close())
        may_end.set()
        assert (await answer).json() == "done"
    await closing
    await serving.closed()


async def test_answers_are_not_held_back_by_nagle():
    serving = await serve(_app(), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", serving.port)
    writer.write(b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    await reader.readuntil(b"\r\n\r\n")
    connection = next(iter(serving._server.server_state.connections))
    accepted = connection.transport.get_extra_info("socket")
    assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
    writer.close()
    await serving.close()
