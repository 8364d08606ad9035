"""The commands beside `say`, as a person types them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from acceptance.running import coterie, environment, events_of, serving
from coterie import __version__

CARDS = Path(__file__).parent.parent / "fixtures" / "cards"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home that somebody serves, so that each command is quick."""
    folder = tmp_path_factory.mktemp("commands")
    with serving(folder):
        yield folder


def test_a_card_of_another_program_is_imported_talked_to_exported_and_removed(home, tmp_path):
    imported = coterie(home, "persona", "import", str(CARDS / "tavern_card.png"), "--triggers", "stranger", "--json")
    assert imported.returncode == 0, imported
    answer = json.loads(imported.stdout)
    persona = answer["persona"]
    assert "stranger" in persona["effective_trigger_words"]
    assert {line["fate"] for line in answer["report"]} <= {"used", "repaired", "kept", "dropped"}
    said = events_of(coterie(home, "say", "stranger, hello", "--json"))
    assert [event["persona"] for event in said if event["event"] == "line"] == [persona["handle"]]
    for ending in ("png", "charx"):
        assert coterie(home, "persona", "export", persona["handle"], str(tmp_path / f"out.{ending}")).returncode == 0
    assert coterie(home, "persona", "remove", persona["handle"]).returncode == 0
    back = coterie(home, "persona", "import", str(tmp_path / "out.charx"))
    assert back.stdout.startswith(f"{persona['name']} is in the cast. ")
    assert " used  name" in back.stderr
    assert coterie(home, "persona", "remove", persona["handle"]).returncode == 0


def test_the_cast_is_listed_and_shown(home):
    rows = [json.loads(line) for line in coterie(home, "persona", "list", "--json").stdout.splitlines()]
    assert [(row["handle"], row["is_alter"]) for row in rows] == [("odile", False), ("bram", True), ("wren", True)]
    assert coterie(home, "persona", "list").stdout.splitlines()[1] == "bram  Bram (alter): bram"
    shown = coterie(home, "persona", "show", "wren").stdout
    assert shown.startswith("wren  Wren (alter): wren\n")
    assert rows[2]["role"] in shown


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["persona", "show", "nobody"], 2, "the cast is odile"),
        (["persona", "remove", "odile"], 2, "main"),
        (["persona", "remove", "nobody"], 2, "the cast is odile"),
        (["persona", "import", "no-such-file.png"], 2, "There is no file"),
        (["persona", "import", "README.md"], 2, ""),
        (["persona", "import", "docs"], 2, "docs is a folder; a card is one file."),
        (["persona", "import", "/dev/zero"], 2, "/dev/zero is no ordinary file"),
        (["say", "hi", "--as", "x" * 500], 2, "A name has at most 90 characters."),
        (["persona", "import", "README.md", "--as", "third"], 2, "--as takes main or alter"),
        (["persona", "export", "bram", "out.gif"], 2, ".charx"),
        (["why", "1"], 2, ""),
        (["config", "no-such-setting"], 2, "There is no setting"),
        (["config", "trigger-match-limit", "11"], 2, "a whole number from 1 to 10"),
        (["config", "see-earlier-replies", "perhaps"], 2, "true or false"),
        (["say", "   "], 2, "blank"),
        (["say", "hi", "--home"], 2, ""),
    ],
)
def test_wrong_use_is_one_sentence_and_status_2(home, arguments, status, words):
    result = coterie(home, *arguments)
    assert result.returncode == status
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["say", b"\xff bram"],
        ["say", "--room", b"\xff", "x"],
        ["say", "x", "--as", b"\xff"],
        ["config", "model", b"\xff"],
        ["why", b"\xff"],
        ["persona", "show", b"\xff"],
        ["persona", "import", b"\xff.png"],
    ],
)
def test_bytes_that_are_no_text_are_one_sentence_and_status_2(home, arguments):
    result = coterie(home, *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.endswith(" is not valid UTF-8.\n")
    assert result.stderr.count("\n") == 1
    result = coterie(home, *arguments, "--json")
    assert (result.returncode, result.stderr) == (2, "")
    assert list(json.loads(result.stdout)) == ["error"]


def test_a_pipe_that_holds_no_text_is_one_sentence_and_status_2(home):
    for more in ([], ["--json"]):
        command = [sys.executable, "-m", "coterie", "say", "-", *more]
        result = subprocess.run(command, input=b"bram caf\xe9", capture_output=True, env=environment(home), check=False)
        assert result.returncode == 2
        assert b"Standard input is not valid UTF-8: byte 9 is no part of a character." in result.stdout + result.stderr
        assert b"Traceback" not in result.stderr


@pytest.mark.parametrize("arguments", [["say", "bram?"], ["persona", "list", "--json"], ["settings"]])
def test_a_result_that_cannot_be_written_is_one_sentence(home, arguments):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "coterie", *arguments]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment(home), check=False)
    assert (result.returncode, result.stderr) == (1, "The result cannot be written: No space left on device.\n")


