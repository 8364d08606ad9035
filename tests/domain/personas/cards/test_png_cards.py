"""Own PNG cards, one for each way in which such files are met in the wild."""

import pytest

from coterie.domain.personas.cards import CardRefused, CardVersion, Fate, read_card, to_persona
from fakes.card_files import (
    IDAT,
    IEND,
    IHDR,
    MIRA,
    SIGNATURE,
    as_base64,
    as_json,
    chunk,
    itxt_chunk,
    png,
    png_card,
    text_chunk,
    v1,
    v2,
    v3,
    ztxt_chunk,
)

LINES = b"\n".join(as_base64(v2())[at : at + 60] for at in range(0, 900, 60))
# The only text of which the base64 holds `-` and `_` in the URL-safe spelling.
ODD = v2(description="~~??>>??~~ ｿｿｿ", name="Mira Vale", creator="a")
URL_SAFE = as_base64(ODD).translate(bytes.maketrans(b"+/", b"-_"))
UNPADDED = next(text.rstrip(b"=") for text in (as_base64(v2(creator="x" * length)) for length in (1, 2)) if text.endswith(b"="))
LATIN = as_base64(as_json(v2(name="Zoë")).decode().encode("latin-1"))

# (what is special, the file, the name that is read, the parts of the report that are not simply used)
READABLE = [
    ("V1", png_card(v1()), "Mira Vale", set()),
    ("V2 only under data", png_card(v2()), "Mira Vale", set()),
    ("V3", png_card(v3(), "ccv3"), "Mira Vale", set()),
    ("chunk behind the pixels", png(after=[text_chunk("chara", as_base64(v2()))]), "Mira Vale", set()),
    ("other text chunk first", png(text_chunk("Software", b"Paint"), text_chunk("chara", as_base64(v2()))), "Mira Vale", set()),
    (
        "ccv3 and chara differ",
        png(text_chunk("chara", as_base64(v2(name="Old"))), text_chunk("ccv3", as_base64(v3(name="New")))),
        "New",
        {("chara", Fate.KEPT)},
    ),
    ("ccv3 and chara agree", png(text_chunk("chara", as_base64(v2())), text_chunk("ccv3", as_base64(v3()))), "Mira Vale", set()),
    (
        "ccv3 broken, chara sound",
        png(text_chunk("ccv3", b"!!!"), text_chunk("chara", as_base64(v2()))),
        "Mira Vale",
        {("ccv3", Fate.DROPPED)},
    ),
    ("zTXt", png(ztxt_chunk("chara", as_base64(v2()))), "Mira Vale", set()),
    ("iTXt plain", png(itxt_chunk("chara", as_base64(v2()))), "Mira Vale", set()),
    ("iTXt packed", png(itxt_chunk("ccv3", as_base64(v3()), is_packed=True)), "Mira Vale", set()),
    ("raw JSON", png(text_chunk("chara", as_json(v2()))), "Mira Vale", set()),
    ("raw UTF-8 JSON", png(text_chunk("chara", as_json(v2(name="ミラ")))), "ミラ", set()),
    ("base64 in lines", png(text_chunk("chara", LINES)), "Mira Vale", set()),
    ("base64 not padded", png(text_chunk("chara", UNPADDED)), "Mira Vale", {("chara", Fate.REPAIRED)}),
    ("base64 URL-safe", png(text_chunk("chara", URL_SAFE)), "Mira Vale", {("chara", Fate.REPAIRED)}),
    ("keyword Chara", png_card(v2(), "Chara"), "Mira Vale", set()),
    ("keyword char", png_card(v1(), "char"), "Mira Vale", set()),
    ("bad checksum", png(text_chunk("chara", as_base64(v2()), crc=1)), "Mira Vale", {("chara", Fate.REPAIRED)}),
    (
        "two chara chunks",
        png(text_chunk("chara", as_base64(v2(name="First"))), text_chunk("chara", as_base64(v2(name="Second")))),
        "First",
        {("chara", Fate.KEPT)},
    ),
    ("two equal chara chunks", png(*[text_chunk("chara", as_base64(v2()))] * 2), "Mira Vale", set()),
    ("byte order mark", png(text_chunk("chara", as_base64(b"\xef\xbb\xbf" + as_json(v2())))), "Mira Vale", {("chara", Fate.REPAIRED)}),
    ("Latin-1 bytes", png(text_chunk("chara", LATIN)), "Zoë", {("chara", Fate.REPAIRED)}),
    ("nulls", png_card(v2(character_book=None, tags=None, alternate_greetings=None, creator=None)), "Mira Vale", set()),
    ("a text for a list", png_card(v2(alternate_greetings="17")), "Mira Vale", {("alternate_greetings", Fate.REPAIRED)}),
    ("no name", png_card(v2(name="")), "Fog keeper", {("name", Fate.REPAIRED)}),
    ("root and data differ", png_card({**v2(), "name": "Root"}), "Mira Vale", {("name", Fate.KEPT)}),
    ("junk behind the end", png(text_chunk("chara", as_base64(v2())), junk=b"PK trailing \0 junk" * 9), "Mira Vale", set()),
    ("cut off behind the card", png(text_chunk("chara", as_base64(v2())))[:-20], "Mira Vale", {("file", Fate.REPAIRED)}),
    ("lone surrogate", png_card(as_json(v2(name="x?")).replace(b"x?", b"x\\ud83d")), "x\ufffd", {("chara", Fate.REPAIRED)}),
    ("NaN", png_card(as_json(v2(talk="?")).replace(b'"?"', b"NaN")), "Mira Vale", {("chara", Fate.REPAIRED)}),
    ("infinity", png_card(as_json(v2(talk="?")).replace(b'"?"', b"1e999")), "Mira Vale", {("chara", Fate.REPAIRED)}),
]


