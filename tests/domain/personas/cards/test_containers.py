"""CHARX and JSON files, what is taken for what, and what an archive may not do."""

import struct
import zipfile

import pytest

from coterie.domain.personas.cards import MAX_CARD_BYTES, CardFormat, CardRefused, Fate, read_card
from fakes.card_files import archive, as_base64, as_json, charx, png, png_card, v1, v2, v3

ICON = {"type": "icon", "uri": "embeded://assets/icon/images/main.png", "name": "main", "ext": "png"}
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0" + b"\x11" * 40 + b"\xff\xd9"


def with_flag(data, bit):
    """The archive with a flag set on its first file, in both of its headers."""
    data = bytearray(data)
    directory = data.find(b"PK\x01\x02")
    data[6] |= bit
    data[directory + 8] |= bit
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (png_card(v2()), CardFormat.PNG),
        (charx(v3()), CardFormat.CHARX),
        (charx(v3(), prefix=JPEG), CardFormat.CHARX),
        (charx(v3(), prefix=b"MZ a self-unpacking program"), CardFormat.CHARX),
        (charx(v3(), prefix=b"\x7fELF a self-unpacking program"), CardFormat.CHARX),
        (charx(v3(), prefix=b"#!/bin/sh\n"), CardFormat.CHARX),
        (as_json(v1()), CardFormat.JSON),
        (b"\xef\xbb\xbf \n" + as_json(v1()), CardFormat.JSON),
        (as_json(v1()).decode().encode("utf-16"), CardFormat.JSON),
    ],
)
def test_a_file_is_what_its_bytes_are(data, kind):
    read = read_card(data, f"card.{kind}")
    assert read.container.format is kind
    assert read.media_type == {"png": "image/png", "json": "application/json", "charx": "application/zip"}[kind]
    assert not [line for line in read.report if "whatever its name says" in line.note]


def test_a_wrong_ending_is_reported_and_does_not_matter():
    (line,) = read_card(png_card(v2()), "card.json").report
    assert (line.part, line.fate, line.note) == ("file", Fate.REPAIRED, "The file is PNG by its contents, whatever its name says.")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n\0", "empty"),
        (b"<!DOCTYPE html><html></html>", "a web page"),
        (b"  <html lang=en>", "a web page"),
        (JPEG, "a JPEG picture without"),
        (b"GIF89a" + b"\0" * 30, "a GIF picture"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "a WEBP picture"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "a sound or video"),
        (b"\0\0\0\x20ftypavif", "an AVIF picture"),
        (b"%PDF-1.7", "a PDF document"),
        (b"\x1f\x8b\x08", "a gzip archive"),
        (b"MZ\x90", "a program"),
        (b"name: Mira\ncontext: a keeper\n", "a YAML or plain text file"),
        (b"[{}]", "a JSON list"),
        (bytes(range(128, 256)), "no file that is known here"),
        (archive([("readme.txt", b"hi")]), "ZIP archive without a card.json"),
        (archive([("a/card.json", b"{}"), ("b/card.json", b"{}")]), "ZIP archive without a card.json"),
        (archive([]), "ZIP archive without a card.json"),
        (as_json({"spec": "lorebook_v3", "data": {"name": "Lore", "description": "x", "entries": []}}), "lorebook without a character"),
        (as_json({"entries": {}, "name": "Lore", "description": "x"}), "lorebook without a character"),
        (as_json({"tuppers": [], "groups": []}), "proxy service"),
        (as_json({"version": 2, "members": [], "switches": []}), "proxy service"),
        (b'{"name": "Mira", ', "broken at line 1"),
        (b"x" * (MAX_CARD_BYTES + 1), "larger than 10 MB"),
    ],
)
def test_what_is_no_card_is_called_by_its_name(data, reason):
    with pytest.raises(CardRefused, match=reason) as refusal:
        read_card(data, "card.png")
    assert str(refusal.value).endswith(".")


