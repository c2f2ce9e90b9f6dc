"""Looking for programs: each once, and never for long."""

import os
import threading
from pathlib import Path

import pytest

from skillyard.adapters.index.commands import PATIENCE_SECONDS, PathCommands, is_command


def make_program(path: Path, mode: int = 0o755) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)


@pytest.mark.requirement("SRC-6")
def test_a_command_is_a_program_in_a_directory_of_the_path(tmp_path: Path) -> None:
    make_program(tmp_path / "a/gh")
    make_program(tmp_path / "b/docker")
    make_program(tmp_path / "b/notes", mode=0o644)
    (tmp_path / "b/folder").mkdir()
    commands = PathCommands(f"{tmp_path}/missing::{tmp_path}/a:{tmp_path}/b")

    missing = commands.find_missing(["gh", "docker", "notes", "folder", "kubectl"])

    assert missing == {"notes", "folder", "kubectl"}


def test_what_no_program_can_be_called_is_missing(tmp_path: Path) -> None:
    make_program(tmp_path / "gh")
    strange = {f"{tmp_path}/gh", "./gh", "a\0b", "x" * 5000, "\udcff"}

    assert PathCommands(str(tmp_path)).find_missing(strange) == strange


def test_without_a_path_everything_is_missing() -> None:
    assert PathCommands("").find_missing(["gh"]) == {"gh"}


@pytest.mark.requirement("SRC-6")
def test_each_command_is_looked_for_once_in_each_directory(tmp_path: Path) -> None:
    asked: list[str] = []

    def look(path: str) -> bool:
        asked.append(path)
        return False

    PathCommands(f"{tmp_path}:{tmp_path}", is_command=look).find_missing(["gh", "gh", "git"])

    assert sorted(asked) == [f"{tmp_path}/gh", f"{tmp_path}/git"]


@pytest.mark.requirement("SRC-6")
def test_a_directory_that_does_not_answer_holds_nobody_up(tmp_path: Path) -> None:
    make_program(tmp_path / "near/gh")
    answer = threading.Event()
    asked: list[str] = []

    def look(path: str) -> bool:
        if path.startswith("/far/"):
            asked.append(path)
            answer.wait(timeout=30)
        return is_command(path)

    commands = PathCommands(f"/far:{tmp_path}/near", patience=0.1, is_command=look)
    try:
        assert commands.find_missing(["gh", "docker"]) == {"docker"}
        # What is all found is not waited for, and who is stuck is not asked again.
        assert commands.find_missing(["gh"]) == frozenset()
        assert commands.find_missing(["docker"]) == {"docker"}
        assert len(asked) == 1
    finally:
        answer.set()


@pytest.mark.requirement("SRC-6")
def test_a_look_takes_five_seconds_at_most() -> None:
    assert PATIENCE_SECONDS == 5.0
    assert PathCommands(os.defpath).find_missing(["sh"]) == frozenset()
