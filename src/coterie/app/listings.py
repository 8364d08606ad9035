"""Lists that need nothing but the program itself."""

from coterie.app.console import out, out_json, run
from coterie.app.environment import is_secret, variables


def settings_rows() -> list[dict[str, str]]:
    """Every variable with its default and meaning."""
    return [{"name": row.name, "default": row.default, "meaning": row.meaning} for row in variables()]


def variables_listing(*, json: bool) -> int:
    """Print every environment variable."""

    async def work() -> int | None:
        for row in settings_rows():
            if json:
                out_json(row)
            else:
                default = f" (default: {row['default']})" if row["default"] else ""
                out(f"{row['name']}{default}\n    {row['meaning']}{'; a secret' if is_secret(row['name']) else ''}.")
        return None

    return run(work, json=json)
