"""Whatever people are told by commands is there in every language, with the same blanks to fill in, and short enough for Discord."""

import re
from importlib.resources import files
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import coterie.platforms.discord as package
from coterie.domain.settings import PERSONAL, SETTINGS
from coterie.domain.turns.plan import MEANINGS
from coterie.kit.tongues import Tongues
from coterie.platforms.discord.commands.about import INTRODUCTION
from coterie.platforms.discord.commands.settings import table_texts
from coterie.platforms.discord.commands.welcome import RANDOM
from coterie.platforms.discord.declining import REASONS
from coterie.platforms.discord.webhook_errors import SENTENCES
from coterie.platforms.discord.welcoming import DEAF
from coterie.ports.stores import TurnStatus

FOLDER = files("coterie") / "locales"
LANGUAGES = [folder.name for folder in FOLDER.iterdir()]
IN_CODE = tuple(
    message
    for _, _, message, _, _ in extract_from_dir(
        str(Path(package.__file__).parent), keywords={"say": None, "count": (1, 2), "locale_str": None}
    )
)
SINGULAR = {message if isinstance(message, str) else message[0] for message in IN_CODE}
DESCRIPTIONS = {message for _, _, message, _, _ in extract_from_dir(str(Path(package.__file__).parent), keywords={"locale_str": None})}
LABELS = {setting.label for setting in (*SETTINGS, *PERSONAL)}
NEEDED = (
    SINGULAR
    | set(table_texts())
    | set(MEANINGS.values())
    | {status.value for status in TurnStatus}
    | {INTRODUCTION}
    | set(SENTENCES.values())
    | {RANDOM, DEAF, "later", *REASONS.values()}
)


@pytest.fixture(params=LANGUAGES)
def catalogue(request):
    with (FOLDER / request.param / "LC_MESSAGES" / "coterie.po").open("rb") as file:
        return {(one.id if isinstance(one.id, str) else one.id[0]): one for one in read_po(file) if one.id}


def test_there_are_the_languages_that_are_promised():
    assert LANGUAGES == ["ja"]
    assert len(SINGULAR) > 40


def test_every_text_is_there_and_none_is_left_over(catalogue):
    assert NEEDED - catalogue.keys() == set()
    assert catalogue.keys() - NEEDED == set()


def test_every_text_has_words_and_the_same_blanks(catalogue):
    for text, entry in catalogue.items():
        for said in [entry.string] if isinstance(entry.string, str) else entry.string:
            assert said.strip(), text
            assert not entry.fuzzy, text
            assert sorted(re.findall(r"\{\w*\}", said)) == sorted(re.findall(r"\{\w*\}", text)), text


def test_descriptions_are_as_short_as_discord_wants_them(catalogue):
    assert all(0 < len(text) <= 100 and 0 < len(catalogue[text].string) <= 100 for text in DESCRIPTIONS | LABELS)


@pytest.mark.parametrize(
    ("locale", "text"),
    [("ja", "ここにいます。"), ("ja-JP", "ここにいます。"), ("en-US", "I am here."), ("xx", "I am here."), ("", "I am here.")],
)
def test_a_locale_finds_its_language_or_english(locale, text):
    tongue = Tongues(FOLDER, "coterie").of(locale)
    assert tongue.say("I am here.") == text
    assert tongue.known("no such text") is None
    assert tongue.say("{a} no such text", a="{b}") == "{b} no such text"
