"""A turn that calls tools: the persona stays the same in every round, and a model that only calls is stopped."""

import itertools

import pytest

from coterie.ports.model import ModelInfo, ToolCall
from coterie.storage.opening import Storage
from coterie.tools.catalogue import toolbox
from flows.scenes import Scene, lines, scene_of, status


class Restless:
    """A model that never says a word and calls a tool in each round."""

    info = ModelInfo("restless", 32_000, 1_000, can_call_tools=True)

    def __init__(self, call):
        self._call = call
        self._numbers = itertools.count()
        self.requests = []

    def count_tokens(self, text):
        return len(text)

    async def stream(self, request):
        self.requests.append(request)
        yield self._call(next(self._numbers))


@pytest.fixture
async def scene(storage: Storage):
    async with scene_of(storage, tools=toolbox) as opened:
        yield opened


async def test_the_persona_and_the_tools_result_are_in_the_second_round(scene: Scene):
    events = await scene.say('bram {{tool: clock {"zone": "UTC"}}}{{say: noon}}')
    assert lines(events) == [("Bram", "noon")]
    first, second = scene.model.requests
    assert first.system == second.system
    assert "## Bot Persona" in second.system
    assert second.rounds[0].calls[0].name == "clock"
    assert "(UTC)" in second.rounds[0].results[0]


async def test_the_clock_tells_the_time_of_the_workspace_and_its_prompt_names_the_zone(scene: Scene):
    await scene.say("bram {{tool: clock {}}}{{say: noon}}")
    assert "(UTC)" in scene.model.requests[-1].rounds[0].results[0]
    assert "time zone" not in scene.model.requests[-1].system
    await scene.storage.settings.change(scene.workspace, {"timezone": "Europe/Rome"})
    await scene.say("bram {{tool: clock {}}}{{say: one}}")
    assert "(Europe/Rome)" in scene.model.requests[-1].rounds[0].results[0]
    assert "The time zone here is Europe/Rome." in scene.model.requests[-1].system


@pytest.mark.parametrize(
    ("call", "rounds", "words"),
    [
        (lambda number: ToolCall(f"c{number}", "clock", {"zone": "Mars"}), 3, "3 times"),
        (lambda number: ToolCall(f"c{number}", "clock", {"zone": f"Mars/{number}"}), 8, "8 rounds"),
        (lambda number: ToolCall(f"c{number}", "nope", {"n": number}), 2, "no such tool"),
    ],
)
async def test_a_model_that_only_calls_tools_ends_in_a_visible_failure(scene: Scene, call, rounds, words):
    restless = Restless(call)
    scene.models.only = restless
    events = await scene.say("bram?")
    assert status(events) == "failed"
    assert words in next(event.data["error"] for event in events if event.name == "error")
    assert len(restless.requests) <= rounds + 1
    assert lines(await scene.say("wren?")) == []
