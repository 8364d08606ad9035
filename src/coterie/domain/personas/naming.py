"""What makes two names the same name, and the handle by which programs call a persona."""

import re
import unicodedata
from collections.abc import Container
from functools import lru_cache

from coterie.domain.ids import Handle, PersonaId
from coterie.kit.folding import compose, simple_fold, width_fold

HANDLE_LENGTH = 32
"""The longest handle, as for a session's `self_id` (specification 004)."""

_NO_SLUG = re.compile(r"[^a-z0-9_-]+")
# Latin letters that Unicode does not take apart into an ASCII letter and a mark.
_LATIN = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ŋ": "n"})


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """The key under which a name is unique in its workspace: composed, ordinary width, simple case, no blanks around it."""
    # Folding can leave a letter and a mark that compose, so composition comes again at the end.
    return compose(simple_fold(compose(width_fold(name)).text)).text.strip()


def handle_for(name: str, taken: Container[str], persona: PersonaId) -> Handle:
    """The name as an ASCII slug under the rules of `self_id`; `-2`, `-3` on collision, `persona-ID` where nothing is left."""
    slug = _slug(name) or f"persona-{persona}"
    handle, number = slug, 1
    while handle in taken:
        number += 1
        end = f"-{number}"
        handle = slug[: HANDLE_LENGTH - len(end)] + end
    return Handle(handle)


def _slug(name: str) -> str:
    folded = unicodedata.normalize("NFKD", name).casefold().translate(_LATIN)
    plain = "".join(char for char in folded if not unicodedata.combining(char))
    return _NO_SLUG.sub("-", plain).strip("-_")[:HANDLE_LENGTH].rstrip("-_")