@pytest.mark.parametrize("arguments", [["say", "bram?"], ["say", "bram?", "--json"], ["settings"]])
def test_who_stops_reading_does_not_make_a_command_fail(home, arguments):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "coterie", *arguments]
    try:
        result = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, env=environment(home), check=False)
    finally:
        os.close(writing)
    assert (result.returncode, result.stderr) == (0, "")


def test_errors_are_json_too(home):
    result = coterie(home, "persona", "show", "nobody", "--json")
    assert result.returncode == 2
    assert list(json.loads(result.stdout)) == ["error"]


def test_why_in_words_and_as_json(home):
    asked = next(event["message_id"] for event in events_of(coterie(home, "say", "wren?", "--json")) if event["event"] == "plan")
    words = coterie(home, "why", asked).stdout.splitlines()
    assert words[0] == "Wren (answered): The message holds one of its trigger words. [trigger-word]"
    assert len(words) == 3
    decision = json.loads(coterie(home, "why", asked, "--json").stdout)
    assert {skip["persona"]: skip["why"] for skip in decision["skipped"]} == {"odile": "not-called", "bram": "not-called"}


def test_why_without_an_id_is_about_the_newest_message_of_the_room(home):
    assert coterie(home, "say", "wren?").returncode == 0
    assert coterie(home, "say", "bram?", "--room", "attic").returncode == 0
    assert coterie(home, "why").stdout.startswith("Wren (answered): ")
    assert coterie(home, "why", "--room", "attic").stdout.startswith("Bram (answered): ")
    for arguments, sentence in (
        (["--room", "cellar"], "There is no room cellar."),
        (["1", "--room", "attic"], "Give either a message's id or a room."),
        (["--workspace", "discord:1"], "The workspace discord:1 was never seen here."),
    ):
        refused = coterie(home, "why", *arguments)
        assert (refused.returncode, refused.stderr.strip()) == (2, sentence)


def test_who_is_answered_by_nobody_is_told_how_to_ask_why(tmp_path):
    with serving(tmp_path / "home"):
        assert coterie(tmp_path / "home", "why").stderr == "Nobody has said anything in this room yet.\n"
        coterie(tmp_path / "home", "config", "always-reply", "off")
        told = coterie(tmp_path / "home", "say", "what a quiet evening").stderr
        asked = told.partition("`coterie ")[2].partition("`")[0].split()
        assert told == f"Nobody answered; `coterie why {asked[1]}` says why.\n"
        assert "Bram did not answer" in coterie(tmp_path / "home", *asked).stdout
        assert coterie(tmp_path / "home", "why").stdout == coterie(tmp_path / "home", *asked).stdout


def test_a_name_of_several_rooms_is_refused_with_their_ids(home):
    with httpx2.Client(base_url=json.loads((home / "owner.json").read_text())["address"]) as api:
        made = [api.post("/v1/sessions", json={"prefix": "chat", "name": "twin"}).json()["session_id"] for _ in range(2)]
    for command in (["say", "hi"], ["why"]):
        refused = coterie(home, *command, "--room", "twin")
        assert refused.returncode == 2
        assert refused.stderr.startswith("2 rooms are called twin; name one by its id: ")
        assert all(each in refused.stderr for each in made)
    assert coterie(home, "say", "bram?", "--room", made[0]).stdout == "Bram: ok\n"


def test_settings_are_shown_and_changed(home):
    assert "trigger-cascade-limit = 3" in coterie(home, "config").stdout.splitlines()
    assert coterie(home, "config", "trigger-cascade-limit", "5").stdout == "trigger-cascade-limit = 5\n"
    assert json.loads(coterie(home, "config", "trigger-cascade-limit", "--json").stdout) == {"setting": "trigger-cascade-limit", "value": 5}
    assert coterie(home, "config", "trigger-cascade-limit", "3").returncode == 0


