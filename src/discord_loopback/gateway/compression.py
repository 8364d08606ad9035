"""The gateway's transport compression: one stream per connection, one flushed block per message (Discord docs, Gateway)."""

import zlib
from collections.abc import Callable

import zstandard

Squeeze = Callable[[bytes], bytes]
LEVEL = 1
"""Speed before size: it never leaves the machine."""


def zlib_stream() -> Squeeze:
    """Each message ends with 00 00 ff ff."""
    stream = zlib.compressobj(LEVEL)
    return lambda data: stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)


def zstd_stream() -> Squeeze:
    """Each message is a flushed block of one frame that never ends."""
    stream = zstandard.ZstdCompressor(level=LEVEL).compressobj()
    return lambda data: stream.compress(data) + stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)


STREAMS: dict[str, Callable[[], Squeeze]] = {"zlib-stream": zlib_stream, "zstd-stream": zstd_stream}
