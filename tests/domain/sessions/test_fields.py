import pytest

from coterie.domain.sessions.fields import LEVELS, SESSION_LEVELS, FieldRefused, judge_change, normalise_self_id, which_role
from coterie.domain.sessions.session import SessionChange


def knows(name: str) -> bool:
    return name == "openai:small"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""),
        ("   ", ""),
        ("\t\n", ""),
        ("ann", "ann"),
        ("Ann", "ann"),
        ("  Ann_2-b ", "ann_2-b"),
        ("A" * 32, "a" * 32),
        ("---", "---"),
        ("none", "none"),
    ],
)
def test_a_self_id_as_it_is_kept(given, kept):
    assert normalise_self_id(given) == kept


@pytest.mark.parametrize(
    "given", ["a" * 33, "é", "e\u0301", "ａｎｎ", "12３", "a b", "a.b", "a\nb", "\u212aelvin", "İstanbul", "a\u200b", "\ud83d", "a\x00"]
)
def test_a_self_id_that_is_refused(given):
    with pytest.raises(FieldRefused, match="up to 32"):
        normalise_self_id(given)


@pytest.mark.parametrize(
    ("role", "rule", "meant"),
    [
        (None, None, None),
        ("new", None, "new"),
        (None, "old", "old"),
        ("new", "old", "old"),
        ("new", "", ""),
        ("", None, ""),
    ],
)
def test_rule_wins_over_role(role, rule, meant):
    assert which_role(role, rule) == meant


@pytest.mark.parametrize(
    ("body", "change"),
    [
        ({}, SessionChange()),
        (dict.fromkeys(("self_id", "name", "model", "reasoning", "role", "rule")), SessionChange()),
        ({"colour": 7, "name": "Moths"}, SessionChange(name="Moths")),
        ({"name": ""}, SessionChange(name="")),
        ({"name": "  "}, SessionChange(name="")),
        ({"name": "  as it is "}, SessionChange(name="  as it is ")),
        ({"self_id": " Ann "}, SessionChange(self_id="ann")),
        ({"self_id": ""}, SessionChange(self_id="")),
        ({"role": "A cook."}, SessionChange(role="A cook.")),
        ({"rule": "A cook."}, SessionChange(role="A cook.")),
        ({"role": "A cook.", "rule": "A baker."}, SessionChange(role="A baker.")),
        ({"role": "A cook.", "rule": None}, SessionChange(role="A cook.")),
        ({"role": ""}, SessionChange(role="")),
        ({"role": " \n "}, SessionChange(role="")),
        ({"role": " A cook.\n"}, SessionChange(role=" A cook.\n")),
        ({"model": ""}, SessionChange(model="auto")),
        ({"model": "auto"}, SessionChange(model="auto")),
        ({"model": " openai:small "}, SessionChange(model="openai:small")),
        ({"reasoning": "auto"}, SessionChange(reasoning="auto")),
        ({"reasoning": "xhigh"}, SessionChange(reasoning="xhigh")),
    ],
)
def test_a_partial_update(body, change):
    assert judge_change(body, knows) == change


@pytest.mark.parametrize("level", SESSION_LEVELS)
def test_every_level_is_taken(level):
    assert judge_change({"reasoning": level}, knows).reasoning == level


def test_the_levels_are_those_of_the_specification():
    assert SESSION_LEVELS == ("auto", *LEVELS) == ("auto", "none", "low", "medium", "high", "xhigh", "max")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"reasoning": ""}, "reasoning"),
        ({"reasoning": "Low"}, "reasoning"),
        ({"reasoning": "minimal"}, "reasoning"),
        ({"model": "nobody:small"}, "model"),
        ({"self_id": "a b"}, "self_id"),
        ({"self_id": 7}, "self_id"),
        ({"name": ["Moths"]}, "name"),
        ({"model": True}, "model"),
        ({"reasoning": 0}, "reasoning"),
        ({"role": {}}, "role"),
        ({"rule": 1.5, "role": "A cook."}, "rule"),
    ],
)
def test_a_field_that_is_refused_says_which(body, field):
    with pytest.raises(FieldRefused, match=rf"^{field} takes"):
        judge_change({"name": "Moths", **body}, knows)
