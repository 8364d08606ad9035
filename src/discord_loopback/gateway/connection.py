"""One websocket of the gateway: hello, identify or resume, heartbeats, requests, close codes. Sessions and events are the hub's."""

import asyncio
from collections import deque
from typing import Any

import orjson
from aiohttp import WSMsgType, web

from discord_loopback import shown
from discord_loopback.gateway.compression import STREAMS, Squeeze
from discord_loopback.gateway.hub import Hub
from discord_loopback.gateway.members import chunks
from discord_loopback.gateway.sessions import Session, hello
from discord_loopback.happenings import GUILDS, KNOWN_INTENTS, MEMBERS, NOBODY, PRESENCES, PRIVILEGED, Happening
from discord_loopback.refusals import Json
from discord_loopback.snowflakes import shard_of

LARGEST_FRAME = 4096
"""Bytes of a frame from a client (4002)."""
ACKNOWLEDGED_AFTER = 0.01
"""Seconds until a heartbeat is answered. No network is as fast as loopback: discord.py would see the answer before it has noted that it
asked, and take the time since the beat before for its latency."""
KNOWN_VERSIONS = ("10", "9")


class Connection:
    """A client's websocket. Frames wait in an outbox that one task empties, so that their order is that of the events."""

    def __init__(self, hub: Hub, socket: web.WebSocketResponse, request: web.Request) -> None:
        self._hub = hub
        self._world = hub.world
        self._socket = socket
        self._request = request
        self._squeeze: Squeeze | None = STREAMS[compress]() if (compress := request.query.get("compress", "")) in STREAMS else None
        self._outbox: deque[bytes] = deque()
        self._ready = asyncio.Event()
        self._session: Session | None = None
        self._close_with: int | None = None
        self._heard: deque[float] = deque()

    async def run(self) -> None:
        """Speak until one side ends it; then the session is kept for a resume, or ended where the client said so."""
        writer = asyncio.create_task(self._write())
        self._send(hello(self._world.switches.heartbeat_interval))
        if self._request.query.get("v", "10") not in KNOWN_VERSIONS:
            self._hang(4012)
        try:
            await self._read()
        finally:
            self._leave()
            if self._close_with:
                self._ready.set()
                await writer
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    # Writing

    def _send(self, payload: Json) -> None:
        self._put(orjson.dumps(payload))

    def _put(self, payload: bytes) -> None:
        self._outbox.append(payload)
        self._ready.set()

    async def _write(self) -> None:
        try:
            while True:
                await self._ready.wait()
                self._ready.clear()
                while self._outbox:
                    payload = self._outbox.popleft()
                    if self._squeeze is None:
                        await self._socket.send_str(payload.decode())
                    else:
                        await self._socket.send_bytes(self._squeeze(payload))
                if self._close_with:
                    await self._socket.close(code=self._close_with)
                    return
        except (ConnectionError, RuntimeError):
            return

    def _hang(self, code: int) -> None:
        """End the connection: with a code after everything that waits, or cut at once for 0."""
        if code:
            self._close_with = code
            self._ready.set()
        elif self._request.transport is not None:
            self._outbox.clear()
            self._request.transport.abort()

    # Reading

    async def _read(self) -> None:
        patience = self._world.switches.heartbeat_interval * 2
        while True:
            try:
                frame = await self._socket.receive(timeout=patience)
            except TimeoutError:
                self._hang(4009)
                return
            if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return
            if self._close_with is None:
                self._take(frame.data.encode() if isinstance(frame.data, str) else frame.data)

    def _take(self, data: bytes) -> None:
        now = self._world.clock()
        self._heard.append(now)
        while self._heard[0] < now - 60:
            self._heard.popleft()
        if len(self._heard) > self._world.switches.client_events:
            self._hang(4008)
            return
        try:
            payload = orjson.loads(data) if len(data) <= LARGEST_FRAME else None
        except orjson.JSONDecodeError:
            payload = None
        if not isinstance(payload, dict) or not isinstance(payload.get("op"), int):
            self._hang(4002)
            return
        self._act(payload["op"], payload.get("d"))

    def _act(self, opcode: int, data: Any) -> None:
        match opcode:
            case 1:
                asyncio.get_running_loop().call_later(ACKNOWLEDGED_AFTER, self._send, {"op": 11, "d": None, "s": None, "t": None})
            case 2 | 6 if self._session is not None:
                self._hang(4005)
            case 2 | 6 if not isinstance(data, dict):
                self._hang(4002)
            case 2:
                self._identify(data)
            case 6:
                self._resume(data)
            case 3 | 4 | 8 | 31 if self._session is None:
                self._hang(4003)
            case 3 | 4 | 31:
                pass  # Presence, voice and sounds are heard, and nobody here shows them.
            case 8:
                self._request_members(data or {})
            case _:
                self._hang(4001)

    def _refuses(self, data: Json) -> int:
        """The close code for an identify, or 0."""
        application = self._world.application_of(str(data.get("token", "")).removeprefix("Bot "))
        if application is None:
            return 4004
        shard = data.get("shard") or [0, 1]
        if len(shard) != 2 or not 0 <= shard[0] < shard[1]:
            return 4010
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~KNOWN_INTENTS:
            return 4013
        if intents & PRIVILEGED & ~application.privileged:
            return 4014
        mine = [guild for guild in self._world.guilds.values() if application.bot.id in guild.members]
        return 4011 if len([one for one in mine if shard_of(one.id, shard[1]) == shard[0]]) > 2500 else 0

    def _identify(self, data: Json) -> None:
        self._hub.forget_old()
        if code := self._refuses(data):
            self._hang(code)
            return
        application = self._world.application_of(str(data["token"]).removeprefix("Bot "))
        assert application is not None
        shard, shards = data.get("shard") or (0, 1)
        session = Session(application, data["intents"], shard, shards, self._world.switches.replay)
        session.large_threshold = data.get("large_threshold") or 50
        self._hub.sessions[session.id] = session
        self._speak_for(session)
        guilds = [one for one in self._world.guilds.values() if application.bot.id in one.members and shard_of(one.id, shards) == shard]
        ready: Json = {
            "v": 10,
            "user": shown.self_user(application.bot),
            "guilds": [{"id": str(one.id), "unavailable": True} for one in guilds],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self._world.base.replace("http", "ws", 1) + "/gw",
            "application": {"id": str(application.id), "flags": shown.application(application, self._world)["flags"]},
            "shard": [shard, shards],
            "private_channels": [],
            "relationships": [],
            "presences": [],
            "_trace": [],
        }
        session.say("READY", orjson.dumps(ready))
        if session.intents & GUILDS:
            for guild in guilds:
                # Without the presence intent, and in large guilds, a bot gets itself alone and asks for the rest.
                everybody = bool(session.intents & PRESENCES) and len(guild.members) <= session.large_threshold
                whole = shown.guild_create(guild, self._world, viewer=application.bot.id, everybody=everybody)
                session.say("GUILD_CREATE", orjson.dumps(whole))

    def _resume(self, data: Json) -> None:
        self._hub.forget_old()
        session = self._hub.sessions.get(str(data.get("session_id")))
        if session is None or session.application is not self._world.application_of(str(data.get("token", "")).removeprefix("Bot ")):
            self._send({"op": 9, "d": False, "s": None, "t": None})
            return
        sequence = data.get("seq") or 0
        if not isinstance(sequence, int) or sequence > session.sequence:
            self._hang(4007)
            return
        missed = session.since(sequence)
        if missed is None:
            self._hub.forget(session)
            self._send({"op": 9, "d": False, "s": None, "t": None})
            return
        if session.hang is not None:
            session.hang(4000)
        for payload in missed:
            self._put(payload)
        self._speak_for(session)
        session.say("RESUMED", b'{"_trace":[]}')

    def _speak_for(self, session: Session) -> None:
        self._session = session
        session.outlet = self._put
        self._note("LOOPBACK_CONNECTED", session)
        session.hang = self._hang

    def _note(self, name: str, session: Session) -> None:
        data: Json = {"session": session.id, "application_id": str(session.application.id), "shard": session.shard}
        self._world.tell(Happening(name, data, eyes=NOBODY))

    def _request_members(self, data: Json) -> None:
        assert self._session is not None
        whole = bool(self._session.intents & MEMBERS)
        for chunk in chunks(self._world, data, may_have_all=whole, presences=bool(self._session.intents & PRESENCES)):
            self._session.say("GUILD_MEMBERS_CHUNK", orjson.dumps(chunk))

    def _leave(self) -> None:
        session = self._session
        if session is None or session.outlet != self._put:
            return
        session.outlet = session.hang = None
        session.left_at = self._world.clock()
        self._note("LOOPBACK_DISCONNECTED", session)
        # A client that says goodbye with 1000 or 1001 ends its session; the server's own codes do not.
        if self._socket.close_code in (1000, 1001) and self._close_with is None:
            self._hub.forget(session)


async def connect(hub: Hub, request: web.Request) -> web.WebSocketResponse:
    """Answer a request for the gateway."""
    socket = web.WebSocketResponse(max_msg_size=1 << 20, compress=False)
    await socket.prepare(request)
    await Connection(hub, socket, request).run()
    return socket
