"""The words by which an imported persona is called, made from its names; lists that people type are read in `ownership`."""

import re
from collections.abc import Sequence

from coterie.domain.personas.limits import TRIGGER_WORDS, tidy_words
from coterie.domain.personas.ownership import word_key

_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）|【[^【】]*】")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
# Words of names that everybody uses all the time; a persona called by them would answer everything.
_TOO_COMMON_LIST = (
    "a an the of and or in on at to for from by with as is it my your his her its our their me you he she we they i ii iii iv no not "
    "new old one two who little big mr mrs ms miss dr sir madam lord lady prof professor doctor captain king queen prince princess "
    "master mistress saint st jr sr uncle aunt brother sister mother father mom dad ai bot assistant user char character persona card "
    "von van zu der die das den dem des und ein eine le la les du de et un une el los las del al y il lo gli di da della e o os do dos "
    "ter ten het bin ibn everyone here"
)
_TOO_COMMON = frozenset(_TOO_COMMON_LIST.split())


def words_from(names: Sequence[str], base_words: Sequence[str]) -> tuple[str, ...]:
    """Trigger words for a persona of these names: each name whole and its parts, in lower case.

    Left out are parts of fewer than two letters, titles and little words, bracketed remarks, what is too long, and base words, which
    belong to the main persona.
    """
    whole = [word for name in names for word in (name, _bare(name))]
    parts = [part for name in names for part in map(_bare, _BRACKETED.sub(" ", name).split()) if sum(map(str.isalpha, part)) >= 2]
    taken = {word_key(word) for word in base_words} | _TOO_COMMON
    free = (word for word in tidy_words([*whole, *parts]) if not {word_key(word), word_key(_bare(word))} & taken)
    return tuple(word for word in free if len(word) <= TRIGGER_WORDS.length)


def _bare(name: str) -> str:
    """A name without bracketed remarks and without punctuation around it."""
    return _EDGES.sub("", _BRACKETED.sub(" ", name))
