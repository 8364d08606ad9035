import hashlib
import uuid

import pytest

from coterie.domain.sessions.names import Kind, is_auto_named, kind_of

UUID = "0b7b1c0e-6a53-4f0e-9d55-3c5a7f7f2d11"
HASH = hashlib.sha256(b"1_2").hexdigest()


@pytest.mark.parametrize(
    ("session_id", "kind"),
    [
        (f"cli-{UUID}", Kind.CLI),
        (f"chat-{UUID}", Kind.CHAT),
        (f"http-{UUID}", Kind.HTTP),
        (f"http-{UUID.upper()}", Kind.HTTP),
        (f"temp-{UUID}", Kind.TEMP),
        (f"dc-{HASH}", Kind.DISCORD),
        (f"tg-{HASH}", Kind.TELEGRAM),
        (f"HTTP-{UUID}", None),
        (f"ln-{UUID}", None),
        (f"http-{HASH}", None),
        (f"dc-{UUID}", None),
        (f"http-{UUID}x", None),
        (f" http-{UUID}", None),
        (f"http-{UUID}\n", None),
        (f"http-{UUID.replace('-', '')}", None),
        ("http-" + UUID.replace("0", "\u0660"), None),
        (f"dc-{HASH[:-1]}", None),
        ("cli-tools", None),
        ("", None),
    ],
)
def test_the_kind_of_a_session_id(session_id, kind):
    assert kind_of(session_id) is kind


@pytest.mark.parametrize("prefix", ["cli", "chat", "http", "temp"])
def test_a_fresh_id_has_its_kind(prefix):
    assert kind_of(f"{prefix}-{uuid.uuid4()}") == prefix


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "\n",
        f"cli-{UUID}",
        f"temp-{UUID}",
        f"http-{UUID.upper()}",
        f" chat-{UUID} ",
        f"dc-{HASH}",
        "dc-",
        "dc-general",
        "tg-12",
        "tg-Ann",
    ],
)
def test_a_name_that_a_title_may_replace(name):
    assert is_auto_named(name)


@pytest.mark.parametrize("name", ["cli-tools", "chat", "http-", "Moths", "DC-Comics", "a dc-general", f"about cli-{UUID}", "tg", UUID])
def test_a_name_that_stays(name):
    assert not is_auto_named(name)
