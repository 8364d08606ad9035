"""The conversation of every session: a message arrives, finds its place, is planned, and its turns run one after the other."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from coterie.domain.conversation import IncomingMessage
from coterie.domain.ids import MessageId, SessionId, TurnId, UserId
from coterie.domain.personas.persona import Cast
from coterie.domain.turns.arrival import Place, Running, place_arrival
from coterie.domain.turns.plan import Reason, TurnPlan, Why
from coterie.domain.turns.stop_phrases import StopPhrases
from coterie.flows.answer import CUT_SHORT, Answering, answer
from coterie.flows.called import Called, Words, called_by
from coterie.flows.converse import foresee, plan_heard, plan_line, plan_nothing
from coterie.flows.roots import Roots, TakenIn
from coterie.flows.screen import closed, count, too_much
from coterie.flows.work import Due, EndedBy, Heard, Work, WorkLanes, WorkTicket
from coterie.flows.world import World
from coterie.kit.shelter import sheltered
from coterie.ports.stores import StoreError, Turn, TurnStatus

TAKEN_UP_WITHIN = timedelta(minutes=10)
"""What a restart interrupted longer ago than this is not taken up again: nobody waits for it any more."""
_TO_WHO_SPEAKS = {Place.STOP: Reason.STOP_RESPONSE, Place.INTERRUPT: Reason.FOLLOW_UP, Place.FOLLOW_UP: Reason.FOLLOW_UP}
"""As what a message goes to the persona that speaks."""
_LOOKED_BACK = timedelta(days=1)
"""So much further back is looked for what was never planned, so that it is known why nobody answered."""
_MOST_AT_REST = 50_000
_INSIDE = "Something went wrong inside Coterie; the log says what."
_TOO_LATE = "Coterie was stopped before this turn, and started again too late to take it up."

Serves = Callable[[SessionId], Awaitable[bool]]
"""Whether a conversation is this process's."""


async def everywhere(_: SessionId) -> bool:
    """One process serves all conversations."""
    return True


Report = Callable[[str, Exception], None]
"""Where an unexpected error goes: what was being done, and the error."""


@dataclass(frozen=True, slots=True)
class _Active:
    """The turn that runs in a session."""

    turn: Turn
    answering: Answering


