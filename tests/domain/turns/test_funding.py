"""Who pays, in which order: one row for each rule of specification 001."""

from datetime import UTC, datetime

import pytest

from coterie.domain.ids import LOCAL, UserId, WorkspaceId
from coterie.domain.turns.funding import (
    INSTALLATION,
    Entry,
    Grant,
    PersonalFunding,
    ServerFunding,
    Terms,
    fund,
    model_names,
    person_holder,
    person_of,
    workspace_holder,
    workspace_of,
)

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
GUILD, ANN = WorkspaceId("discord:1"), UserId("1")
OWN, SPONSORED = Entry("openai", "gpt-x"), Entry("openai", "gpt-x", is_subscription=True)
ACTIVE, OVER = Grant(), Grant(NOON)


def attempts(wanted="openai:a", person=ANN, *, workspace=GUILD, server=None, personal=None, **terms):
    funding = fund(
        workspace, person, wanted, server=server or ServerFunding(), personal=personal or PersonalFunding(), terms=Terms(**terms), now=NOON
    )
    routes = [(route.source.value, route.holder, route.model, route.server_funded) for route in funding.routes]
    return routes or funding.refusal.value


HERS, THEIRS = person_holder(ANN), workspace_holder(GUILD)
MINE = PersonalFunding(OWN, frozenset({"openai", "anthropic"}))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        # Nothing is saved: the installation answers, where it is open to everybody.
        (attempts(), [("server", INSTALLATION, "openai:a", True)]),
        (attempts(None), [("server", INSTALLATION, None, True)]),
        (attempts(is_open=False), "no-credentials"),
        (attempts(workspace=LOCAL, is_open=False), [("server", INSTALLATION, "openai:a", True)]),
        # The server's own entry of the model's provider, and its fallbacks behind it.
        (attempts(server=ServerFunding({"openai": OWN})), [("server", THEIRS, "openai:a", True)]),
        (attempts(None, server=ServerFunding({"openai": OWN})), [("server", THEIRS, "openai:gpt-x", True)]),
        (attempts("anthropic", server=ServerFunding({"openai": OWN}), is_open=False), "no-credentials"),
        (
            attempts("openai:a", server=ServerFunding({"openai": OWN}), fallbacks=("anthropic:b", "openai:a")),
            [("server", THEIRS, "openai:a", True), ("server", INSTALLATION, "anthropic:b", True)],
        ),
        # A subscription in place of a key answers on the operator's account while it is granted; a key of one's own keeps its place.
        (attempts(server=ServerFunding({"openai": SPONSORED}, ACTIVE), is_open=False), [("supporter", INSTALLATION, "openai:a", True)]),
        (attempts(server=ServerFunding({"openai": SPONSORED}, OVER)), "subscription-inactive"),
        (attempts(server=ServerFunding({"openai": SPONSORED})), "subscription-inactive"),
        (attempts(server=ServerFunding({"openai": OWN}, ACTIVE), is_open=False), [("server", THEIRS, "openai:a", True)]),
        # A person's own provider goes first, with its own model, and the server's stands behind it.
        (attempts(personal=MINE), [("personal", HERS, "openai:gpt-x", False), ("server", INSTALLATION, "openai:a", True)]),
        (
            attempts(personal=MINE, own_fallbacks=("anthropic:b", "gemini:c"), falls_back_to_server=False),
            [("personal", HERS, "openai:gpt-x", False), ("personal", HERS, "anthropic:b", False)],
        ),
        # But not for what no person asked for.
        (attempts(person=None, personal=MINE), [("server", INSTALLATION, "openai:a", True)]),
        # Where members bring their own, the server pays for none of them.
        (attempts(personal=MINE, brings_own=True), [("personal", HERS, "openai:gpt-x", False)]),
        (attempts(brings_own=True), "own-provider-needed"),
        (attempts(person=None, brings_own=True), "own-provider-needed"),
        # A person's subscription.
        (
            attempts(personal=PersonalFunding(SPONSORED, grant=ACTIVE), brings_own=True),
            [("supporter", INSTALLATION, "openai:gpt-x", False)],
        ),
        (
            attempts(personal=PersonalFunding(SPONSORED, frozenset({"anthropic"}), OVER), own_fallbacks=("anthropic:b",)),
            [("personal", HERS, "anthropic:b", False), ("server", INSTALLATION, "openai:a", True)],
        ),
        (attempts(personal=PersonalFunding(SPONSORED), falls_back_to_server=False), "subscription-inactive"),
        (attempts(personal=PersonalFunding(SPONSORED), brings_own=True), "subscription-inactive"),
        (attempts(personal=PersonalFunding(SPONSORED), is_open=False), "subscription-inactive"),
    ],
)
def test_who_pays(found, expected):
    assert found == expected


def test_holders_are_read_back():
    assert (workspace_of(THEIRS), person_of(THEIRS)) == (GUILD, None)
    assert (workspace_of(HERS), person_of(HERS)) == (None, ANN)
    assert (workspace_of(INSTALLATION), person_of(INSTALLATION)) == (None, None)
    assert workspace_holder(LOCAL) == INSTALLATION


def test_a_list_of_models_is_read():
    assert model_names(" openai:a, ,anthropic , openai:a") == ("openai:a", "anthropic")
