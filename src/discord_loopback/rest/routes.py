"""Every route of the REST API in one table, and the tree that finds one. What a route does is its module's."""

from collections.abc import Callable
from dataclasses import dataclass, field

from discord_loopback.rest import accounts, channels, commands, expressions, guilds, interactions, messages, reactions, threads, webhooks
from discord_loopback.rest.call import Answer, Call

Act = Callable[[Call], Answer]


@dataclass(frozen=True, slots=True)
class Route:
    """A route: a path with names in braces, what it does, whether it asks for a login, and its bucket (calls, seconds)."""

    method: str
    path: str
    act: Act
    login: bool = True
    limit: tuple[int, float] = (50, 1.0)


_C, _G, _W = "/channels/{channel}", "/guilds/{guild}", "/webhooks/{webhook}"
_M, _WT, _A = f"{_C}/messages", f"{_W}/{{token}}", "/applications/{application}"
_REACTION = f"{_M}/{{message}}/reactions/{{emoji}}"
_GA = f"{_A}/guilds/{{guild}}/commands"

ROUTES = (
    Route("GET", "/gateway", accounts.gateway, login=False),
    Route("GET", "/gateway/bot", accounts.gateway),
    Route("GET", "/users/@me", accounts.me),
    Route("PATCH", "/users/@me", accounts.modify_me, limit=(2, 3600.0)),
    Route("GET", "/users/@me/guilds", guilds.mine),
    Route("DELETE", "/users/@me/guilds/{guild}", guilds.leave),
    Route("POST", "/users/@me/channels", channels.direct),
    Route("GET", "/users/{user}", guilds.user),
    Route("GET", "/applications/@me", accounts.application),
    Route("PATCH", "/applications/@me", accounts.modify_application),
    Route("GET", "/oauth2/applications/@me", accounts.application),
    Route("GET", "/voice/regions", accounts.voice_regions),
    Route("GET", "/sticker-packs", accounts.sticker_packs),
    Route("GET", "/stickers/{sticker}", expressions.stickers),
    # Channels
    Route("GET", _C, channels.read),
    Route("PATCH", _C, channels.modify, limit=(5, 5.0)),
    Route("DELETE", _C, channels.delete),
    Route("PUT", f"{_C}/permissions/{{overwrite}}", channels.overwrite),
    Route("DELETE", f"{_C}/permissions/{{overwrite}}", channels.overwrite),
    Route("POST", f"{_C}/invites", channels.invite),
    Route("POST", f"{_C}/typing", messages.typing, limit=(5, 5.0)),
    # Messages
    Route("GET", _M, messages.history, limit=(5, 5.0)),
    Route("POST", _M, messages.create, limit=(5, 5.0)),
    Route("POST", f"{_M}/bulk-delete", messages.bulk_delete, limit=(1, 3.0)),
    Route("GET", f"{_M}/pins", reactions.pins),
    Route("PUT", f"{_M}/pins/{{message}}", reactions.pin),
    Route("DELETE", f"{_M}/pins/{{message}}", reactions.pin),
    Route("GET", f"{_C}/pins", reactions.old_pins),
    Route("PUT", f"{_C}/pins/{{message}}", reactions.pin),
    Route("DELETE", f"{_C}/pins/{{message}}", reactions.pin),
    Route("GET", f"{_M}/{{message}}", messages.read),
    Route("PATCH", f"{_M}/{{message}}", messages.edit, limit=(5, 5.0)),
    Route("DELETE", f"{_M}/{{message}}", messages.delete, limit=(5, 1.0)),
    Route("POST", f"{_M}/{{message}}/crosspost", messages.crosspost, limit=(10, 3600.0)),
    Route("DELETE", f"{_M}/{{message}}/reactions", reactions.clear_reactions),
    Route("GET", _REACTION, reactions.reactors),
    Route("DELETE", _REACTION, reactions.clear_reactions),
    Route("PUT", f"{_REACTION}/@me", reactions.react, limit=(1, 0.25)),
    Route("DELETE", f"{_REACTION}/@me", reactions.unreact, limit=(1, 0.25)),
    Route("DELETE", f"{_REACTION}/{{user}}", reactions.unreact, limit=(1, 0.25)),
    # Threads
    Route("POST", f"{_M}/{{message}}/threads", threads.from_message),
    Route("POST", f"{_C}/threads", threads.create),
    Route("GET", f"{_C}/thread-members", threads.members),
    Route("PUT", f"{_C}/thread-members/@me", threads.join),
    Route("DELETE", f"{_C}/thread-members/@me", threads.leave),
    Route("GET", f"{_C}/thread-members/{{user}}", threads.members),
    Route("PUT", f"{_C}/thread-members/{{user}}", threads.join),
    Route("DELETE", f"{_C}/thread-members/{{user}}", threads.leave),
    Route("GET", f"{_C}/threads/archived/public", threads.archived),
    Route("GET", f"{_C}/threads/archived/private", threads.archived),
    Route("GET", f"{_C}/users/@me/threads/archived/private", threads.archived),
    Route("GET", f"{_G}/threads/active", threads.active),
    # Webhooks
    Route("POST", f"{_C}/webhooks", webhooks.create),
    Route("GET", f"{_C}/webhooks", webhooks.of_channel),
    Route("GET", f"{_G}/webhooks", webhooks.of_guild),
    Route("GET", _W, webhooks.read),
    Route("PATCH", _W, webhooks.modify),
    Route("DELETE", _W, webhooks.delete),
    Route("GET", _WT, webhooks.read, login=False),
    Route("PATCH", _WT, webhooks.modify, login=False),
    Route("DELETE", _WT, webhooks.delete, login=False),
    Route("POST", _WT, webhooks.execute, login=False, limit=(5, 2.0)),
    Route("GET", f"{_WT}/messages/{{message}}", webhooks.read_message, login=False),
    Route("PATCH", f"{_WT}/messages/{{message}}", webhooks.edit_message, login=False, limit=(5, 2.0)),
    Route("DELETE", f"{_WT}/messages/{{message}}", webhooks.delete_message, login=False, limit=(5, 2.0)),
    # Guilds
    Route("GET", _G, guilds.read),
    Route("PATCH", _G, guilds.modify),
    Route("GET", f"{_G}/channels", channels.of_guild),
    Route("POST", f"{_G}/channels", channels.create),
    Route("PATCH", f"{_G}/channels", channels.move),
    Route("GET", f"{_G}/members", guilds.members),
    Route("GET", f"{_G}/members/search", guilds.search_members),
    Route("PATCH", f"{_G}/members/@me", guilds.modify_me),
    Route("GET", f"{_G}/members/{{user}}", guilds.member),
    Route("PATCH", f"{_G}/members/{{user}}", guilds.modify_member),
    Route("DELETE", f"{_G}/members/{{user}}", guilds.kick),
    Route("PUT", f"{_G}/members/{{user}}/roles/{{role}}", guilds.member_role),
    Route("DELETE", f"{_G}/members/{{user}}/roles/{{role}}", guilds.member_role),
    Route("GET", f"{_G}/bans", guilds.bans),
    Route("GET", f"{_G}/bans/{{user}}", guilds.bans),
    Route("PUT", f"{_G}/bans/{{user}}", guilds.ban),
    Route("DELETE", f"{_G}/bans/{{user}}", guilds.ban),
    Route("GET", f"{_G}/roles", guilds.roles),
    Route("POST", f"{_G}/roles", guilds.create_role),
    Route("GET", f"{_G}/roles/{{role}}", guilds.role),
    Route("PATCH", f"{_G}/roles/{{role}}", guilds.modify_role),
    Route("DELETE", f"{_G}/roles/{{role}}", guilds.delete_role),
    Route("GET", f"{_G}/emojis", expressions.emojis),
    Route("POST", f"{_G}/emojis", expressions.create_emoji),
    Route("GET", f"{_G}/emojis/{{emoji}}", expressions.emojis),
    Route("DELETE", f"{_G}/emojis/{{emoji}}", expressions.delete_emoji),
    Route("GET", f"{_G}/stickers", expressions.stickers),
    Route("POST", f"{_G}/stickers", expressions.create_sticker),
    Route("GET", f"{_G}/stickers/{{sticker}}", expressions.stickers),
    Route("DELETE", f"{_G}/stickers/{{sticker}}", expressions.delete_sticker),
    # Commands and interactions
    Route("GET", f"{_A}/commands", commands.every),
    Route("POST", f"{_A}/commands", commands.create),
    Route("PUT", f"{_A}/commands", commands.overwrite),
    Route("GET", f"{_A}/commands/{{command}}", commands.read),
    Route("PATCH", f"{_A}/commands/{{command}}", commands.modify),
    Route("DELETE", f"{_A}/commands/{{command}}", commands.delete),
    Route("GET", _GA, commands.every),
    Route("POST", _GA, commands.create),
    Route("PUT", _GA, commands.overwrite),
    Route("GET", f"{_GA}/permissions", commands.permissions),
    Route("GET", f"{_GA}/{{command}}", commands.read),
    Route("PATCH", f"{_GA}/{{command}}", commands.modify),
    Route("DELETE", f"{_GA}/{{command}}", commands.delete),
    Route("POST", "/interactions/{interaction}/{token}/callback", interactions.callback, login=False),
)


