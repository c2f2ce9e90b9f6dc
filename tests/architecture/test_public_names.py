"""The library's public names, the commands and the dependencies are documented."""

import re
import tomllib
from collections.abc import Iterator
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
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md"))

    for name in COMMANDS:
        found = LazyGroup.get_command(command, context, name)
        assert found is not None
        assert found.help
        assert f"skillyard {name}" in pages


def test_every_option_has_help() -> None:
    context = click.Context(command)
    silent = [
        f"{name} {option.name}"
        for name, one in iter_commands(command, context)
        for option in one.params
        if isinstance(option, click.Option) and not option.help
    ]

    assert silent == []


def iter_commands(
    group: click.Group, context: click.Context, path: str = ""
) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        yield f"{path}{name}", found
        if isinstance(found, click.Group):
            yield from iter_commands(found, context, f"{path}{name} ")


def test_every_run_time_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.split(r"[^A-Za-z0-9_-]", one)[0] for one in project["dependencies"]}
    reasons = (ROOT / "docs" / "dependencies.md").read_text("utf-8")

    optional = {
        re.split(r"[^A-Za-z0-9_-]", one)[0]
        for extra in project["optional-dependencies"].values()
        for one in extra
    }
    told = set(re.findall(r"^\| ([a-z0-9-]+) \|", reasons, re.MULTILINE))

    assert names | optional == told - {"package", "optional"}