def test_what_settings_take_is_told_by_the_listing_and_by_help(home):
    shown = coterie(home, "config", "cooldown-type").stdout.splitlines()
    assert shown[0] == "cooldown-type = off"
    assert shown[1].endswith("takes one of off, per-user, per-channel, server, server-strict. In servers only.")
    assert any(line.endswith("takes a whole number from 1 to 10.") for line in coterie(home, "config").stdout.splitlines())
    help_lines = [line.strip() for line in coterie(home, "config", "--help").stdout.splitlines()]
    assert "trigger-cascade-limit: a whole number from 0 to 10" in help_lines
    assert "always-reply: true or false" in help_lines


def test_who_may_call_whom_is_listed_row_by_row(home):
    assert coterie(home, "access").stderr == "Nothing is listed in local: everybody may call everybody.\n"
    rows = [
        ("channels/11", {"cooldown": {"type": "per-user"}}, "channel 11: personas may be called; cooldown per-user, 5 s"),
        ("roles/3", {}, "role 3: may call"),
        ("personas/bram", {"channels": ["11", "12"]}, "persona bram: is heard in 11, 12 only"),
        ("blacklist/4", {}, "person 4: may not call"),
        ("auto-trigger-channels/11", {}, "channel 11: main answers without being called"),
        (
            "spotlights/5/11",
            {"personas": ["bram", "wren"], "auto": "wren"},
            "person 5 in channel 11: hears bram, wren only; wren answers without being called",
        ),
    ]
    with httpx2.Client(base_url=json.loads((home / "owner.json").read_text())["address"]) as api:
        for path, body, _ in rows:
            api.put(f"/v1/access/{path}", json=body).raise_for_status()
        try:
            assert coterie(home, "access").stdout.splitlines() == [words for _, _, words in rows]
            listed = [json.loads(line) for line in coterie(home, "access", "--json").stdout.splitlines()]
        finally:
            for path, _, _ in rows:
                api.delete(f"/v1/access/{path}").raise_for_status()
    assert listed[:2] == [
        {"list": "channels", "channel": "11", "cooldown": {"type": "per-user", "length": 5}},
        {"list": "roles", "role": "3"},
    ]
    assert [row["list"] for row in listed[2:]] == ["personas", "blacklist", "auto-trigger-channels", "spotlights"]
    refused = coterie(home, "access", "--workspace", "discord:1", "--json")
    assert (refused.returncode, list(json.loads(refused.stdout))) == (2, ["error"])


def test_models_and_variables_are_listed(home):
    models = coterie(home, "models").stdout.splitlines()
    assert "* scripted:scripted" in models
    assert any(line.startswith("  openai:") and "OPENAI_API_KEY" in line for line in models)
    names = [json.loads(line)["name"] for line in coterie(home, "settings", "--json").stdout.splitlines()]
    assert {"COTERIE_HOME", "DATABASE_URL", "COTERIE_MODEL", "ANTHROPIC_API_KEY", "OLLAMA_BASE_URL"} <= set(names)


def test_help_is_there_for_every_command(home):
    assert "persona" in coterie(home, "--help").stdout
    assert coterie(home, "--version").stdout.strip() == __version__
    assert "--triggers" in coterie(home, "persona", "import", "--help").stdout


def test_standard_input_can_be_said(home):
    assert coterie(home, "say", "-", stdin="bram, from a pipe").stdout == "Bram: ok\n"


def test_the_operator_grants_and_ends_subscriptions(home):
    assert coterie(home, "subscription", "list").stdout == ""
    assert "discord:1  until 2" in coterie(home, "subscription", "grant", "discord:1", "--days", "30").stdout
    granted = json.loads(coterie(home, "subscription", "grant", "user:7", "--json").stdout)
    assert granted == {"holder": "user:7", "until": None}
    assert len(coterie(home, "subscription", "list").stdout.splitlines()) == 2
    assert coterie(home, "subscription", "revoke", "user:7").returncode == 0
    for holder, sentence in (
        ("user:7", "user:7 has no subscription."),
        ("local", "A subscription is for discord:GUILD, dm:USER, or user:ID"),
    ):
        refused = coterie(home, "subscription", "revoke", holder)
        assert refused.returncode == 2
        assert sentence in refused.stderr
