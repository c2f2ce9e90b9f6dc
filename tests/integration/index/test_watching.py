"""A long-lived process sees what is edited."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from skillyard.adapters.index.roots import list_roots
from skillyard.application.discover import WATCH_SECONDS, SkillsChange, watch_skills
from skillyard.application.ports.discovery import Root
from skillyard.domain.resolution import Layer
from tests.integration.index.looking import HereCommands, make_index, make_skill


class Script:
    """Stands for waiting: does the next thing instead, and ends the watch when there is none."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self.waited: list[float] = []
        self._steps = list(steps)

    def __call__(self, seconds: float) -> None:
        self.waited.append(seconds)
        if not self._steps:
            raise EOFError
        self._steps.pop(0)()


def watch(root: Path, script: Script, roots: Sequence[Root] = ()) -> Iterator[SkillsChange]:
    try:
        yield from watch_skills(
            roots or [Root(Layer.PROJECT, str(root))],
            directories=make_index(None),
            commands=HereCommands(),
            pause=script,
        )
    except EOFError:
        return


def summarize(change: SkillsChange) -> tuple[list[str], list[str], list[str]]:
    parts = (change.added, change.edited, change.removed)
    added, edited, removed = ([Path(path).name for path in part] for part in parts)
    return added, edited, removed


def nothing() -> None:
    pass


def append(path: Path) -> None:
    with path.open("a") as file:
        file.write("More.\n")


@pytest.mark.requirement("SRC-8")
def test_every_edit_is_seen_at_the_next_look(tmp_path: Path) -> None:
    make_skill(tmp_path / "pdf")
    script = Script(
        nothing,
        lambda: make_skill(tmp_path / "zip"),
        lambda: make_skill(tmp_path / "pdf", description="Something else."),
        lambda: append(tmp_path / "pdf/SKILL.md"),
        lambda: (tmp_path / "zip/manifest.json").write_text("{}"),
        nothing,
        lambda: (tmp_path / "zip").rename(tmp_path / "zap"),
        (tmp_path / "pdf/SKILL.md").unlink,
    )

    changes = list(watch(tmp_path, script))

    assert list(map(summarize, changes)) == [
        (["pdf"], [], []),
        (["zip"], [], []),
        ([], ["pdf"], []),
        ([], ["pdf"], []),
        ([], ["zip"], []),
        (["zap"], [], ["zip"]),
        ([], [], ["pdf"]),
    ]
    assert [one.slug for one in changes[2].discovered.candidates] == ["pdf", "zip"]
    assert changes[2].discovered.candidates[0].description == "Something else."


@pytest.mark.requirement("SRC-8")
def test_a_look_comes_at_least_twice_in_a_second(tmp_path: Path) -> None:
    script = Script(nothing, nothing)

    list(watch(tmp_path, script))

    assert script.waited == [WATCH_SECONDS] * 3
    assert WATCH_SECONDS <= 0.5


def test_the_first_change_says_that_there_is_nothing(tmp_path: Path) -> None:
    (change,) = watch(tmp_path / "missing", Script(nothing))

    assert summarize(change) == ([], [], [])
    assert change.discovered.candidates == ()


def test_a_directory_that_appears_is_seen(tmp_path: Path) -> None:
    root = tmp_path / "skills"

    changes = list(watch(root, Script(lambda: make_skill(root / "pdf"))))

    assert list(map(summarize, changes))[1:] == [(["pdf"], [], [])]


def test_what_became_certain_is_no_change(tmp_path: Path) -> None:
    """A file that was written a moment ago is read again, and is still the same."""
    make_skill(tmp_path / "pdf")
    moments = iter([0, 10**19, 10**19, 10**19])
    directories = make_index(None)
    directories._now = lambda: next(moments)  # noqa: SLF001 - a clock that jumps

    watching = watch_skills(
        [Root(Layer.PROJECT, str(tmp_path))],
        directories=directories,
        commands=HereCommands(),
        pause=Script(nothing, nothing),
    )

    assert summarize(next(watching)) == (["pdf"], [], [])
    with pytest.raises(EOFError):
        next(watching)


@pytest.mark.requirement("SRC-1", "SRC-8")
def test_further_roots_are_watched_as_the_others_are(tmp_path: Path) -> None:
    more, project = tmp_path / "more", tmp_path / "project"
    script = Script(
        lambda: make_skill(more / "mine"),
        lambda: make_skill(project / "docs/ours"),
        lambda: append(more / "mine/SKILL.md"),
    )
    roots = list_roots(project=project, further=[more], project_further=["docs"])[1:]

    changes = list(map(summarize, watch(tmp_path, script, roots)))

    assert changes == [
        ([], [], []),
        (["mine"], [], []),
        (["ours"], [], []),
        ([], ["mine"], []),
    ]
