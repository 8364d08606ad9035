"""The page's modules that know no server: markup from text, the event stream, the transcript."""

import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from acceptance.browser.seeing import serve_pieces, watch

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

_RENDER = """async (text) => {
  const { render } = await import("/static/markdown.js");
  const place = document.createElement("div");
  place.append(...render(text));
  return place.innerHTML.replaceAll(' dir="auto"', "").replaceAll(' dir="ltr"', "").replaceAll(' tabindex="0"', "");
}"""
_ANCHOR = ' target="_blank" rel="noopener noreferrer nofollow"'

MARKUP = [
    ("plain", "<p>plain</p>"),
    ("two\nlines", "<p>two<br>lines</p>"),
    ("two\n\nparagraphs", "<p>two</p><p>paragraphs</p>"),
    ("**bold** and *slanted* and `code`", "<p><strong>bold</strong> and <em>slanted</em> and <code>code</code></p>"),
    ("__bold__ _slanted_ **both *of* them**", "<p><strong>bold</strong> <em>slanted</em> <strong>both <em>of</em> them</strong></p>"),
    ("snake_case_name and 2 * 3 * 4", "<p>snake_case_name and 2 * 3 * 4</p>"),
    ("**never closed", "<p>**never closed</p>"),
    (r"\*not slanted\*", "<p>*not slanted*</p>"),
    ("`` a ` b ``", "<p><code>a ` b</code></p>"),
    ("```py\nx = 1\n  y\n```\nafter", '<pre data-language="py"><code>x = 1\n  y</code></pre><p>after</p>'),
    ("```\nnever closed\n**x**", "<pre><code>never closed\n**x**</code></pre>"),
    ("> quoted\n> *more*\nnot", "<blockquote><p>quoted<br><em>more</em></p></blockquote><p>not</p>"),
    ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
    ("3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'),
    ("# Title\ntext", "<p><strong>Title</strong></p><p>text</p>"),
    ("see https://a.test/x?y=1.", f'<p>see <a href="https://a.test/x?y=1"{_ANCHOR}>https://a.test/x?y=1</a>.</p>'),
    ("(https://a.test/x)", f'<p>(<a href="https://a.test/x"{_ANCHOR}>https://a.test/x</a>)</p>'),
    ("[here](https://a.test)", f'<p><a href="https://a.test"{_ANCHOR}>here</a></p>'),
    ("[here](javascript:alert(1))", "<p>[here](javascript:alert(1))</p>"),
    ("<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"),
    ("&lt;b&gt;", "<p>&amp;lt;b&amp;gt;</p>"),
    ("~~gone~~ ***both*** ~ 5 ~~", "<p><del>gone</del> <em><strong>both</strong></em> ~ 5 ~~</p>"),
    ("above\n---\nbelow", "<p>above</p><hr><p>below</p>"),
    (
        "- a\n  - b\n    1. c\n- [x] d",
        '<ul><li>a<ul><li>b<ol start="1"><li>c</li></ol></li></ul></li><li>☑ d</li></ul>',
    ),
    ("1. a\n\n   more\n2. b", '<ol start="1"><li><p>a</p><p>more</p></li><li><p>b</p></li></ol>'),
    (
        "| a | b |\n|---|:-:|\n| 1 | *2* <i> |",
        '<div class="table"><table><thead><tr><th>a</th><th data-align="center">b</th></tr></thead>'
        '<tbody><tr><td>1</td><td data-align="center"><em>2</em> &lt;i&gt;</td></tr></tbody></table></div>',
    ),
    ("| a | b |", "<p>| a | b |</p>"),
    ("![a picture](https://a.test/x.png)", f'<p><a href="https://a.test/x.png"{_ANCHOR}>a picture</a></p>'),
    ("<https://a.test/x>", f'<p><a href="https://a.test/x"{_ANCHOR}>https://a.test/x</a></p>'),
    ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
    ("a <b onclick=x>bold</b> <!-- hm -->", "<p>a &lt;b onclick=x&gt;bold&lt;/b&gt; &lt;!-- hm --&gt;</p>"),
    ("<div>\n**x**", "<p>&lt;div&gt;<br><strong>x</strong></p>"),
    ('[a](https://a.test/"onmouseover="x)', f'<p><a href="https://a.test/&quot;onmouseover=&quot;x"{_ANCHOR}>a</a></p>'),
    ("[a](data:text/html,x) [b](JAVASCRIPT:x) <javascript:x>", "<p>[a](data:text/html,x) [b](JAVASCRIPT:x) &lt;javascript:x&gt;</p>"),
    ("[a]: https://a.test\n\n[a]", f'<p>[a]: <a href="https://a.test"{_ANCHOR}>https://a.test</a></p><p>[a]</p>'),
    ("    not code", "<p>    not code</p>"),
    ("mail ann@a.test", "<p>mail ann@a.test</p>"),
    ("", ""),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pieces(browser: Browser) -> AsyncIterator[Page]:
    """One page for all of them: the modules keep nothing between two calls."""
    watched = watch(await browser.new_page())
    await serve_pieces(watched.page)
    yield watched.page
    assert watched.troubles == []


@pytest.mark.parametrize(("text", "html"), MARKUP)
async def test_markdown_and_never_markup_of_others(pieces: Page, text: str, html: str):
    assert await pieces.evaluate(_RENDER, text) == html


OPENINGS = ("*a ", "[", "`", "> ", "- x\n", "h", "_", "![a](", "[a](", "<a ", "*_", "~~a ", "|a|b|\n|-|-|\n", "a@", "- ", "[[a]")


async def test_a_huge_text_of_openings_is_drawn_before_anyone_loses_patience(pieces: Page):
    for opening in OPENINGS:
        for size in (9_990, 150_000):
            assert (await pieces.evaluate(_RENDER, opening * (size // len(opening)))).startswith("<")


_READ = """async (parts) => {
  const { EventReader } = await import("/static/events.js");
  const reader = new EventReader();
  return parts.flatMap((part) => reader.feed(part)).map(({ event, data, id }) => [event, data, id ?? null]);
}"""

STREAMS = [
    (["event: line\ndata: {}\nid: 7\n\n"], [["line", "{}", "7"]]),
    (["ev", "ent: line\nda", "ta: {}\n", "\n"], [["line", "{}", None]]),
    ([": a comment\n\ndata: a\ndata: b\n\n"], [["message", "a\nb", None]]),
    (["event: x\r\ndata: 1\r", "\n\r\nevent: y\rdata: 2\r\r", "data: 3\n\n"], [["x", "1", None], ["y", "2", None], ["message", "3", None]]),
    (["id: 1\ndata: a\n\ndata: b\n\n"], [["message", "a", "1"], ["message", "b", "1"]]),
    (["data: never ended\n"], []),
]


@pytest.mark.parametrize(("parts", "events"), STREAMS)
async def test_the_event_stream_is_read_however_it_is_cut(pieces: Page, parts: list[str], events: list[list[str]]):
    assert await pieces.evaluate(_READ, parts) == events


_TAKE = """async (events) => {
  const { Transcript } = await import("/static/transcript.js");
  const transcript = new Transcript();
  for (const [name, data] of events) transcript.take(name, data);
  return JSON.stringify({
    said: transcript.messages.map(({ author, text }) => `${author.name}: ${text}`),
    turns: [...transcript.turns.values()].map(({ persona, text }) => [persona, text]),
    notes: transcript.notes.map(({ kind, persona, text }) => [kind, persona, text]),
    isBusy: transcript.isBusy,
  });
}"""


def _message(message: str, text: str) -> tuple[str, dict]:
    author = {"id": "ann", "name": "Ann", "persona": None}
    return "message", {"message_id": message, "author": author, "text": text, "created_at": "2026-03-01T20:15:00.000Z", "reply_to": None}


def _plan(message: str, *turns: tuple[str, str]) -> tuple[str, dict]:
    return "plan", {
        "message_id": message,
        "turns": [{"persona": who, "reason": "trigger-word", "turn_id": id} for id, who in turns],
        "skipped": [],
    }


def _delta(turn: str, text: str) -> tuple[str, dict]:
    return "delta", {"turn_id": turn, "text": text}


def _line(turn: str, who: str, message: str, text: str) -> tuple[str, dict]:
    return "line", {"turn_id": turn, "persona": who.lower(), "name": who, "avatar": None, "text": text, "message_id": message}


def _end(message: str, status: str) -> tuple[str, dict]:
    return "end", {"status": status, "message_id": message}


ASKED = [_message("m1", "bram and wren?"), _plan("m1", ("t1", "bram"), ("t2", "wren"))]

SCENES = [
    ("both wait", ASKED, {"turns": [["bram", ""], ["wren", ""]], "isBusy": True}),
    ("one writes", [*ASKED, _delta("t1", "So"), _delta("t1", "il")], {"turns": [["bram", "Soil"], ["wren", ""]]}),
    ("a line takes the place of its turn", [*ASKED, _delta("t1", "Soil"), _line("t1", "Bram", "m2", "Soil")], {"turns": [["wren", ""]]}),
    (
        "taken back",
        [*ASKED, _delta("t1", "Wren: no"), ("discard", {"turn_id": "t1"}), _delta("t1", "Yes")],
        {"turns": [["bram", "Yes"], ["wren", ""]]},
    ),
    (
        "said once",
        [*ASKED, _line("t1", "Bram", "m2", "Soil"), _line("t1", "Bram", "m2", "Soil")],
        {"said": ["Ann: bram and wren?", "Bram: Soil"]},
    ),
    (
        "a long reply in two lines",
        [*ASKED, _delta("t1", "One.\n\nTwo."), _line("t1", "Bram", "m2", "One.")],
        {"turns": [["bram", "Two."], ["wren", ""]], "said": ["Ann: bram and wren?", "Bram: One."]},
    ),
    (
        "one fails, the other speaks",
        [*ASKED, ("error", {"error": "It broke.", "turn_id": "t1"}), _line("t2", "Wren", "m2", "Maps!"), _end("m1", "answered")],
        {"said": ["Ann: bram and wren?", "Wren: Maps!"], "notes": [["failed", "bram", "It broke."]], "turns": [], "isBusy": False},
    ),
    (
        "nobody",
        [_message("m1", "hm"), _plan("m1"), _end("m1", "silent")],
        {"notes": [["silent", None, "Nobody answered."]], "isBusy": False},
    ),
    (
        "stopped",
        [*ASKED, _delta("t1", "So"), _end("m1", "stopped")],
        {"turns": [], "notes": [["stopped", None, "Stopped."]], "isBusy": False},
    ),
    (
        "a chain belongs to the message it began with",
        [*ASKED, _line("t1", "Bram", "m2", "Odile?"), _plan("m2", ("t3", "odile")), _end("m1", "answered")],
        {"turns": [], "isBusy": False},
    ),
    (
        "a chain of which only its plan was heard ends with the message it began with",
        [("plan", {**_plan("m2", ("t3", "odile"))[1], "root": "m1"}), _delta("t3", "Yes"), _end("m1", "answered")],
        {"turns": [], "isBusy": False},
    ),
    (
        "a second line begins after the first",
        [*ASKED, _delta("t1", "One."), _line("t1", "Bram", "m2", "One."), _delta("t1", "Two")],
        {"turns": [["wren", ""], ["bram", "Two"]]},
    ),
    (
        "whose words were missed has spoken, and who wrote before is done",
        [*ASKED, _delta("t1", "So"), _line("t2", "Wren", "m2", "Maps!")],
        {"turns": [], "said": ["Ann: bram and wren?", "Wren: Maps!"]},
    ),
    (
        "what is under way is told again",
        [*ASKED, _delta("t1", "So"), *ASKED[1:], _delta("t1", "Soil")],
        {"turns": [["bram", "Soil"], ["wren", ""]]},
    ),
    ("words of a turn that nobody knows", [_delta("t9", "mid-way")], {"turns": [], "said": [], "isBusy": False}),
]


@pytest.mark.parametrize(
    ("events", "expected"), [(events, expected) for _, events, expected in SCENES], ids=[name for name, _, _ in SCENES]
)
async def test_what_a_room_holds_after_its_events(pieces: Page, events: list[tuple[str, dict]], expected: dict):
    found = json.loads(await pieces.evaluate(_TAKE, [list(event) for event in events]))
    assert {key: found[key] for key in expected} == expected


_FIND = """async (events) => {
  const { Transcript } = await import("/static/transcript.js");
  const transcript = new Transcript();
  for (const [name, data] of events) {
    if (name === "found") transcript.takeRunning({ turn_id: "t9", persona: "wren" }, data);
    else transcript.take(name, data);
  }
  return [[...transcript.turns.values()].map(({ persona, text }) => `${persona}: ${text}`), transcript.strangers];
}"""

STRANGERS = [
    ("it is known as a stranger", [_delta("t9", "100 ")], [[], ["t9"]]),
    ("and found with all it has written", [_delta("t9", "100 "), _delta("t9", "101"), ("found", "m1")], [["wren: 100 101"], []]),
    ("taken back", [_delta("t9", "100 "), ("discard", {"turn_id": "t9"}), _delta("t9", "101"), ("found", "m1")], [["wren: 101"], []]),
    ("found before it writes", [("found", "m1"), _delta("t9", "100")], [["wren: 100"], []]),
    ("it has spoken meanwhile", [_delta("t9", "100"), _line("t9", "Wren", "m2", "100"), ("found", "m1")], [[], []]),
    ("it ends with its message", [("found", "m1"), _delta("t9", "100"), _end("m1", "stopped")], [[], []]),
    ("another message ends", [("found", "m1"), _delta("t9", "100"), _end("m2", "stopped")], [["wren: 100"], []]),
]


@pytest.mark.parametrize(("events", "expected"), [row[1:] for row in STRANGERS], ids=[row[0] for row in STRANGERS])
async def test_a_turn_that_a_restart_took_up(pieces: Page, events: list[tuple[str, object]], expected: list):
    assert await pieces.evaluate(_FIND, [list(event) for event in events]) == expected


_REFRESH = """async ([first, later, newest]) => {
  const { Transcript } = await import("/static/transcript.js");
  const kept = (id) => ({ message_id: id, author: { id: "ann", name: "Ann", persona: null }, text: id, created_at: "" });
  const transcript = new Transcript();
  transcript.takeNewest(first.map(kept), 3);
  const asked = transcript.last;
  for (const id of later) transcript.take("message", kept(id));
  transcript.takeNewest(newest.map(kept), 3, asked);
  return [transcript.messages.map(({ id }) => id).join(" "), transcript.hasOlder];
}"""

REFRESHES = [
    ("what was heard while asking stays behind", ["a", "b", "c"], ["e"], ["b", "c", "d"], ["a b c d e", True]),
    ("and is there once", ["a", "b", "c"], ["d"], ["b", "c", "d"], ["a b c d", True]),
    ("too much was missed: the old goes", ["a", "b", "c"], [], ["x", "y", "z"], ["x y z", True]),
    ("a short room has nothing older", ["a"], [], ["a", "b"], ["a b", False]),
    ("an empty one too", [], [], [], ["", False]),
]


@pytest.mark.parametrize(("first", "later", "newest", "expected"), [row[1:] for row in REFRESHES], ids=[row[0] for row in REFRESHES])
async def test_reading_anew_after_a_broken_line(pieces: Page, first: list[str], later: list[str], newest: list[str], expected: list):
    assert await pieces.evaluate(_REFRESH, [first, later, newest]) == expected
