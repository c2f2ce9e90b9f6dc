"""The library's public names, the commands and the dependencies are documented."""

import re
import tomllib
from pathlib import Path

import click

import skillyard
from skillyard.cli.main import COMMANDS, LazyGroup, command

ROOT = Path(__file__).parents[2]


def test_every_public_name_can_be_had() -> None:
    assert {
        name: getattr(skillyard, name) is not None for name in skillyard.__all__
    } == dict.fromkeys(skillyard.__all__, True)


def test_every_command_has_a_module_with_help_and_is_documented() -> None:
    context = click.Context(command)
    page = (ROOT / "docs" / "check.md").read_text("utf-8")

    for name in COMMANDS:
        found = LazyGroup.get_command(command, context, name)
        assert found is not None
        assert found.help
        assert f"skillyard {name}" in page


def test_every_option_has_help() -> None:
    context = click.Context(command)
    silent = [
        f"{name} {option.name}"
        for name in COMMANDS
        for option in getattr(command.get_command(context, name), "params", [])
        if isinstance(option, click.Option) and not option.help
    ]

    assert silent == []


def test_every_run_time_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.split(r"[^A-Za-z0-9_-]", one)[0] for one in project["dependencies"]}
    reasons = (ROOT / "docs" / "dependencies.md").read_text("utf-8")

    assert names == set(re.findall(r"^\| ([a-z0-9-]+) \|", reasons, re.MULTILINE)) - {"package"}
