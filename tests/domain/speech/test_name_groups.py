from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.speech.name_groups import GROUPS_FOR, Look, NameGroups
from coterie.domain.speech.shown_names import fold

PLAIN = Look.of(("ren", "plain"), "Ren", "ren")
HAPPY = Look.of(("ren", "happy"), "Ren", "happy")
SAD = Look.of(("ren", "sad"), "Ren", "sad")
ANGRY = Look.of(("ren", "angry"), "Ren", "angry")
OTHER_REN = Look.of(("ren-2", "plain"), "Ren", "ren-2")
BRAM = Look.of(("bram", "plain"), "Bram", "bram")
HERE = 7


class Talk:
    """One channel: every line gets the next message id, one second after the last."""

    def __init__(self) -> None:
        self.groups, self.newest, self.now = NameGroups(), 0, 0.0

    def says(self, *looks, channel=HERE):
        return [self._says(look, channel) for look in looks]

    def _says(self, look, channel):
        name = self.groups.name_for(channel, look, newest=self.newest or None, now=self.now)
        self.newest += 1
        self.now += 1
        self.groups.shown(channel, look, name, message=self.newest, now=self.now)
        return name


def test_sprites_of_one_persona_alternate():
    assert Talk().says(HAPPY, SAD, ANGRY, HAPPY) == ["Ren", "Ren (sad)", "Ren", "Ren (happy)"]


def test_a_run_of_one_sprite_stays_one_group():
    assert Talk().says(HAPPY, HAPPY, SAD, SAD, SAD, HAPPY, HAPPY) == ["Ren"] * 2 + ["Ren (sad)"] * 3 + ["Ren"] * 2


def test_a_plain_line_counts_as_a_sprite_of_its_own():
    assert Talk().says(PLAIN, HAPPY, PLAIN) == ["Ren", "Ren (happy)", "Ren"]
    assert Talk().says(HAPPY, PLAIN) == ["Ren", "Ren (ren)"]


def test_two_personas_of_one_name_stay_apart():
    assert Talk().says(PLAIN, OTHER_REN, PLAIN) == ["Ren", "Ren (ren-2)", "Ren"]


def test_another_name_in_between_parts_by_itself():
    assert Talk().says(HAPPY, BRAM, SAD) == ["Ren", "Bram", "Ren"]


def test_an_identity_under_a_name_of_its_own_takes_no_part():
    flipped = Look("sad identity", "sad (Ren)", "sad (Ren)")
    assert Talk().says(HAPPY, flipped, HAPPY) == ["Ren", "sad (Ren)", "Ren"]


def test_it_starts_anew_where_somebody_else_spoke():
    talk = Talk()
    talk.says(HAPPY)
    talk.newest += 1
    assert talk.says(SAD) == ["Ren"]


def test_it_starts_anew_after_a_message_of_the_bot_itself():
    talk = Talk()
    talk.says(HAPPY)
    talk.groups.interrupted(HERE)
    assert talk.says(SAD) == ["Ren"]


def test_what_the_gateway_does_not_know_yet_is_nothing_in_between():
    groups = NameGroups()
    groups.shown(HERE, HAPPY, "Ren", message=10, now=0)
    assert [groups.name_for(HERE, SAD, newest=newest, now=1) for newest in (None, 9, 10, 11)] == ["Ren (sad)"] * 3 + ["Ren"]


def test_it_starts_anew_after_a_long_silence():
    groups = NameGroups()
    groups.shown(HERE, HAPPY, "Ren", message=10, now=0)
    assert groups.name_for(HERE, SAD, newest=10, now=GROUPS_FOR) == "Ren (sad)"
    assert groups.name_for(HERE, SAD, newest=10, now=GROUPS_FOR + 1) == "Ren"


def test_channels_do_not_know_of_each_other():
    talk = Talk()
    assert talk.says(HAPPY, channel=1) + talk.says(SAD, channel=2) == ["Ren", "Ren"]


def test_a_renamed_persona_wears_its_new_name_at_once():
    renamed = Look.of(PLAIN.face, "Renata", "ren")
    assert Talk().says(PLAIN, renamed) == ["Ren", "Renata"]


def test_an_invisible_difference_is_none():
    unseen = Look("other", "Ren\u200b", "Ren (other)")
    assert Talk().says(PLAIN, unseen) == ["Ren", "Ren (other)"]


def test_only_channels_with_groups_are_remembered():
    groups = NameGroups()
    for channel in range(2_000):
        groups.shown(channel, HAPPY, "Ren", message=1, now=0)
    groups.shown(5_000, HAPPY, "Ren", message=1, now=GROUPS_FOR + 1)
    assert groups.name_for(5_000, SAD, newest=1, now=GROUPS_FOR + 1) == "Ren (sad)"
    assert len(vars(groups)["_last"]) == 1


@given(st.lists(st.sampled_from([PLAIN, HAPPY, SAD, OTHER_REN, BRAM]), max_size=30))
def test_neighbours_share_a_name_exactly_when_they_share_a_face(looks):
    names = Talk().says(*looks)
    for (one, other), (first, second) in zip(pairwise(looks), pairwise(names), strict=True):
        assert (one.face == other.face) == (fold(first) == fold(second))
