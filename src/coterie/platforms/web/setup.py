"""What an owner sets up over HTTP: the settings of a workspace, and the models to choose from."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from coterie.domain.settings import SettingRefused, Value, judge, judge_together
from coterie.domain.turns.funding import model_names
from coterie.platforms.web.asked import AskedHouse, AskedWorkspace
from coterie.platforms.web.house import House
from coterie.platforms.web.refusals import refusals
from coterie.platforms.web.shapes_setup import (
    SETTINGS_SCHEMA,
    SETTINGS_UPDATE_SCHEMA,
    ModelBody,
    ModelListBody,
)
from coterie.platforms.web.talk import is_model_name
from coterie.ports.model import ModelUnknown

router = APIRouter(tags=["setup"])

_SETTINGS: dict[int | str, dict[str, Any]] = {
    200: {"description": "Every setting with its effective value.", "content": {"application/json": {"schema": SETTINGS_SCHEMA}}}
}
_UPDATE = {"requestBody": {"content": {"application/json": {"schema": SETTINGS_UPDATE_SCHEMA}}}}


@router.get("/v1/settings", responses={**refusals(404), **_SETTINGS})
async def show_settings(house: AskedHouse, workspace: AskedWorkspace) -> JSONResponse:
    """Every setting of the workspace with its effective value; also those that say something in servers only, which are marked so."""
    return JSONResponse((await house.settings.settings(workspace)).all())


@router.patch("/v1/settings", responses={**refusals(404, 422), **_SETTINGS}, openapi_extra=_UPDATE)
async def change_settings(house: AskedHouse, workspace: AskedWorkspace, body: dict[str, Any]) -> JSONResponse:
    """Change the settings that are sent: all of them or, where one is refused, none."""
    judged = {name: _judged(house, name, value) for name, value in body.items() if value is not None}
    if judged:
        judge_together(await house.settings.settings(workspace), judged)
        await house.settings.change(workspace, judged)
    return JSONResponse((await house.settings.settings(workspace)).all())


def _judged(house: House, name: str, given: object) -> Value:
    value = judge(name, given)
    if isinstance(value, str) and not value.isprintable():
        raise SettingRefused(f"{name} takes a text on one line.")
    if name == "model" and value and not is_model_name(house, str(value)):
        raise SettingRefused("model takes provider:model with a known provider, or nothing.")
    if name == "model-fallbacks":
        judge_models(house, str(value))
    return value


def judge_models(house: House, names: str) -> None:
    """Raise `SettingRefused` where a comma list of models names one that cannot be."""
    unknown = next((name for name in model_names(names) if not is_model_name(house, name)), None)
    if unknown is not None:
        raise SettingRefused(f"model-fallbacks takes provider:model with known providers, separated by commas; there is no {unknown}.")


@router.get("/v1/models", responses=refusals())
async def list_models(house: AskedHouse) -> ModelListBody:
    """The models to choose from, and what those lack that cannot answer yet."""
    listed = await house.models.list()
    return ModelListBody(
        default=_default_name(house),
        models=[ModelBody(name=each.name, title=each.title, needs=each.needs) for each in listed],
    )


def _default_name(house: House) -> str:
    """The default's name; nothing where the environment names one that does not exist (health says so)."""
    try:
        return house.models.default_name()
    except ModelUnknown:
        return ""
