"""What stands on the screen: columns are counted as terminals count them, at every width, and the chrome holds no doubtful glyphs."""

import unicodedata

import pytest
from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Offset
from textual.selection import Selection

from coterie.platforms.terminal.colours import BACKGROUND, NAMES, PERSON, name_colours
from coterie.platforms.terminal.history import joined
from coterie.platforms.terminal.lines import wrap
from fakes.house_api import FakeHouse, message_json, persona_json, session_json
from fakes.terminal_scenes import chatting

WIDE = "漢字🦊e\u0301"
LONG = f"{WIDE} " * 30 + "漢字漢字" * 30


def wide_house():
    return FakeHouse(
        messages={"chat-1": [message_json("m1", "アン", "誰がいますか?"), message_json("m2", "エリ", LONG, persona="eri")]},
        personas=[persona_json("eri", "エリ", ["エリ", "えり"], is_alter=False), persona_json("bram", "Bram 🦊", ["bram"])],
        sessions={"chat-1": session_json("chat-1", name="夜の台所" * 8, default=True)},
    )


def plain_house():
    return FakeHouse(messages={"chat-1": [message_json(f"m{n}", "Ann", f"Number {n}. " + "word " * 40) for n in range(1, 41)]})


def widths(chat):
    return {cell_len(row) for row in chat.rows}


@pytest.mark.parametrize("columns", [40, 80, 160, 200])
async def test_wide_and_combining_characters_fill_whole_columns(columns):
    async with chatting(wide_house(), size=(columns, 30)) as chat:
        assert widths(chat) == {columns}
        assert LONG.replace(" ", "") in "".join(row[: len(row)] for row in history_rows(chat)).replace(" ", "")
        chat.write(f"/session name {WIDE * 20}")
        await chat.until(lambda: WIDE in chat.picture)
        assert widths(chat) == {columns}


def history_rows(chat):
    history = chat.app.room.history_view
    return [history.render_line(y).text for y in range(history.size.height)]


@pytest.mark.parametrize(
    ("size", "is_panel", "is_strip", "is_status"),
    [
        ((40, 24), False, True, True),
        ((75, 24), False, True, True),
        ((76, 24), True, False, True),
        ((160, 50), True, False, True),
        ((60, 9), False, False, False),
    ],
)
async def test_the_cast_stands_where_there_is_room_for_it(size, is_panel, is_strip, is_status):
    async with chatting(plain_house(), size=size) as chat:
        room = chat.app.room
        shown = [room.query_one(place).region.area > 0 for place in ("#cast", "#strip", "#status")]
        assert shown == [is_panel, is_strip, is_status]
        assert room.query_one("#composer").region.height >= 1
        assert room.history_view.size.height >= 3


async def test_resizing_keeps_the_newest_line_or_the_line_looked_at_in_sight():
    async with chatting(plain_house(), size=(160, 30)) as chat:
        history = chat.app.room.history_view
        for columns in (40, 200, 76, 75, 40, 120):
            await chat.pilot.resize_terminal(columns, 20)
            await chat.until(lambda columns=columns: len(chat.rows[0]) == columns and "Number 40." in chat.picture)
            assert widths(chat) == {columns}
        history.scroll_to(y=history.max_scroll_y // 2, animate=False)
        await chat.pilot.pause()
        looked_at = next(row for row in chat.rows if "Number" in row).split(".")[0].strip()
        for columns in (40, 200, 76):
            await chat.pilot.resize_terminal(columns, 20)
            await chat.until(lambda columns=columns: len(chat.rows[0]) == columns)
            assert looked_at in chat.picture


@pytest.mark.parametrize("size", [(40, 20), (100, 30)])
async def test_the_chrome_has_no_glyphs_of_ambiguous_width(size):
    house = plain_house()
    house.whys = {"m40": {"turns": [], "skipped": [{"persona": "bram", "name": "Bram", "why": "not-called", "meaning": "Not called."}]}}
    async with chatting(house, size=size) as chat:
        pictures = [chat.picture]
        for typed in ("/nothing", "/reply x", "/help", "/session", "/cast", "/why"):
            await chat.type(typed)
            await chat.until(lambda: chat.picture not in pictures and chat.draft == "")
            pictures.append(chat.picture)
            await chat.pilot.press("escape")
        chat.write("/")
        await chat.until(lambda: "/session new" in chat.picture)
        doubtful = {char for char in "".join([*pictures, chat.picture]) if unicodedata.east_asian_width(char) == "A" or ord(char) > 0x2000}
        assert doubtful == set()


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("moths and lamps", 9, ["moths and", "lamps"]),
        ("漢字🦊e\u0301", 20, ["漢字🦊e\u0301"]),
        ("漢字🦊e\u0301", 4, ["漢字", "🦊e\u0301"]),
        ("漢字漢字", 3, ["漢", "字", "漢", "字"]),
        ("one\n\ntwo", 20, ["one", "", "two"]),
        ("", 20, [""]),
    ],
)
def test_rows_are_cut_by_columns(text, columns, rows):
    assert [row.content.plain.rstrip() for row in wrap(Content(text), columns)[:-1]] == rows


@pytest.mark.parametrize("columns", [4, 7, 20, 200])
@pytest.mark.parametrize("text", ["moths and lamps", LONG.strip(), "one\n\ntwo three four", "  indented code\nand more"])
def test_what_is_copied_is_what_was_said_not_how_it_was_wrapped(text, columns):
    assert joined(wrap(Content(text), columns)[:-1], Selection(None, None)) == text


def test_a_part_of_the_rows_is_copied_by_characters():
    rows = wrap(Content("moths and lamps\nand stoves"), 9)
    assert joined(rows, Selection(Offset(6, 0), Offset(3, 2))) == "and lamps\nand"


async def test_text_is_selected_with_the_mouse_and_copied():
    house = FakeHouse(messages={"chat-1": [message_json("m1", "Ann", "moths and lamps " * 12)]})
    async with chatting(house, size=(60, 20)) as chat:
        row = next(number for number, text in enumerate(chat.rows) if "moths" in text)
        await chat.pilot.mouse_down(offset=(1, row))
        await chat.pilot.hover(offset=(10, row + 1))
        await chat.pilot.mouse_up(offset=(10, row + 1))
        await chat.until(lambda: bool(chat.app.screen.get_selected_text()))
        assert ("moths and lamps " * 12).startswith(chat.app.screen.get_selected_text().strip())


def test_every_name_colour_can_be_read_on_the_background():
    def light(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    # WCAG 2, contrast ratio; 7:1 is level AAA.
    assert all((light(colour) + 0.05) / (light(BACKGROUND) + 0.05) >= 7 for colour in (*NAMES, PERSON))


def test_each_persona_has_a_colour_of_its_own_as_long_as_there_are_any():
    handles = [f"persona-{number}" for number in range(len(NAMES))]
    assert set(name_colours(handles).values()) == set(NAMES)
    assert len(name_colours([*handles, "one-more"])) == len(NAMES) + 1
    assert name_colours(handles)["persona-0"] == name_colours(["persona-0"])["persona-0"]
