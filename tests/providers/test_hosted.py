"""Hosted models over their real SDKs, against servers on loopback that speak the three wires."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from typing import Any

import pytest

from coterie.kit.streams import closing
from coterie.ports.model import (
    ChatText,
    Level,
    ModelBroken,
    ModelBusy,
    ModelError,
    ModelEvent,
    ModelRefused,
    ModelRequest,
    ModelUnknown,
    TextDelta,
    ToolCall,
    ToolRound,
    ToolSpec,
    Usage,
)
from coterie.providers.catalogue import ANTHROPIC, BY_NAME, GEMINI, OPENAI, Provider, Wire
from coterie.providers.endpoints import Client, Endpoint, is_loopback
from coterie.providers.hosted import HostedModel
from coterie.providers.wrappers import Progress, WithInactivityTimeout
from providers.loopback import Answer, Loopback, loopback
from providers.test_wrappers import Limits

KEY = "sk-test-0123456789abcdef"
CLOCK = ToolSpec("clock", "The present time.", {"type": "object", "properties": {"zone": {"type": "string"}}})
CHAT = (ChatText("user", "Ann: Hi"), ChatText("assistant", "Hello Ann"), ChatText("user", "Ann: What time is it?"))
REQUEST = ModelRequest("You are Bob.", CHAT, tools=(CLOCK,))
CALL = ToolCall("call-7", "clock", {"zone": "Asia/Tokyo"})
CALLING = Answer(("Let me see.",), thought="The clock knows.", calls=(("call-7", "clock", '{"zone": "Asia/Tokyo"}'),))

WIRES = [pytest.param(OPENAI, id="openai"), pytest.param(ANTHROPIC, id="anthropic"), pytest.param(GEMINI, id="gemini")]


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    async with loopback() as running:
        yield running


def endpoint(server: Loopback, provider: Provider, key: str = KEY) -> Endpoint:
    return Endpoint(provider, server.address + ("/v1" if provider.wire is Wire.OPENAI else ""), key)


async def answered(model: HostedModel, request: ModelRequest = REQUEST) -> list[ModelEvent]:
    return [event async for event in model.stream(request) if not isinstance(event, Progress)]


def joined(events: Iterable[ModelEvent | Progress]) -> list[ModelEvent]:
    """The events without signs of life, text in a row as one: how a text is cut is up to the network."""
    told: list[ModelEvent] = []
    for event in events:
        if isinstance(event, TextDelta) and told and isinstance(told[-1], TextDelta):
            told[-1] = TextDelta(told[-1].text + event.text)
        elif not isinstance(event, Progress):
            told.append(event)
    return told


async def asked_of(server: Loopback, provider: Provider, request: ModelRequest, name: str = "") -> Any:
    """Ask once and return the body that arrived."""
    client = Client(endpoint(server, provider))
    await answered(HostedModel(client, name or provider.default_model), request)
    await client.retire()
    return server.asked[-1]


@pytest.mark.parametrize("provider", WIRES)
async def test_an_answer_comes_in_pieces_and_ends_with_what_it_cost(server: Loopback, provider: Provider) -> None:
    client = Client(endpoint(server, provider))
    server.next = Answer(("Hello", " there"), thought="Who is that?")
    model = HostedModel(client, provider.default_model)
    assert joined(await answered(model)) == [TextDelta("Hello there"), Usage(11, 7)]
    said = str(server.asked[0])
    assert all(text in said for text in ("You are Bob.", "Ann: Hi", "Hello Ann", "Ann: What time is it?", "The present time."))
    assert any(KEY in value for value in server.headers[0].values())
    await client.retire()


@pytest.mark.parametrize("provider", WIRES)
async def test_a_tool_is_called_and_its_result_goes_back_with_the_thoughts_that_led_to_it(server: Loopback, provider: Provider) -> None:
    client = Client(endpoint(server, provider))
    model = HostedModel(client, provider.default_model)
    server.next = CALLING
    assert await answered(model) == [TextDelta("Let me see."), CALL, Usage(11, 7)]
    server.next = Answer(("Noon.",))
    done = replace(REQUEST, rounds=(ToolRound("Let me see.", (CALL,), ("12:00 (Asia/Tokyo)",)),))
    assert await answered(model, done) == [TextDelta("Noon."), Usage(11, 7)]
    said = str(server.asked[-1])
    assert all(text in said for text in ("You are Bob.", "Let me see.", "call-7", "Asia/Tokyo", "12:00 (Asia/Tokyo)"))
    if provider is ANTHROPIC:
        assert {"type": "thinking", "thinking": "The clock knows.", "signature": "signed"} in server.asked[-1]["messages"][-2]["content"]
    await client.retire()


@pytest.mark.parametrize("provider", WIRES)
async def test_a_round_that_another_model_made_goes_out_without_thinking(server: Loopback, provider: Provider) -> None:
    body = await asked_of(server, provider, replace(REQUEST, level="high", rounds=(ToolRound("", (CALL,), ("12:00",)),)))
    assert "12:00" in str(body)
    assert body.get("reasoning_effort", "none") == "none"
    assert body.get("thinking", {"type": "disabled"}) == {"type": "disabled"}
    assert body.get("generationConfig", {}).get("thinkingConfig", {}).get("thinking_level") != "HIGH"


@pytest.mark.parametrize("provider", WIRES)
@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (Answer(status=401, error={"error": {"message": f"Incorrect API key provided: {KEY}."}}), ModelRefused, "Incorrect API key"),
        (Answer(status=403, error={"error": {"message": "Not for you"}}), ModelRefused, "Not for you"),
        (Answer(status=429, error={"error": {"message": "Too many"}}, headers={"retry-after": "7"}), ModelBusy, "Too many"),
        (Answer(status=404, error={"error": {"message": "No such model"}}), ModelUnknown, "No such model"),
        (Answer(status=400, error={"error": {"message": "Nonsense"}}), ModelBroken, "Nonsense"),
        (Answer(status=500, error={"error": {"message": "Oops"}}), ModelBroken, "Oops"),
        (Answer(status=502), ModelBroken, "failed"),
        (Answer(status=307, headers={"location": "http://127.0.0.1:9/elsewhere"}), ModelBroken, "failed"),
        (Answer(then="babbles"), ModelBroken, "failed"),
    ],
)
async def test_an_error_is_one_sentence_of_the_right_kind(
    server: Loopback, provider: Provider, answer: Answer, error: type[ModelError], words: str
) -> None:
    client = Client(endpoint(server, provider))
    server.next = answer
    with pytest.raises(error, match=words) as raised:
        await answered(HostedModel(client, provider.default_model))
    sentence = str(raised.value)
    assert KEY not in sentence
    assert "\n" not in sentence
    assert len(server.asked) == 1, "nothing is tried again behind our back"
    if error is ModelRefused:
        assert provider.key_variable in sentence
    if isinstance(raised.value, ModelBusy):
        assert raised.value.retry_after == 7
    await client.retire()


@pytest.mark.parametrize("provider", WIRES)
async def test_a_server_that_wants_a_key_where_none_was_given_says_so(server: Loopback, provider: Provider) -> None:
    client = Client(endpoint(server, provider, key=""))
    server.next = Answer(status=401, error={"error": {"message": "Unauthorized."}})
    with pytest.raises(ModelRefused) as raised:
        await answered(HostedModel(client, provider.default_model))
    where, variable = client.endpoint.base_url, provider.key_variable
    wanted = f"{provider.name} at {where} wants a key (set {variable}, or save one for it in the page): Unauthorized."
    assert str(raised.value) == wanted
    await client.retire()


@pytest.mark.parametrize("provider", WIRES)
async def test_a_connection_that_breaks_amid_an_answer(server: Loopback, provider: Provider) -> None:
    client = Client(endpoint(server, provider))
    server.next = Answer(("one", "two", "never"), then="dies")
    got: list[ModelEvent] = []
    with pytest.raises(ModelBroken, match=f"{provider.name} could not be reached at {server.address}.*or broke off"):
        await collect(HostedModel(client, provider.default_model), got)
    assert joined(got) == [TextDelta("onetwo")]
    await client.retire()


async def collect(model: HostedModel, got: list[ModelEvent]) -> None:
    async for event in model.stream(REQUEST):
        got += [] if isinstance(event, Progress) else [event]


@pytest.mark.parametrize("provider", WIRES)
async def test_silence_is_given_up_and_the_server_hears_of_it(server: Loopback, provider: Provider) -> None:
    client = Client(endpoint(server, provider))
    server.next = Answer(("one", "two", "never"), then="hangs")
    limits = Limits()
    events = WithInactivityTimeout(HostedModel(client, provider.default_model), 120, limits).stream(REQUEST)
    got: list[ModelEvent] = []
    while joined(got) != [TextDelta("onetwo")]:
        got.append(await anext(events))
    limits.waits.clear()
    waiting = asyncio.ensure_future(anext(events))
    await limits.waits.wait()
    limits.pass_now()
    with pytest.raises(ModelBroken, match="was silent for 120 seconds"):
        await waiting
    await server.hung_up.wait()
    await client.retire()


@pytest.mark.parametrize("provider", WIRES)
async def test_closing_the_stream_ends_the_request(server: Loopback, provider: Provider) -> None:
    client = Client(endpoint(server, provider))
    server.next = Answer(("one", "two"), then="hangs")
    async with closing(HostedModel(client, provider.default_model).stream(REQUEST)) as events:
        while not isinstance(await anext(events), TextDelta):
            pass
    await server.hung_up.wait()
    server.next = Answer(("again",))
    assert (await answered(HostedModel(client, provider.default_model)))[0] == TextDelta("again")
    await client.retire()


async def test_all_models_of_an_endpoint_share_one_connection(server: Loopback) -> None:
    client = Client(endpoint(server, OPENAI))
    for name in ("one", "two", "one"):
        await answered(HostedModel(client, name))
    assert [body["model"] for body in server.asked] == ["one", "two", "one"]
    assert len(set(server.ports)) == 1
    await client.retire()


async def test_a_retired_client_ends_with_its_last_stream_and_serves_who_still_holds_it(server: Loopback) -> None:
    client = Client(endpoint(server, OPENAI))
    model = HostedModel(client, "m")
    events = model.stream(REQUEST)
    while not isinstance(first := await anext(events), TextDelta):
        pass
    await client.retire()
    assert TextDelta("Hello there") in joined([first, *[event async for event in events]])
    assert TextDelta("Hello there") in joined(await answered(model))
    assert len(set(server.ports)) == 2


async def test_nobody_there() -> None:
    client = Client(Endpoint(OPENAI, "http://127.0.0.1:9/v1", KEY))
    with pytest.raises(ModelBroken, match=r"openai could not be reached at http://127\.0\.0\.1:9/v1"):
        await answered(HostedModel(client, "m"))
    await client.retire()


@pytest.mark.parametrize("provider", WIRES)
async def test_a_missing_key_is_said_before_anything_is_sent(provider: Provider) -> None:
    with pytest.raises(ModelRefused, match=f"{provider.name} needs a key: set {provider.key_variable}"):
        await answered(HostedModel(Client(Endpoint(provider, provider.base_url)), provider.default_model))


@pytest.mark.parametrize("arguments", ['{"zone": ', "[1]"])
async def test_arguments_that_are_no_object_break_the_answer(server: Loopback, arguments: str) -> None:
    client = Client(endpoint(server, OPENAI))
    server.next = Answer(calls=(("call-7", "clock", arguments),))
    with pytest.raises(ModelBroken, match="openai failed: it called clock with arguments that are no JSON object"):
        await answered(HostedModel(client, "m"))
    await client.retire()


@pytest.mark.parametrize(
    ("name", "level", "effort", "most"),
    [
        ("gpt-6-luna", "none", "none", 800),
        ("gpt-6-luna", "low", "low", 800 + 2_048),
        ("gpt-6-luna", "medium", "medium", 800 + 8_192),
        ("gpt-6-luna", "xhigh", "xhigh", 800 + 32_768),
        ("gpt-4o-mini", "high", None, 800),
        ("some-local-model", "high", None, 800),
    ],
)
async def test_levels_over_the_wire_of_openai(server: Loopback, name: str, level: Level, effort: str | None, most: int) -> None:
    body = await asked_of(server, OPENAI, replace(REQUEST, level=level), name)
    assert (body.get("reasoning_effort"), body["max_tokens"]) == (effort, most)


@pytest.mark.parametrize(("level", "thinking"), [("none", {"type": "disabled"}), ("medium", {"type": "adaptive"})])
async def test_levels_over_the_wire_of_anthropic(server: Loopback, level: Level, thinking: dict[str, str]) -> None:
    body = await asked_of(server, ANTHROPIC, replace(REQUEST, level=level), "claude-haiku-5-5")
    assert body["thinking"] == thinking


@pytest.mark.parametrize(("level", "thinking"), [("none", "LOW"), ("medium", "MEDIUM"), ("max", "HIGH")])
async def test_levels_over_the_wire_of_gemini(server: Loopback, level: Level, thinking: str) -> None:
    body = await asked_of(server, GEMINI, replace(REQUEST, level=level), "gemini-3.8-flash")
    assert body["generationConfig"]["thinkingConfig"]["thinking_level"] == thinking


async def test_a_model_that_knows_no_tools_is_offered_none(server: Loopback) -> None:
    body = await asked_of(server, BY_NAME["ollama"], REQUEST)
    assert "tools" not in body
    assert body["max_tokens"] == 800


@pytest.mark.parametrize(
    ("address", "is_here"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost/v1", True),
        ("http://[::1]:80", True),
        ("https://api.openai.com/v1", False),
        ("http://127.0.0.1.example.com", False),
        ("nonsense", False),
    ],
)
def test_what_is_on_this_machine(address: str, is_here: bool) -> None:
    assert is_loopback(address) is is_here
