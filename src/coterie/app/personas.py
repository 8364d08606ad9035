"""What the `persona` commands do, over the API."""

import asyncio
from pathlib import Path
from typing import Any, Literal

from coterie.app.console import CommandFailed, out, out_json, refuse, run, tell
from coterie.app.hosting import reach

FORMATS: dict[str, Literal["png", "json", "charx"]] = {".png": "png", ".json": "json", ".charx": "charx"}


def list_all(home: str, workspace: str, *, json: bool) -> int:
    """One persona a line, main first."""

    async def work() -> int | None:
        async with reach(home, "persona") as client:
            for persona in await client.personas(workspace):
                if json:
                    out_json(persona)
                else:
                    out(summary(persona))
        return None

    return run(work, json=json)


def summary(persona: dict[str, Any]) -> str:
    """A persona in one line: handle, name, kind, the words it answers to."""
    words = ", ".join(persona["effective_trigger_words"]) or "no trigger word of its own"
    return f"{persona['handle']}  {persona['name']} ({'alter' if persona['is_alter'] else 'main'}): {words}"


def show(home: str, workspace: str, handle: str, *, json: bool) -> int:
    """Everything about one persona."""

    async def work() -> int | None:
        async with reach(home, "persona") as client:
            persona = await client.persona(handle, workspace)
        if json:
            out_json(persona)
            return None
        out(summary(persona))
        out("")
        out(persona["role"])
        for attribute in persona["attributes"]:
            out(f"- {attribute['text']}" + (" (public)" if attribute["is_public"] else ""))
        for dialogue in persona["sample_dialogues"]:
            out(f"\n> {dialogue['user']}\n{dialogue['bot']}")
        return None

    return run(work, json=json)


def import_card(home: str, workspace: str, file: Path, kind: str, triggers: str, *, json: bool) -> int:
    """Import a card and print its report."""
    problem = _no_card(file)

    async def work() -> int | None:
        if kind not in {"main", "alter"}:
            refuse("--as takes main or alter.")
        if problem:
            refuse(problem)
        words = [word.strip() for word in triggers.replace("、", ",").split(",") if word.strip()]
        async with reach(home, "persona") as client:
            answer = await client.import_card(file, "main" if kind == "main" else "alter", words, workspace)
        if json:
            out_json(answer)
            return None
        out(f"{answer['persona']['name']} is in the cast. {summary(answer['persona'])}")
        for line in answer["report"]:
            tell(f"  {line['fate']:>8}  {line['part']}" + (f": {line['note']}" if line["note"] else ""))
        return None

    return run(work, json=json)


def _no_card(file: Path) -> str:
    """Why there can be no card at a path; empty when there may be one."""
    if file.is_dir():
        return f"{file} is a folder; a card is one file."
    if not file.exists():
        return f"There is no file {file}."
    return "" if file.is_file() else f"{file} is no ordinary file, so there is no card in it."


def export_card(home: str, workspace: str, handle: str, file: Path, *, json: bool) -> int:
    """Write a card; the file's ending chooses the format."""

    async def work() -> int | None:
        kind = FORMATS.get(file.suffix.lower())
        if kind is None:
            refuse(f"{file.name} ends with none of {', '.join(FORMATS)}, which choose the format.")
        async with reach(home, "persona") as client:
            data = await client.export_card(handle, kind, workspace)
        try:
            await asyncio.to_thread(file.write_bytes, data)
        except OSError as error:
            raise CommandFailed(f"{file} cannot be written: {error.strerror or error}.") from error
        if json:
            out_json({"persona": handle, "file": str(file), "bytes": len(data)})
        else:
            out(f"{file}: {len(data):,} bytes.")
        return None

    return run(work, json=json)


def remove(home: str, workspace: str, handle: str, *, json: bool) -> int:
    """Remove an alter."""

    async def work() -> int | None:
        async with reach(home, "persona") as client:
            await client.remove_persona(handle, workspace)
        if json:
            out_json({"removed": handle})
        else:
            out(f"{handle} has left the cast; what it said stays.")
        return None

    return run(work, json=json)
