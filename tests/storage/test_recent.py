from coterie.storage.recent import Recent


def test_what_was_kept_is_there():
    recent = Recent(2)
    assert recent.get("a") is None
    recent.keep("a", "first", 1)
    assert recent.get("a") == "first"


def test_a_newer_version_elsewhere_makes_it_unknown():
    recent = Recent(2)
    recent.keep("a", "first", 1)
    recent.seen("a", 1)
    assert recent.get("a") == "first"
    recent.seen("a", 2)
    assert recent.get("a") is None


def test_a_slow_reader_brings_nothing_old_back():
    recent = Recent(2)
    recent.keep("a", "first", 1)
    recent.seen("a", 3)
    recent.keep("a", "second", 2)
    assert recent.get("a") is None
    recent.keep("a", "third", 3)
    recent.keep("a", "second", 2)
    assert recent.get("a") == "third"


def test_hearing_of_a_version_of_something_unknown_keeps_nothing():
    recent = Recent(1)
    recent.keep("a", "first", 1)
    recent.seen("b", 5)
    assert (recent.get("a"), recent.get("b")) == ("first", None)


def test_what_was_used_longest_ago_makes_room():
    recent = Recent(2)
    recent.keep("a", "A", 1)
    recent.keep("b", "B", 1)
    assert recent.get("a") == "A"
    recent.keep("c", "C", 1)
    assert [recent.get(key) for key in "abc"] == ["A", None, "C"]


def test_a_version_that_is_heard_of_while_it_is_read_makes_what_is_read_unknown():
    recent = Recent(1)
    recent.seen("a", 2)
    recent.keep("a", "first", 1)
    assert recent.get("a") is None
    recent.keep("a", "second", 2)
    assert recent.get("a") == "second"


def test_when_everything_is_forgotten_nothing_old_comes_back():
    recent = Recent(2)
    recent.keep("a", "second", 2)
    recent.forget()
    assert recent.get("a") is None
    recent.keep("a", "first", 1)
    assert recent.get("a") is None
    recent.keep("a", "second", 2)
    assert recent.get("a") == "second"


def test_of_what_is_not_known_few_versions_are_held():
    recent = Recent(1)
    recent.seen("a", 2)
    recent.seen("b", 2)
    recent.keep("a", "first", 1)
    assert recent.get("a") == "first"
