"""What the operator's `subscription` commands do, over the API."""

from typing import Any

from coterie.app.console import out, out_json, run
from coterie.app.hosting import reach


def grant(home: str, holder: str, days: int | None, *, json: bool) -> int:
    """Let a workspace or a person use this installation's models, or change until when."""

    async def work() -> int | None:
        async with reach(home, "subscription") as client:
            _show(await client.grant_subscription(holder, days), json=json)
        return None

    return run(work, json=json)


def revoke(home: str, holder: str, *, json: bool) -> int:
    """End a subscription."""

    async def work() -> int | None:
        async with reach(home, "subscription") as client:
            await client.revoke_subscription(holder)
        if json:
            out_json({"holder": holder, "revoked": True})
        else:
            out(f"{holder} has no subscription any more.")
        return None

    return run(work, json=json)


def list_all(home: str, *, json: bool) -> int:
    """Everybody who was granted one, one a line."""

    async def work() -> int | None:
        async with reach(home, "subscription") as client:
            for subscription in await client.subscriptions():
                _show(subscription, json=json)
        return None

    return run(work, json=json)


def _show(subscription: dict[str, Any], *, json: bool) -> None:
    if json:
        out_json(subscription)
    else:
        out(f"{subscription['holder']}  " + (f"until {subscription['until']}" if subscription["until"] else "until it is revoked"))
