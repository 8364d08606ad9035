"""Accounts with model providers over HTTP: the installation's, a workspace's, a person's; and who may use the operator's.

No key is ever shown.
"""

import re
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Path

from coterie.domain.ids import UserId, WorkspaceId
from coterie.domain.turns.funding import INSTALLATION, Holder, person_holder, person_of, workspace_holder, workspace_of
from coterie.platforms.web.asked import AskedHouse, AskedWorkspace
from coterie.platforms.web.house import House
from coterie.platforms.web.refusals import Refused, refusals
from coterie.platforms.web.shapes import Done
from coterie.platforms.web.shapes_accounts import (
    OwnProviderUpdate,
    ProviderBody,
    ProviderList,
    ProviderUpdate,
    SubscriptionBody,
    SubscriptionList,
    SubscriptionUpdate,
)
from coterie.ports.accounts import Account, Subscription, judge_account, judge_brought
from coterie.ports.model_list import ListedProvider

router = APIRouter(tags=["accounts"])

AskedPerson = Annotated[str, Path(description="A person, by the platform's own id.", pattern="^[0-9A-Za-z_-]{1,64}$")]
_HOLDER = re.compile(r"(discord|dm|user):[0-9A-Za-z_-]{1,64}", re.ASCII)


async def _asked_holder(holder: Annotated[str, Path(description="`discord:GUILD`, `dm:USER`, or `user:ID` for a person.")]) -> Holder:
    if not _HOLDER.fullmatch(holder):
        raise Refused(400, "A subscription is for discord:GUILD, dm:USER, or user:ID for a person.")
    kind, _, identity = holder.partition(":")
    return person_holder(UserId(identity)) if kind == "user" else workspace_holder(WorkspaceId(holder))


AskedHolder = Annotated[Holder, Depends(_asked_holder)]


@router.get("/v1/providers", responses=refusals(404))
async def list_providers(house: AskedHouse, workspace: AskedWorkspace) -> ProviderList:
    """Every provider and how it is set up for a workspace; `local` is this installation."""
    return await _list(house, workspace_holder(workspace))


@router.get("/v1/providers/{name}", responses=refusals(404))
async def show_provider(house: AskedHouse, name: str, workspace: AskedWorkspace) -> ProviderBody:
    """One provider."""
    return await _show(house, name, workspace_holder(workspace))


@router.put("/v1/providers/{name}", responses=refusals(404, 422))
async def set_provider(house: AskedHouse, name: str, workspace: AskedWorkspace, body: ProviderUpdate) -> ProviderBody:
    """Save an account after the provider has taken it; where it does not, the answer says why and nothing is kept."""
    return await _keep(house, name, workspace_holder(workspace), body)


@router.delete("/v1/providers/{name}", responses=refusals(404))
async def forget_provider(house: AskedHouse, name: str, workspace: AskedWorkspace) -> Done:
    """Forget the saved account; for this installation, what the environment says counts again."""
    return await _forget(house, name, workspace_holder(workspace))


@router.get("/v1/people/{user}/providers", responses=refusals(404))
async def list_own_providers(house: AskedHouse, user: AskedPerson) -> ProviderList:
    """Every provider and how a person has set it up for themselves."""
    return await _list(house, person_holder(UserId(user)))


@router.put("/v1/people/{user}/providers/{name}", responses=refusals(404, 422))
async def set_own_provider(house: AskedHouse, user: AskedPerson, name: str, body: OwnProviderUpdate) -> ProviderBody:
    """Save a person's account after the provider has taken it. The one that is enabled answers their messages everywhere."""
    return await _keep(house, name, person_holder(UserId(user)), body)


@router.delete("/v1/people/{user}/providers/{name}", responses=refusals(404))
async def forget_own_provider(house: AskedHouse, user: AskedPerson, name: str) -> Done:
    """Forget a person's account."""
    return await _forget(house, name, person_holder(UserId(user)))


@router.get("/v1/subscriptions", responses=refusals())
async def list_subscriptions(house: AskedHouse) -> SubscriptionList:
    """Who may use the operator's accounts, also where that has run out."""
    return SubscriptionList(subscriptions=[_subscription(each) for each in await house.fundings.subscriptions()])


