"""What typed texts mean, and how half-typed ones go on."""

from datetime import UTC, datetime

import pytest

from coterie.platforms.terminal.commands import (
    COMMANDS,
    AskWhy,
    Edit,
    GoTo,
    Help,
    NewRoom,
    Quit,
    ReplyTo,
    Say,
    ShowCast,
    ShowRooms,
    SpeakAs,
    Stop,
    Unclear,
    read_typed,
)
from coterie.platforms.terminal.completion import complete
from coterie.platforms.terminal.shapes import Line, Room

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ROOMS = [
    Room("chat-1", "Night kitchen", "", "auto", "auto", "", is_working=False, is_default=True),
    Room("chat-2", "Moth club", "moths", "auto", "auto", "", is_working=False, is_default=False),
]
LINES = [
    Line("m1", "Ann", "hello bram", NOON, author="owner"),
    Line("m2", "Bram", "Good evening.", NOON, "bram"),
    Line("m3", "Ann", "bye", NOON),
]


@pytest.mark.parametrize(
    ("typed", "meaning"),
    [
        ("hello", Say("hello")),
        ("  indented\ntext\n\n", Say("  indented\ntext")),
        ("//help is a command", Say("/help is a command")),
        ("/help", Help()),
        (" /HELP ", Help()),
        ("/session", ShowRooms()),
        ("/session new", NewRoom("")),
        ("/session new The night kitchen", NewRoom("The night kitchen")),
        ("/session switch moths", GoTo("moths")),
        ("/session name Moth club", Edit("name", "Moth club")),
        ("/session name", Edit("name", None)),
        ("/session id moths", Edit("self_id", "moths")),
        ('/session id ""', Edit("self_id", "")),
        ("/session role You bake.\n\nAt night.", Edit("role", "You bake.\n\nAt night.")),
        ("/session role\nYou bake.", Edit("role", "You bake.")),
        ("/cast", ShowCast()),
        ("/why", AskWhy("")),
        ("/why m1", AskWhy("m1")),
        ("/as", SpeakAs("")),
        ("/as Ann of the North", SpeakAs("Ann of the North")),
        ("/reply", ReplyTo("")),
        ("/reply bram", ReplyTo("bram")),
        ("/stop", Stop()),
        ("/quit", Quit()),
    ],
)
def test_what_a_text_means(typed, meaning):
    assert read_typed(typed) == meaning


@pytest.mark.parametrize(
    ("typed", "holds"),
    [
        ("/shrug", "no command /shrug"),
        ("/", "no command /;"),
        ("/stop now", "/stop takes nothing"),
        ("/session dance", "not dance"),
        ("/session switch", "takes a name"),
        ("  \n ", "nothing to say"),
    ],
)
def test_what_is_neither_text_nor_command_says_so_in_one_sentence(typed, holds):
    meaning = read_typed(typed)
    assert isinstance(meaning, Unclear)
    assert holds in meaning.sentence
    assert meaning.sentence.endswith(".")


def test_every_listed_command_is_understood():
    examples = {"NAME|ID": "x", "TEXT": "x", "SELF_ID": "x", "[NAME]": "", "[MESSAGE]": "", "": ""}
    assert not [row.word for row in COMMANDS if isinstance(read_typed(f"/{row.word} {examples[row.takes]}"), Unclear)]


@pytest.mark.parametrize(
    ("text", "texts", "has_first"),
    [
        ("hello", [], False),
        ("//", [], False),
        ("/st\nx", [], False),
        ("/nothing", [], False),
        ("/st", ["/stop"], True),
        ("/stop", [], False),
        ("/wh", ["/why "], True),
        ("/session s", ["/session switch "], True),
        ("/session switch ", ["/session switch chat-1", "/session switch moths"], False),
        ("/session switch mo", ["/session switch moths"], True),
        ("/session switch moths", [], False),
        ("/why ", ["/why m3", "/why m2", "/why m1"], False),
        ("/why m2", [], False),
        ("/reply ", ["/reply m2"], False),
        ("/reply good eve", ["/reply m2"], True),
        ("/session name Mo", [], False),
    ],
)
def test_how_a_half_typed_command_goes_on(text, texts, has_first):
    offer = complete(text, ROOMS, LINES)
    assert [choice.text for choice in offer.choices] == texts
    assert offer.has_first == has_first


def test_a_slash_offers_every_command_and_takes_none_by_itself():
    offer = complete("/", ROOMS, LINES)
    assert [choice.text.strip() for choice in offer.choices] == [f"/{command.word}" for command in COMMANDS]
    assert not offer.has_first