@pytest.mark.parametrize(("data", "name", "remarks"), [case[1:] for case in READABLE], ids=[case[0] for case in READABLE])
def test_a_card_is_read(data, name, remarks):
    read = read_card(data, "Fog_keeper.card.png")
    content, notes = to_persona(read.card, file_name="Fog_keeper.card.png")
    assert content.name == name
    assert content.role.endswith("Scenario: A night of fog.")
    assert content.sample_dialogues[0].bot == MIRA["first_mes"]
    said = {(line.part, line.fate) for line in (*read.report, *notes) if line.fate is not Fate.USED}
    assert said - {("creator", Fate.KEPT)} == remarks


def test_the_table_is_not_shorter_than_what_was_found():
    assert len(READABLE) + len(REFUSED) >= 28 + 6


REFUSED = [
    ("no card", png(), "no character card"),
    ("no card, cut off", png()[:-30], "damaged or cut off"),
    ("only a signature", SIGNATURE, "damaged or cut off"),
    (
        "chunk length beyond the file",
        SIGNATURE + IHDR + b"\x7f\xff\xff\xfftEXtchara\0" + as_base64(v2()) + IDAT + IEND,
        "damaged or cut off",
    ),
    (
        "chunk length with the sign bit",
        SIGNATURE + IHDR + b"\xff\xff\xff\xf4tEXtchara\0" + as_base64(v2()) + IDAT + IEND,
        "damaged or cut off",
    ),
    ("locked by RisuAI", png(text_chunk("chara", b"rcc||rccv1||c2VjcmV0||0||x")), "locked by RisuAI"),
    ("base64 of nothing good", png(text_chunk("chara", b"AAAA")), "JSON is broken"),
    (
        "a length that no base64 has",
        png(text_chunk("chara", as_base64(v2()).rstrip(b"=")[:-1] + b"A" * 4 + b"=A")),
        "neither JSON nor base64",
    ),
    ("broken zTXt", png(chunk(b"zTXt", b"chara\0\0nonsense")), "no character card"),
    ("nested too deeply", png_card(as_json(v2(x=0)).replace(b'"x": 0', b'"x": ' + b"[" * 100 + b"]" * 100)), "nested too deeply"),
    ("nested absurdly", png_card(as_json(v2(x=0)).replace(b'"x": 0', b'"x": ' + b"[" * 9000 + b"]" * 9000)), "nested too deeply"),
    ("a number with 5000 digits", png_card(as_json(v2(x=0)).replace(b'"x": 0', b'"x": ' + b"9" * 5000)), "too many digits"),
    ("a JSON list", png_card(b"[1]"), "not an object"),
    ("something else in JSON", png_card({"hello": 1}), "no character card"),
    ("many objects", png_card(as_json(v2(x=0)).replace(b'"x": 0', b'"x": [' + b"[]," * 500_001 + b"0]")), "too many parts"),
    ("a bomb in zTXt", png(ztxt_chunk("chara", b"{" + b" " * 12_000_000 + b"}")), "too large"),
    ("many bombs in zTXt", png(*[ztxt_chunk("chara", b" " * 11_000_000)] * 5), "too large"),
    ("too many chunks", png(chunk(b"aaAa", b"") * 50_001), "too many parts"),
    ("too many texts", png(text_chunk("note", b"x") * 2_001), "too many text parts"),
]


@pytest.mark.parametrize(("data", "reason"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_card_is_refused_with_a_sentence(data, reason):
    with pytest.raises(CardRefused, match=reason) as refusal:
        read_card(data, "card.png")
    assert str(refusal.value).endswith(".")


def test_a_usable_copy_wins_over_a_locked_one():
    data = png(text_chunk("ccv3", b"rcc||rccv1||x"), text_chunk("chara", as_base64(v2())))
    assert read_card(data).card.version is CardVersion.V2


def test_the_picture_comes_without_texts_and_broken_extras():
    data = png(
        text_chunk("chara", as_base64(v2())), chunk(b"tIME", b"\0" * 7, crc=5), ztxt_chunk("Comment", b"x" * 3_000_000), junk=b"junk"
    )
    assert read_card(data).picture == png()


@pytest.mark.parametrize("spelling", ["chara-ext-asset_:7", "chara-ext-asset_7"])
def test_old_asset_chunks_are_found_with_and_without_the_colon(spelling):
    container = read_card(png(text_chunk(spelling, as_base64(b"picture")), text_chunk("chara", as_base64(v2())))).container
    assert container.file("__asset:7") == b"picture"
    assert container.file("__asset:8") is None
