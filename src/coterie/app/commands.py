"""What the commands about talk do: each asks the API of whoever runs on the home, or hosts it for as long as it needs it."""

import sys
from collections.abc import Sequence
from typing import Any

from coterie.app.console import FAILED, CommandFailed, out, out_json, refuse, run, tell
from coterie.app.hosting import reach
from coterie.domain.sessions.names import kind_of
from coterie.domain.settings import BY_NAME, Setting, SettingRefused, accepts, read_value
from coterie.platforms.terminal.client import ApiClient, StreamEvent
from coterie.platforms.terminal.plain import shown_name, shown_text
from coterie.platforms.terminal.speakers import TOO_LONG, is_too_long, speaker

_MOST_NAMED = 10


def chat(home: str, room: str, name: str) -> int:
    """Open the terminal application on a room."""

    async def work() -> int | None:
        from coterie.platforms.terminal.app import ChatApp

        _judge_name(name)
        async with reach(home, "chat") as client:
            session = await find_room(client, room)
            await ChatApp(client, session, name).run_async()
        return None

    return run(work)


def say(home: str, text: str, room: str, name: str, *, json: bool) -> int:
    """Say something once; lines as they come, with `--json` every event."""

    async def work() -> int | None:
        _judge_name(name)
        words = given_words() if text == "-" else text
        async with reach(home, "say") as client:
            session = await find_room(client, room)
            status, message = "failed", ""
            names: dict[str, str] = {}
            async for event in client.send(words, session=session, user=speaker(name).as_json()):
                if json:
                    out_json({"event": event.name, **event.data})
                else:
                    show(event, names)
                if event.name == "end":
                    status, message = str(event.data.get("status")), str(event.data.get("message_id"))
        if status == "silent" and not json:
            tell(f"Nobody answered; `coterie why {message}` says why.")
        return FAILED if status == "failed" else None

    return run(work, json=json)


def _judge_name(name: str) -> None:
    if is_too_long(name):
        refuse(TOO_LONG)


def given_words() -> str:
    """What standard input holds."""
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise CommandFailed(f"Standard input is not valid UTF-8: byte {error.start + 1} is no part of a character.", 2) from error


def show(event: StreamEvent, names: dict[str, str]) -> None:
    """One event of an answer for a person; `names` gathers which turn is whose."""
    data = event.data
    match event.name:
        case "plan":
            names.update({turn["turn_id"]: turn["persona"] for turn in data["turns"]})
        case "line":
            out(f"{shown_name(data['name'])}: {shown_text(data['text'])}")
        case "error":
            speaker = names.get(str(data.get("turn_id")))
            tell(f"{speaker}: {data['error']}" if speaker else str(data["error"]))
        case _:
            pass


async def find_room(client: ApiClient, room: str) -> str:
    """The session a room's name or id stands for; a name that is unknown becomes a new room."""
    found = await known_room(client, room)
    return found or str((await client.create_session("chat", room))["session_id"])


async def known_room(client: ApiClient, room: str, workspace: str = "local") -> str | None:
    """The session a room's name or id stands for, or nothing for an unknown name. Refused where several rooms have the name."""
    sessions = await client.sessions(workspace)
    if not room.strip():
        return _default_room(sessions, workspace)
    ids = [str(session["session_id"]) for session in sessions]
    named = [str(session["session_id"]) for session in sessions if session["name"] == room]
    if room in ids:
        return room
    if len(named) > 1:
        refuse(f"{len(named)} rooms are called {shown_name(room)}; name one by its id: {', '.join(named)}.")
    if not named and kind_of(room) is not None:
        refuse(f"There is no session {room}.")
    return next(iter(named), None)


def _default_room(sessions: Sequence[dict[str, Any]], workspace: str) -> str:
    """Only the workspace local has one."""
    found = next((session for session in sessions if session.get("default")), None)
    if found is None:
        names = ", ".join(sorted({shown_name(session["name"]) for session in sessions})[:_MOST_NAMED])
        refuse(f"Name a room of {workspace} with --room: {names}." if names else f"Nobody has called a persona in {workspace} yet.")
    return str(found["session_id"])


def why(home: str, message_id: str, room: str, workspace: str, *, json: bool) -> int:
    """Print the decision about a message; without an id, about the newest one of the room."""

    async def work() -> int | None:
        if message_id and room:
            refuse("Give either a message's id or a room.")
        async with reach(home, "why") as client:
            decision = await client.why(message_id or await newest_message(client, room, workspace))
        if json:
            out_json(decision)
            return None
        for line in why_lines(decision):
            out(line)
        return None

    return run(work, json=json)


async def newest_message(client: ApiClient, room: str, workspace: str) -> str:
    """The id of what was said last in a room."""
    session = await known_room(client, room, workspace)
    if session is None:
        refuse(f"There is no room {shown_name(room)}.")
    messages = await client.messages(session, limit=1)
    if not messages:
        refuse("Nobody has said anything in this room yet.")
    return str(messages[-1]["message_id"])


def why_lines(decision: dict[str, Any]) -> list[str]:
    """A decision in words, one persona a line."""
    lines = [
        f"{turn['name']} ({turn['status']}): {turn['meaning']} [{turn['reason']}]" + (f" {turn['note']}" if turn["note"] else "")
        for turn in decision["turns"]
    ]
    lines += [f"{skip['name']} did not answer: {skip['meaning']} [{skip['why']}]" for skip in decision["skipped"]]
    return lines or ["Nobody is in the cast."]


def config(home: str, workspace: str, name: str, value: str | None, *, json: bool) -> int:
    """Show all settings or one, or change one."""

    async def work() -> int | None:
        async with reach(home, "config") as client:
            if value is None:
                found = await client.settings(workspace)
                if name and name not in found:
                    refuse(f"There is no setting {name!r}; there are {', '.join(found)}.")
            else:
                try:
                    found = await client.change_settings({name: read_value(name, value)}, workspace)
                except SettingRefused as refused:
                    raise CommandFailed(str(refused), 2) from refused
        for key in [name] if name else list(found):
            if json:
                out_json({"setting": key, "value": found[key]})
            else:
                out(f"{key} = {spelled(found[key])}")
                if value is None and (setting := BY_NAME.get(key)) is not None:
                    out(f"    {explained(setting)}")
        return None

    return run(work, json=json)


def explained(setting: Setting) -> str:
    """What a setting does and takes, in one line."""
    return f"{setting.label}; takes {accepts(setting)}.{' In servers only.' if setting.only_servers else ''}"


def spelled(value: object) -> str:
    """A value as it would be typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def models(home: str, *, json: bool) -> int:
    """List the models, the default one marked."""

    async def work() -> int | None:
        async with reach(home, "models") as client:
            answer = await client.models()
        for model in answer["models"]:
            if json:
                out_json(model)
            else:
                mark = "*" if model["name"] == answer["default"] else " "
                out(f"{mark} {model['name']}" + (f"  ({model['needs']})" if model.get("needs") else ""))
        return None

    return run(work, json=json)
