"""Pictures from addresses that people gave: the one way in which we ask a stranger's server for anything."""

from typing import Protocol


class FetchRefused(Exception):
    """Nothing came of it: the address is none we ask, the server did not give a picture, or it took too long. One sentence for a person."""


class PictureFetch(Protocol):
    """Asks for a picture and for nothing else."""

    async def fetch(self, url: str) -> bytes:
        """The bytes of a PNG, JPEG, WEBP or GIF, not yet decoded. Raises `FetchRefused`."""
        ...