def test_the_face_of_an_archive_is_its_main_icon():
    files = [("assets/icon/images/main.png", b"the face"), ("assets/icon/images/other.png", b"another")]
    other = {**ICON, "uri": "embeded://assets/icon/images/other.png", "name": "other"}
    assert read_card(charx(v3(assets=[other, ICON]), *files)).picture == b"the face"
    assert read_card(charx(v3(assets=[{**ICON, "uri": ICON["uri"].replace("embeded", "embedded")}]), *files)).picture == b"the face"
    assert read_card(charx(v3(assets=[other]), *files)).picture == b"another"
    assert read_card(charx(v3(assets=[{**ICON, "uri": "embeded://assets/icon/images/MAIN.png"}]), *files)).picture is None


def test_the_picture_before_an_archive_is_the_face_if_no_icon_is():
    assert read_card(charx(v3(), prefix=JPEG)).picture == JPEG
    assert read_card(charx(v3(assets=[ICON]), ("assets/icon/images/main.png", b"the face"), prefix=JPEG)).picture == b"the face"


def test_a_picture_inside_json_is_found_and_one_on_the_web_is_not_asked_for():
    inline = {**ICON, "uri": "data:image/png;base64," + as_base64(png()).decode()}
    assert read_card(as_json(v3(assets=[inline]))).picture == png()
    far = read_card(as_json(v3(assets=[{**ICON, "uri": "https://example.org/face.png"}])))
    assert far.picture is None
    assert ("picture", Fate.KEPT) in {(line.part, line.fate) for line in far.report}
    assert read_card(as_json(v1(avatar="none"))).picture is None


def test_a_card_one_folder_down_is_found_and_reported():
    read = read_card(archive([("mira/card.json", as_json(v3()))]))
    assert ("card.json", Fate.REPAIRED) in {(line.part, line.fate) for line in read.report}


def test_the_card_at_the_root_is_preferred_and_of_two_the_last():
    read = read_card(archive([("a/card.json", as_json(v3(name="Below"))), ("card.json", as_json(v3(name="Root")))]))
    assert (read.card.name, read.report) == ("Root", ())


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_cards_at_the_root_the_last_is_used():
    read = read_card(archive([("card.json", as_json(v3(name="First"))), ("card.json", as_json(v3(name="Second")))]))
    assert read.card.name == "Second"
    assert "2 times" in read.report[0].note


def symlink(name):
    member = zipfile.ZipInfo(name)
    member.external_attr = 0o120777 << 16
    return member


@pytest.mark.parametrize("name", ["../../a.png", "/etc/a.png", "C:\\a.png", "a\\..\\b.png", "x/./y.png", "a//b.png", symlink("link.png")])
def test_members_with_wicked_names_are_neither_read_nor_fatal(name):
    plain = name if isinstance(name, str) else name.filename
    read = read_card(charx(v3(assets=[{**ICON, "uri": f"embeded://{plain}"}]), (name, b"evil")))
    assert read.picture is None
    assert [line for line in read.report if line.fate is Fate.DROPPED and "unsafe name" in line.note]


BOMB = archive([("card.json", as_json(v3())), ("a.bin", b"\0" * 101 * 1024 * 1024)])
LYING = charx(v3(assets=[ICON]), ("assets/icon/images/main.png", b"\0" * 5_000_000))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (BOMB, "unpack to more"),
        (archive([("card.json", b"{" + b" " * 9_000_000 + b"}")]), "damaged or too large"),
        (archive([("card.json", as_json(v3())), *((f"{at}", b"") for at in range(1_000))]), "too many files"),
        (with_flag(charx(v3()), 1), "encrypted"),
        (charx(v3())[:-30], "damaged or cut off"),
        (archive([("card.json", as_json(v3()))], method=zipfile.ZIP_BZIP2), "damaged or too large"),
    ],
)
def test_an_archive_is_bounded(data, reason):
    with pytest.raises(CardRefused, match=reason):
        read_card(data)


def test_a_member_that_lies_about_its_size_is_left_out():
    data = bytearray(LYING)
    directory = data.find(b"PK\x01\x02", data.find(b"PK\x01\x02") + 4)
    struct.pack_into("<L", data, directory + 24, 100)
    assert read_card(bytes(data)).picture is None
