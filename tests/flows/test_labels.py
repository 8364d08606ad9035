"""Lines that wear something, from the model's stream into the record, in a room that shows looks."""

import pytest

from coterie.domain.conversation import Appearance, Worn
from coterie.domain.ids import LOCAL, Handle, UserId
from coterie.domain.personas.sprites import Sprite
from coterie.domain.prompt.participants import Surroundings
from coterie.platforms.rooms.stage import RoomStage
from coterie.ports.model import ModelBroken, Restarted
from coterie.ports.platform import Limits
from flows.saying import Saying
from flows.scenes import ROOM, scene_of, status


class Theatre(RoomStage):
    """A room in which lines have looks, and pictures whose name begins with `gone` are gone."""

    def __init__(self, hub):
        super().__init__(hub, Limits(200, in_parts=True))
        self.unsaid = []

    async def surroundings(self, session):
        return Surroundings(can_wear=True, us=UserId("99"), mention="@{}")

    async def can_show(self, session, persona, picture):
        return not picture.startswith("gone")

    async def unsay(self, session, root, lines):
        self.unsaid += lines


@pytest.fixture
async def scene(storage):
    for sprite in (Sprite("mad", "mad.png"), Sprite("Kit", "kit.png", is_identity=True), Sprite("Wren", "gone.png")):
        await storage.sprites.put(LOCAL, Handle("bram"), sprite)
    async with scene_of(storage, stage=Theatre) as opened:
        yield opened


async def worn(scene):
    """What was said by personas, and what each line wore."""
    history = (await scene.storage.conversations.history(ROOM, 100)).messages
    return [(line.author.name, line.text, line.appearance) for line in history if line.turn is not None]


MAD, KIT = Appearance(Worn.SPRITE, "mad", "mad.png"), Appearance(Worn.IDENTITY, "Kit", "kit.png")


async def says(scene, *attempts, text="bram?", by="123"):
    scene.models.only = Saying(*attempts)
    return await scene.say(text, by)


async def test_each_line_is_kept_with_what_it_wears(scene):
    odile = Appearance(Worn.PERSONA, "Odile", str((await scene.storage.casts.cast(LOCAL)).main.id))
    pieces = ["One.\nBram (m", "ad): Two.\n\nThree.\nkit (Bram): Fo", "ur.\nBram (odile): Five.\nSix.\nBram (123): Seven."]
    assert status(await says(scene, pieces)) == "answered"
    assert await worn(scene) == [
        ("Bram", "One.", None),
        ("Bram", "Two.", MAD),
        ("Bram", "Three.", MAD),
        ("Bram", "Four.", KIT),
        ("Bram", "Five.", odile),
        ("Bram", "Six.", None),
        ("Bram", "Seven.", Appearance(Worn.PERSON, "123", "123")),
    ]


async def test_a_sprite_whose_picture_is_gone_is_plain_and_parts_nothing(scene):
    await says(scene, ["One.\nBram (wren): Two."])
    assert await worn(scene) == [("Bram", "One.\nTwo.", None)]


async def test_nobody_known_is_plain(scene):
    await says(scene, ["Bram (mads): One."])
    assert await worn(scene) == [("Bram", "One.", None)]


async def test_a_label_calls_nobody_and_a_look_ends_with_its_turn(scene):
    await says(scene, ["Bram (odile): Hm.", "\n"], ["Bram (mad): Ok."], ["Plain."])
    for _ in range(2):
        await scene.say("bram?")
    said = await worn(scene)
    assert [(name, text) for name, text, _ in said] == [("Bram", "Hm."), ("Bram", "Ok."), ("Bram", "Plain.")]
    assert [look and look.kind for _, _, look in said] == [Worn.PERSONA, Worn.SPRITE, None]


async def test_an_attempt_that_counts_no_more_takes_its_look_along(scene):
    await says(scene, ["Bram (mad): Wrong.\n\nMore", Restarted("other"), "Right."])
    assert await worn(scene) == [("Bram", "Right.", None)]
    await says(scene, ["Bram (mad):", Restarted("other"), "Again."])
    assert (await worn(scene))[-1] == ("Bram", "Again.", None)


async def test_what_was_said_before_a_failure_keeps_its_look(scene):
    assert status(await says(scene, ["Bram (mad): One.\n\nTwo", ModelBroken("The model broke.")])) == "answered"
    assert (await worn(scene))[0] == ("Bram", "One.", MAD)


async def test_in_a_room_without_looks_labels_are_only_removed(storage):
    await storage.sprites.put(LOCAL, Handle("bram"), Sprite("mad", "mad.png"))
    async with scene_of(storage) as scene:
        await says(scene, ["One.\nBram (mad): Two.\nBram (odile): Three."])
        assert await worn(scene) == [("Bram", "One.\nTwo.\nThree.", None)]
        await scene.say("bram?")
        model = scene.model
        scene.models.only = model
        await scene.say("bram?")
        assert "## Sprites" not in model.requests[-1].system
        assert "## People here" not in model.requests[-1].system
