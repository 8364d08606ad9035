"""An estimate of tokens for models whose vocabulary is not at hand; leans to the high side. Exact counts are not here."""

import re
from functools import lru_cache

_CHEAP = re.compile(r"[A-Za-z \n]+")


# The same history is counted again for every turn.
@lru_cache(maxsize=4096)
def estimate_tokens(text: str) -> int:
    """Tokens of `text`, rather too many than too few, for the byte-pair vocabularies of today's models.

    Latin letters and blanks count three to a token (English has four to five), every other ASCII character one,
    everything else one for two bytes of its UTF-8 form (a kana or a Han character: one and a half, an emoji: two).
    """
    cheap = sum(len(run) for run in _CHEAP.findall(text))
    ascii_count = len(text.encode("ascii", "ignore"))
    wide_octets = len(text.encode("utf-8", "surrogatepass")) - ascii_count
    return -(-cheap // 3) + (ascii_count - cheap) + -(-wide_octets // 2)