class Talk:
    """All conversations of this process."""

    def __init__(self, world: World, report: Report, phrases: StopPhrases | None = None) -> None:
        self._world = world
        self._report = report
        self._phrases = phrases or StopPhrases()
        self._words = Words()
        self._roots, self._taken_in = Roots(), TakenIn()
        self._active: dict[SessionId, _Active] = {}
        self._interrupts: dict[SessionId, int] = {}
        self._at_rest: set[SessionId] = set()
        self._lanes = WorkLanes(self._run, report=self._went_wrong, now=world.clock.monotonic)

    async def receive(self, message: IncomingMessage) -> bool:
        """A person's message arrives; false when it was here before. Raises a `StoreError` when it could not be kept."""
        called = await called_by(self._world, self._words, message)
        place = self._place(message, called)
        if place is not Place.STOP:
            if (why := closed(called)) is not None:
                return await self._refuse(self._heard(message, place), called, why)
            counted = await count(self._world, message, called, place)
            if counted is None:
                await self.overheard(message.session)
                return True
            called, message = counted, replace(message, is_auto_hit=counted.is_auto_hit)
            if (why := too_much(self._world, message, called, place, self._roots)) is not None:
                return await self._refuse(Heard(message), called, why)
        if not await self._keep(message, resets=place is not Place.STOP):
            return False
        await self._world.platform.heard(message)
        self._roots.open(message.id, message.workspace, message.author.id)
        await self._put(Heard(message), called)
        return True

    async def overheard(self, session: SessionId) -> None:
        """A person said something that calls nobody and is not kept: whoever speaks next begins a new exchange."""
        if self.is_at_rest(session):
            return
        if len(self._at_rest) >= _MOST_AT_REST:
            self._at_rest.clear()
        self._at_rest.add(session)
        await self._world.conversations.passed(session, self._world.clock.now())

    def is_at_rest(self, session: SessionId) -> bool:
        """Whether it is known that nobody was called since a person last spoke, so that one more message of a person changes nothing."""
        return session in self._at_rest

    async def amend(self, session: SessionId, message: MessageId, text: str) -> None:
        """A person changed a message: what waits for it hears it as it reads now; a turn that runs has heard it already."""

        def amended(work: Work) -> Work:
            return replace(work, message=replace(work.message, text=text)) if isinstance(work, Heard) and work.root == message else work

        self._lanes.rewrite(session, amended)
        await self._world.conversations.amend(message, text)

    async def forget(self, messages: Sequence[MessageId]) -> None:
        """Messages were deleted where they were said. Who was called by one answers all the same: proxies delete what they repeat."""
        await self._world.conversations.forget(messages)

    async def narrate(self, note: IncomingMessage) -> None:
        """Keep a note of the system: everybody hears it, and nobody answers it. Raises a `StoreError`."""
        called = await called_by(self._world, self._words, note)
        if await self._keep(note):
            await self._world.platform.heard(note)
            await plan_nothing(self._world, Heard(note), called, Why.SYSTEM_NOTE)

    async def foresee(self, message: IncomingMessage) -> tuple[Cast, TurnPlan]:
        """Who would answer a message now, and why everyone else would not. Nothing is kept and nothing happens."""
        return await foresee(self._world, self._words, message)

    async def stop(self, session: SessionId) -> bool:
        """Stop what runs in a session and clear what waits; whether there was anything."""
        gone = self._lanes.discard(session, lambda _: True)
        has_stopped = self._lanes.cancel(session, EndedBy.STOPPED)
        await self._drop(gone, TurnStatus.STOPPED)
        return has_stopped or bool(gone)

    def running(self, session: SessionId) -> int:
        """How many turns run in a session: one or none."""
        return int(session in self._active)

    def runs_for(self, session: SessionId, person: UserId) -> bool:
        """Whether a turn runs in a session that goes back to this person, who may go on or stop it."""
        active = self._active.get(session)
        return active is not None and active.turn.origin == person

    async def resume(self, serves: Serves = everywhere) -> int:
        """Take up the turns that a restart interrupted, then the messages that waited behind them; how many there are.

        Only conversations that this process `serves` are looked at: those of others may well be running. So may what it took in itself.
        """
        since = self._world.clock.now() - TAKEN_UP_WITHIN
        turns = [turn for turn in await self._world.conversations.unfinished() if await self._was_left(turn.root, turn.session, serves)]
        unplanned = await self._world.conversations.unplanned(since - _LOOKED_BACK)
        left = [message for message in unplanned if await self._was_left(message.id, message.session, serves)]
        messages = [message for message in left if message.created_at >= since]
        for message in left:
            if message.created_at < since:
                called = await called_by(self._world, self._words, message)
                await plan_nothing(self._world, Heard(message), called, Why.TOO_LATE)
        spoken = await self._world.conversations.spoken([turn.id for turn in turns])
        taken_up: list[Work] = []
        for turn in turns:
            if turn.id in spoken:
                await self._world.conversations.finish(turn.id, TurnStatus.ANSWERED, CUT_SHORT)
            elif turn.created_at < since:
                await self._world.conversations.finish(turn.id, TurnStatus.FAILED, _TOO_LATE)
            else:
                taken_up.append(Due(turn))
        taken_up += [Heard(message) for message in messages]
        for work in taken_up:
            self._taken_in.add(work.root)
            self._roots.open(work.root, work.workspace, work.person)
            # Whether a unit was taken, the process knew that is no more.
            self._roots.took_unit(work.root)
            self._lanes.submit(work.session, work)
        return len(taken_up)

    async def close(self) -> None:
        """End everything that runs; turns that have said nothing stay unfinished, to be taken up at the next start."""
        await self._lanes.close(EndedBy.CLOSING)

    async def idle(self) -> None:
        """Wait until nothing runs and nothing waits."""
        await self._lanes.idle()

    async def _refuse(self, heard: Heard, called: Called, why: Why) -> bool:
        """A message that may not even be kept: only why whoever was called does not answer is."""
        message = heard.message
        if message.id in self._taken_in:
            return False
        self._taken_in.add(message.id)
        self._roots.open(message.id, message.workspace, message.author.id)
        await self._answered_by_nobody(heard, called, why)
        return True

    async def _keep(self, message: IncomingMessage, *, resets: bool = True) -> bool:
        """Take a message in and keep it; false when it was kept before."""
        if message.id in self._taken_in:
            return False
        self._taken_in.add(message.id)
        is_new = False
        try:
            is_new = await self._world.conversations.hear(message, resets=resets)
        finally:
            if not is_new:
                self._taken_in.leave(message.id)
        return is_new

    async def _was_left(self, root: MessageId, session: SessionId, serves: Serves) -> bool:
        """Whether an earlier process left what goes back to this message, and this one is to take it up."""
        return root not in self._taken_in and await serves(session)

    def _place(self, message: IncomingMessage, called: Called) -> Place:
        facts = called.facts(self._world.clock.now())
        return place_arrival(message.author.id, message.text, facts, self._running(message.session), self._phrases)

    def _running(self, session: SessionId) -> Running | None:
        active = self._active.get(session)
        if active is None:
            return None
        turn, interrupts = active.turn, self._interrupts.get(session, 0)
        return Running(turn.persona, turn.reason, turn.origin, active.answering.is_using_tools, interrupts)

    def _heard(self, message: IncomingMessage, place: Place) -> Heard:
        """A message, with the persona that speaks where that one answers it whatever it says."""
        active, reason = self._active.get(message.session), _TO_WHO_SPEAKS.get(place)
        return Heard(message) if active is None or reason is None else Heard(message, active.turn.persona, reason)

    async def _put(self, heard: Heard, called: Called) -> None:
        """Put a message where it belongs. No await between the look at what runs and the change of the lane."""
        session = heard.message.session
        if self._lanes.abandon_stale(session) is not None:
            self._active.pop(session, None)
        active = self._active.get(session)
        place = self._place(heard.message, called)
        if place is Place.IGNORE:
            await self._answered_by_nobody(heard, called)
        elif active is None or place in (Place.RUN, Place.QUEUE):
            self._lanes.submit(session, heard)
        elif place is Place.STOP:
            gone = self._lanes.discard(session, lambda work: isinstance(work, Due) and work.root == active.turn.root)
            self._lanes.submit_first(session, [self._heard(heard.message, place)])
            self._lanes.cancel(session, EndedBy.STOPPED)
            await self._drop(gone, TurnStatus.STOPPED)
        else:
            await self._follow_up(self._heard(heard.message, place), interrupts=place is Place.INTERRUPT)

    async def _follow_up(self, heard: Heard, *, interrupts: bool) -> None:
        """Only the newest follow-up of a person is kept, at the front."""
        session, author = heard.message.session, heard.message.author.id

        def is_earlier(work: Work) -> bool:
            return isinstance(work, Heard) and work.reason is Reason.FOLLOW_UP and work.message.author.id == author

        gone = self._lanes.discard(session, is_earlier)
        self._lanes.submit_first(session, [heard])
        if interrupts:
            self._interrupts[session] = self._interrupts.get(session, 0) + 1
            self._lanes.cancel(session, EndedBy.SUPERSEDED)
        await self._drop(gone, TurnStatus.SUPERSEDED)

    async def _answered_by_nobody(self, heard: Heard, called: Called, why: Why | None = None, end: TurnStatus | None = None) -> None:
        try:
            await plan_nothing(self._world, heard, called, why)
        finally:
            await self._step_over(heard.message.session, heard.root, end)

    async def _drop(self, gone: Iterable[Work], end: TurnStatus) -> None:
        """What was taken out of a lane ends here, with its reason kept."""
        why = Why.STOPPED if end is TurnStatus.STOPPED else Why.SUPERSEDED
        for work in gone:
            match work:
                case Due(turn):
                    await self._world.conversations.finish(turn.id, end)
                    await self._step_over(turn.session, turn.root, end)
                case Heard(message):
                    called = await called_by(self._world, self._words, message)
                    await self._answered_by_nobody(work, called, why, end)

    async def _run(self, ticket: WorkTicket) -> None:
        match ticket.item:
            case Heard() as heard:
                await sheltered(self._plan(ticket, heard))
            case Due(turn):
                await self._take_turn(ticket, turn)

    async def _plan(self, ticket: WorkTicket, heard: Heard) -> None:
        if ticket.ended_by == EndedBy.CLOSING:
            return
        if ticket.ended_by is not None:
            called = await called_by(self._world, self._words, heard.message)
            await self._answered_by_nobody(heard, called, Why.STOPPED, TurnStatus.STOPPED)
            return
        settled = await plan_heard(self._world, self._words, heard)
        self._roots.expect(heard.root, len(settled.turns))
        if settled.has_unit:
            self._roots.took_unit(heard.root)
        due = [Due(turn) for turn in settled.turns]
        if ticket.ended_by == EndedBy.STOPPED:
            await self._drop(due, TurnStatus.STOPPED)
        elif ticket.ended_by is None:
            self._lanes.submit_first(ticket.key, due)
        await self._step_over(ticket.key, heard.root)

    async def _take_turn(self, ticket: WorkTicket, turn: Turn) -> None:
        active = _Active(turn, Answering())
        self._at_rest.discard(ticket.key)
        self._active[ticket.key] = active
        try:
            answered = await answer(self._world, self._lanes, ticket, turn, answering=active.answering, queued=self._queued(ticket.key))
        finally:
            if self._active.get(ticket.key) is active:
                del self._active[ticket.key]
        if ticket.ended_by is None:
            self._interrupts.pop(ticket.key, None)
        if active.answering.noted.has_unit:
            self._roots.took_unit(turn.root)
        if answered.lines:
            self._roots.spoke(turn.root)
        if answered.lines and ticket.ended_by is None:
            await sheltered(self._chain(ticket, turn, answered.text, answered.lines[-1]))
        if ticket.ended_by != EndedBy.CLOSING or answered.end is not None:
            await self._step_over(ticket.key, turn.root, answered.end)

    async def _chain(self, ticket: WorkTicket, turn: Turn, text: str, line: MessageId) -> None:
        """The personas that a finished line calls go behind those that wait already, and before queued messages."""
        waiting = frozenset(work.turn.persona for work in self._lanes.waiting(ticket.key) if isinstance(work, Due))
        try:
            settled = await plan_line(self._world, self._words, turn, line, text=text, waiting=waiting)
        except StoreError as error:
            # The line itself is said and kept; only whom it calls cannot be found out.
            self._report("whom a line calls", error)
            await self._world.platform.failed(ticket.key, turn.root, turn.id, str(error))
            return
        if settled is not None and settled.turns:
            self._roots.expect(turn.root, len(settled.turns))
            self._lanes.submit_behind(ticket.key, [Due(next_turn) for next_turn in settled.turns], lambda work: isinstance(work, Due))

    def _queued(self, session: SessionId) -> Callable[[], frozenset[MessageId]]:
        """Messages that wait for a turn of their own; they are left out of what other turns hear."""
        return lambda: frozenset(work.message.id for work in self._lanes.waiting(session) if isinstance(work, Heard))

    async def _step_over(self, session: SessionId, root: MessageId, end: TurnStatus | None = None) -> None:
        over = self._roots.done(root, end)
        if over is None:
            return
        if over.has_unit:
            await self._settle(root, is_kept=over.status is TurnStatus.ANSWERED)
        await self._world.platform.ended(session, root, over.status)

    async def _settle(self, root: MessageId, *, is_kept: bool) -> None:
        """A delivered reply keeps the unit of its message (specification 001); what cannot be settled now is at the next start."""
        try:
            await self._world.limited.settle(root, is_kept=is_kept)
        except StoreError as error:
            self._report("the unit of a quota", error)

    async def _went_wrong(self, work: Work, error: Exception) -> None:
        """An item failed in a way that no flow foresaw: say so, keep it, and let the lane go on."""
        self._report(f"{type(work).__name__} of {work.root}", error)
        sentence = str(error) if isinstance(error, StoreError) else _INSIDE
        turn_id: TurnId | None = None
        if isinstance(work, Due):
            turn_id = work.turn.id
            try:
                await self._world.conversations.finish(turn_id, TurnStatus.FAILED, sentence)
            except StoreError as again:
                self._report("the end of a failed turn", again)
        await self._world.platform.failed(work.session, work.root, turn_id, sentence)
        await self._step_over(work.session, work.root, TurnStatus.FAILED)
