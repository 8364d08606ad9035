"""What the commands about talk do: each asks the API of whoever runs on the home, or hosts it for as long as it needs it."""

import sys
from typing import Any

from coterie.app.console import FAILED, CommandFailed, out, out_json, refuse, run, tell
from coterie.app.hosting import reach
from coterie.domain.sessions.names import kind_of
from coterie.domain.settings import SettingRefused, read_value
from coterie.platforms.terminal.client import ApiClient, StreamEvent
from coterie.platforms.terminal.plain import shown_name, shown_text
from coterie.platforms.terminal.speakers import speaker


def chat(home: str, room: str, name: str) -> int:
    """Open the terminal application on a room."""

    async def work() -> int | None:
        from coterie.platforms.terminal.app import ChatApp

        async with reach(home, "chat") as client:
            session = await find_room(client, room)
            await ChatApp(client, session, name).run_async()
        return None

    return run(work)


def say(home: str, text: str, room: str, name: str, *, json: bool) -> int:
    """Say something once; lines as they come, with `--json` every event."""

    async def work() -> int | None:
        words = sys.stdin.read() if text == "-" else text
        async with reach(home, "say") as client:
            session = await find_room(client, room)
            status = "failed"
            names: dict[str, str] = {}
            async for event in client.send(words, session=session, user=speaker(name).as_json()):
                if json:
                    out_json({"event": event.name, **event.data})
                else:
                    show(event, names)
                if event.name == "end":
                    status = str(event.data.get("status"))
        if status == "silent" and not json:
            tell("Nobody answered. `coterie why` says why.")
        return FAILED if status == "failed" else None

    return run(work, json=json)


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
    sessions = await client.sessions()
    if not room:
        return str(next(session["session_id"] for session in sessions if session.get("default")))
    for key in ("session_id", "name"):
        for session in sessions:
            if session[key] == room:
                return str(session["session_id"])
    if kind_of(room) is not None:
        refuse(f"There is no session {room}.")
    return str((await client.create_session("chat", room))["session_id"])


def why(home: str, message_id: str, *, json: bool) -> int:
    """Print the decision about a message."""

    async def work() -> int | None:
        async with reach(home, "why") as client:
            decision = await client.why(message_id)
        if json:
            out_json(decision)
            return None
        for line in why_lines(decision):
            out(line)
        return None

    return run(work, json=json)


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
        return None

    return run(work, json=json)


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
