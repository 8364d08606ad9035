"""What people set for themselves, and the workspaces in which they meet."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from fastapi.responses import JSONResponse

from coterie.domain.ids import LOCAL, UserId
from coterie.domain.settings import PERSONAL_BY_NAME, judge
from coterie.platforms.web.asked import MOST_ID, AskedHouse, AskedWorkspace, is_id
from coterie.platforms.web.refusals import Refused, refusals
from coterie.platforms.web.setup import judge_models
from coterie.platforms.web.shapes import Done
from coterie.platforms.web.shapes_access import QuotaReset, WorkspaceBody, WorkspaceList
from coterie.platforms.web.shapes_setup import PERSONAL_SCHEMA, PERSONAL_UPDATE_SCHEMA

router = APIRouter(tags=["people"])

_PERSONAL: dict[int | str, dict[str, Any]] = {
    200: {"description": "Every setting with its effective value.", "content": {"application/json": {"schema": PERSONAL_SCHEMA}}}
}
_UPDATE = {"requestBody": {"content": {"application/json": {"schema": PERSONAL_UPDATE_SCHEMA}}}}


async def _person(
    user: Annotated[
        str,
        Path(
            json_schema_extra={"maxLength": MOST_ID},
            description="The id of a person: on Discord their user id, in a room what `/v1/send` names.",
        ),
    ],
) -> UserId:
    if not is_id(user):
        raise Refused(422, f"user takes an id without blanks, of at most {MOST_ID} characters.")
    return UserId(user)


AskedPerson = Annotated[UserId, Depends(_person)]


@router.get("/v1/people/{user}", responses={**refusals(422), **_PERSONAL})
async def show_person(house: AskedHouse, person: AskedPerson) -> JSONResponse:
    """What a person has set for themselves, everywhere; the defaults for somebody who has set nothing."""
    # Not `personal`, which registers whoever is asked about.
    return JSONResponse((await house.people.several([person]))[person].all())


@router.patch("/v1/people/{user}", responses={**refusals(422), **_PERSONAL}, openapi_extra=_UPDATE)
async def change_person(house: AskedHouse, person: AskedPerson, body: dict[str, Any]) -> JSONResponse:
    """Change the settings that are sent: all of them or, where one is refused, none."""
    judged = {name: judge(name, value, PERSONAL_BY_NAME) for name, value in body.items() if value is not None}
    judge_models(house, str(judged.get("model-fallbacks", "")))
    if judged:
        await house.people.change(person, judged)
    return JSONResponse((await house.people.several([person]))[person].all())


@router.post("/v1/quota/reset", responses=refusals(404, 422))
async def reset_quota(house: AskedHouse, workspace: AskedWorkspace, body: QuotaReset | None = None) -> Done:
    """Begin the quota of one member anew, or that of everybody and of the server."""
    await house.limited.reset(workspace, UserId(body.user) if body is not None and body.user is not None else None)
    return Done()


@router.get("/v1/workspaces", responses=refusals())
async def list_workspaces(house: AskedHouse) -> WorkspaceList:
    """Every workspace there is."""
    names = {LOCAL: "", **await house.workspaces.all(), **house.servers()}
    return WorkspaceList(workspaces=[WorkspaceBody(workspace=workspace, name=name) for workspace, name in names.items()])
