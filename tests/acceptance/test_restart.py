"""A process that is killed amid an answer: the history is whole, nothing is said twice, and the room is free."""

import sqlite3
import time

import httpx2
import pytest

from acceptance.conftest import Room, lines, status
from acceptance.running import STEP, coterie, start


def wait_for_lines(room, count):
    while len(room.messages()) < count:
        time.sleep(STEP)


@pytest.mark.parametrize(
    "text",
    ["bram and wren {{sleep@wren: 2}}", "bram and wren {{slow@wren: 4}}{{say@wren: a long and winding answer about moths}}"],
)
def test_kill_nine_amid_an_answer(tmp_path, text):
    home = tmp_path / "home"
    first = start(home)
    try:
        with first.api() as api:
            room = Room(api)
            later = room.later(text)
            later.until("line")
            waiting = room.later("odile, are you there?", "ben")
            wait_for_lines(room, 3)
            first.kill()
            for left_alone in (later, waiting):
                with pytest.raises(httpx2.HTTPError):
                    left_alone.end()
    finally:
        first.stop()
    second = start(home)
    try:
        with second.api() as api:
            again = Room(api)
            again.id = room.id
            wait_for_lines(again, 5)
            assert [name for name, _ in again.messages()] == ["Ann", "Bram", "Ben", "Wren", "Odile"]
            assert again.messages()[3][1] in {"ok", "a long and winding answer about moths"}
            events = again.send("bram?")
            assert (lines(events), status(events)) == ([("Bram", "ok")], "answered")
            assert again.state() == "idle"
            assert [name for name, _ in again.messages()] == ["Ann", "Bram", "Ben", "Wren", "Odile", "Ann", "Bram"]
    finally:
        second.stop()


def test_a_second_serve_on_one_home_refuses_and_the_other_commands_become_its_clients(tmp_path):
    home = tmp_path / "home"
    running = start(home)
    try:
        refused = coterie(home, "serve", "--port", "0")
        assert refused.returncode == 1
        assert refused.stderr.strip().endswith(f"is in use by `coterie serve` (process {running.process.pid}) at {running.address}.")
        said = coterie(home, "say", "bram?")
        assert said.stdout == "Bram: ok\n"
        assert coterie(home, "db", "check").returncode == 0
        assert coterie(home, "db", "upgrade").returncode == 1
        assert coterie(home, "db", "backup").returncode == 0
    finally:
        assert running.stop() == 0
    assert not (home / "owner.json").exists()


def test_a_port_in_use_is_one_sentence(tmp_path):
    running = start(tmp_path / "one")
    try:
        port = running.address.rpartition(":")[2]
        refused = coterie(tmp_path / "two", "serve", "--port", port)
        assert refused.returncode == 1
        assert "is taken by another program" in refused.stderr
        assert "Traceback" not in refused.stderr
    finally:
        running.stop()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda home: (home / "coterie.db").write_bytes(b"not a database at all " * 100), "is not a"),
        (lambda home: (home / "coterie.db").mkdir(), ""),
    ],
)
def test_a_foreign_database_file_is_one_sentence_and_stays_as_it_is(tmp_path, make, words):
    home = tmp_path / "home"
    home.mkdir()
    make(home)
    before = sorted(path.name for path in home.iterdir() if path.name.startswith("coterie.db"))
    result = coterie(home, "say", "hello")
    assert result.returncode == 1
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert sorted(path.name for path in home.iterdir() if path.name.startswith("coterie.db")) == before


def test_a_home_that_cannot_be_written_is_one_sentence(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    result = coterie(blocked / "home", "say", "hello")
    assert result.returncode == 2
    assert "cannot be used" in result.stderr


@pytest.mark.parametrize("variable", [{"OPENAI_BASE_URL": "nonsense"}, {"COTERIE_MODEL": "nope:x"}, {"COTERIE_FALLBACK_MODELS": "zz"}])
def test_a_variable_that_cannot_be_right_is_refused_at_the_start(tmp_path, variable):
    result = coterie(tmp_path / "home", "serve", "--port", "0", **variable)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{next(iter(variable))} takes ")
    assert result.stderr.count("\n") == 1


def test_what_lies_in_a_home_is_for_its_owner_alone(tmp_path):
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    assert coterie(home, "db", "upgrade").returncode == 0
    assert coterie(home, "say", "bram {{fail: broken}}").returncode == 1
    (home / "coterie.db").chmod(0o644)
    running = start(home)
    try:
        assert coterie(home, "say", "bram?").returncode == 0
        assert coterie(home, "db", "backup").returncode == 0
        (home / "serve.txt").unlink()
        files = [path for path in home.rglob("*") if path.is_file()]
        assert {"coterie.db", "coterie.db-wal", "owner.json", "coterie.lock"} <= {path.name for path in files}
        open_to_others = [path.name for path in files if path.stat().st_mode & 0o077]
        assert open_to_others == []
    finally:
        running.stop()


def test_a_house_that_can_keep_nothing_new_says_so(tmp_path):
    home = tmp_path / "home"
    running = start(home)
    try:
        with running.api() as api:
            assert api.get("/healthz").json()["status"] == "ok"
            held = sqlite3.connect(home / "coterie.db", isolation_level=None)
            held.execute("BEGIN IMMEDIATE")
            answer = api.get("/healthz")
            held.close()
            assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
            assert "locked by another program" in answer.json()["troubles"][0]
            assert api.get("/healthz").json()["status"] == "ok"
            assert not list(home.glob(".trial*"))
    finally:
        running.stop()


def test_a_token_is_needed_beyond_loopback(tmp_path):
    result = coterie(tmp_path / "home", "serve", "--host", "0.0.0.0", "--port", "0")
    assert result.returncode == 2
    assert "COTERIE_API_TOKEN" in result.stderr
