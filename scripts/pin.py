"""Writes the exact versions of a fresh resolution into pyproject.toml and requirements.txt.

Run it to raise the pins on purpose: `uv run scripts/pin.py`. The lock file itself is not kept, because it names the host it came from.
"""

import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = ROOT / "pyproject.toml"
LOCK = ROOT / "uv.lock"
BLOCK = re.compile(r"\n# Made by scripts/pin\.py.*?\n\]\n", re.DOTALL)


def without_pins(text: str) -> str:
    """The project file with the pin block taken out and its table left in place."""
    return BLOCK.sub("\n", text)


def with_pins(text: str, pins: list[str]) -> str:
    """The project file with `pins` under `[tool.uv]`."""
    lines = "".join(f'  "{pin}",\n' for pin in pins)
    block = f"\n# Made by scripts/pin.py: the exact versions this project was tested with.\nconstraint-dependencies = [\n{lines}]\n"
    return text.replace("\n[tool.uv]\n", f"\n[tool.uv]{block}", 1)


def locked() -> list[str]:
    """`name==version` of every package of the resolution but our own."""
    packages = tomllib.loads(LOCK.read_text())["package"]
    return sorted(f"{package['name']}=={package['version']}" for package in packages if "editable" not in package["source"])


def main() -> None:
    """Resolve afresh, then write both files."""
    PROJECT.write_text(without_pins(PROJECT.read_text()))
    LOCK.unlink(missing_ok=True)
    subprocess.run(["uv", "lock"], cwd=ROOT, check=True)
    PROJECT.write_text(with_pins(PROJECT.read_text(), locked()))
    subprocess.run(["uv", "sync"], cwd=ROOT, check=True)
    export = "uv export --no-dev --no-emit-project --no-header --no-annotate --format requirements.txt -o requirements.txt -q"
    subprocess.run(export.split(), cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