@router.put("/v1/subscriptions/{holder}", responses=refusals(422))
async def grant_subscription(house: AskedHouse, holder: AskedHolder, body: SubscriptionUpdate) -> SubscriptionBody:
    """Grant a subscription, or change when it ends."""
    until = house.clock.now() + timedelta(days=body.days) if body.days is not None else None
    granted = Subscription(holder, until)
    await house.fundings.grant(granted)
    return _subscription(granted)


@router.delete("/v1/subscriptions/{holder}", responses=refusals(404))
async def revoke_subscription(house: AskedHouse, holder: AskedHolder) -> Done:
    """End a subscription."""
    if not await house.fundings.revoke(holder):
        raise Refused(404, f"{_named(holder)} has no subscription.")
    return Done()


async def _list(house: House, holder: Holder) -> ProviderList:
    saved = {account.provider: account for account in await house.accounts.list(holder)}
    return ProviderList(providers=[_body(each, saved.get(each.name), holder) for each in house.models.providers()])


async def _show(house: House, name: str, holder: Holder) -> ProviderBody:
    return _body(_provider(house, name), await _saved(house, name, holder), holder)


async def _keep(house: House, name: str, holder: Holder, body: ProviderUpdate) -> ProviderBody:
    provider = _provider(house, name)
    account = _merged(name, await _saved(house, name, holder), body)
    _judge(account, holder)
    if account.is_subscription:
        await house.models.check_subscription(account)
    else:
        await house.models.check(account, holder)
    await house.accounts.keep(account, holder)
    await house.models.refresh()
    return _body(provider, account, holder)


async def _forget(house: House, name: str, holder: Holder) -> Done:
    _provider(house, name)
    if not await house.accounts.forget(name, holder):
        raise Refused(404, f"Nothing is saved for {name}.")
    await house.models.refresh()
    return Done()


def _provider(house: House, name: str) -> ListedProvider:
    found = next((each for each in house.models.providers() if each.name == name), None)
    if found is None:
        known = ", ".join(each.name for each in house.models.providers())
        raise Refused(404, f"There is no such provider; there are {known}.")
    return found


async def _saved(house: House, name: str, holder: Holder) -> Account | None:
    return next((account for account in await house.accounts.list(holder) if account.provider == name), None)


def _merged(name: str, saved: Account | None, body: ProviderUpdate) -> Account:
    """What is absent stays, but a key that was saved for one address is never sent to another."""
    old = saved or Account(name)
    base_url = old.base_url if body.base_url is None else body.base_url.strip().rstrip("/")
    kept_key = old.key if base_url == old.base_url else ""
    enabled = body.is_enabled if isinstance(body, OwnProviderUpdate) else None
    return Account(
        name,
        key=kept_key if body.key is None else "\n".join(body.key.split()) if "\n" in body.key else body.key.strip(),
        base_url=base_url,
        model=old.model if body.model is None else body.model.strip(),
        is_subscription=old.is_subscription if body.is_subscription is None else body.is_subscription,
        is_enabled=old.is_enabled if enabled is None else enabled,
    )


def _judge(account: Account, holder: Holder) -> None:
    if holder != INSTALLATION:
        judge_brought(account)
        return
    judge_account(account)
    if "\n" in account.key:
        raise Refused(422, "key takes one key; only servers and people may save several, one on a line.")
    if account.is_subscription:
        raise Refused(422, "is_subscription is for servers and people; this installation is what they would use.")


def _body(provider: ListedProvider, saved: Account | None, holder: Holder) -> ProviderBody:
    account = saved or Account(provider.name)
    is_ours = holder == INSTALLATION
    return ProviderBody(
        name=provider.name,
        title=provider.title,
        needs_key=provider.needs_key,
        has_key=bool(account.key),
        from_environment=provider.from_environment and is_ours,
        variables=list(provider.variables) if is_ours else [],
        problem=account.problem,
        base_url=account.base_url,
        default_base_url=provider.default_base_url,
        model=account.model,
        default_model=provider.default_model,
        is_subscription=account.is_subscription,
        is_enabled=account.is_enabled,
    )


def _subscription(subscription: Subscription) -> SubscriptionBody:
    return SubscriptionBody(holder=_named(subscription.holder), until=subscription.until)


def _named(holder: Holder) -> str:
    return workspace_of(holder) or f"user:{person_of(holder)}"
