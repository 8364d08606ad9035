import pytest

from coterie.domain.settings import (
    BY_NAME,
    PERSONAL,
    PERSONAL_BY_NAME,
    SETTINGS,
    SettingRefused,
    Settings,
    accepts,
    judge,
    judge_together,
    read_value,
)


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("trigger-match-limit", 10, 10),
        ("always-reply", True, True),
        ("cooldown-type", " per-user ", "per-user"),
        ("timezone", "Europe/Rome", "Europe/Rome"),
        ("model", "", ""),
    ],
)
def test_what_is_taken(name, given, expected):
    assert judge(name, given) == expected


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("trigger-match-limit", 11, "a whole number from 1 to 10"),
        ("trigger-match-limit", True, "a whole number from 1 to 10"),
        ("always-reply", 1, "true or false"),
        ("cooldown-type", "sometimes", "one of off, per-user, per-channel, server, server-strict"),
        ("timezone", "Europe/Atlantis", "there is no Europe/Atlantis"),
        ("timezone", "../etc/passwd", "the IANA name"),
        ("timezone", "", "the IANA name"),
        ("model", "x" * 201, "at most 200 characters"),
        ("mood", 1, "There is no setting 'mood'"),
    ],
)
def test_what_is_refused_and_how(name, given, says):
    with pytest.raises(SettingRefused, match=says):
        judge(name, given)


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [("nickname", "Annie", "Annie"), ("nickname", "", ""), ("privacy", "full", "full"), ("language", "ja", "ja"), ("language", "", "")],
)
def test_what_people_may_set(name, given, expected):
    assert judge(name, given, PERSONAL_BY_NAME) == expected


@pytest.mark.parametrize(
    ("name", "given"), [("nickname", "A"), ("nickname", "a\nb"), ("nickname", "x" * 33), ("privacy", "3"), ("language", "xx")]
)
def test_what_people_may_not_set(name, given):
    with pytest.raises(SettingRefused):
        judge(name, given, PERSONAL_BY_NAME)


def test_typed_values_are_read_by_the_kind_of_the_setting():
    assert read_value("always-reply", " On ") is True
    assert read_value("trigger-cascade-limit", "0") == 0
    assert read_value("deliberate-trigger-mode", "off", PERSONAL_BY_NAME) == "off"
    assert read_value("deliberate-trigger-mode", "off") is False
    with pytest.raises(SettingRefused):
        read_value("trigger-cascade-limit", "many")


def test_every_default_is_taken_by_its_setting():
    for table in (BY_NAME, PERSONAL_BY_NAME):
        for name, setting in table.items():
            assert judge(name, setting.default, table) == setting.default, name
            assert accepts(setting)


@pytest.mark.parametrize(
    ("chosen", "change", "is_taken"),
    [
        ({}, {"auto-trigger-threshold": 5, "auto-trigger-threshold-max": 9}, True),
        ({}, {"auto-trigger-threshold": 5, "auto-trigger-threshold-max": 5}, True),
        ({}, {"auto-trigger-threshold": 5}, True),
        ({}, {"auto-trigger-threshold-max": 5}, True),
        ({}, {"auto-trigger-threshold": 5, "auto-trigger-threshold-max": 4}, False),
        ({"auto-trigger-threshold": 5}, {"auto-trigger-threshold-max": 4}, False),
        ({"auto-trigger-threshold-max": 4}, {"auto-trigger-threshold": 5}, False),
        ({"auto-trigger-threshold-max": 4}, {"auto-trigger-threshold": 5, "auto-trigger-threshold-max": 0}, True),
        ({"auto-trigger-threshold": 5, "auto-trigger-threshold-max": 4}, {"always-reply": True}, True),
    ],
)
def test_what_contradicts_each_other_is_refused_whichever_of_the_two_changes(chosen, change, is_taken):
    if is_taken:
        judge_together(Settings(chosen), change)
        return
    with pytest.raises(SettingRefused, match="auto-trigger-threshold would be 5 and auto-trigger-threshold-max 4"):
        judge_together(Settings(chosen), change)


def test_every_setting_has_an_option_of_a_command_of_its_own_and_a_label_that_discord_can_show():
    rows = (*SETTINGS, *PERSONAL)
    assert len({(row.command, row.option) for row in rows}) == len(rows)
    assert {row.command.split()[0] for row in SETTINGS} == {"config", "server"}
    assert {row.command.split()[0] for row in PERSONAL} == {"personal"}
    for row in rows:
        assert row.option.isidentifier()
        assert 0 < len(row.label) <= 100, row.name
        assert bool(row.empty) == (row.default == ""), row.name
