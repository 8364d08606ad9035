"""Every environment variable once: name, default, meaning. Read here and nowhere else."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from coterie.ports.accounts import BASE_URL_RULE, is_base_url
from coterie.providers.catalogue import BY_NAME, FALLBACK_VARIABLE, MODEL_VARIABLE, PROVIDERS, Provider, Wire, split_name


class EnvironmentRefused(Exception):
    """A variable holds what it may not hold; the text is one sentence for a person."""


def _variable(name: str, default: Any, meaning: str, **bounds: Any) -> Any:
    return Field(default=default, validation_alias=name, description=meaning, **bounds)


class Environment(BaseSettings):
    """The process's environment. An empty variable counts as unset."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", frozen=True, case_sensitive=True)

    home: str = _variable("COTERIE_HOME", "", "The folder that holds everything; by default the user's data folder for coterie")
    database_url: str = _variable("DATABASE_URL", "", "postgresql://… instead of the SQLite file coterie.db in the home")
    model: str = _variable(
        "COTERIE_MODEL", "", "embedded, scripted or provider:model; by default the first provider with a key, else embedded"
    )
    fallback_models: str = _variable("COTERIE_FALLBACK_MODELS", "", "Models to try in order when the chosen one fails: provider:model, …")
    api_token: str = _variable("COTERIE_API_TOKEN", "", "The token of the HTTP API; needed when it is not bound to loopback")
    discord_token: str = _variable("DISCORD_TOKEN", "", "The token of your bot on Discord; with it the cast speaks there too")
    discord_server_url: str = _variable(
        "DISCORD_SERVER_URL", "", "A Discord-compatible server instead of Discord, for example http://127.0.0.1:8070"
    )
    discord_shard_count: int = _variable(
        "DISCORD_SHARD_COUNT", 0, "Into how many shards Discord's servers are divided, where several processes share them", ge=0, le=1000
    )
    discord_shard_ids: str = _variable("DISCORD_SHARD_IDS", "", "Which of these shards this process serves: 0, 1, …; empty means all")
    avatar_public_base_url: str = _variable(
        "AVATAR_PUBLIC_BASE_URL", "", "The public address below which you serve the folder data/avatars of the home"
    )
    openai_api_key: str = _variable("OPENAI_API_KEY", "", "Key for OpenAI, or for what OPENAI_BASE_URL names")
    openai_base_url: str = _variable(
        "OPENAI_BASE_URL", "", "Any server that speaks OpenAI's chat completions, for example http://127.0.0.1:11434/v1"
    )
    anthropic_api_key: str = _variable("ANTHROPIC_API_KEY", "", "Key for Anthropic")
    gemini_api_key: str = _variable("GEMINI_API_KEY", "", "Key for Google Gemini")
    crypto_secret: str = _variable("CRYPTO_SECRET", "", "Secret that seals saved keys; made and kept in the home when none is given")
    crypto_secret_current: str = _variable(
        "CRYPTO_SECRET_CURRENT", "", "Which of CRYPTO_SECRET_V1, CRYPTO_SECRET_V2, … seals new values, for example V2"
    )
    base_trigger_words: str = _variable("BASE_TRIGGER_WORDS", "coterie, コテリー", "Words that always call the main persona")
    max_personas: int = _variable("MAX_PERSONAS_PER_SERVER", 20, "How many personas a workspace may have", ge=1, le=1000)
    embedded_threads: int = _variable(
        "COTERIE_EMBEDDED_THREADS", 0, "Threads of the embedded model; 0 takes two, or one where the machine is busy already", ge=0, le=64
    )
    open_models: bool = _variable(
        "COTERIE_OPEN_MODELS",
        True,
        "Whether this installation's models answer every server and person; else only those with a subscription (coterie subscription)",
    )
    decision_days: int = _variable("COTERIE_WHY_RETENTION_DAYS", 30, "How many days the reasons behind an answer are kept", ge=1, le=3650)


@dataclass(frozen=True, slots=True)
class Variable:
    """One row for people: name, default as it would be typed, meaning."""

    name: str
    default: str
    meaning: str


def variables() -> tuple[Variable, ...]:
    """Every variable: ours in the order in which they are declared, then those of the providers' catalogue."""
    fields = Environment.model_fields.values()
    ours = [Variable(str(field.validation_alias), str(field.default), field.description or "") for field in fields]
    theirs = [variable for provider in PROVIDERS for variable in _of_provider(provider)]
    named = {variable.name for variable in ours}
    return (*ours, *(variable for variable in theirs if variable.name not in named))


def _of_provider(provider: Provider) -> list[Variable]:
    rows = [
        Variable(provider.key_variable, "", f"Key for {provider.name}"),
        Variable(provider.base_url_variable, provider.base_url, f"The address of {provider.name}"),
    ]
    return [row for row in rows if row.name]


def is_secret(name: str) -> bool:
    """Whether a variable's value must be shown to nobody."""
    return name.endswith(("_KEY", "_TOKEN")) or "SECRET" in name or name == "DATABASE_URL"


def read_environment() -> Environment:
    """The environment as it is now. Raises `EnvironmentRefused` naming the first variable that is wrong."""
    try:
        environment = Environment()
    except ValidationError as error:
        first = error.errors()[0]
        raise EnvironmentRefused(f"{first['loc'][0]} does not fit: {first['msg'].lower()}.") from error
    refused = next(_refused(environment, os.environ), None)
    if refused is not None:
        raise EnvironmentRefused(refused)
    return environment


def _refused(environment: Environment, process: Mapping[str, str]) -> Iterator[str]:
    """What cannot be right whatever else is set up, as sentences: addresses that are none, and models that nobody offers."""
    for name in (provider.base_url_variable for provider in PROVIDERS if provider.base_url_variable):
        given = process.get(name, "").strip()
        if given and not is_base_url(given):
            yield f"{name} {BASE_URL_RULE}."
    chosen = environment.model.strip()
    if chosen != "auto" and not _is_model(chosen):
        yield _unknown(MODEL_VARIABLE, chosen)
    for spare in environment.fallback_models.split(","):
        if not _is_model(spare.strip()):
            yield _unknown(FALLBACK_VARIABLE, spare.strip())


def _is_model(name: str) -> bool:
    """Whether `provider:model` or a bare provider can be named; what runs in this process has one model each. Empty: the default."""
    provider, model = split_name(name)
    if not name:
        return True
    row = BY_NAME.get(provider)
    return row is not None and (row.wire is not Wire.IN_PROCESS or model in {"", row.default_model})


def _unknown(variable: str, name: str) -> str:
    return f"{variable} takes provider:model with a known provider, which {name!r} is not; there are {', '.join(BY_NAME)}."


def model_variables(environment: Environment, process: Mapping[str, str]) -> dict[str, str]:
    """What the providers read: the whole process's variables, ours in front (a provider's row may name further ones)."""
    return dict(process) | {
        "COTERIE_MODEL": environment.model,
        "COTERIE_FALLBACK_MODELS": environment.fallback_models,
    }
