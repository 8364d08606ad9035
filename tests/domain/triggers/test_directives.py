"""What counts as a directive of the scripted model, and what is ordinary text."""

import pytest

from coterie.domain.triggers.directives import chosen, directive_spans, read_directives


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{say: Hello}}", ["Hello"]),
        ("bob, {{say:Hello}} please", ["Hello"]),
        ("```\n{{say: in a code block}}\n```", ["in a code block"]),
        (r"{{say: one\ntwo}}", ["one\ntwo"]),
        ("{{say: one\ntwo}}", ["one\ntwo"]),
        ("{{say: {a}}}", ["{a"]),
        ("{{say: hi {{empty}} }}", ["hi {{empty"]),
        ("{{say: a}}{{say: b}}", ["a", "b"]),
        ("{{say:}}", [""]),
        ("{{say}}", []),
        ("{{say: never closed", []),
        ("{{ say : spaced }}", ["spaced"]),
        ("{{Say: no}} {{says: no}}", []),
    ],
)
def test_say(text: str, said: list[str]) -> None:
    assert [directive.text for directive in read_directives(text) if directive.name == "say"] == said


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("{{sleep: 0.5}}", 0.5),
        ("{{sleep: 0}}", 0),
        ("{{slow: 20}}", 20),
        ("{{slow: 0}}", None),
        ("{{sleep: -1}}", None),
        ("{{sleep: inf}}", None),
        ("{{sleep: nan}}", None),
        ("{{sleep: soon}}", None),
        ("{{sleep}}", None),
    ],
)
def test_numbers(text: str, number: float | None) -> None:
    assert [directive.number for directive in read_directives(text)] == ([] if number is None else [number])


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ('{{tool: clock {"zone": "Asia/Tokyo"}}}', ("clock", {"zone": "Asia/Tokyo"})),
        ('{{tool: clock {"a": {"b": {}}} }}', ("clock", {"a": {"b": {}}})),
        ('{{tool: clock {"a": "}}"}}}', ("clock", {"a": "}}"})),
        ("{{tool: clock {}}}", ("clock", {})),
        ("{{tool:clock{}}}", ("clock", {})),
        ("{{tool: nope}}", ("nope", {})),
        ("{{tool: clock [1]}}", None),
        ("{{tool: clock {zone}}}", None),
        ("{{tool: clock {} trailing}}", None),
        ("{{tool:}}", None),
        ("{{tool}}", None),
        ("{{tool: deep " + "[" * 100_000 + "}}", None),
    ],
)
def test_tool(text: str, tool: tuple[str, dict[str, object]] | None) -> None:
    assert [(directive.text, directive.arguments) for directive in read_directives(text)] == ([] if tool is None else [tool])


@pytest.mark.parametrize(
    ("text", "failures"),
    [
        ("{{fail: busy}}", ["busy"]),
        ("{{fail: refused}}", ["refused"]),
        ("{{fail:broken}}", ["broken"]),
        ("{{fail: sad}}", [None]),
        ("{{fail}}", [None]),
    ],
)
def test_fail(text: str, failures: list[str | None]) -> None:
    assert [directive.failure for directive in read_directives(text)] == failures


@pytest.mark.parametrize(
    ("text", "count"), [("{{empty}}", 1), ("{{empty:}}", 1), ("{{ empty }}", 1), ("{{empty: x}}", 0), ("{{empty@bob}}", 1)]
)
def test_empty(text: str, count: int) -> None:
    assert len(read_directives(text)) == count


def test_a_turn_reads_what_is_addressed_to_it_else_what_is_addressed_to_nobody() -> None:
    directives = read_directives("{{say: all}} {{say@Bob: for bob}} {{say@alice-2: for alice}} {{sleep@bob: 1}}")
    assert [d.text for d in chosen(directives, "say", "bob")] == ["for bob"]
    assert [d.text for d in chosen(directives, "say", "alice-2")] == ["for alice"]
    assert [d.text for d in chosen(directives, "say", "carol")] == ["all"]
    assert [d.number for d in chosen(directives, "sleep", "bob")] == [1]
    assert chosen(directives, "sleep", "carol") == ()
    assert chosen(directives, "say", "") == (directives[0],)


def test_spans_cover_directives_with_their_braces() -> None:
    text = 'é{{say: bob}} bob {{tool: clock {"a": "}}"}}} {{nonsense}} {{say: open'
    spans = directive_spans(text)
    assert [text[start:end] for start, end in spans] == ["{{say: bob}}", '{{tool: clock {"a": "}}"}}}']
