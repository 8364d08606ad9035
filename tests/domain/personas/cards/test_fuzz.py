"""Whatever the bytes are: a card, or a refusal with a sentence, and nothing else; and what was read can be written again."""

import json

from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.personas.cards import CardFormat, CardRefused, read_card, to_persona, write_card
from coterie.domain.personas.limits import judge_content
from fakes.card_files import as_base64, as_json, charx, chunk, itxt_chunk, png, png_card, text_chunk, v1, v2, v3, ztxt_chunk

ICON = {"type": "icon", "uri": "embeded://assets/icon/images/main.png", "name": "main", "ext": "png"}
SEEDS = [
    png_card(v1()),
    png(ztxt_chunk("chara", as_base64(v2())), itxt_chunk("ccv3", as_base64(v3()), is_packed=True)),
    png(text_chunk("chara-ext-asset_:0", as_base64(b"x")), after=[text_chunk("chara", as_json(v2()))]),
    charx(v3(assets=[ICON]), ("assets/icon/images/main.png", png())),
    charx(v3(), prefix=b"\xff\xd8\xff\xe0" + b"\x11" * 30),
    as_json(v2(extensions={"coterie": {"role": "x"}})),
    as_json(v3(name="Zoë")).decode().encode("utf-16"),
]


@st.composite
def damaged(draw):
    """A good file with some bytes changed, cut out, doubled or cut off."""
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        match draw(st.sampled_from(["flip", "set", "cut", "drop", "double"])):
            case "flip" if data:
                data[at] ^= 1 << draw(st.integers(0, 7))
            case "set" if data:
                data[at] = draw(st.sampled_from([0, 0x7F, 0x80, 0xFF, ord("{"), ord('"')]))
            case "cut":
                del data[at:]
            case "drop":
                del data[at : at + draw(st.integers(1, 40))]
            case _:
                data[at:at] = data[at : at + draw(st.integers(1, 40))]
    return bytes(data)


def survives(data):
    """The data is a card that becomes a persona and can leave again, or it is refused."""
    try:
        read = read_card(data, "card.png")
    except CardRefused as refusal:
        sentence = str(refusal)
        assert sentence.endswith(".")
        assert sentence.isprintable()
        return
    content, report = to_persona(read.card, file_name="card.png")
    judge_content(content)
    json.dumps([[line.part, line.fate, line.note] for line in (*read.report, *report)]).encode()
    for card_format in CardFormat:
        exported = write_card(content, card_format, original=data)
        assert to_persona(read_card(exported).card, file_name="card.png")[0] == content


@given(damaged())
def test_damaged_files(data):
    survives(data)


@given(st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", b"PK\x05\x06", b"{", b"\xff\xd8\xff", b"RIFF"]), st.binary(max_size=200))
def test_any_bytes(beginning, data):
    survives(beginning + data)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([b"tEXt", b"zTXt", b"iTXt", b"IDAT", b"IEND", b"abCd"]),
            st.one_of(st.binary(max_size=60), st.binary(max_size=60).map(lambda text: b"chara\0" + text)),
        ),
        max_size=6,
    )
)
def test_any_chunks(chunks):
    survives(png(*(chunk(kind, body) for kind, body in chunks), text_chunk("ccv3", as_base64(v3()))))


ANY_TEXT = st.one_of(st.text(max_size=30), st.sampled_from(["\ud83d", "\x00", "{{original}}", "<START>", "{{user}}: a\n{{char}}: b"]))
ANY_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), ANY_TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(ANY_TEXT, inner, max_size=4)),
    max_leaves=12,
)
FIELD = st.sampled_from([
    "name", "description", "personality", "scenario", "first_mes", "mes_example", "alternate_greetings", "nickname", "system_prompt",
    "post_history_instructions", "character_book", "extensions", "tags", "entries", "char_name", "context", "greeting", "avatar", "assets",
    "creatorcomment",
])  # fmt: skip
BODY = st.dictionaries(FIELD, ANY_JSON, max_size=10)
DEEPER = st.fixed_dictionaries({}, optional={"depth_prompt": ANY_JSON, "coterie": ANY_JSON, "risuai": ANY_JSON})


@given(
    st.sampled_from(["chara_card_v1", "chara_card_v2", "chara_card_v3", "chara_card_v9", "lorebook_v3", None, 5]),
    ANY_JSON,
    BODY,
    BODY,
    DEEPER,
)
def test_any_types_in_any_field(spec, spec_version, root, body, extensions):
    card = {**root, "spec": spec, "spec_version": spec_version, "data": {"extensions": extensions, **body}}
    survives(json.dumps(card).encode())
    survives(json.dumps({"extensions": extensions, **root}).encode())
