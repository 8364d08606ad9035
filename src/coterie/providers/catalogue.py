"""The providers of language models: one row each, in the order in which a default is looked for. No client is built here.

Variables that are read beside each row's own: `COTERIE_MODEL` (the default model: `embedded`, `scripted`, a provider or `provider:model`)
and `COTERIE_FALLBACK_MODELS` (a comma list of the same names, tried in order when the chosen model fails).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

MODEL_VARIABLE = "COTERIE_MODEL"
FALLBACK_VARIABLE = "COTERIE_FALLBACK_MODELS"


class Wire(StrEnum):
    """What is spoken with a provider."""

    IN_PROCESS = "in-process"
    OPENAI = "openai"
    """Chat completions, the dialect that most others speak too."""
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


@dataclass(frozen=True, slots=True)
class Window:
    """What a model holds, in tokens: prompt and answer together, and an answer alone."""

    context: int
    output: int


@dataclass(frozen=True, slots=True)
class Provider:
    """One row. `windows` names the models that are known; `otherwise` is a careful guess for every other one."""

    name: str
    title: str
    wire: Wire
    default_model: str
    windows: Mapping[str, Window]
    otherwise: Window
    key_variable: str = ""
    base_url_variable: str = ""
    base_url: str = ""
    needs_key: bool = True
    """False where a key may be given but need not."""
    can_call_tools: bool = True

    def window(self, model: str) -> Window:
        """What a model of this provider holds."""
        return self.windows.get(model, self.otherwise)


def _openai_like(title: str, base_url: str, default_model: str, *, windows: Mapping[str, Window], otherwise: Window) -> Provider:
    """A hosted provider with the dialect of OpenAI; its name and its variables are its title in another case."""
    name, prefix = title.lower(), title.upper()
    return Provider(name, title, Wire.OPENAI, default_model, windows, otherwise, f"{prefix}_API_KEY", f"{prefix}_BASE_URL", base_url)


# A longer answer of so small a model only rambles.
EMBEDDED = Provider("embedded", "Built in", Wire.IN_PROCESS, "smollm2-135m", {}, Window(4_096, 160), needs_key=False, can_call_tools=False)
SCRIPTED = Provider("scripted", "Scripted", Wire.IN_PROCESS, "scripted", {}, Window(128_000, 16_000), needs_key=False)

OPENAI = _openai_like(
    "OpenAI",
    "https://api.openai.com/v1",
    "gpt-6-luna",
    windows={
        "gpt-6-luna": Window(1_050_000, 128_000),
        "gpt-6.1-terra": Window(1_050_000, 128_000),
        "gpt-6.1-sol": Window(1_050_000, 128_000),
        "gpt-6-astra": Window(1_050_000, 128_000),
        "gpt-5-mini": Window(400_000, 128_000),
        "gpt-4.1-mini": Window(1_000_000, 32_000),
        "gpt-4o-mini": Window(128_000, 16_000),
    },
    otherwise=Window(32_000, 8_000),
)
ANTHROPIC = Provider(
    "anthropic",
    "Anthropic",
    Wire.ANTHROPIC,
    "claude-haiku-5-5",
    {
        "claude-haiku-5-5": Window(1_000_000, 128_000),
        "claude-sonnet-5-5": Window(1_000_000, 128_000),
        "claude-opus-5-5": Window(1_000_000, 128_000),
        "claude-haiku-4-5": Window(200_000, 64_000),
    },
    Window(200_000, 8_000),
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "https://api.anthropic.com",
)
GEMINI = Provider(
    "gemini",
    "Google Gemini",
    Wire.GEMINI,
    "gemini-3.8-flash",
    {
        "gemini-3.8-flash": Window(1_000_000, 64_000),
        "gemini-3.5-flash-lite": Window(1_000_000, 64_000),
        "gemini-4-argon": Window(1_048_576, 64_000),
        "gemini-2.5-flash": Window(1_048_576, 64_000),
    },
    Window(128_000, 8_000),
    "GEMINI_API_KEY",
    "GOOGLE_GEMINI_BASE_URL",
    "https://generativelanguage.googleapis.com",
)

PROVIDERS: tuple[Provider, ...] = (
    OPENAI,
    ANTHROPIC,
    GEMINI,
    _openai_like(
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        "openai/gpt-6-luna",
        windows={
            "openai/gpt-6-luna": Window(1_050_000, 128_000),
            "anthropic/claude-haiku-5.5": Window(1_000_000, 128_000),
            "google/gemini-3.8-flash": Window(1_048_576, 64_000),
        },
        otherwise=Window(32_000, 4_000),
    ),
    _openai_like(
        "DeepSeek",
        "https://api.deepseek.com",
        "deepseek-flash",
        windows={"deepseek-flash": Window(1_000_000, 64_000), "deepseek-v4-pro": Window(1_000_000, 64_000)},
        otherwise=Window(64_000, 8_000),
    ),
    _openai_like(
        "Mistral",
        "https://api.mistral.ai/v1",
        "mistral-small-latest",
        windows={"mistral-large-latest": Window(262_144, 32_000), "mistral-small-latest": Window(128_000, 16_000)},
        otherwise=Window(32_000, 4_000),
    ),
    _openai_like(
        "Groq",
        "https://api.groq.com/openai/v1",
        "openai/gpt-oss-20b",
        windows={"openai/gpt-oss-20b": Window(131_072, 32_000), "openai/gpt-oss-120b": Window(131_072, 32_000)},
        otherwise=Window(32_000, 4_000),
    ),
    _openai_like("xAI", "https://api.x.ai/v1", "grok-4.7", windows={"grok-4.7": Window(500_000, 64_000)}, otherwise=Window(128_000, 8_000)),
    # Ollama cuts off what exceeds its own window of 4,096 tokens without a word, so no more than that is sent unless a row says so.
    Provider(
        "ollama",
        "Ollama",
        Wire.OPENAI,
        "llama3.2",
        {},
        Window(4_096, 1_024),
        "OLLAMA_API_KEY",
        "OLLAMA_BASE_URL",
        "http://127.0.0.1:11434/v1",
        needs_key=False,
        can_call_tools=False,
    ),
    EMBEDDED,
    SCRIPTED,
)

BY_NAME: Mapping[str, Provider] = {provider.name: provider for provider in PROVIDERS}


def split_name(name: str) -> tuple[str, str]:
    """`provider:model` as its two parts; the model is empty in a bare provider name, and may itself hold colons."""
    provider, _, model = name.strip().partition(":")
    return provider.strip().lower(), model.strip()
