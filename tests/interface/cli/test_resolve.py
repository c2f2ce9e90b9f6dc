"""Asking which skills someone has."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.lines import do
from tests.interface.cli.running import Ran, home_of, write_skill
from tests.interface.cli.seeing import see, seen

pytestmark = pytest.mark.requirement("RES-1", "INT-2")


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Give the directory of a project with one skill, beside a store with two."""
    for name in ("docx", "pdf"):
        write_skill(tmp_path / "given" / name)
    do(tmp_path, "add given", "agents add reviewer", "assign pdf --agent reviewer --priority 5")
    write_skill(tmp_path / "skills" / "deploy")
    return tmp_path


def test_loaded_skills_are_listed_in_their_order_with_the_reason_and_the_hash(yard: Path) -> None:
    said = seen(yard, "resolve --agent reviewer").splitlines()

    everyone = "skill, and meant for everyone"
    assert said[:-1] == [
        "   Skill            Version  Source   Decision  Reason",
        "✓  pdf              1.0.0    store    loaded    it is assigned to agent:reviewer",
        f"✓  deploy           1.0.0    project  loaded    it is a project {everyone}",
        f"✓  hello-world      1.0.0    bundled  loaded    it is a bundled {everyone}",
        f"✓  skill-authoring  1.0.0    bundled  loaded    it is a bundled {everyone}",
        "",
        "4 loaded, 1 excluded",
    ]
    assert said[-1].startswith("sha256:")


def test_excluded_skills_are_shown_when_all_are_wanted(yard: Path) -> None:
    line = "✗  gh               1.0.0    bundled  excluded  missing commands: gh"

    assert line not in seen(yard, "resolve").splitlines()
    assert line in seen(yard, "resolve --all").splitlines()


def test_json_has_every_candidate_in_the_shape_of_a_resolved_skill(yard: Path) -> None:
    write_skill(yard / "skills" / "pdf")
    (yard / "given" / "pdf" / "references").mkdir()
    (yard / "given" / "pdf" / "references" / "forms.md").write_text("Forms.\n")
    do(yard, "add given/pdf")

    told = json.loads(seen(yard, "resolve --agent reviewer --json"))

    assert sorted(told) == ["manifest_hash", "problems", "skills"]
    assert [(one["slug"], one["source"], one["disposition"]) for one in told["skills"]] == [
        ("pdf", "store", "loaded"),
        ("deploy", "project", "loaded"),
        ("hello-world", "bundled", "loaded"),
        ("skill-authoring", "bundled", "loaded"),
        ("pdf", "project", "shadowed"),
        ("gh", "bundled", "excluded"),
    ]
    stored, deploy = told["skills"][:2]
    assert stored.pop("digest").startswith("sha256:")
    assert stored == {
        "slug": "pdf",
        "version": "1.0.1",
        "source": "store",
        "disposition": "loaded",
        "rule": "assigned",
        "reason": "it is assigned to agent:reviewer",
        "required": False,
        "by": None,
        "id": "pdf",
        "name": "pdf",
        "description": "Sorts things. Use when asked.",
        "sourceRef": stored["sourceRef"],
        "isDirectory": True,
        "supportingFiles": [{"relativePath": "references/forms.md"}],
        "sandboxPath": "/home/sprite/.skills/pdf",
        "absolutePath": None,
        "tags": [],
        "category": "general",
        "enabled": True,
        "requiresTools": [],
    }
    assert (deploy["sandboxPath"], deploy["absolutePath"], deploy["isDirectory"]) == (
        None,
        str(yard / "skills" / "deploy"),
        False,
    )


def test_directories_of_skills_can_be_left_out_or_chosen(yard: Path, tmp_path: Path) -> None:
    write_skill(home_of(yard) / "user" / ".agents" / "skills" / "mine")
    write_skill(tmp_path / "elsewhere" / ".claude" / "skills" / "other")

    def loaded(options: str) -> list[str]:
        skills = json.loads(seen(yard, f"resolve --json {options}"))["skills"]
        return [one["slug"] for one in skills if one["disposition"] == "loaded"]

    bundled = ["hello-world", "skill-authoring"]
    assert loaded("") == ["deploy", "hello-world", "mine", "skill-authoring"]
    assert loaded("--no-project --no-user") == bundled
    assert loaded("--no-user --project elsewhere") == ["hello-world", "other", "skill-authoring"]
    assert loaded("--no-user --no-project --include-unavailable") == ["gh", *bundled]
    assert see(yard, "resolve --no-project --project elsewhere").status == 2
    assert see(yard, "resolve --project nowhere").status == 2


