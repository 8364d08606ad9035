"""What every route asks of a request: the house, the workspace, a session that exists. Ids are judged by shape before any look-up."""

import re
from typing import Annotated

from fastapi import Depends, Query, Request

from coterie.domain.ids import LOCAL, MessageId, SessionId, WorkspaceId
from coterie.domain.personas.persona import Cast, Persona
from coterie.domain.sessions.session import Session
from coterie.platforms.web.house import House
from coterie.platforms.web.refusals import Refused
from coterie.ports.stores import NotFound

_WORKSPACE = re.compile(r"local|(discord|dm):[0-9A-Za-z_-]{1,64}", re.ASCII)
MOST_ID = 200
"""Characters of an id."""


async def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


AskedHouse = Annotated[House, Depends(_house)]

WorkspaceQuery = Annotated[str, Query(description="`local`, `discord:GUILD` or `dm:USER`.")]


async def _workspace(house: AskedHouse, workspace: WorkspaceQuery = LOCAL) -> WorkspaceId:
    """The workspace asked for. A form that is none is 400; one that was never seen is 404 and is not made by asking."""
    if not _WORKSPACE.fullmatch(workspace):
        raise Refused(400, "workspace takes local, discord:GUILD or dm:USER.")
    found = WorkspaceId(workspace)
    if found != LOCAL and found not in house.servers() and not await house.workspaces.has(found):
        raise Refused(404, f"The workspace {workspace} was never seen here.")
    return found


AskedWorkspace = Annotated[WorkspaceId, Depends(_workspace)]


async def _session(
    house: AskedHouse, session_id: str, workspace: Annotated[str | None, Query(description="May be left out.")] = None
) -> Session:
    session = await find_session(house, session_id)
    if session is None or workspace not in {None, session.workspace}:
        raise unknown_session()
    return session


AskedSession = Annotated[Session, Depends(_session)]
"""The session of the path. `workspace` may be left out, since ids are unique; a wrong one finds nothing."""


async def find_session(house: House, session_id: str) -> Session | None:
    """The session, or nothing. Only what can be an id is looked up."""
    if not is_id(session_id):
        return None
    try:
        return await house.sessions.session(SessionId(session_id))
    except NotFound:
        return None


def unknown_session() -> Refused:
    """There is no such session."""
    return Refused(404, "There is no such session.")


def is_id(text: str) -> bool:
    """Whether a text can be an id at all: bounded, printable, without blanks."""
    return 0 < len(text) <= MOST_ID and text.isprintable() and " " not in text


def message_id(text: str) -> MessageId:
    """A message's id. Raises the 404 of an unknown message for what can be none."""
    if not is_id(text):
        raise unknown_message()
    return MessageId(text)


def unknown_message() -> Refused:
    """There is no such message."""
    return Refused(404, "There is no such message.")


def persona_in(cast: Cast, handle: str) -> Persona:
    """The persona with this handle, judged as `self_id` is: trimmed and lower-cased."""
    persona = cast.by_handle(handle.strip().lower())
    if persona is None:
        known = ", ".join(each.handle for each in cast.personas) or "nobody"
        raise Refused(404, f"There is no persona with this handle; the cast is {known}.")
    return persona
