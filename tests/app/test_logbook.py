"""No secret reaches the log, whichever way it is spelled there."""

import json
import logging
from contextlib import suppress

import pytest

from coterie.app.home import Home
from coterie.app.logbook import Redactor, open_log


@pytest.mark.parametrize(
    "text",
    [
        "the key sk-proj-abcdefghijklmnopqrstuv was refused",
        "Authorization: Bearer topsecrettopsecret",
        "POST https://discord.com/api/v10/webhooks/123/topsecret failed",
        "token MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GabcDE.abcdefghijklmnopqrstuvwxyz0123",
        "postgresql://ann:topsecret@127.0.0.1/coterie",
        "my own secret hunter2hunter2",
    ],
)
def test_secrets_are_hidden(text):
    clean = Redactor(["hunter2hunter2", ""]).clean(text)
    assert "[hidden]" in clean
    for secret in ("abcdefghijkl", "topsecret", "hunter2"):
        assert secret not in clean


def test_a_log_that_cannot_be_written_is_one_line(tmp_path, capsys):
    (tmp_path / "coterie.log").symlink_to("/dev/full")
    before = logging.getLogger().handlers[:]
    try:
        log = open_log(Home(tmp_path), [])
        for _ in range(3):
            log.error("it failed", exc_info=ValueError("badly"))
    finally:
        with suppress(OSError):
            logging.getLogger().handlers[0].close()
        logging.getLogger().handlers[:] = before
    assert capsys.readouterr().err == f"The log {tmp_path / 'coterie.log'} cannot be written: No space left on device.\n"


def test_an_error_with_a_token_in_it_is_logged_without_it(tmp_path):
    before = logging.getLogger().handlers[:]
    try:
        log = open_log(Home(tmp_path), ["hunter2hunter2"])
        log.error("it failed", key="hunter2hunter2", exc_info=ValueError("hunter2hunter2 is wrong"))
        logging.getLogger("library").warning("saw %s", "hunter2hunter2")
        lines = (tmp_path / "coterie.log").read_text()
    finally:
        for handler in logging.getLogger().handlers:
            handler.close()
        logging.getLogger().handlers[:] = before
    assert "hunter2" not in lines
    assert [json.loads(line)["event"] for line in lines.splitlines()] == ["it failed", "saw [hidden]"]
