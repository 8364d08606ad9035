"""`coterie say`: the whole pipeline once, from a shell."""

from acceptance.running import coterie, events_of, serving


def test_the_one_named_first_answers_first(tmp_path):
    result = coterie(tmp_path / "home", "say", "bram and wren, hello")
    assert (result.returncode, result.stdout.splitlines()) == (0, ["Bram: ok", "Wren: ok"])


def test_the_other_order(tmp_path):
    result = coterie(tmp_path / "home", "say", "Wren, Bram: {{say@bram: I am Bram}}{{say@wren: I am Wren}}")
    assert result.stdout.splitlines() == ["Wren: I am Wren", "Bram: I am Bram"]


def test_json_prints_every_event_of_the_answer_and_nothing_else(tmp_path):
    result = coterie(tmp_path / "home", "say", "bram and wren, hello", "--json")
    events = events_of(result)
    plan = events[0]
    assert plan["event"] == "plan"
    assert [(turn["persona"], turn["reason"]) for turn in plan["turns"]] == [("bram", "trigger-word"), ("wren", "trigger-word")]
    assert plan["skipped"] == [{"persona": "odile", "why": "not-called"}]
    lines = [event for event in events if event["event"] == "line"]
    assert [(line["persona"], line["name"], line["text"]) for line in lines] == [("bram", "Bram", "ok"), ("wren", "Wren", "ok")]
    assert [line["turn_id"] for line in lines] == [turn["turn_id"] for turn in plan["turns"]]
    deltas = [event["text"] for event in events if event["event"] == "delta"]
    assert "".join(deltas) == "okok"
    assert events[-1]["event"] == "end"
    assert events[-1]["status"] == "answered"


def test_nobody_called_is_no_failure(tmp_path):
    home = tmp_path / "home"
    assert coterie(home, "config", "always-reply", "off").returncode == 0
    result = coterie(home, "say", "what a quiet evening", "--json")
    assert result.returncode == 0
    assert [event["event"] for event in events_of(result)] == ["plan", "end"]
    assert events_of(result)[-1]["status"] == "silent"
    assert {skip["why"] for skip in events_of(result)[0]["skipped"]} == {"not-called"}


def test_a_failing_model_is_one_sentence_and_a_status(tmp_path):
    result = coterie(tmp_path / "home", "say", "bram {{fail: refused}}")
    assert result.returncode == 1
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.stderr


def test_rooms_are_found_by_name_and_made_when_unknown(tmp_path):
    home = tmp_path / "home"
    with serving(home):
        coterie(home, "say", "bram, one", "--room", "kitchen")
        coterie(home, "say", "bram, two", "--room", "kitchen")
        coterie(home, "say", "bram, three")
        unknown = coterie(home, "say", "hi", "--room", "chat-00000000-0000-4000-8000-000000000000")
        assert unknown.returncode == 2
        assert "There is no session" in unknown.stderr


def test_a_person_has_the_name_given(tmp_path):
    home = tmp_path / "home"
    with serving(home) as running:
        coterie(home, "say", "bram, it is me", "--as", "Ann")
        with running.api() as api:
            room = next(session for session in api.get("/v1/sessions").json()["sessions"] if session.get("default"))
            messages = api.get(f"/v1/session/{room['session_id']}/messages").json()["messages"]
        assert [(message["author"]["name"], message["author"]["persona"]) for message in messages] == [("Ann", None), ("Bram", "bram")]
