"""Heavy libraries are imported when a model is asked, not when a program starts."""

import subprocess
import sys

import pytest

HEAVY = ("pydantic_ai", "openai", "anthropic", "google.genai", "httpx2", "xllamacpp", "tiktoken")


@pytest.mark.parametrize("module", ["models", "hosted", "embedded", "endpoints", "failures"])
def test_importing_a_provider_imports_no_sdk(module: str) -> None:
    script = f"import sys, coterie.providers.{module}; print([name for name in {HEAVY} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip() == "[]"
