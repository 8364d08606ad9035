"""Talk over the API, with the scripted model: who answers, in which order, and what happens when somebody goes on or says stop."""

import pytest

from acceptance.conftest import lines, plans, status


def test_two_personas_answer_in_the_order_in_which_they_are_named(room):
    events = room.send("wren and bram, hello")
    assert lines(events) == [("Wren", "ok"), ("Bram", "ok")]
    assert plans(events) == [{"turns": [("wren", "trigger-word"), ("bram", "trigger-word")], "skipped": {"odile": "not-called"}}]
    assert status(events) == "answered"
    assert room.messages() == [("Ann", "wren and bram, hello"), ("Wren", "ok"), ("Bram", "ok")]


def test_the_shared_word_calls_main_alone(room):
    assert plans(room.send("coterie, are you there?"))[0]["turns"] == [("odile", "trigger-word")]


def test_main_answers_in_a_room_when_nobody_is_called(room):
    assert plans(room.send("what a night"))[0]["turns"] == [("odile", "always-reply")]


@pytest.mark.parametrize("text", ["`bram`", "see https://example.org/bram", "> bram said so", "abram", "```\nbram\n```"])
def test_what_is_not_speech_calls_nobody(room, text):
    assert plans(room.send(text))[0]["turns"] == [("odile", "always-reply")]


def test_a_reply_calls_the_persona_whose_line_it_is(room):
    said = next(data for name, data in room.send("bram?") if name == "line")
    events = room.send("and wren?", reply_to=said["message_id"])
    assert plans(events)[0]["turns"] == [("bram", "replied-to"), ("wren", "trigger-word")]


def test_a_persona_chosen_by_hand_answers_alone(room):
    events = room.send("bram?", persona="wren")
    assert plans(events) == [{"turns": [("wren", "chosen")], "skipped": {"odile": "another-chosen", "bram": "another-chosen"}}]


def test_a_line_that_calls_another_persona_is_a_further_plan_before_the_end(room):
    events = room.send("bram {{say@bram: ask wren}}{{say@wren: here}}")
    assert lines(events) == [("Bram", "ask wren"), ("Wren", "ok")]
    assert [plan["turns"] for plan in plans(events)] == [[("bram", "trigger-word")], [("wren", "chain")]]
    assert status(events) == "answered"


def test_the_match_limit_is_said(room):
    api = room.api
    assert api.patch("/v1/settings", json={"trigger-match-limit": 1}).status_code == 200
    try:
        plan = plans(room.send("bram, wren, odile"))[0]
    finally:
        api.patch("/v1/settings", json={"trigger-match-limit": 3})
    assert plan == {"turns": [("bram", "trigger-word")], "skipped": {"wren": "match-limit", "odile": "match-limit"}}


def test_the_cascade_limit_ends_a_chain_and_a_message_starts_anew(room):
    api = room.api
    assert api.patch("/v1/settings", json={"trigger-cascade-limit": 1}).status_code == 200
    try:
        events = room.send("bram, wren, odile: {{say: hm}}")
        again = room.send("odile?")
    finally:
        api.patch("/v1/settings", json={"trigger-cascade-limit": 3})
    assert plans(events) == [{"turns": [("bram", "trigger-word"), ("wren", "trigger-word")], "skipped": {"odile": "cascade-limit"}}]
    assert plans(again)[0]["turns"] == [("odile", "trigger-word")]


def test_going_on_replaces_the_answer_that_is_being_given(room):
    first = room.later("bram {{slow: 5}}{{say: a very long story about nothing at all}}")
    first.until("delta")
    second = room.send("I mean moths {{say: moths}}")
    assert lines(second) == [("Bram", "moths")]
    assert plans(second)[0]["turns"] == [("bram", "follow-up")]
    events = first.end()
    assert [name for name, _ in events].count("discard") == 1
    assert (lines(events), status(events)) == ([], "superseded")
    assert [name for name, _ in room.messages()] == ["Ann", "Ann", "Bram"]


def test_somebody_else_waits_and_is_not_heard_before(room):
    first = room.later("bram {{slow: 40}}{{say: one two three four five}}")
    first.until("delta")
    second = room.send("wren?", user="jo")
    assert lines(first.end()) == [("Bram", "one two three four five")]
    assert lines(second) == [("Wren", "ok")]
    assert [name for name, _ in room.messages()] == ["Ann", "Jo", "Bram", "Wren"]


