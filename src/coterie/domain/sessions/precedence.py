"""Which model and which level a turn uses: request, persona, session (unless auto), workspace; then the installation decides."""

AUTO = "auto"
DEFAULT_LEVEL = "medium"


def first_choice(*choices: str | None) -> str | None:
    """The first choice that is one: neither absent, nor empty, nor `auto`."""
    return next((choice for choice in choices if choice and choice != AUTO), None)
