"""Which parts of a message are not speech: code, addresses, Discord's markup, quoted lines. Nothing in them calls anybody.

Read from left to right; what opens first wins, so a quotation sign inside code is code, and a fence inside a quoted line is quoted.
`www.…`, e-mail addresses and `:x:` are speech. The scripted model's directives are read in `directives`.
"""

import re

from coterie.domain.triggers.directives import directive_spans

Span = tuple[int, int]
"""Start and end, in code points."""

# Every branch begins with a plain character: so the search runs through ordinary text at full speed.
_NOT_TEXT = re.compile(
    r"""
      ```(`*)(?:.*?```\1`*|.*)                      # a fence of three or more backticks, closed by as many at least, or open to the end
    | `(?<!``)(?!`)(?:[^`]++|``++)+?`(?!`)          # inline code between single backticks,
    | ``(?<!```)(?!`)(?:[^`]++|`(?!`)|```++)+?``(?!`)      # and between double ones
    | h[tT][tT][pP][sS]?://[^\s<>]*
    | H[tT][tT][pP][sS]?://[^\s<>]*
    | <(?: a?:[A-Za-z0-9_~]{1,64}:[0-9]{1,20}       # custom emoji
        | @[!&]?[0-9]{1,20}                         # users and roles
        | \#[0-9]{1,20}                             # channels
        | /[^<>:\n]{1,110}:[0-9]{1,20}              # commands
        | t:-?[0-9]{1,20}(?::[A-Za-z])?             # timestamps
        | id:[a-z-]{1,20}(?::[0-9]{1,20})?          # pages of the guild itself
      )>
    | >(?:(?<=\A>)|(?<=\n>))(?:>>[ ].*|[ ][^\n]*)   # everything that follows; the rest of the line
    """,
    re.VERBOSE | re.DOTALL,
)
_MARKS = ("`", "://", "<", ">")


def what_is_not_text(text: str, *, directives: bool = False) -> tuple[Span, ...]:
    """The spans in which nothing calls, in order and apart from each other.

    With `directives` (the scripted model is active) its `{{…}}` are such spans too, and nothing in them opens or closes code or a quote.
    """
    spans = list(directive_spans(text)) if directives and "{{" in text else []
    for start, end in spans:
        text = text[:start] + "\0" * (end - start) + text[end:]
    if any(mark in text for mark in _MARKS):
        spans += (match.span() for match in _NOT_TEXT.finditer(text))
    return _joined(sorted(spans))


def _joined(spans: list[Span]) -> tuple[Span, ...]:
    """One span for those that overlap, since a directive may lie within code."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