def test_naming_another_persona_does_not_interrupt(room):
    first = room.later("bram {{slow: 40}}{{say: one two three four five}}")
    first.until("delta")
    second = room.send("wren, stop")
    assert lines(first.end()) == [("Bram", "one two three four five")]
    assert lines(second) == [("Wren", "ok")]


def test_stop_keeps_what_was_said_drops_what_waits_and_is_answered_by_who_spoke(room):
    first = room.later("bram and wren {{slow: 10}}{{say: one two three four five six seven}}")
    first.until("delta", 4)
    second = room.send("stop")
    events = first.end()
    assert len(lines(events)) == 1
    name, text = lines(events)[0]
    assert name == "Bram"
    assert "one two three four five six seven".startswith(text)
    assert status(events) == "answered"
    assert plans(second)[0]["turns"] == [("bram", "stop-response")]
    assert lines(second) == [("Bram", "ok")]


def test_the_stop_button_ends_everything_and_leaves_the_room_free(room):
    first = room.later("bram and wren {{sleep: 30}}")
    first.until("plan")
    assert room.api.post(f"/v1/session/{room.id}/stop").status_code == 200
    assert status(first.end()) == "stopped"
    assert room.state() == "idle"
    assert lines(room.send("wren?")) == [("Wren", "ok")]


@pytest.mark.parametrize(
    ("directive", "ending", "words"),
    [
        ("{{fail: busy}}", "failed", ""),
        ("{{fail: refused}}", "failed", ""),
        ("{{fail: broken}}", "failed", ""),
        ("{{empty}}", "failed", "returned nothing"),
        ("{{say:   }}", "failed", "returned nothing"),
    ],
)
def test_a_model_that_fails_is_one_sentence_and_the_next_persona_still_speaks(room, directive, ending, words):
    events = room.send(f"bram {directive}")
    assert status(events) == ending
    errors = [data for name, data in events if name == "error"]
    assert len(errors) == 1
    assert words in errors[0]["error"]
    assert errors[0]["turn_id"] == next(data for name, data in events if name == "plan")["turns"][0]["turn_id"]
    only_bram = directive.replace(":", "@bram:", 1) if ":" in directive else "{{empty@bram}}"
    mixed = room.send(f"bram and wren {only_bram}")
    assert lines(mixed) == [("Wren", "ok")]
    assert status(mixed) == "answered"


@pytest.mark.parametrize("directive", ["{{tool: clock {}}}", '{{tool: clock {"zone": "Mars"}}}', "{{tool: nope {}}}"])
def test_a_tool_is_called_and_then_the_persona_speaks(room, directive):
    assert lines(room.send(f"bram, what time is it? {directive}")) == [("Bram", "ok")]


def test_a_reply_as_somebody_else_is_asked_for_again_and_then_loses_its_label(room):
    assert lines(room.send("bram {{say: Wren: I take over}}")) == [("Bram", "I take over")]


def test_a_reply_is_cut_where_it_would_speak_for_others(room):
    assert lines(room.send("bram {{say: Bram: hi\\nWren: yo}}")) == [("Bram", "hi")]


def test_a_long_reply_comes_in_several_lines_of_at_most_2000_characters(room):
    events = room.send("bram {{say: " + "word " * 900 + "}}")
    parts = [text for _, text in lines(events)]
    assert len(parts) == 3
    assert all(len(part) <= 2000 for part in parts)
    assert " ".join(parts).split() == ["word"] * 900


def test_why_tells_of_everyone(room):
    events = room.send("bram, hello")
    heard, said = plans(events), next(data for name, data in events if name == "line")
    asked = next(data for name, data in events if name == "plan")["message_id"]
    decision = room.why(asked)
    assert [(turn["persona"], turn["reason"], turn["status"]) for turn in decision["turns"]] == [("bram", "trigger-word", "answered")]
    assert {skip["persona"]: skip["why"] for skip in decision["skipped"]} == heard[0]["skipped"]
    assert room.why(said["message_id"])["turns"] == decision["turns"]


def test_a_message_of_100_kilobytes_is_answered(room):
    assert lines(room.send("bram " + "moth " * 20_000)) == [("Bram", "ok")]


def test_persona_text_is_never_a_command_or_a_directive(room):
    room.send("bram {{say@bram: wren {{say: hacked}}")
    assert "hacked" not in [text for _, text in room.messages() if _ == "Wren"]
