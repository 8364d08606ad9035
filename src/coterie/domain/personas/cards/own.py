"""Our own data on a card: the block `extensions.coterie` that an export adds, and the predecessor's envelope.

The block says which common fields it was written beside (as fingerprints). Where another program has changed those since, they win.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence

from coterie.domain.personas.cards.card import Card, CardVersion, Fate, JsonObject, OwnPart, ReportLine, field_of
from coterie.domain.personas.cards.fields import Fields
from coterie.domain.personas.persona import Attribute, PersonaContent, SampleDialogue

NAME = "coterie"
PART = f"extensions.{NAME}"
ROLE_FIELDS = ("description", "personality", "scenario", "system_prompt", "post_history_instructions", "depth_prompt")
TALK_FIELDS = ("first_mes", "mes_example", "alternate_greetings")

# More members of a list than this are not even looked at; the limits keep far fewer.
_MOST = 1_000
# How the predecessor writes a line that answers nobody.
_UNPAIRED = "__UNPAIRED_SAMPLE_DIALOGUE__"


def own_block(content: PersonaContent, card: Card) -> JsonObject:
    """The block for this content beside the card's common fields as they are on `card`."""
    return {
        "version": 1,
        "role": content.role,
        "trigger_words": list(content.trigger_words),
        "attributes": [{"text": attribute.text, "is_public": attribute.is_public} for attribute in content.attributes],
        "sample_dialogues": [{"user": dialogue.user, "bot": dialogue.bot} for dialogue in content.sample_dialogues],
        "beside": {"role": fingerprint(card, ROLE_FIELDS), "sample_dialogues": fingerprint(card, TALK_FIELDS)},
    }


def fingerprint(card: Card, fields: Sequence[str]) -> str:
    """A short hash of these fields of a card."""
    return hashlib.sha256(json.dumps([getattr(card, field) for field in fields]).encode()).hexdigest()[:32]


def read_own(card: Card, body: Mapping[str, object]) -> tuple[OwnPart | None, list[ReportLine]]:
    """Our block on a card, as far as it is usable and still fits the card."""
    block = field_of(body.get("extensions"), NAME)
    if block is None:
        return None, []
    if not isinstance(block, dict):
        return None, [ReportLine(PART, Fate.DROPPED, "It is not what Coterie writes and was ignored.")]
    role, beside = block.get("role"), block.get("beside")
    is_same_role = field_of(beside, "role") == fingerprint(card, ROLE_FIELDS)
    is_same_talk = field_of(beside, "sample_dialogues") == fingerprint(card, TALK_FIELDS)
    words = block.get("trigger_words")
    own = OwnPart(
        role=role if isinstance(role, str) and is_same_role else None,
        trigger_words=Fields(block).texts("trigger_words")[:_MOST] if isinstance(words, list) else None,
        attributes=_attributes(block.get("attributes")),
        sample_dialogues=_dialogues(block.get("sample_dialogues")) if is_same_talk else None,
    )
    if is_same_role and is_same_talk:
        return own, [ReportLine(PART, Fate.USED, "The persona as Coterie exported it.")]
    return own, [ReportLine(PART, Fate.USED, "The card was edited elsewhere since Coterie exported it; what was edited there is used.")]


def _attributes(value: object) -> tuple[Attribute, ...]:
    members = value[:_MOST] if isinstance(value, list) else []
    texts = ((field_of(member, "text"), field_of(member, "is_public")) for member in members)
    return tuple(Attribute(text, is_public is True) for text, is_public in texts if isinstance(text, str))


def _dialogues(value: object) -> tuple[SampleDialogue, ...]:
    members = value[:_MOST] if isinstance(value, list) else []
    pairs = ((field_of(member, "user"), field_of(member, "bot")) for member in members)
    return tuple(SampleDialogue(user if isinstance(user, str) else "", bot) for user, bot in pairs if isinstance(bot, str))


_READ_OF_PREDECESSOR = (
    "tomori_nickname", "attribute_list", "attribute_public_flags", "sample_dialogues_in", "sample_dialogues_out", "trigger_words",
    "persona_prompt",
)  # fmt: skip


def read_predecessor(raw: JsonObject) -> tuple[Card, tuple[ReportLine, ...]]:
    """A card from the predecessor's envelope (`version`, `type`, `exported_at`, `data`)."""
    data = raw.get("data")
    body = data if isinstance(data, dict) else {}
    fields = Fields(body)
    flags = body.get("attribute_public_flags")
    is_public = [flag is True for flag in flags] if isinstance(flags, list) else []
    attributes = fields.texts("attribute_list")[:_MOST]
    # Attributes without a flag are private.
    pairs = zip(attributes, is_public + [False] * len(attributes), strict=False)
    asked, answered = _side(body.get("sample_dialogues_in")), _side(body.get("sample_dialogues_out"))
    own = OwnPart(
        role=fields.text("persona_prompt"),
        trigger_words=fields.texts("trigger_words")[:_MOST],
        attributes=tuple(Attribute(text, flag) for text, flag in pairs),
        sample_dialogues=tuple(SampleDialogue("" if user == _UNPAIRED else user, bot) for user, bot in zip(asked, answered, strict=False)),
    )
    unread = [ReportLine(key, Fate.KEPT, "Not used here; kept in the file.") for key in body if key not in _READ_OF_PREDECESSOR]
    if len(asked) != len(answered):
        unread.append(ReportLine("sample_dialogues", Fate.REPAIRED, "The two sides were of different length; the surplus was left out."))
    card = Card(raw, CardVersion.PREDECESSOR, name=fields.text("tomori_nickname"), own=own)
    return card, (*fields.report, *unread[:20])


def _side(value: object) -> list[str]:
    """One side of the dialogues; a gap stays a gap, so that the sides still match."""
    return [member if isinstance(member, str) else "" for member in value[:_MOST]] if isinstance(value, list) else []