@pytest.mark.requirement("RES-4", "RES-7")
def test_options_choose_the_policy(yard: Path) -> None:
    do(yard, "edit docx --confidence high", "disable pdf")
    for number in range(9):
        write_skill(yard / "skills" / f"many-{number}")

    def count(options: str, disposition: str) -> list[str]:
        skills = json.loads(seen(yard, f"resolve --json --agent reviewer {options}"))["skills"]
        return [one["slug"] for one in skills if one["disposition"] == disposition]

    assert "docx" in count("", "loaded")
    assert "docx" not in count("--no-widen", "loaded")
    assert "pdf" in count("", "excluded")
    assert "pdf" in count("--include-disabled", "loaded")
    assert (len(count("--eager", "loaded")), len(count("--eager", "cut"))) == (8, 5)


@pytest.mark.requirement("RES-5")
def test_something_required_that_cannot_be_had_is_told_and_fails(yard: Path) -> None:
    do(yard, "assign docx --agent reviewer --required", "disable docx")

    ran = see(yard, "resolve --agent reviewer")
    told = see(yard, "resolve --agent reviewer --json")

    assert ran.status == told.status == 5
    assert "✓  pdf" in ran.out
    said = "error: the skills cannot be resolved: docx is required, but it is disabled"
    assert ran.err.splitlines()[0] == said
    for line in ("resolve", "prompt", "lock -o x.lock"):
        assert see(yard, f"{line} --agent reviewer").err.count("docx is required") == 1
    assert json.loads(told.out)["problems"] == [
        {
            "kind": "required-missing",
            "slug": "docx",
            "message": "docx is required, but it is disabled",
            "severity": "error",
        }
    ]


@pytest.mark.requirement("SRC-4")
def test_a_broken_directory_is_reported_and_the_others_are_loaded(yard: Path) -> None:
    write_skill(yard / "skills" / "bad", "---\nname: bad\n---\n\nDo.\n")
    write_skill(yard / "skills" / "linked")
    (yard / "skills" / "linked" / "more.md").symlink_to(yard / "given")

    ran = see(yard, "resolve")

    assert ran.status == 0
    assert "✓  deploy" in ran.out
    left_out = f"warning: linked is left out: `{yard}/skills/linked` cannot be read"
    assert ran.err.splitlines() == [
        f"{left_out} as a skill package: `more.md` is a link (SY303)",
        f"warning: {yard}/skills/bad is left out: there is no `description`",
    ]
    assert "3 loaded, 1 excluded, 1 broken" in ran.out
    assert "linked" not in ran.out
    assert "✗  linked           1.0.0    project  broken" in see(yard, "resolve --all").out


@pytest.mark.requirement("SRC-4", "RES-9")
def test_json_accounts_for_a_broken_directory_among_the_skills(yard: Path) -> None:
    write_skill(yard / "skills" / "linked")
    (yard / "skills" / "linked" / "more.md").symlink_to(yard / "given")

    told = json.loads(seen(yard, "resolve --json"))

    broken = told["skills"][-1]
    assert (broken["slug"], broken["disposition"], broken["rule"], broken["digest"]) == (
        "linked",
        "broken",
        "unreadable",
        None,
    )
    assert broken.keys() == told["skills"][0].keys()
    assert [(one["kind"], one["slug"]) for one in told["problems"]] == [("broken-skill", "linked")]


@pytest.mark.requirement("SRC-7")
def test_links_to_skills_that_are_there_already_are_one_note(yard: Path) -> None:
    for name in ("base", "deploy"):
        write_skill(yard / "skills" / name)
    linked = yard / ".claude" / "skills"
    linked.mkdir(parents=True)
    (linked / "base").symlink_to("../../skills/base")
    one = see(yard, "resolve")
    (linked / "deploy").symlink_to("../../skills/deploy")
    two = see(yard, "resolve")
    told = json.loads(seen(yard, "resolve --json"))

    message = f"{linked}/base is left out: it is a link to `{yard}/skills/base`, which counts there"
    assert (one.status, one.err) == (0, f"note: {message} as a project skill\n")
    assert two.err == (
        "note: 2 links to skills that count where they stand:"
        f" {linked}/base to {yard}/skills/base, …\n"
    )
    assert [entry["slug"] for entry in told["skills"]].count("deploy") == 1
    assert [(entry["kind"], entry["severity"]) for entry in told["problems"]] == [
        ("linked-skill", "note")
    ] * 2
    assert told["problems"][0]["message"] == f"{message} as a project skill"
    assert see(yard, "prompt").err == ""
    assert see(yard, "skill show").err == two.err == see(yard, "explain").err


