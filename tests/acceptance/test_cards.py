"""Character cards that three independent programs wrote: each comes in, talks at once, and goes out again."""

from pathlib import Path

import pytest

from acceptance.conftest import lines

CARDS = Path(__file__).parent.parent / "fixtures" / "cards"
MADE_ELSEWHERE = sorted(path.name for path in CARDS.iterdir() if path.suffix in {".png", ".json", ".charx"})


def bring_in(api, name, data):
    return api.post("/v1/personas/import", files={"file": (name, data)}, data={"type": "alter"})


@pytest.mark.parametrize("card", MADE_ELSEWHERE)
def test_a_card_becomes_a_persona_that_talks_and_leaves_whole(api, room, card):
    imported = bring_in(api, card, (CARDS / card).read_bytes())
    assert imported.status_code == 201, imported.text
    persona = imported.json()["persona"]
    assert {line["fate"] for line in imported.json()["report"]} <= {"used", "repaired", "kept", "dropped"}
    assert persona["is_alter"]
    word = persona["effective_trigger_words"][0]
    assert lines(room.send(f"{word}, hello")) == [(persona["name"], "ok")]
    files = {
        kind: api.get(f"/v1/personas/{persona['handle']}/export", params={"format": kind}).content for kind in ("png", "json", "charx")
    }
    for kind, data in files.items():
        assert api.delete(f"/v1/personas/{persona['handle']}").status_code in {200, 204}
        back = bring_in(api, f"out.{kind}", data).json()["persona"]
        assert [back[key] for key in ("name", "role", "sample_dialogues")] == [persona[key] for key in ("name", "role", "sample_dialogues")]
    assert api.delete(f"/v1/personas/{persona['handle']}").status_code in {200, 204}
    # What it said stays under its name.
    assert room.messages()[-1] == (persona["name"], "ok")


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("card.json", b"<!DOCTYPE html><html></html>", "HTML"),
        ("card.png", b"\x89PNG\r\n\x1a\n", ""),
        ("card.json", b"{", ""),
        ("card.json", b'{"spec": "lorebook_v3", "data": {"entries": []}}', "lorebook"),
        ("card.charx", b"PK\x03\x04", ""),
        ("card.json", b"", ""),
    ],
)
def test_what_is_no_card_is_refused_in_one_sentence_with_nothing_stored(api, name, data, words):
    before = api.get("/v1/personas").json()
    refused = bring_in(api, name, data)
    assert 400 <= refused.status_code < 500
    assert list(refused.json()) == ["error"]
    assert words in refused.json()["error"]
    assert api.get("/v1/personas").json() == before
