"""How requests of the SDKs travel: through aiohttp, whose parser is compiled, and which hands over all that has arrived at once.

What is said, to whom and with which key is none of its business. Imported with the first request.
"""

import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import aiohttp
import httpx2
import yarl

_MADE_BY_US = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
"""Headers that aiohttp would add; the SDKs say what they want."""


class AiohttpTransport(httpx2.AsyncBaseTransport):
    """One pool of connections. Redirects, decoding and cookies are httpx2's; with `uses_proxy`, the environment's proxy is used."""

    def __init__(self, *, uses_proxy: bool) -> None:
        self._uses_proxy = uses_proxy
        self._session: aiohttp.ClientSession | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; its response may still be coming. Raises httpx2's errors."""
        session = self._session = self._session or self._open()
        limits = request.extensions.get("timeout", {})
        timeout = aiohttp.ClientTimeout(None, sock_connect=limits.get("connect"), sock_read=limits.get("read"))
        with translated(request):
            answer = await session.request(
                request.method,
                yarl.URL(str(request.url), encoded=True),
                headers=[(name.decode("ascii"), value.decode("latin-1")) for name, value in request.headers.raw],
                data=await request.aread(),
                allow_redirects=False,
                skip_auto_headers=_MADE_BY_US,
                timeout=timeout,
            )
        extensions = {"http_version": b"HTTP/1.1"}
        return httpx2.Response(answer.status, headers=answer.raw_headers, stream=_Arriving(request, answer), extensions=extensions)

    async def aclose(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()

    def _open(self) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(limit=0, ssl=ssl.create_default_context(cafile=_authorities()))
        return aiohttp.ClientSession(
            connector=connector, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False, trust_env=self._uses_proxy
        )


class _Arriving(httpx2.AsyncByteStream):
    """The body of a response."""

    def __init__(self, request: httpx2.Request, answer: aiohttp.ClientResponse) -> None:
        self._request = request
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with translated(self._request):
            async for some in self._answer.content.iter_any():
                yield some

    async def aclose(self) -> None:
        """Let the connection go, for the next request where the body was read to its end."""
        self._answer.close()


@contextmanager
def translated(request: httpx2.Request) -> Iterator[None]:
    """Raise aiohttp's errors as httpx2's."""
    try:
        yield
    except aiohttp.ConnectionTimeoutError as error:
        raise httpx2.ConnectTimeout(str(error), request=request) from error
    except (aiohttp.SocketTimeoutError, TimeoutError) as error:
        raise httpx2.ReadTimeout(str(error), request=request) from error
    except aiohttp.ClientConnectorError as error:
        raise httpx2.ConnectError(str(error), request=request) from error
    except (aiohttp.ClientPayloadError, aiohttp.ServerDisconnectedError) as error:
        raise httpx2.RemoteProtocolError(str(error), request=request) from error
    except (aiohttp.ClientError, OSError) as error:
        raise httpx2.ReadError(str(error), request=request) from error


def _authorities() -> str | None:
    """The certificates that httpx2 trusts where the system names none of its own."""
    if ssl.get_default_verify_paths().cafile:
        return None
    import certifi

    return certifi.where()
