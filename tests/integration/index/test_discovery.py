"""What is found in directories that other people look after."""

import errno
import json
import os
from pathlib import Path

import pytest

from skillyard.adapters.index.roots import BUNDLED, list_roots
from skillyard.application.ports.discovery import Root
from skillyard.domain.diagnostic import Severity
from skillyard.domain.manifest import Confidence, Invocation
from skillyard.domain.resolution import Layer
from tests.integration.index.looking import (
    HereCommands,
    Opened,
    discover,
    find_one,
    findings,
    make_index,
    make_skill,
    slugs,
)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    return Opened(monkeypatch)


def snapshot(root: Path) -> dict[str, tuple[int, int]]:
    return {
        str(one): (one.lstat().st_mtime_ns, one.lstat().st_size) for one in sorted(root.rglob("*"))
    }


@pytest.mark.requirement("SRC-1")
def test_the_roots_are_ours_the_users_and_the_projects(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "project"

    roots = list_roots(home=home, project=project)

    assert [(one.layer, one.path) for one in roots] == [
        (Layer.BUNDLED, str(BUNDLED)),
        (Layer.USER, f"{home}/.agent/skills"),
        (Layer.USER, f"{home}/.agents/skills"),
        (Layer.PROJECT, f"{project}/.agent/skills"),
        (Layer.PROJECT, f"{project}/.agents/skills"),
        (Layer.PROJECT, f"{project}/.squad/skills"),
        (Layer.PROJECT, f"{project}/skills"),
        (Layer.CLAUDE, f"{project}/.claude/skills"),
    ]


@pytest.mark.requirement("SRC-1")
def test_further_roots_are_the_users_or_the_projects(tmp_path: Path) -> None:
    project = tmp_path / "project"

    roots = list_roots(
        project=project, further=[tmp_path / "more"], project_further=["docs/skills", "skills"]
    )

    assert [(one.layer, one.path, one.within) for one in roots if "more" in one.path] == [
        (Layer.USER, f"{tmp_path}/more", None)
    ]
    assert [(one.layer, one.path, one.within) for one in roots[-1:]] == [
        (Layer.PROJECT, f"{project}/docs/skills", str(project))
    ]
    assert len(roots) == 8


@pytest.mark.requirement("SRC-1", "SRC-7")
def test_a_further_root_of_a_project_may_not_lead_out_of_it_by_a_link(tmp_path: Path) -> None:
    project = tmp_path / "project"
    make_skill(tmp_path / "private/pdf")
    project.mkdir()
    (project / "more").symlink_to(tmp_path / "private")

    discovered = discover(*list_roots(project=project, project_further=["more"])[1:])

    assert discovered.candidates == ()
    (finding,) = discovered.findings
    assert finding.location == f"{project}/more"
    assert finding.diagnostic.message == (
        f"it is a link that leads out of the project, to `{tmp_path}/private`"
    )


@pytest.mark.requirement("SRC-1")
def test_a_root_that_stands_in_another_offers_its_skills_once(tmp_path: Path) -> None:
    make_skill(tmp_path / "skills", "whole")
    make_skill(tmp_path / "skills/pdf")

    roots = list_roots(project=tmp_path, project_further=["."])[1:]

    assert [(one.slug, one.ref) for one in discover(*roots).candidates] == [
        ("whole", f"{tmp_path}/skills"),
        ("pdf", f"{tmp_path}/skills/pdf"),
    ]


def test_one_directory_under_two_names_is_one_root(tmp_path: Path) -> None:
    make_skill(tmp_path / ".agents/skills/pdf")
    (tmp_path / ".squad").symlink_to(".agents")

    roots = list_roots(home=tmp_path, project=tmp_path)

    assert [(one.layer, one.path) for one in roots if "agents" in one.path] == [
        (Layer.USER, f"{tmp_path}/.agents/skills")
    ]
    assert slugs(discover(*roots[1:])) == ["pdf"]


@pytest.mark.requirement("SRC-1")
def test_a_skill_stands_at_the_root_itself_or_directly_below_it(tmp_path: Path) -> None:
    make_skill(tmp_path, "whole")
    make_skill(tmp_path / "pdf")
    make_skill(tmp_path / "deep/er")
    (tmp_path / "notes").mkdir()

    found = discover(tmp_path).candidates

    assert [(one.slug, one.ref, one.location) for one in found] == [
        ("whole", str(tmp_path), str(tmp_path)),
        ("pdf", f"{tmp_path}/pdf", f"{tmp_path}/pdf"),
    ]


@pytest.mark.requirement("SRC-1")
@pytest.mark.parametrize("name", [".git", "node_modules", "__pycache__"])
def test_what_tools_keep_for_themselves_is_skipped(tmp_path: Path, name: str) -> None:
    make_skill(tmp_path / name, "pdf")

    assert discover(tmp_path).candidates == ()


@pytest.mark.requirement("SRC-1")
def test_a_missing_directory_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    discovered = discover(tmp_path / "missing", tmp_path / "file")

    assert (discovered.candidates, discovered.findings) == ((), ())


@pytest.mark.requirement("SRC-1")
def test_without_a_sidecar_a_skill_is_the_first_version_of_medium_confidence_for_everyone(
    tmp_path: Path,
) -> None:
    make_skill(tmp_path / "pdf", description="Fills in forms.")

    found = find_one(tmp_path)

    assert str(found.offered.version) == "1.0.0"
    assert found.offered.digest is None
    assert (found.confidence, found.agents) == (Confidence.MEDIUM, None)
    assert (found.description, found.category, found.tags) == ("Fills in forms.", "general", ())


def test_what_a_skill_says_about_itself_is_found(tmp_path: Path) -> None:
    extra = (
        "version: 2.1.0\ntags: [forms]\ncategory: writing\ninvocation: user-only\n"
        "providers: [codex]\nrequires-tools: [Read]\ndisplay-name: Forms\n"
        "metadata:\n  requires: gh docker"
    )
    make_skill(tmp_path / "pdf", extra=extra)
    (tmp_path / "pdf/manifest.json").write_text(
        json.dumps({"confidence": "low", "agents": ["writer"], "requires": ["base"]})
    )

    found = find_one(tmp_path)

    assert str(found.offered.version) == "2.1.0"
    assert (found.confidence, found.agents, found.requires) == (
        Confidence.LOW,
        ("writer",),
        ("base",),
    )
    assert (found.tags, found.category, found.display_name) == (("forms",), "writing", "Forms")
    assert found.invocation is Invocation.USER_ONLY
    assert found.requires_tools == ("Read",)
    assert dict(found.provider_hints) == {"codex": "materialize"}
    assert found.requires_commands == ("gh", "docker")


@pytest.mark.requirement("SRC-1")
def test_nothing_is_written_into_the_directories(tmp_path: Path) -> None:
    root, cache = tmp_path / "skills", tmp_path / "cache"
    make_skill(root / "pdf")
    (root / "broken").mkdir()
    (root / "broken/SKILL.md").write_text("nothing")
    before = snapshot(root)

    discover(root, directories=make_index(cache))

    assert snapshot(root) == before
    assert {one.name for one in tmp_path.iterdir()} == {"skills", "cache"}


@pytest.mark.requirement("SRC-4")
def test_a_broken_skill_hides_no_other_and_is_reported(tmp_path: Path) -> None:
    make_skill(tmp_path / "after")
    make_skill(tmp_path / "pdf")
    for name, text in {
        "binary": b"\xff\xfe\x00",
        "empty": b"",
        "no-description": b"---\nname: no-description\n---\ntext\n",
        "too-large": b"---\nname: too-large\ndescription: x\n---\n" + b"x" * 70_000,
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_bytes(text)

    discovered = discover(tmp_path)

    assert slugs(discovered) == ["after", "pdf"]
    reported = {one.location for one in discovered.findings if one.skipped}
    assert reported == {
        f"{tmp_path}/{one}" for one in ("binary", "empty", "no-description", "too-large")
    }
    assert {one.diagnostic.severity for one in discovered.findings} <= {
        Severity.WARNING,
        Severity.NOTE,
    }
    assert any(one.diagnostic.severity is Severity.WARNING for one in discovered.findings)


@pytest.mark.requirement("SRC-4")
def test_front_matter_that_is_not_yaml_is_recovered(tmp_path: Path) -> None:
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf/SKILL.md").write_text(
        "---\nname: PDF Forms!\ndescription: Fills in: forms: [and\n---\ntext\n"
    )

    discovered = discover(tmp_path)

    (found,) = discovered.candidates
    assert (found.slug, found.description) == ("pdf-forms", "Fills in: forms: [and")
    assert ("pdf", "SY110", "warning") in findings(discovered, tmp_path)
    assert not any(one.skipped for one in discovered.findings)


@pytest.mark.requirement("SRC-4")
def test_a_sidecar_that_cannot_be_read_keeps_its_skill_from_being_used(tmp_path: Path) -> None:
    root, secret = tmp_path / "skills", tmp_path / "secret.json"
    make_skill(root / "pdf")
    secret.write_text("{}")
    (root / "pdf/manifest.json").symlink_to(secret)

    discovered = discover(root)

    assert discovered.candidates == ()
    assert ("pdf", "SY303", "warning") in findings(discovered, root)


@pytest.mark.requirement("SRC-5")
def test_of_two_skills_of_one_name_the_last_in_path_order_counts(tmp_path: Path) -> None:
    make_skill(tmp_path / "b", "pdf-forms", description="The last.")
    make_skill(tmp_path / "a", "pdf-forms", description="The first.")
    (tmp_path / "a/SKILL.md").write_text("---\nname: PDF_Forms\ndescription: The first.\n---\nx\n")

    discovered = discover(tmp_path)

    (found,) = discovered.candidates
    assert (found.description, found.ref) == ("The last.", f"{tmp_path}/b")
    (warning,) = [one for one in discovered.findings if one.diagnostic.code == "SY317"]
    assert warning.skipped
    assert warning.diagnostic.severity is Severity.WARNING
    assert warning.diagnostic.message == (
        f"`{tmp_path}/a` and `{tmp_path}/b` are both called `pdf-forms`; the latter is used"
    )


def test_one_name_in_two_roots_is_left_to_the_resolver(tmp_path: Path) -> None:
    make_skill(tmp_path / "one/pdf")
    make_skill(tmp_path / "two/pdf")

    discovered = discover(tmp_path / "one", tmp_path / "two", tmp_path / "one")

    assert [one.ref for one in discovered.candidates] == [
        f"{tmp_path}/one/pdf",
        f"{tmp_path}/two/pdf",
    ]
    assert discovered.findings == ()


@pytest.mark.requirement("SRC-6")
def test_each_command_is_looked_up_once_and_skills_without_it_say_so(tmp_path: Path) -> None:
    make_skill(tmp_path / "a", extra="metadata:\n  requires: gh docker git")
    make_skill(tmp_path / "b", extra="metadata:\n  requires: gh")
    make_skill(tmp_path / "c", extra="metadata:\n  requires: git")
    make_skill(tmp_path / "d")
    commands = HereCommands("git")

    discovered = discover(tmp_path, commands=commands)

    assert commands.asked == [["docker", "gh", "git"]]
    assert [one.missing_commands for one in discovered.candidates] == [
        ("gh", "docker"),
        ("gh",),
        (),
        (),
    ]


@pytest.mark.requirement("SRC-7")
def test_a_link_inside_a_root_is_followed_and_one_out_of_it_is_not(tmp_path: Path) -> None:
    root = tmp_path / "skills"
    make_skill(tmp_path / "outside/evil")
    make_skill(root / "pool/er/pdf")
    make_skill(root / "notes")
    (root / "pdf").symlink_to("pool/er/pdf")
    (root / "again").symlink_to(root / "notes")
    (root / "evil").symlink_to("../outside/evil")
    (root / "up").symlink_to("..")
    (root / "loop").symlink_to("loop")
    (root / "nowhere").symlink_to("missing")
    (root / "readme").symlink_to("../outside/evil/SKILL.md")
    (root / "self").symlink_to(".")

    discovered = discover(root)

    assert [one.ref for one in discovered.candidates] == [f"{root}/notes", f"{root}/pool/er/pdf"]
    assert findings(discovered, root) == [
        (name, "SY303", "warning") for name in ("loop", "nowhere", "evil", "up")
    ]
    assert [one.diagnostic.message for one in discovered.findings] == [
        "it is a link to `loop` and cannot be followed: Too many levels of symbolic links",
        "it is a link to `missing` and cannot be followed: No such file or directory",
        f"it is a link that leads out of the directory of skills, to `{tmp_path}/outside/evil`",
        f"it is a link that leads out of the directory of skills, to `{tmp_path}`",
    ]
    assert all(one.skipped for one in discovered.findings)


@pytest.mark.requirement("SRC-7")
def test_a_link_into_another_root_is_a_note_and_its_skill_is_there_once(tmp_path: Path) -> None:
    make_skill(tmp_path / ".agents/skills/pdf")
    make_skill(tmp_path / ".agents/skills/pool/deep")
    (tmp_path / ".claude/skills").mkdir(parents=True)
    (tmp_path / ".claude/skills/pdf").symlink_to("../../.agents/skills/pdf")
    (tmp_path / ".claude/skills/forms").symlink_to(tmp_path / ".agents/skills/pdf")
    (tmp_path / ".claude/skills/deep").symlink_to("../../.agents/skills/pool/deep")
    (tmp_path / ".claude/skills/all").symlink_to("../../.agents/skills")

    discovered = discover(*list_roots(project=tmp_path)[1:])

    assert [(one.slug, one.layer) for one in discovered.candidates] == [("pdf", Layer.PROJECT)]
    assert [
        (Path(one.location).name, one.diagnostic.severity, one.skipped, one.elsewhere)
        for one in discovered.findings
    ] == [
        ("all", Severity.WARNING, True, ""),
        ("deep", Severity.WARNING, True, ""),
        ("forms", Severity.NOTE, False, f"{tmp_path}/.agents/skills/pdf"),
        ("pdf", Severity.NOTE, False, f"{tmp_path}/.agents/skills/pdf"),
    ]
    assert discovered.findings[-1].diagnostic.message == (
        f"it is a link to `{tmp_path}/.agents/skills/pdf`, which counts there as a project skill"
    )


@pytest.mark.requirement("SRC-7")
def test_a_link_into_a_root_that_is_not_looked_into_leads_out(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    make_skill(home / ".agents/skills/pdf")
    (project / "skills").mkdir(parents=True)
    (project / "skills/pdf").symlink_to(home / ".agents/skills/pdf")

    with_user = discover(*list_roots(home=home, project=project)[1:])
    without = discover(*list_roots(project=project)[1:])

    assert [(one.slug, one.layer) for one in with_user.candidates] == [("pdf", Layer.USER)]
    assert [one.skipped for one in with_user.findings] == [False]
    assert without.candidates == ()
    assert [one.skipped for one in without.findings] == [True]


@pytest.mark.requirement("SRC-7")
def test_a_claude_directory_that_is_a_link_to_the_projects_is_the_projects(tmp_path: Path) -> None:
    make_skill(tmp_path / ".agents/skills/pdf")
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/skills").symlink_to("../.agents/skills")

    discovered = discover(*list_roots(project=tmp_path)[1:])

    assert [(one.layer, one.ref) for one in discovered.candidates] == [
        (Layer.PROJECT, f"{tmp_path}/.agents/skills/pdf")
    ]
    assert discovered.findings == ()


@pytest.mark.requirement("SRC-7")
def test_a_link_whose_name_and_target_are_not_text_is_told_as_text(tmp_path: Path) -> None:
    root, target = tmp_path / "skills", tmp_path / os.fsdecode(b"out-\xff")
    root.mkdir()
    target.mkdir()
    (root / os.fsdecode(b"pdf-\xfe")).symlink_to(target)
    (root / "nowhere").symlink_to(os.fsdecode(b"gone-\xfd"))

    told = discover(root).findings

    assert [one.location for one in told] == [
        f"{tmp_path}/skills/nowhere",
        f"{tmp_path}/skills/pdf-\\xfe",
    ]
    assert told[0].diagnostic.message.startswith("it is a link to `gone-\\xfd`")
    assert told[1].diagnostic.message.endswith(f"to `{tmp_path}/out-\\xff`")


@pytest.mark.requirement("SRC-7")
def test_a_skill_md_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    root = tmp_path / "skills"
    make_skill(tmp_path / "outside")
    for name in ("soft", "hard"):
        (root / name).mkdir(parents=True)
    (root / "soft/SKILL.md").symlink_to(tmp_path / "outside/SKILL.md")
    (root / "hard/SKILL.md").hardlink_to(tmp_path / "outside/SKILL.md")

    discovered = discover(root)

    assert discovered.candidates == ()
    assert ("soft", "SY303", "warning") in findings(discovered, root)
    assert ("hard", "SY303", "warning") in findings(discovered, root)


@pytest.mark.requirement("SRC-7")
def test_a_projects_root_may_not_lead_out_of_the_project(tmp_path: Path) -> None:
    project = tmp_path / "project"
    make_skill(tmp_path / "private/pdf")
    make_skill(project / "kept/notes")
    (project / ".claude").mkdir()
    (project / ".claude/skills").symlink_to(tmp_path / "private")
    (project / "skills").symlink_to("kept")

    discovered = discover(*list_roots(project=project)[1:])

    assert slugs(discovered) == ["notes"]
    assert findings(discovered, project) == [(".claude/skills", "SY303", "warning")]


def test_pipes_and_directories_in_the_place_of_files_neither_block_nor_break(
    tmp_path: Path,
) -> None:
    make_skill(tmp_path / "pdf")
    for name in ("pipe", "directory", "sidecar-pipe"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "pipe/SKILL.md")
    (tmp_path / "directory/SKILL.md").mkdir()
    make_skill(tmp_path / "sidecar-pipe")
    os.mkfifo(tmp_path / "sidecar-pipe/manifest.json")

    discovered = discover(tmp_path)

    assert slugs(discovered) == ["pdf"]
    assert [one for one in findings(discovered, tmp_path) if one[1] == "SY304"] == [
        ("pipe", "SY304", "warning"),
        ("sidecar-pipe", "SY304", "warning"),
    ]


def test_a_name_that_is_not_text_is_found_and_shown(tmp_path: Path) -> None:
    directory = os.fsencode(tmp_path) + b"/pdf-\xff"
    os.mkdir(directory)  # noqa: PTH102 - pathlib takes no bytes
    with open(directory + b"/SKILL.md", "w") as file:  # noqa: PTH123
        file.write("---\ndescription: Fills in forms.\n---\ntext\n")

    found = find_one(tmp_path)

    assert found.slug == "pdf-xff"
    assert found.location == f"{tmp_path}/pdf-\\xff"
    assert os.fsencode(found.ref) == directory


def test_what_may_not_be_read_is_reported_and_hides_nothing(tmp_path: Path, opened: Opened) -> None:
    make_skill(tmp_path / "pdf")
    make_skill(tmp_path / "closed")
    make_skill(tmp_path / "unreadable")
    # Who runs as root is kept from nothing, so the refusal is made here.
    opened.refuse("closed", errno.EACCES)
    opened.refuse("SKILL.md", errno.EACCES, after=2)

    discovered = discover(tmp_path)

    assert slugs(discovered) == ["pdf"]
    assert findings(discovered, tmp_path) == [
        ("closed", "SY314", "warning"),
        ("unreadable", "SY314", "warning"),
    ]
    assert all(one.skipped for one in discovered.findings)


def test_a_root_that_may_not_be_read_is_reported(tmp_path: Path, opened: Opened) -> None:
    opened.refuse(str(tmp_path), errno.EACCES)

    (finding,) = discover(tmp_path).findings

    assert (finding.location, finding.diagnostic.code) == (str(tmp_path), "SY314")
    assert finding.diagnostic.message == "the directory cannot be read: Permission denied"


def test_a_directory_that_vanishes_during_the_look_is_not_there(
    tmp_path: Path, opened: Opened
) -> None:
    root = tmp_path / "skills"
    make_skill(root / "pdf")
    make_skill(root / "zip")
    opened.before("pdf", lambda: (root / "pdf").rename(tmp_path / "away"))

    discovered = discover(root)

    assert (slugs(discovered), discovered.findings) == (["zip"], ())


def test_a_directory_that_is_swapped_for_a_link_during_the_look_leads_nowhere(
    tmp_path: Path, opened: Opened
) -> None:
    root = tmp_path / "skills"
    make_skill(tmp_path / "outside", "evil")
    make_skill(root / "pdf")

    def swap() -> None:
        (root / "pdf").rename(tmp_path / "away")
        (root / "pdf").symlink_to(tmp_path / "outside")

    opened.before("pdf", swap)

    assert discover(root).candidates == ()


def test_a_hundred_thousand_names_that_are_no_skills_are_looked_through(tmp_path: Path) -> None:
    make_skill(tmp_path / "pdf")
    for number in range(100_000):
        os.mknod(tmp_path / str(number))

    assert slugs(discover(tmp_path)) == ["pdf"]


def test_a_root_with_too_many_directories_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skillyard.adapters.index.directories.MOST_NAMES", 3)
    for number in range(4):
        make_skill(tmp_path / f"skill-{number}")

    discovered = discover(tmp_path)

    assert discovered.candidates == ()
    (finding,) = discovered.findings
    assert finding.diagnostic.message == (
        "the directory cannot be read: it holds more than 3 directories"
    )


def test_our_own_skills_are_found_although_an_installer_links_them(tmp_path: Path) -> None:
    make_skill(tmp_path / "ours/pdf")
    (tmp_path / "copy").hardlink_to(tmp_path / "ours/pdf/SKILL.md")

    assert slugs(discover(Root(Layer.BUNDLED, str(tmp_path / "ours")))) == ["pdf"]
    assert slugs(discover(tmp_path / "ours")) == []


def test_what_is_no_path_holds_nothing() -> None:
    assert discover(Root(Layer.USER, "/a\0b")).candidates == ()


def test_a_file_that_answers_in_pieces_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_skill(tmp_path / "pdf", description="Fills in forms.")
    really = os.read
    monkeypatch.setattr(os, "read", lambda handle, most: really(handle, min(most, 10)))

    assert find_one(tmp_path).description == "Fills in forms."


def test_a_disk_that_fails_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_skill(tmp_path / "pdf")

    def fail(_handle: int, _most: int) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "read", fail)
    discovered = discover(tmp_path)

    (finding,) = discovered.findings
    assert (discovered.candidates, finding.diagnostic.code) == ((), "SY314")


def test_a_file_that_vanishes_before_it_is_opened_is_not_there(
    tmp_path: Path, opened: Opened
) -> None:
    make_skill(tmp_path / "pdf")

    def vanish() -> None:
        (tmp_path / "pdf/SKILL.md").unlink()
        raise PermissionError(errno.EACCES, "gone")

    opened.before("SKILL.md", vanish, after=1)

    assert discover(tmp_path).findings == ()
