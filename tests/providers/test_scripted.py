"""The scripted model, scene by scene: what a person wrote decides what is answered."""

import pytest

from coterie.ports.model import (
    ChatText,
    ModelBroken,
    ModelBusy,
    ModelError,
    ModelEvent,
    ModelRefused,
    ModelRequest,
    SpeakerNote,
    TextDelta,
    ToolCall,
    ToolRound,
    Usage,
)
from coterie.providers.scripted import ScriptedModel


class Naps:
    """Takes note of every wait and never waits."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


def asked(text: str, handle: str = "bob", rounds: tuple[ToolRound, ...] = ()) -> ModelRequest:
    history = (ChatText("user", "Ann: {{say: from the history}}"),)
    return ModelRequest("You are Bob.", history, rounds=rounds, note=SpeakerNote(handle, text))


async def events(request: ModelRequest, naps: Naps | None = None) -> list[ModelEvent]:
    return [event async for event in ScriptedModel(naps or Naps()).stream(request) if not isinstance(event, Usage)]


async def said(text: str, handle: str = "bob") -> str:
    return "".join(event.text for event in await events(asked(text, handle)) if isinstance(event, TextDelta))


@pytest.mark.parametrize(
    ("text", "handle", "answer"),
    [
        ("hello", "bob", "ok"),
        ("", "bob", "ok"),
        ("bob {{say: Hi!}}", "bob", "Hi!"),
        ("{{say: first}} {{say: second}}", "bob", "first"),
        ("{{say: all}} {{say@bob: mine}}", "bob", "mine"),
        ("{{say@bob: mine}} {{say: all}}", "alice", "all"),
        ("{{say@alice: hers}}", "bob", "ok"),
        ("{{say@BOB: mine}}", "bob", "mine"),
        (r"{{say: one\ntwo}}", "bob", "one\ntwo"),
        ("```\n{{say: in code}}\n```", "bob", "in code"),
        ("{{empty}}", "bob", ""),
        ("{{empty}} {{say: x}}", "bob", ""),
        ("{{empty@alice}} {{say: x}}", "bob", "x"),
        ("{{say: }}", "bob", ""),
    ],
)
async def test_what_is_said(text: str, handle: str, answer: str) -> None:
    assert await said(text, handle) == answer


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{{fail: busy}}", ModelBusy),
        ("{{fail: refused}}", ModelRefused),
        ("{{fail: broken}}", ModelBroken),
        ("{{fail@bob: busy}}", ModelBusy),
    ],
)
async def test_failures(text: str, error: type[ModelError]) -> None:
    with pytest.raises(error):
        await events(asked(f"{text} {{{{say: never}}}}"))


@pytest.mark.parametrize("word", ["sad", "", "Busy"])
async def test_an_unknown_failure_is_one_that_names_the_known_ones(word: str) -> None:
    with pytest.raises(ModelBroken, match=f"cannot fail as '{word}'; it can as busy, refused, broken."):
        await events(asked(f"{{{{fail: {word}}}}} {{{{say: never}}}}"))


async def test_a_failure_for_somebody_else_is_not_ours() -> None:
    assert await said("{{fail@alice: busy}}") == "ok"


async def test_sleeping_comes_first_even_before_failing() -> None:
    naps = Naps()
    with pytest.raises(ModelBusy):
        await events(asked("{{fail: busy}}{{sleep: 3}}{{sleep@alice: 9}}"), naps)
    assert naps.taken == [3]


async def test_slow_streams_so_many_characters_a_second() -> None:
    naps = Naps()
    answered = await events(asked("{{say: abcd}}{{slow: 2}}"), naps)
    assert answered == [TextDelta("a"), TextDelta("b"), TextDelta("c"), TextDelta("d")]
    assert naps.taken == [0.5, 0.5, 0.5, 0.5]


async def test_fast_slow_streams_in_at_most_twenty_steps_a_second() -> None:
    naps = Naps()
    answered = await events(asked(f"{{{{say: {'x' * 1000}}}}}{{{{slow: 1000}}}}"), naps)
    assert len(answered) == 20
    assert sum(naps.taken) == pytest.approx(1.0)


async def test_a_tool_is_called_first_and_the_answer_follows_its_result() -> None:
    text = '{{sleep: 1}}{{tool: clock {"zone": "Asia/Tokyo"}}}{{say: It is noon.}}'
    naps = Naps()
    call = ToolCall("call-1", "clock", {"zone": "Asia/Tokyo"})
    assert await events(asked(text), naps) == [call]
    done = (ToolRound("", (call,), ("12:00",)),)
    assert await events(asked(text, rounds=done), naps) == [TextDelta("It is noon.")]
    assert naps.taken == [1]


async def test_every_tool_directive_is_a_round_of_its_own() -> None:
    text = "{{tool: clock {}}} {{tool: nope {}}}"
    first = await events(asked(text))
    second = await events(asked(text, rounds=(ToolRound("", (), ()),)))
    third = await events(asked(text, rounds=(ToolRound("", (), ()),) * 2))
    assert (first, second, third) == ([ToolCall("call-1", "clock", {})], [ToolCall("call-2", "nope", {})], [TextDelta("ok")])


async def test_it_says_how_much_it_read_and_wrote() -> None:
    got = [event async for event in ScriptedModel(Naps()).stream(asked("{{say: Hello there}}"))]
    assert got == [TextDelta("Hello there"), Usage(input_tokens=19, output_tokens=4)]
