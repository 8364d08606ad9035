"""The other side, in a process of its own: Discord, and a model that speaks OpenAI's chat completions. Both write down when things happen.

`python stand_in.py GUILDS CHANNELS` prints one line of JSON with its address and the bot's token; the rest is asked for under `/bench`.
"""

import asyncio
import contextlib
import json
import re
import sys
import time
from collections import deque
from dataclasses import dataclass, field

import orjson
from aiohttp import web

from discord_loopback import Switches
from discord_loopback.acts import messages
from discord_loopback.acts.drafts import Draft
from discord_loopback.serving import make_server

PEOPLE, ASKING = 80, 61
"""In every guild, and those of them who ask; a prime, so that they take turns in every channel.

Nobody says more while an answer to the same person is under way, which would interrupt it.
"""
CALL = "wren, what do you think of moths? They came to the lamp again last night, more of them than before."
TALK = "Nobody is meant by this line, and it is about as long as what people write to each other."
WORDS = ["Soft", "and", "grey,", "and", "better", "company", "than", "most", "who", "come", "to", "a", "lamp."]
NUMBER = re.compile(rb"#(\d+)")
PATIENCE = 120.0
"""Seconds after which an answer counts as lost, which ends the measurement."""


@dataclass(slots=True)
class Question:
    """When things happened to one question, in seconds of the monotonic clock."""

    sent: float = 0.0
    asked: float = 0.0
    told: float = 0.0
    said: float = 0.0
    answered: asyncio.Future = field(default_factory=lambda: asyncio.get_running_loop().create_future())


@dataclass(slots=True)
class Answers:
    """How the model answers."""

    words: int = 100
    takes: float = 0.0
    pause: float = 0.0
    """Seconds between two chunks."""


