"""What is asked of a person's message before it is kept: who wrote it where, whether there is room for it, and which count it moves."""

from collections.abc import Mapping
from dataclasses import replace

from coterie.domain.access import Cooldown
from coterie.domain.conversation import IncomingMessage
from coterie.domain.turns.arrival import Place
from coterie.domain.turns.gates import closed_by, counts_towards_auto, range_of_count
from coterie.domain.turns.plan import PersonaChosen, PersonSpoke, Why, plan_turns
from coterie.flows.called import Called
from coterie.flows.roots import Roots
from coterie.flows.world import World

_TAKES_ROOM = frozenset({Place.RUN, Place.QUEUE})
"""Where a message leads to work of its own; a follow-up takes the place of what it interrupts."""

_GOES_ON = frozenset({Place.INTERRUPT, Place.FOLLOW_UP})
"""Where the persona that speaks answers it whoever is called."""


def closed(called: Called) -> Why | None:
    """The gate that is closed to whoever wrote a message, whatever it says; then it is not even kept (specification 001)."""
    return closed_by(called.caller, is_command=isinstance(called.occasion, PersonaChosen))


def too_much(world: World, message: IncomingMessage, called: Called, place: Place, roots: Roots) -> Why | None:
    """Why there is no room for a message that somebody would answer; then it is not kept either."""
    caller = called.caller
    if not caller.standing.is_in_server or place not in _TAKES_ROOM:
        return None
    if not plan_turns(called.facts(world.clock.now())).turns:
        return None
    limits: Mapping[Why, tuple[str, int]] = {
        Why.BUSY_PERSON: ("active-per-user", roots.of_person(caller.person)),
        Why.BUSY_SERVER: ("active-per-server", roots.in_workspace(message.workspace)),
    }
    full = (why for why, (name, under_way) in limits.items() if 0 < caller.settings.number(name) <= under_way)
    return next(full, None)


async def count(world: World, message: IncomingMessage, called: Called, place: Place) -> Called | None:
    """Move the count of an auto-trigger channel, and say whether the message is the one that was waited for.

    Nothing where it has done nothing but that, so that it need not be kept. While an answer is under way nothing is counted, and
    neither is what comes too soon after a call.
    """
    now = world.clock.now()
    if place in _GOES_ON or not isinstance(called.occasion, PersonSpoke) or not counts_towards_auto(called.caller, now):
        return called
    if place is Place.RUN and not await _has_to_wait(world, message, called):
        least, most = range_of_count(called.settings)
        is_hit = await world.limited.advance(message.workspace, world.chance.between(least, most))
        called = replace(called, is_auto_hit=is_hit)
    plan = plan_turns(called.facts(now))
    calls_nobody = not plan.turns and all(skip.why is Why.NOT_CALLED for skip in plan.skipped)
    return None if calls_nobody else called


async def _has_to_wait(world: World, message: IncomingMessage, called: Called) -> bool:
    caller = called.caller
    cooldown: Cooldown = caller.access.cooldown(caller.standing, caller.settings.cooldown)
    key = cooldown.key(caller.person, caller.standing)
    return key is not None and await world.limited.waits_until(message.workspace, key, world.clock.now()) is not None
