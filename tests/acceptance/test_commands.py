"""The commands beside `say`, as a person types them."""

import json
from pathlib import Path

import pytest

from acceptance.running import coterie, events_of, serving
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


def test_settings_are_shown_and_changed(home):
    assert "trigger-cascade-limit = 3" in coterie(home, "config").stdout.splitlines()
    assert coterie(home, "config", "trigger-cascade-limit", "5").stdout == "trigger-cascade-limit = 5\n"
    assert json.loads(coterie(home, "config", "trigger-cascade-limit", "--json").stdout) == {"setting": "trigger-cascade-limit", "value": 5}
    assert coterie(home, "config", "trigger-cascade-limit", "3").returncode == 0


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
