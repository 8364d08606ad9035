"""The reference pages say what the code says."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_reference_pages_are_up_to_date():
    command = [sys.executable, str(ROOT / "scripts" / "make_reference.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout.strip(), result.stderr) == (0, "Behind: nothing", "")


def test_the_page_for_owners_names_every_reason_that_owners_and_members_set():
    from coterie.domain.turns.gates import TOLD
    from coterie.domain.turns.plan import Reason, Why

    gates = {Why.PRIVATE, Why.BLACKLISTED, Why.NOT_ALLOWED_HERE, Why.ROLE_NEEDED, Why.NOT_DELIBERATE, Why.PERSONA_NOT_HERE}
    uncalled = {Reason.SPOTLIGHT, Reason.AUTO_TRIGGER, Reason.ALWAYS_REPLY}
    page = (ROOT / "docs" / "how-to" / "who-may-call-whom.md").read_text()
    assert [name for name in sorted(gates | TOLD | uncalled | {Why.NOT_IN_SPOTLIGHT}) if f"`{name.value}`" not in page] == []


def test_every_installed_package_is_pinned():
    import importlib.metadata
    import re

    pinned = {re.sub(r"[-_.]+", "-", pin.split("==")[0]) for pin in project()["tool"]["uv"]["constraint-dependencies"]}
    installed = {re.sub(r"[-_.]+", "-", package.name.lower()) for package in importlib.metadata.distributions()}
    assert installed - pinned <= {"coterie", "pip", "uv"}


def project():
    import tomllib

    return tomllib.loads((ROOT / "pyproject.toml").read_text())
