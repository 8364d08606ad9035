"""What may stand in the environment. The suite's own holds nothing of ours (see the first `conftest`)."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from coterie.app.environment import EnvironmentRefused, read_environment
from coterie.providers.catalogue import PROVIDERS

ADDRESSES = [provider.base_url_variable for provider in PROVIDERS if provider.base_url_variable]


@contextmanager
def variables(**given: str) -> Iterator[None]:
    os.environ.update(given)
    try:
        yield
    finally:
        for name in given:
            del os.environ[name]


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize(
    "value", ["nonsense", "localhost:11434/v1", "ftp://a/v1", "http://", "http://ann:x@a/v1", "http://a:x/v1", "http://a b"]
)
def test_an_address_that_is_none_is_refused_by_the_name_of_its_variable(name, value):
    with variables(**{name: value}), pytest.raises(EnvironmentRefused) as refused:
        read_environment()
    assert str(refused.value) == f"{name} takes an address that begins with http:// or https://, without a user name in it."


@pytest.mark.parametrize(
    ("name", "value", "unknown"),
    [
        ("COTERIE_MODEL", "nope:x", "nope:x"),
        ("COTERIE_MODEL", "embedded:gpt", "embedded:gpt"),
        ("COTERIE_FALLBACK_MODELS", "zz", "zz"),
        ("COTERIE_FALLBACK_MODELS", "openai, zz:1", "zz:1"),
    ],
)
def test_a_model_that_nobody_offers_is_refused(name, value, unknown):
    with variables(**{name: value}), pytest.raises(EnvironmentRefused) as refused:
        read_environment()
    sentence = f"{name} takes provider:model with a known provider, which {unknown!r} is not; there are openai, anthropic, "
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, "http://127.0.0.1:11434/v1") for name in ADDRESSES),
        ("OPENAI_BASE_URL", " https://a.test "),
        ("OPENAI_BASE_URL", ""),
        *(
            ("COTERIE_MODEL", model)
            for model in ("", "auto", "embedded", "embedded:smollm2-135m", "scripted", "openai", "OpenAI:any", "ollama:a:b")
        ),
        *(("COTERIE_FALLBACK_MODELS", models) for models in ("", "openai:x, embedded", "scripted,")),
    ],
)
def test_what_fits_is_taken(name, value):
    with variables(**{name: value}):
        read_environment()