@pytest.mark.requirement("SRC-7")
def test_a_link_out_of_a_directory_of_skills_is_a_warning_that_names_both(yard: Path) -> None:
    (yard / "skills" / "evil").symlink_to("/etc")

    warning = (
        f"warning: {yard}/skills/evil is left out: it is a link that leads out of the directory of"
        " skills, to `/etc`\n"
    )
    assert (see(yard, "resolve").err, see(yard, "prompt").err) == (warning, warning)


@pytest.mark.requirement("SRC-7")
def test_the_names_of_links_forge_no_line_of_the_output(yard: Path) -> None:
    (yard / "skills" / "a\nerror: forged").symlink_to("b\r\x1b[2J\n::error::forged")
    (yard / "out\nerror: forged").mkdir()
    (yard / "skills" / "out").symlink_to(yard / "out\nerror: forged")

    for line in ("resolve", "explain", "prompt", "skill show"):
        said = see(yard, line).err
        assert [one.partition(" ")[0] for one in said.splitlines()] == ["warning:"] * 2
        assert said.isascii()
        assert said.replace("\n", "").isprintable()


@pytest.mark.requirement("SRC-1")
def test_settings_that_cannot_be_stop_every_command_before_it_looks(yard: Path) -> None:
    (yard / "skillyard.toml").write_text('project-roots = ["../elsewhere"]\n')

    for line in ("resolve", "explain", "prompt", "use deploy", "skill show", "lock -o x.lock"):
        ran = see(yard, line)
        assert (ran.status, ran.out) == (9, "")
        assert "the setting `project-roots` from project file" in ran.err


@pytest.mark.requirement("SRC-1")
def test_further_roots_that_are_not_there_are_no_error(yard: Path) -> None:
    (yard / "file").write_text("")

    told = seen(yard, "--roots missing:file:/dev/null/x resolve")

    assert told == seen(yard, "resolve")


@pytest.mark.requirement("RES-5")
def test_a_projects_copy_does_not_stand_in_for_what_is_required(yard: Path) -> None:
    write_skill(yard / "skills" / "pdf")
    do(yard, "assign pdf --agent reviewer --required", "disable pdf")

    ran = see(yard, "resolve --agent reviewer")

    assert ran.status == 5
    assert ran.err.splitlines()[0] == (
        "error: the skills cannot be resolved: pdf is required, but it is disabled; the project"
        f" skill of the same name ({yard}/skills/pdf) does not stand in for it"
    )


@pytest.mark.requirement("SRC-1")
def test_further_roots_are_looked_into_by_every_command(yard: Path) -> None:
    write_skill(yard / "more" / "mine")
    write_skill(yard / "docs" / "skills" / "ours")
    (yard / "skillyard.toml").write_text('project-roots = ["docs/skills"]\n')

    def sources(line: str) -> list[tuple[str, str]]:
        told = json.loads(seen(yard, f"--roots more {line} --json"))["skills"]
        wanted = ("mine", "ours")
        return sorted((one["slug"], one["source"]) for one in told if one["slug"] in wanted)

    found = [("mine", "user"), ("ours", "project")]
    assert [sources(line) for line in ("resolve", "explain", "skill show")] == [found] * 3
    assert sources("resolve --no-user") == found[1:]
    assert sources("resolve --no-project") == found[:1]
    assert f"<location>{yard}/more/mine/SKILL.md</location>" in seen(yard, "--roots more prompt")
    assert "Skill: mine" in seen(yard, "--roots more use mine")
    assert "Skill: ours" in seen(yard, "use ours")
    do(yard, "--roots more lock -o skills.lock")
    assert "mine" in seen(yard, "--roots more resolve --lock skills.lock")


def test_an_unknown_name_is_an_error_and_so_is_an_empty_one(yard: Path) -> None:
    assert see(yard, "resolve --agent reviewr") == Ran(
        3, "", "error: there is no agent `reviewr`\n\nhint: Did you mean `reviewer`?\n"
    )
    assert see(yard, "resolve --provider nothing").status == 2
    assert see(yard, "resolve --provider codex").status == 0
    assert [see(yard, f"resolve --{kind} ''").status for kind in ("agent", "team", "node")] == [
        3,
        3,
        3,
    ]


@pytest.mark.requirement("RES-8")
def test_the_hash_changes_with_the_content_and_only_then(yard: Path) -> None:
    before = seen(yard, "resolve").splitlines()[-1]
    assert seen(yard, "resolve").splitlines()[-1] == before

    (yard / "skills" / "deploy" / "more.md").write_text("More.\n")

    assert seen(yard, "resolve").splitlines()[-1] != before