@dataclass(slots=True)
class _Branch:
    words: dict[str, "_Branch"] = field(default_factory=dict)
    names: dict[str, "_Branch"] = field(default_factory=dict)
    routes: dict[str, Route] = field(default_factory=dict)


class Tree:
    """Finds the route of a path; words win over names in braces."""

    def __init__(self, routes: tuple[Route, ...]) -> None:
        self._root = _Branch()
        for route in routes:
            branch = self._root
            for part in route.path.strip("/").split("/"):
                inner = branch.names if part.startswith("{") else branch.words
                branch = inner.setdefault(part.strip("{}"), _Branch())
            branch.routes[route.method] = route

    def find(self, method: str, parts: list[str]) -> tuple[Route, dict[str, str]] | None:
        """The route with the values of its names; none if there is no such path, or not with this method."""
        return self._find(self._root, method, parts, 0)

    def _find(self, branch: _Branch, method: str, parts: list[str], place: int) -> tuple[Route, dict[str, str]] | None:
        if place == len(parts):
            route = branch.routes.get(method)
            return (route, {}) if route else None
        if (word := branch.words.get(parts[place])) and (found := self._find(word, method, parts, place + 1)):
            return found
        for name, inner in branch.names.items():
            if found := self._find(inner, method, parts, place + 1):
                found[1][name] = parts[place]
                return found
        return None
