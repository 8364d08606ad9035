"""The guarded client for addresses that people gave: it never reaches this machine, its network or a cloud's metadata.

The address is judged when the connection is made, so neither a name nor a redirect nor another spelling of an address leads past it.
Bytes and time are bounded; what comes is looked at before it is taken for a picture.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Callable
from urllib.parse import urljoin

import aiohttp
from yarl import URL

from coterie.media.normalise import MAX_PICTURE_BYTES
from coterie.ports.outbound import FetchRefused

_HOPS = 3
_CHUNK = 64 * 1024
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LEADS_ELSEWHERE = tuple(
    map(
        ipaddress.ip_network,
        # Ways into IPv4 within IPv6, old site-local addresses, anycast relays; Python calls some of them global.
        ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96", "fec0::/10", "192.88.99.0/24"),
    )
)


class _Blocked(OSError):
    """A connection that is not made."""


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the open internet. IPv4 within IPv6 counts as what it is; what leads elsewhere does not count."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    is_unclear = any(ip.version == network.version and ip in network for network in _LEADS_ELSEWHERE)
    return ip.is_global and not ip.is_multicast and not ip.is_reserved and not is_unclear


def may_ask(url: URL) -> bool:
    """Whether an address is of the kind we ask at all: http or https, on their own ports, without a name and password in it."""
    is_usual = (url.scheme, url.port) in (("http", 80), ("https", 443))
    return is_usual and url.host is not None and url.user is None and url.password is None


class GuardedFetch:
    """`PictureFetch` over the network. Holds no connection between two pictures, no cookies and no proxy."""

    def __init__(
        self,
        *,
        connects: Callable[[str], bool] = is_public,
        asks: Callable[[URL], bool] = may_ask,
        seconds: float = 15.0,
        most: int = MAX_PICTURE_BYTES,
    ) -> None:
        """`connects` judges IP addresses, `asks` URLs; only tests, whose servers are on loopback, have other judges."""
        self._connects = connects
        self._asks = asks
        self._timeout = aiohttp.ClientTimeout(total=seconds)
        self._most = most

    async def fetch(self, url: str) -> bytes:
        """See `ports.outbound.PictureFetch`. Follows up to three redirects, each judged like the first address."""
        try:
            async with asyncio.timeout(self._timeout.total), self._session() as session:
                return await self._follow(session, url)
        except (TimeoutError, aiohttp.ClientError, OSError, ValueError) as error:
            raise FetchRefused(_sentence(error)) from error

    def _session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(socket_factory=self._socket, force_close=True, use_dns_cache=False),
            cookie_jar=aiohttp.DummyCookieJar(),
            # A small compressed answer could become gigabytes; pictures are compressed already.
            auto_decompress=False,
            headers={"Accept": "image/*", "Accept-Encoding": "identity", "User-Agent": "Coterie"},
            timeout=self._timeout,
            trust_env=False,
        )

    def _socket(self, info: aiohttp.AddrInfoType) -> socket.socket:
        """A socket for the address that is really connected to, whatever it was called."""
        family, kind, protocol, _, address = info
        if not self._connects(str(address[0])):
            raise _Blocked("This address is not on the open internet.")
        return socket.socket(family, kind, protocol)

    async def _follow(self, session: aiohttp.ClientSession, url: str) -> bytes:
        for _ in range(_HOPS + 1):
            address = URL(url)
            if not self._asks(address):
                raise FetchRefused("Only http and https addresses on their usual ports are asked for pictures.")
            async with session.get(address, allow_redirects=False) as response:
                if response.status not in _REDIRECTS:
                    return await self._read(response)
                url = urljoin(url, response.headers.get("Location", ""))
        raise FetchRefused("The address leads from one to another without an end.")

    async def _read(self, response: aiohttp.ClientResponse) -> bytes:
        if response.status != 200:
            raise FetchRefused(f"The server has no picture at this address (it answered {response.status}).")
        if (response.content_length or 0) > self._most:
            raise self._too_large()
        read = bytearray()
        async for chunk in response.content.iter_chunked(_CHUNK):
            read += chunk
            if len(read) > self._most:
                raise self._too_large()
            if len(read) >= 12 and not is_picture(read):
                break
        if not is_picture(read):
            raise FetchRefused("What the server sent is no PNG, JPEG, WEBP or GIF.")
        return bytes(read)

    def _too_large(self) -> FetchRefused:
        return FetchRefused(f"The picture is larger than {self._most // 1024 // 1024} MB.")


def is_picture(data: bytes | bytearray) -> bool:
    """Whether bytes begin like a PNG, JPEG, WEBP or GIF."""
    return data.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def _sentence(error: Exception) -> str:
    """What went wrong, without what only we should know of our network."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, _Blocked):
            return "This address is not on the open internet, so it is not asked."
        cause = cause.__cause__ or (cause.os_error if isinstance(cause, aiohttp.ClientConnectorError) else None)
    if isinstance(error, TimeoutError):
        return "The server took too long to give the picture."
    if isinstance(error, ValueError):
        return "This is no address of a picture."
    return "The server could not be reached, or broke off."