class Bench:
    """The two stand-ins and what is measured between them."""

    def __init__(self, guilds, channels):
        people = [{"name": f"person{number}"} for number in range(PEOPLE)]
        names = [one["name"] for one in people]
        places = [{"name": f"channel{number}"} for number in range(channels)]
        there = {"members": names, "applications": ["bench"], "channels": places}
        seed = {
            "people": people,
            "applications": [{"name": "bench"}],
            "guilds": [{"name": f"guild{number}", **there} for number in range(guilds)],
        }
        self.server = make_server(seed, switches=Switches(record=0, keep_messages=100, replay=100))
        self.world = self.server.world
        self.guilds = [list(guild.channels.values()) for guild in self.world.guilds.values()]
        self.people = [user for user in self.world.users.values() if not user.bot][:PEOPLE]
        self.answers, self.questions, self.numbers = Answers(), {}, 0
        self.requests = deque(maxlen=10_000)
        self.connected = asyncio.Event()
        self.last = asyncio.Event()
        self.templates = {}
        self.server.application.middlewares.append(self.note)
        self.server.application.router.add_post("/v1/chat/completions", self.complete)
        self.server.application.router.add_post("/bench/{operation}", self.operate)
        self.world.listeners.append(self.watch)

    # Discord

    @web.middleware
    async def note(self, request, handler):
        """Write down when a request to Discord came, and which question its message answers."""
        now = time.perf_counter()
        if request.path.startswith("/api/"):
            self.requests.append((request.method, request.path))
            if request.method == "POST" and (body := await request.read())[:1] == b"{":
                content = orjson.loads(body).get("content") or ""
                if content == "all heard":
                    self.last.set()
                self.found(content, now)
        return await handler(request)

    def found(self, content, now):
        found = NUMBER.findall(content.encode())
        question = self.questions.get(int(found[-1])) if found else None
        if question is not None and not question.answered.done():
            question.said = now
            question.answered.set_result(None)

    def watch(self, happening):
        """Hear of the connections, one for each thousand of guilds; then stop listening, which would cost time."""
        if happening.name == "LOOPBACK_CONNECTED" and len(self.server.hub.sessions) >= len(self.guilds) / 1000:
            self.connected_at = time.time()
            self.world.listeners.remove(self.watch)
            self.connected.set()

    # The model

    async def complete(self, request):
        """Answer with words, the last of which is the question's number: at once, or after a while, or in chunks."""
        now, body = time.perf_counter(), await request.read()
        found = NUMBER.findall(body)
        number = int(found[-1]) if found else 0
        question = self.questions.get(number, Question())
        question.asked = now
        if self.answers.takes:
            await asyncio.sleep(self.answers.takes)
        words = [*(WORDS[index % len(WORDS)] for index in range(self.answers.words - 1)), f"#{number}"]
        if not orjson.loads(body).get("stream"):
            question.told = time.perf_counter()
            return web.json_response({"choices": [{"index": 0, "message": {"role": "assistant", "content": " ".join(words)}}]})
        return await self.stream(request, question, words)

    async def stream(self, request, question, words):
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        response.enable_chunked_encoding()
        await response.prepare(request)
        for index, word in enumerate(words):
            if self.answers.pause:
                await asyncio.sleep(self.answers.pause)
            if index == len(words) - 1:
                question.told = time.perf_counter()
            await response.write(event({"content": f" {word}" if index else word}))
        await response.write(event({}, "stop") + b"data: [DONE]\n\n")
        await response.write_eof()
        return response

    # What is measured

    async def operate(self, request):
        """Run an operation: its arguments and its result are JSON."""
        operation = getattr(self, f"do_{request.match_info['operation']}")
        return web.json_response(await operation(**await request.json()))

    async def do_until_connected(self):
        await asyncio.wait_for(self.connected.wait(), PATIENCE)
        return self.connected_at

    async def do_guild_ids(self):
        return [str(guild) for guild in self.world.guilds]

    async def do_model(self, **settings):
        self.answers = Answers(**settings)

    def ask(self, channel):
        """A person asks something; nobody is interrupted."""
        self.numbers += 1
        question = self.questions[self.numbers] = Question()
        sender = messages.Sender(self.people[self.numbers % ASKING])
        messages.post(self.world, channel, sender, Draft(content=f"{CALL} #{self.numbers}"))
        question.sent = time.perf_counter()
        return self.numbers, question

    async def answer(self, channel):
        number, question = self.ask(channel)
        await asyncio.wait_for(question.answered, PATIENCE)
        del self.questions[number]
        return question

    async def do_warm(self, channels, count=1):
        """Have every channel known, and its history read."""
        for _ in range(count):
            for channel in self.spread(channels):
                await self.answer(channel)

    def spread(self, channels):
        """So many channels, of all guilds in turn."""
        places = [guild[place] for place in range(len(self.guilds[0])) for guild in self.guilds]
        return places[:channels]

    async def do_path(self, count, channels, pause=0.005):
        """One question after the other: seconds from the event to the model's request, from its last word to the last request."""
        into, out = [], []
        places = self.spread(channels)
        for number in range(count):
            question = await self.answer(places[number % channels])
            into.append(question.asked - question.sent)
            out.append(question.said - question.told)
            await asyncio.sleep(pause)
        return {"into": into, "out": out}

    async def do_requests(self, count, channels):
        """Requests to Discord per answer, when all is known."""
        places = self.spread(channels)
        await asyncio.sleep(0.5)
        self.requests.clear()
        for number in range(count):
            await self.answer(places[number % channels])
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        return len(self.requests) / count

    async def do_replies(self, channels, seconds):
        """Every channel asks anew as soon as it is answered; answers, and the seconds they took."""
        count, over = 0, time.perf_counter() + seconds

        async def talk(channel):
            nonlocal count
            while time.perf_counter() < over:
                await self.answer(channel)
                count += 1

        began = time.perf_counter()
        await asyncio.gather(*(talk(channel) for channel in self.spread(channels)))
        return {"count": count, "seconds": time.perf_counter() - began}

    async def do_round(self):
        """One question in the first channel of every guild."""
        guilds = deque(self.guilds)

        async def talk():
            while guilds:
                await self.answer(guilds.popleft()[0])

        await asyncio.gather(*(talk() for _ in range(20)))

    async def do_events(self, count, channels, every, *, last=False):
        """Events as fast as they are taken; of `every` one is a question (0: none). Seconds until the last answer.

        `last` ends them with a line that the client answers by saying that it has heard all.
        """
        places = self.spread(channels)
        (session,) = self.server.hub.sessions.values()
        self.last.clear()
        asked, began = [], time.perf_counter()
        for number in range(1, count + 1):
            place = places[number % channels]
            if every and number % every == 0:
                asked.append(self.ask(places[number // every % channels]))
            else:
                session.say("MESSAGE_CREATE", self.talk(session, place, number))
            if number % 100 == 0:
                await asyncio.sleep(0)
        if last:
            messages.post(self.world, places[0], messages.Sender(self.people[0]), Draft(content="That was all."))
            await asyncio.wait_for(self.last.wait(), PATIENCE)
        for number, question in asked:
            await asyncio.wait_for(question.answered, PATIENCE)
            del self.questions[number]
        return time.perf_counter() - began

    def talk(self, session, channel, number):
        """The event of a line that means nobody: made once per channel, then only its id is new."""
        if channel.id not in self.templates:
            sender = messages.Sender(self.people[ASKING + number % (PEOPLE - ASKING)])
            message = messages.post(self.world, channel, sender, Draft(content=TALK))
            _, _, body = session.events[-1].payload.partition(b',"d":')
            self.templates[channel.id] = body[:-1].split(b'"%d"' % message.id)
        return (b'"%d"' % self.world.snowflakes.next()).join(self.templates[channel.id])


def event(delta, finish=None):
    """One chunk of a stream."""
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "bench", "choices": choices}
    return b"data: " + orjson.dumps(chunk) + b"\n\n"


async def main():
    bench = Bench(int(sys.argv[1]), int(sys.argv[2]))
    url = await bench.server.start()
    (application,) = bench.world.applications.values()
    print(json.dumps({"url": url, "token": application.token}), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await bench.server.stop()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
