"""Commands import late, and the package costs next to nothing until it is used."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interface.cli.running import home_of


def loaded_after(statement: str) -> set[str]:
    """Give the modules that a fresh Python has loaded after `statement`."""
    script = f"import sys, json\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    modules = json.loads(done.stdout.splitlines()[-1])
    return set(modules)


def test_help_and_version_touch_no_yaml_and_no_core() -> None:
    loaded = loaded_after("import skillyard.cli.main")

    assert {one for one in loaded if one.startswith("skillyard")} == {
        "skillyard",
        "skillyard.cli",
        "skillyard.cli.colours",
        "skillyard.cli.main",
        "skillyard.cli.streams",
    }
    assert not {"yaml", "importlib.metadata"} & loaded


def test_importing_the_package_imports_nothing_else_of_it() -> None:
    assert {one for one in loaded_after("import skillyard") if one.startswith("skillyard")} == {
        "skillyard"
    }


@pytest.mark.parametrize("command", ["check", "digest", "new", "pack", "show", "unpack"])
def test_a_command_does_not_import_the_pages_of_the_rules(command: str) -> None:
    loaded = loaded_after(f"import skillyard.cli.commands.{command}")

    assert not [one for one in loaded if "rule_pages" in one]


def test_listing_an_embedded_store_loads_no_database_library(tmp_path: Path) -> None:
    home = home_of(tmp_path)

    loaded = loaded_after(
        f"sys.argv = ['skillyard', '--home', {str(home)!r}, 'list']\n"
        "from skillyard.cli.main import command\ncommand(standalone_mode=False)"
    )

    assert not {"sqlalchemy", "alembic", "yaml", "skillyard.yard"} & loaded
