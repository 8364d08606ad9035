"""Holds recorded traffic against Discord's own OpenAPI description, where that file is present.

Overrides, each for a reason: an error's `code` inside `errors` is text (Discord's reference says so, the file says integer); a 429's
`code` is optional; a webhook's execution is held against its own component, since the route's union with the edit body lets anything
through; in requests of libraries nulls, numeric ids and a role's permissions as text are passed over, since Discord takes them.
"""

import json
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

FILE = os.environ.get("DISCORD_OPENAPI") or str(Path(__file__).parents[3] / "shared" / "data" / "discord-openapi.json")
"""Where the description is: `DISCORD_OPENAPI`, or beside the project."""
URN = "urn:discord"
NAMES = {
    "channel": "channel_id",
    "guild": "guild_id",
    "message": "message_id",
    "webhook": "webhook_id",
    "user": "user_id",
    "role": "role_id",
    "application": "application_id",
    "command": "command_id",
    "interaction": "interaction_id",
    "overwrite": "overwrite_id",
    "sticker": "sticker_id",
}
UNDESCRIBED = {("GET", "/channels/{channel}/thread-members/{user}")}
ERRORS = {
    "type": "object",
    "required": ["message", "code"],
    "properties": {"message": {"type": "string"}, "code": {"type": "integer"}, "errors": {"type": "object"}},
}
RATE_LIMITED = {"type": "object", "required": ["message", "retry_after", "global"]}


def is_present() -> bool:
    return Path(FILE).is_file()


@cache
def description() -> dict[str, Any]:
    return json.loads(Path(FILE).read_text(encoding="utf-8"))


@cache
def registry() -> Registry[Any]:
    return Registry().with_resource(URN, Resource(description(), DRAFT202012))


@cache
def validator(pointer: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"{URN}#{pointer}"}, registry=registry())


@cache
def template(method: str, route: str) -> str | None:
    """The description's name for a route of ours."""
    words = []
    for word in route.strip("/").split("/"):
        name = word.strip("{}")
        if not word.startswith("{"):
            words.append(word)
        elif name == "token":
            words.append("{interaction_token}" if "interactions" in route else "{webhook_token}")
        elif name == "emoji":
            words.append("{emoji_name}" if "reactions" in route else "{emoji_id}")
        else:
            words.append("{" + NAMES[name] + "}")
    path = "/" + "/".join(words)
    return path if method.lower() in description()["paths"].get(path, {}) else None


def escaped(text: str) -> str:
    return text.replace("~", "~0").replace("/", "~1")


def as_taken(value: Any) -> Any:
    """A library's request as Discord reads it: nulls are as good as absent, and an id may be a number."""
    if isinstance(value, dict):
        found = {key: as_taken(each) for key, each in value.items() if each is not None}
        return {**found, "attachments": [_with_text_id(one) for one in found["attachments"]]} if "attachments" in found else found
    if isinstance(value, list):
        return [as_taken(each) for each in value]
    return str(value) if isinstance(value, int) and value > 1 << 53 else value


def _with_text_id(value: dict[str, Any]) -> dict[str, Any]:
    return {**value, "id": str(value["id"])}


def breaches(exchanges: Iterable[dict[str, Any]]) -> list[str]:
    """What is wrong with some recorded exchanges."""
    return [f"{one['method']} {one['route']} {one['status']} {what}" for one in exchanges for what in _breaches(one)]


def _breaches(one: dict[str, Any]) -> Iterable[str]:
    if not one["route"] or one["fault"] in ("status", "unheard", "unlucky"):
        return
    if one["status"] >= 400:
        yield from _wrong(Draft202012Validator(RATE_LIMITED if one["status"] == 429 else ERRORS), one["answer"], "answer")
        return
    if (one["method"], one["route"]) in UNDESCRIBED:
        return
    path = template(one["method"], one["route"])
    if path is None:
        yield "is not described"
        return
    pointer = f"/paths/{escaped(path)}/{one['method'].lower()}"
    operation = description()["paths"][path][one["method"].lower()]
    yield from _request(one, operation, pointer)
    yield from _answer(one, operation, pointer)


def _request(one: dict[str, Any], operation: dict[str, Any], pointer: str) -> Iterable[str]:
    if one["body"] is None or "requestBody" not in operation:
        return
    at = f"{pointer}/requestBody/content/{escaped('application/json')}/schema"
    if operation["operationId"] == "execute_webhook":
        at = "/components/schemas/IncomingWebhookRequestPartial"
    body = as_taken(one["body"])
    if one["route"].startswith("/guilds/{guild}/roles") and "permissions" in body:
        body["permissions"] = int(body["permissions"])
    if "application/json" in operation["requestBody"]["content"]:
        yield from _wrong(validator(at), body, "request")


def _answer(one: dict[str, Any], operation: dict[str, Any], pointer: str) -> Iterable[str]:
    described = operation["responses"].get(str(one["status"]))
    if described is None:
        yield f"has no such status, only {sorted(operation['responses'])}"
    elif "application/json" in described.get("content", {}):
        at = f"{pointer}/responses/{one['status']}/content/{escaped('application/json')}/schema"
        yield from _wrong(validator(at), one["answer"], "answer")
    elif one["answer"] is not None:
        yield "should answer nothing"


def _wrong(checker: Draft202012Validator, value: Any, what: str) -> Iterable[str]:
    error = best_match(checker.iter_errors(value))
    if error is not None:
        yield f"{what} {error.json_path}: {error.message[:300]}"
