"""What typed texts and commands do: each asks the API and shows the answer or one sentence. What a text means is in `commands`."""

from collections.abc import Callable
from contextlib import aclosing
from typing import assert_never

from textual.content import Content

from coterie.platforms.terminal import commands, sheets
from coterie.platforms.terminal.client import ApiClient, ApiFailed
from coterie.platforms.terminal.commands import NOTHING, Edit, Field, Meaning
from coterie.platforms.terminal.plain import shown_name, shown_text
from coterie.platforms.terminal.room_screen import RoomScreen
from coterie.platforms.terminal.shapes import Line, Room, read_room, read_verdicts
from coterie.platforms.terminal.speakers import OWNER_ID, TOO_LONG, is_too_long, speaker

_TYPED_FIELDS: dict[Field, str] = {"name": "name", "self_id": "id", "role": "role"}


class Doings:
    """Does what was meant, in one room. `go_to` follows another session."""

    def __init__(self, client: ApiClient, room: RoomScreen, go_to: Callable[[str], None], person_name: str) -> None:
        self._client = client
        self._room = room
        self._go_to = go_to
        self._speaker = speaker(person_name)
        self._doubtful = ""

    async def do(self, text: str) -> None:
        """Do what a text means. What the server refuses becomes one sentence above the composer."""
        try:
            await self._do(commands.read_typed(text))
        except ApiFailed as failure:
            self._room.desk.tell(failure.sentence)

    async def _do(self, meaning: Meaning) -> None:
        match meaning:
            case commands.Say() | commands.SpeakAs() | commands.ReplyTo() | commands.Stop():
                await self._talk(meaning)
            case commands.Help() | commands.ShowCast() | commands.AskWhy():
                await self._look(meaning)
            case commands.ShowRooms() | commands.NewRoom() | commands.GoTo() | commands.Edit():
                await self._go(meaning)
            case commands.Quit():
                self._room.app.exit()
            case commands.Unclear(sentence):
                self._room.desk.tell(sentence)
            case _:
                assert_never(meaning)

    async def _talk(self, meaning: commands.Talking) -> None:
        match meaning:
            case commands.Say():
                await self._say(meaning)
            case commands.SpeakAs(name):
                self._speak_as(name)
            case commands.ReplyTo(message):
                self._reply_to(message)
            case commands.Stop():
                await self._client.stop(self._here())
            case _:
                assert_never(meaning)

    async def _look(self, meaning: commands.Looking) -> None:
        match meaning:
            case commands.Help():
                self._read("Commands and keys", sheets.help_text())
            case commands.ShowCast():
                self._read("Cast", sheets.cast_text(list(self._room.happenings.members.values())))
            case commands.AskWhy(message):
                await self._why(message)
            case _:
                assert_never(meaning)

    async def _go(self, meaning: commands.Going) -> None:
        match meaning:
            case commands.ShowRooms():
                await self._show_rooms()
            case commands.NewRoom(name):
                self._go_to(read_room(await self._client.create_session("chat", name or None)).session_id)
            case commands.GoTo(room):
                await self._switch(room)
            case commands.Edit():
                await self._edit(meaning)
            case _:
                assert_never(meaning)

    async def stop(self) -> None:
        """Stop what runs here."""
        await self.do("/stop")

    def _here(self) -> str:
        if self._room.session_id is None:
            raise ApiFailed(0, "There is no connection yet.")
        return self._room.session_id

    def _read(self, title: str, text: Content) -> None:
        self._room.app.push_screen(sheets.ReadSheet(title, text))

    # Talk

    async def _say(self, meaning: commands.Say) -> None:
        """Say it. What happens then comes with the room's events; here only a refusal matters, and that nothing typed is lost."""
        reply, sentence, heard = self._room.take_reply(), "", False
        try:
            asked = self._client.send(
                meaning.text, session=self._here(), user=self._speaker.as_json(), reply_to=reply.message_id if reply else None
            )
            async with aclosing(asked) as events:
                async for event in events:
                    heard = event.data.get("message_id") in self._room.happenings.lines or event.data.get("status") != "failed"
                    sentence = str(event.data.get("error", sentence))
        except ApiFailed as failure:
            if not heard:
                self._give_back(meaning.text, reply, is_doubtful=failure.status == 0)
            raise
        if not heard:
            # The storage took nothing: this stream alone tells of it, the room does not.
            self._give_back(meaning.text, reply, is_doubtful=True)
            self._room.desk.tell(sentence)

    def _give_back(self, text: str, reply: Line | None, *, is_doubtful: bool) -> None:
        composer = self._room.desk.composer
        composer.write(f"{text}\n{composer.text}" if composer.text else text)
        self._room.reply_to(reply)
        self._doubtful = text if is_doubtful else ""

    def settle_doubt(self) -> None:
        """A text whose way was cut off is back in the composer; when the room shows that it was heard, it goes from there."""
        lines = reversed(self._room.happenings.lines.values())
        newest = next((line for line in lines if line.author == self._speaker.id), None)
        if self._doubtful and newest is not None and newest.text.strip() == shown_text(self._doubtful).strip():
            if self._room.desk.composer.text == self._doubtful:
                self._room.desk.composer.write("")
                self._room.take_reply()
            self._doubtful = ""

    def _speak_as(self, name: str) -> None:
        if is_too_long(name):
            self._room.desk.tell(TOO_LONG)
            return
        self._speaker = speaker(name)
        self._room.show_speaker("" if self._speaker.id == OWNER_ID else self._speaker.name)

    def _reply_to(self, message: str) -> None:
        line = self._room.line_called(message) if message else self._room.newest(of_personas=True)
        if line is None:
            self._room.desk.tell("There is no such line here." if message else "No persona has said anything here yet.")
        self._room.reply_to(line)

    async def _why(self, message: str) -> None:
        line = self._room.line_called(message) if message else self._room.newest(of_personas=False)
        if line is None and not message:
            self._room.desk.tell("Nobody has said anything here yet.")
            return
        answer = await self._client.why(line.message_id if line else message)
        self._read("Why", sheets.why_text(line.summary if line else "", read_verdicts(answer)))

    # Sessions

    async def _show_rooms(self) -> None:
        rooms = [read_room(row) for row in await self._client.sessions()]
        self._room.rooms = rooms
        self._room.app.push_screen(sheets.RoomSheet(rooms, self._room.session_id or ""), self._picked)

    def _picked(self, session_id: str | None) -> None:
        if session_id and session_id != self._room.session_id:
            self._go_to(session_id)

    async def _switch(self, typed: str) -> None:
        rooms = [read_room(row) for row in await self._client.sessions()]
        found = _room_called(rooms, typed)
        if found is None:
            self._room.desk.tell(f"There is no session {shown_name(typed)}; /session lists them.")
        else:
            self._go_to(found.session_id)

    async def _edit(self, edit: Edit) -> None:
        if edit.value is not None:
            self._room.show_room(read_room(await self._client.change_session(self._here(), {edit.field: edit.value})))
            return
        room = read_room(await self._client.session(self._here()))
        present: dict[Field, str] = {"name": room.name, "self_id": room.self_id, "role": room.role}
        self._room.desk.composer.write(f"/session {_TYPED_FIELDS[edit.field]} {present[edit.field] or NOTHING}")


def _room_called(rooms: list[Room], typed: str) -> Room | None:
    """The session with this id, `self_id`, or name; the more exact first."""
    by_id = {room.session_id: room for room in rooms}
    by_self_id = {room.self_id: room for room in rooms if room.self_id}
    by_title = {room.title.casefold(): room for room in reversed(rooms)}
    return by_id.get(typed) or by_self_id.get(typed.lower()) or by_title.get(shown_name(typed).casefold())
