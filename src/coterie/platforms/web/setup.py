"""What an owner sets up over HTTP: the settings of a workspace, the accounts with model providers, and the models to choose from."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from coterie.domain.settings import SettingRefused, Value, judge, judge_together
from coterie.platforms.web.asked import AskedHouse, AskedWorkspace
from coterie.platforms.web.house import House
from coterie.platforms.web.refusals import Refused, refusals
from coterie.platforms.web.shapes import Done
from coterie.platforms.web.shapes_setup import (
    SETTINGS_SCHEMA,
    SETTINGS_UPDATE_SCHEMA,
    ModelBody,
    ModelListBody,
    ProviderBody,
    ProviderList,
    ProviderUpdate,
)
from coterie.platforms.web.talk import is_model_name
from coterie.ports.accounts import BASE_URL_RULE, Account, is_base_url
from coterie.ports.model import ModelUnknown
from coterie.ports.model_list import ListedProvider

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
    return value


@router.get("/v1/providers", responses=refusals())
async def list_providers(house: AskedHouse) -> ProviderList:
    """Every provider and how it is set up; keys are never shown."""
    saved = {account.provider: account for account in await house.accounts.list()}
    return ProviderList(providers=[_body(each, saved.get(each.name)) for each in house.models.providers()])


@router.get("/v1/providers/{name}", responses=refusals(404))
async def show_provider(house: AskedHouse, name: str) -> ProviderBody:
    """One provider."""
    provider = _provider(house, name)
    return _body(provider, await _saved(house, name))


@router.put("/v1/providers/{name}", responses=refusals(404, 422))
async def set_provider(house: AskedHouse, name: str, body: ProviderUpdate) -> ProviderBody:
    """Save an account after the provider has taken it; where it does not, the answer says why and nothing is kept."""
    provider = _provider(house, name)
    account = _merged(name, await _saved(house, name), body)
    _judge_account(account)
    await house.models.check(account)
    await house.accounts.keep(account)
    await house.models.refresh()
    return _body(provider, account)


@router.delete("/v1/providers/{name}", responses=refusals(404))
async def forget_provider(house: AskedHouse, name: str) -> Done:
    """Forget the saved account; what the environment says counts again."""
    _provider(house, name)
    if not await house.accounts.forget(name):
        raise Refused(404, f"Nothing is saved for {name}.")
    await house.models.refresh()
    return Done()


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


def _provider(house: House, name: str) -> ListedProvider:
    found = next((each for each in house.models.providers() if each.name == name), None)
    if found is None:
        known = ", ".join(each.name for each in house.models.providers())
        raise Refused(404, f"There is no such provider; there are {known}.")
    return found


async def _saved(house: House, name: str) -> Account | None:
    return next((account for account in await house.accounts.list() if account.provider == name), None)


def _merged(name: str, saved: Account | None, body: ProviderUpdate) -> Account:
    """What is absent stays, but a key that was saved for one address is never sent to another."""
    old = saved or Account(name)
    base_url = old.base_url if body.base_url is None else body.base_url.strip().rstrip("/")
    kept_key = old.key if base_url == old.base_url else ""
    return Account(
        name,
        key=kept_key if body.key is None else body.key.strip(),
        base_url=base_url,
        model=old.model if body.model is None else body.model.strip(),
    )


def _judge_account(account: Account) -> None:
    if not (account.key.isascii() and account.key.isprintable()) or " " in account.key:
        raise Refused(422, "key takes printable ASCII characters without blanks.")
    if not account.model.isprintable():
        raise Refused(422, "model takes a text on one line.")
    if account.base_url and not is_base_url(account.base_url):
        raise Refused(422, f"base_url {BASE_URL_RULE}.")


def _body(provider: ListedProvider, saved: Account | None) -> ProviderBody:
    account = saved or Account(provider.name)
    return ProviderBody(
        name=provider.name,
        title=provider.title,
        needs_key=provider.needs_key,
        has_key=bool(account.key),
        from_environment=provider.from_environment,
        variables=list(provider.variables),
        problem=account.problem,
        base_url=account.base_url,
        default_base_url=provider.default_base_url,
        model=account.model,
        default_model=provider.default_model,
    )
