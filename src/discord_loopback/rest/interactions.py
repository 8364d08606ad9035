"""The route on which an application answers an interaction first; the rest goes over the webhook routes."""

from copy import deepcopy
from typing import Any

from discord_loopback import shown
from discord_loopback.acts import interactions
from discord_loopback.acts.components import check_modal
from discord_loopback.acts.drafts import Draft, read_draft
from discord_loopback.forms import Form
from discord_loopback.model import EPHEMERAL, Interaction, Message
from discord_loopback.refusals import Json, refused
from discord_loopback.rest.call import Answer, Call

ALLOWED = {
    interactions.COMMAND: (4, 5, 9, 12),
    interactions.COMPONENT: (4, 5, 6, 7, 9, 12),
    interactions.AUTOCOMPLETE: (8,),
    interactions.MODAL: (4, 5, 6, 7, 12),
}
"""Which answers each kind of interaction takes (Discord docs, Interaction callback type)."""


def callback(call: Call) -> Answer:
    """POST /interactions/{interaction}/{token}/callback."""
    interaction = interactions.find(call.world, call.id("interaction"), call.ids["token"])
    # A copy: what was recorded of the request stays as it came.
    body = deepcopy(call.form)
    draft = _checked(call, interaction, body)
    message = interactions.answer(call.world, interaction, body, draft)
    return _with_response(call, interaction, message) if call.is_on("with_response") else None


def _checked(call: Call, interaction: Interaction, body: Json) -> Draft | None:
    """What the answer says; raises for an answer that this interaction does not take."""
    form = Form(body)
    kind = form.choice("type", body.get("type"), ALLOWED[interaction.kind])
    if kind is None:
        form.wrong("type", "BASE_TYPE_REQUIRED", "This field is required")
    form.done()
    data: Json = body.get("data") or {}
    if kind == 9:
        check_modal(form, data)
    elif kind == 8:
        _check_choices(form, data.get("choices"))
    form.done()
    if kind not in (4, 7):
        return None
    draft = read_draft(data, call.uploads, call.world, may_hide=True)
    if kind == 4 and draft.is_empty:
        raise refused(50006)
    return draft


def _check_choices(form: Form, choices: Any) -> None:
    for place, one in enumerate(form.items(("data", "choices"), choices, most=25)):
        form.text(("data", "choices", place, "name"), one.get("name"), least=1, most=100, needed=True)


def _with_response(call: Call, interaction: Interaction, message: Message | None) -> Json:
    about: Json = {
        "id": str(interaction.id),
        "type": interaction.kind,
        "response_message_loading": call.form["type"] == 5,
        "response_message_ephemeral": bool(message and message.flags & EPHEMERAL),
        "guild_id": str(interaction.guild),
        "channel_id": str(interaction.channel),
    }
    if not interaction.guild:
        del about["guild_id"]
    if message is None:
        return {"interaction": about}
    about["response_message_id"] = str(message.id)
    if call.form["type"] == 5:
        return {"interaction": about}
    return {"interaction": about, "resource": {"type": call.form["type"], "message": shown.message(message, call.world)}}
