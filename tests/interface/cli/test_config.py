"""`skillyard config` shows what holds and why, and never a password."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from skillyard.cli.commands.config import command
from skillyard.domain.errors import InvalidSettingError

pytestmark = pytest.mark.requirement("INT-2")


class Shell:
    """A working directory and a home in which `config` runs."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.home = root / "home"
        self.home.mkdir()
        monkeypatch.chdir(root)

    def run(self, *arguments: str, flags: Mapping[str, str] | None = None, **more: str) -> Result:
        environment = {"SKILLYARD_HOME": str(self.home), "LOGNAME": "ada", **more}
        return CliRunner().invoke(command, arguments, obj=flags, env=environment)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path.resolve(), monkeypatch)


def test_every_setting_is_shown_with_its_origin(shell: Shell) -> None:
    (shell.root / "skillyard.toml").write_text("[limits]\ntags = 5\n")
    (shell.home / "settings.toml").write_text("database-upgrade = false\n")

    done = shell.run(
        "show",
        flags={"database-url": "postgresql://ada:secret@host/db"},
        SKILLYARD_HOME="home",
        SKILLYARD_ROOTS="a:/b",
        COLUMNS="300",
    )

    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert [re.split("  +", line) for line in [*lines[:15], lines[-1]]] == [
        ["Setting", "Value", "Origin"],
        ["home", str(shell.home), "environment SKILLYARD_HOME"],
        ["database-url", "postgresql://ada:***@host/db", "flag --database-url"],
        ["database-upgrade", "false", f"user file {shell.home}/settings.toml"],
        ["actor", "ada", "default"],
        ["roots", f"{shell.root}/a, /b", "environment SKILLYARD_ROOTS"],
        ["project-roots", "none", "default"],
        ["eager-limit", "8", "default"],
        ["listed-limit", "50", "default"],
        ["injected-characters", "5000", "default"],
        ["window-share", "15", "default"],
        ["run.on-invalid", "leave-out", "default"],
        ["run.pass", "default"],
        ["cache.days", "30", "default"],
        ["limits", "standard", "default"],
        ["limits.tags", "5", f"project file {shell.root}/skillyard.toml"],
    ]


def test_what_does_not_fit_the_terminal_is_told_in_several_lines(shell: Shell) -> None:
    (shell.root / "skillyard.toml").write_text("[limits]\ntags = 5\n")

    done = shell.run("show", COLUMNS="80")

    lines = done.stdout.splitlines()
    paths = f"sqlite:///{shell.home}/skillyard.db", f"project file {shell.root}/skillyard.toml"
    at = lines.index("database-url")
    assert lines[at : at + 3] == ["database-url", f"  {paths[0]}", "  default"]
    assert lines[-3:] == ["limits.tags", "  5", f"  {paths[1]}"]
    short = [line for line in lines if not line.startswith("  ")]
    assert max(map(len, short)) <= 80
    assert "actor                            ada        default" in short


def test_settings_can_be_had_as_json(shell: Shell) -> None:
    url = "postgresql://ada:secret@host/db"
    done = shell.run("show", "--json", flags={"roots": "/a"}, SKILLYARD_DATABASE_URL=url)

    assert json.loads(done.stdout)["settings"][:14] == [
        {"setting": "home", "value": str(shell.home), "origin": "environment SKILLYARD_HOME"},
        {
            "setting": "database-url",
            "value": "postgresql://ada:***@host/db",
            "origin": "environment SKILLYARD_DATABASE_URL",
        },
        {"setting": "database-upgrade", "value": True, "origin": "default"},
        {"setting": "actor", "value": "ada", "origin": "default"},
        {"setting": "roots", "value": ["/a"], "origin": "flag --roots"},
        {"setting": "project-roots", "value": [], "origin": "default"},
        {"setting": "eager-limit", "value": 8, "origin": "default"},
        {"setting": "listed-limit", "value": 50, "origin": "default"},
        {"setting": "injected-characters", "value": 5000, "origin": "default"},
        {"setting": "window-share", "value": 15, "origin": "default"},
        {"setting": "run.on-invalid", "value": "leave-out", "origin": "default"},
        {"setting": "run.pass", "value": "", "origin": "default"},
        {"setting": "cache.days", "value": 30, "origin": "default"},
        {"setting": "limits", "value": "standard", "origin": "default"},
    ]


def test_a_setting_that_cannot_be_is_an_error(shell: Shell) -> None:
    done = shell.run("show", SKILLYARD_LIMITS="huge")

    assert isinstance(done.exception, InvalidSettingError)
    assert done.stdout == ""


def test_the_places_of_the_files_are_shown(shell: Shell) -> None:
    assert shell.run("path").stdout == (
        f"user file     {shell.home}/settings.toml (does not exist)\n"
        f"project file  none: there is no skillyard.toml in {shell.root} or above it\n"
    )


def test_the_places_are_shown_also_where_the_files_cannot_be_read(shell: Shell) -> None:
    (shell.root / "skillyard.toml").write_text("nonsense")
    (shell.home / "settings.toml").write_text("nonsense")

    assert shell.run("path").stdout == (
        f"user file     {shell.home}/settings.toml\n"
        f"project file  {shell.root}/skillyard.toml\n"
    )  # fmt: skip


def test_the_places_can_be_had_as_json(shell: Shell) -> None:
    other = {"home": str(shell.root / "other")}

    assert json.loads(shell.run("path", "--json", flags=other).stdout) == {
        "user": {"path": f"{shell.root}/other/settings.toml", "exists": False},
        "project": {"path": None, "exists": False},
    }
