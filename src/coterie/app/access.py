"""What `coterie access` does: the lists of a workspace, one row a line."""

from collections.abc import Iterator, Mapping
from typing import Any

from coterie.app.console import out, out_json, run, tell
from coterie.app.hosting import reach

_ONE_ID = {"roles": "role", "blacklist": "user"}
"""Lists whose rows are an id alone, and what it is the id of."""
Row = dict[str, Any]


def lists(home: str, workspace: str, *, json: bool) -> int:
    """Print every row of every list."""

    async def work() -> int | None:
        async with reach(home, "access") as client:
            access = await client.access(workspace)
        rows = list(rows_of(access))
        for row in rows:
            if json:
                out_json(row)
            else:
                out(in_words(row))
        if not rows and not json:
            tell(f"Nothing is listed in {workspace}: everybody may call everybody.")
        return None

    return run(work, json=json)


def rows_of(access: Mapping[str, list[Any]]) -> Iterator[Row]:
    """The rows of all lists, each with the name of its list."""
    for key, listed in access.items():
        for row in listed:
            yield {"list": key.replace("_", "-"), **(row if isinstance(row, dict) else {_ONE_ID[key]: row})}


def in_words(row: Row) -> str:
    """One row as a line."""
    match row:
        case {"list": "channels", "channel": channel, "cooldown": cooldown}:
            own = f"; cooldown {cooldown['type']}, {cooldown['length']} s" if cooldown else ""
            return f"channel {channel}: personas may be called{own}"
        case {"list": "roles", "role": role}:
            return f"role {role}: may call"
        case {"list": "blacklist", "user": user}:
            return f"person {user}: may not call"
        case {"list": "personas", "persona": persona, "channels": channels}:
            return f"persona {persona}: is heard in {', '.join(channels)} only"
        case {"list": "auto-trigger-channels", "channel": channel, "persona": persona}:
            return f"channel {channel}: {persona or 'main'} answers without being called"
        case {"list": "spotlights", "user": user, "channel": channel, "personas": personas, "auto": auto, "expires_at": end}:
            alone = f"; {auto} answers without being called" if auto else ""
            return f"person {user} in channel {channel}: hears {', '.join(personas)} only{alone}{f'; until {end}' if end else ''}"
        case _:
            # A list that a newer server has.
            return ", ".join(f"{key} {value}" for key, value in row.items())
