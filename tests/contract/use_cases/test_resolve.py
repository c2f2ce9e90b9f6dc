"""Resolving is the same over every store."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skillyard.adapters.db.opening import open_store
from skillyard.application.assign import AssignSkill
from skillyard.application.ports.store import Store
from skillyard.application.resolve import ResolvedSkills, ResolveSkills
from skillyard.application.save import SaveSkill
from skillyard.domain.assignment import GLOBAL, Subject, SubjectKind
from skillyard.domain.errors import (
    ContentChangedError,
    InvalidFactError,
    LockDriftError,
    RecordNotFoundError,
    ResolutionError,
)
from skillyard.domain.facts import FactChanges
from skillyard.domain.lock import parse_lock, render_lock
from skillyard.domain.manifest import Confidence
from skillyard.domain.ranges import VersionRange
from skillyard.domain.records import Agent, Node, Sandbox, Team, Workspace
from skillyard.domain.resolution import Policy
from skillyard.domain.skill import Actor, Door, SourceKind
from skillyard.domain.version import Version
from skillyard.resolver import explain
from skillyard.skillmd.intake import take_in_files
from skillyard.testing.memory import MemoryStore
from skillyard.testing.packages import make_package, make_skill_md
from skillyard.yard import Skillyard
from tests.contract.use_cases.yards import make_yard, save

REVIEWER = Subject(SubjectKind.AGENT, "reviewer")
RED = Subject(SubjectKind.TEAM, "red")
LAB = Subject(SubjectKind.WORKSPACE, "lab")
BUILD = Subject(SubjectKind.NODE, "build")
BUNDLED = {"gh", "hello-world", "skill-authoring"}


@pytest.fixture
def yard(store: Store) -> Skillyard:
    """Give a yard with a workspace, a team in it, an agent in the team, and the agent's node."""
    yard = make_yard(store)
    yard.add_record(Workspace(name="lab"))
    yard.add_record(Team(name="red", workspace="lab"))
    yard.add_record(Agent(name="reviewer", team="red"))
    yard.add_record(Node(name="build", agent="reviewer"))
    return yard


def resolve(
    yard: Skillyard, wish: ResolveSkills | None = None, *, project: Path | None = None
) -> ResolvedSkills:
    """Resolve for the reviewer, without what this machine has."""
    asked = wish or ResolveSkills(agent="reviewer")
    return yard.resolve(asked, project=project, include_user=False)


def assign(yard: Skillyard, slug: str, subject: Subject, **wish: Any) -> None:  # noqa: ANN401
    yard.assign(AssignSkill(reference=slug, subject=subject, **wish))


def loaded(resolved: ResolvedSkills) -> list[str]:
    """List the skills that are loaded, without those that come with the program."""
    return [one.slug for one in resolved.resolution.loaded if one.slug not in BUNDLED]


def write_skills(root: Path, texts: Mapping[str, str]) -> Path:
    for place, text in texts.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text, encoding="utf-8")
    return root


def fill(yard: Skillyard) -> None:
    """Keep several skills, assigned in several ways."""
    for name in ("pdf", "docx", "xlsx", "draw"):
        save(yard, name)
    save(yard, "pdf", body="Read it.\n")
    assign(yard, "xlsx", GLOBAL)
    assign(yard, "docx", LAB, priority=3)
    assign(yard, "pdf", RED, constraint=VersionRange("=1.0.0"))
    assign(yard, "draw", REVIEWER, priority=-1)
    yard.change("draw", FactChanges(confidence=Confidence.LOW))


@pytest.mark.requirement("RES-8")
def test_equal_inputs_give_equal_hashes_on_every_engine(yard: Skillyard) -> None:
    other = make_yard(MemoryStore())
    other.add_record(Workspace(name="lab"))
    other.add_record(Team(name="red", workspace="lab"))
    other.add_record(Agent(name="reviewer", team="red"))
    for one in (yard, other):
        fill(one)

    ours, theirs = resolve(yard), resolve(other)

    assert loaded(ours) == ["docx", "pdf", "xlsx"]
    assert [one.slug for one in ours.resolution.unproven] == ["draw"]
    assert ours.resolution.manifest_hash == theirs.resolution.manifest_hash


@pytest.mark.requirement("RES-8")
def test_another_process_with_another_order_of_hashing_gives_the_same_hash(
    sqlite_url: str, tmp_path: Path
) -> None:
    store = open_store(sqlite_url)
    yard = make_yard(store)
    yard.add_record(Workspace(name="lab"))
    yard.add_record(Team(name="red", workspace="lab"))
    yard.add_record(Agent(name="reviewer", team="red"))
    fill(yard)
    expected = resolve(yard).resolution.manifest_hash
    store.close()

    code = (
        "from skillyard import ResolveSkills, Skillyard\n"
        f"with Skillyard.open(home={str(tmp_path)!r}, database_url={sqlite_url!r}) as yard:\n"
        "    wish = ResolveSkills(agent='reviewer')\n"
        "    found = yard.resolve(wish, project=None, include_user=False)\n"
        "    print(found.resolution.manifest_hash)\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }

    assert told == {expected}


@pytest.mark.requirement("RES-1", "RES-6")
def test_an_agent_has_what_its_team_and_workspace_have(yard: Skillyard) -> None:
    for name, subject in (("pdf", RED), ("docx", LAB), ("xlsx", GLOBAL), ("draw", BUILD)):
        save(yard, name)
        assign(yard, name, subject)

    assert loaded(resolve(yard)) == ["pdf", "docx", "xlsx"]
    assert loaded(resolve(yard, ResolveSkills(team="red"))) == ["pdf", "docx", "xlsx"]
    assert loaded(resolve(yard, ResolveSkills(workspace="lab"))) == ["docx", "xlsx"]
    assert loaded(resolve(yard, ResolveSkills(node="build"))) == ["draw", "pdf", "docx", "xlsx"]
    assert loaded(resolve(yard, ResolveSkills())) == ["xlsx"]


@pytest.mark.parametrize("kind", ["agent", "team", "workspace", "node"])
@pytest.mark.parametrize("name", ["nobody", "", "\ud800", "\0"])
def test_a_name_that_nobody_has_is_an_error(yard: Skillyard, kind: str, name: str) -> None:
    with pytest.raises(RecordNotFoundError):
        resolve(yard, replace(ResolveSkills(), **{kind: name}))  # type: ignore[arg-type]


@pytest.mark.requirement("RES-5")
def test_what_a_skill_requires_comes_from_the_store_however_far(yard: Skillyard) -> None:
    for name in ("pdf", "docx", "xlsx", "draw"):
        save(yard, name)
    yard.change("pdf", FactChanges(requires=("docx",)))
    yard.change("docx", FactChanges(requires=("xlsx",)))
    assign(yard, "pdf", REVIEWER)

    found = resolve(yard)

    assert sorted(loaded(found)) == ["docx", "pdf", "xlsx"]
    assert "draw" not in {one.slug for one in found.resolution.decisions}
    yard.disable("xlsx")
    assert loaded(resolve(yard)) == []


@pytest.mark.requirement("RES-5")
def test_a_directory_may_require_a_skill_of_the_store(yard: Skillyard, tmp_path: Path) -> None:
    save(yard, "docx")
    sidecar = '{"requires": ["docx"]}'
    files = {"skills/pdf/SKILL.md": make_skill_md("pdf"), "skills/pdf/manifest.json": sidecar}

    found = resolve(yard, project=write_skills(tmp_path, files))

    assert sorted(loaded(found)) == ["docx", "pdf"]


def test_a_pin_chooses_an_older_version_and_its_content(yard: Skillyard) -> None:
    first = save(yard, "pdf", body="Old.\n")
    save(yard, "pdf", body="New.\n")
    assign(yard, "pdf", REVIEWER, constraint=VersionRange("=1.0.0"))
    wish = ResolveSkills(agent="reviewer")

    [pdf] = [one for one in resolve(yard).resolution.loaded if one.slug == "pdf"]
    context = yard.context(wish, project=None, include_user=False)

    assert (pdf.offered.version, pdf.offered.digest) == (
        first.version.version,
        first.version.digest,
    )
    assert "Old." in (context.tier2("pdf") or "")


def save_text(yard: Skillyard, *lines: str, sidecar: str = "{}") -> None:
    """Save a version of `pdf` whose SKILL.md says `lines` besides its name."""
    text = "\n".join(("---", "name: pdf", *lines, "---", "Do the work.", ""))
    package = take_in_files({"SKILL.md": text, "manifest.json": sidecar}).package
    yard.save(SaveSkill(package=package, directory="pdf"))


@pytest.mark.requirement("RES-1", "RES-3")
def test_a_pinned_version_says_itself_what_it_is_and_needs(yard: Skillyard) -> None:
    save(yard, "docx")
    old = ("description: The old one.", "invocation: user-only")
    save_text(yard, *old, sidecar='{"requires": ["docx"]}')
    save_text(yard, "description: The new one.", "metadata:", "  requires: no-such-command")
    assign(yard, "pdf", GLOBAL)
    assign(yard, "pdf", REVIEWER, constraint=VersionRange("=1.0.0"))

    [pinned] = [one for one in resolve(yard).resolution.decisions if one.slug == "pdf"]
    [current] = [
        one for one in resolve(yard, ResolveSkills()).resolution.decisions if one.slug == "pdf"
    ]

    assert (pinned.disposition, str(pinned.offered.version)) == ("loaded", "1.0.0")
    assert pinned.candidate.description == "The old one."
    assert pinned.candidate.invocation == "user-only"
    assert pinned.candidate.requires_commands == ()
    assert loaded(resolve(yard)) == ["pdf", "docx"]
    assert (current.rule, current.candidate.description) == ("unavailable", "The new one.")


@pytest.mark.requirement("RES-3")
def test_a_pinned_version_is_out_where_its_own_commands_are_missing(yard: Skillyard) -> None:
    save_text(yard, "description: The old one.", "metadata:", "  requires: no-such-command")
    save_text(yard, "description: The new one.")
    assign(yard, "pdf", REVIEWER, constraint=VersionRange("=1.0.0"))

    [pinned] = [one for one in resolve(yard).resolution.decisions if one.slug == "pdf"]

    assert (pinned.rule, pinned.reason) == ("unavailable", "missing commands: no-such-command")
    assert str(pinned.offered.version) == "1.0.0"
    found = resolve(yard)
    explained = explain(pinned.candidate.ref, found.candidates, found.request)
    assert [one.text for one in explained.changes] == ["install no-such-command"]


def test_what_people_said_about_a_skill_holds_for_a_pinned_version_too(yard: Skillyard) -> None:
    save_text(yard, "description: The old one.", "tags: [old]")
    save_text(yard, "description: The new one.", "tags: [new]")
    yard.change("pdf", FactChanges(confidence=Confidence.HIGH, display_name="Paper", tags=("x",)))
    assign(yard, "pdf", REVIEWER, constraint=VersionRange("=1.0.0"))

    [pinned] = [one for one in resolve(yard).resolution.loaded if one.slug == "pdf"]

    assert pinned.candidate.confidence is Confidence.HIGH
    assert pinned.candidate.display_name == "Paper"
    assert pinned.candidate.tags == ("old",)


@pytest.mark.requirement("RES-7")
def test_a_pinned_version_takes_as_much_room_as_it_does(yard: Skillyard) -> None:
    save(yard, "pdf", body="word " * 900)
    save(yard, "pdf", body="Short.\n")
    assign(yard, "pdf", REVIEWER, constraint=VersionRange("=1.0.0"))
    yard.change_record(Agent, "reviewer", lambda one: replace(one, context_window=10_000))
    eager = ResolveSkills(agent="reviewer", policy=Policy(eager=True))

    [pdf] = [one for one in resolve(yard, eager).resolution.decisions if one.slug == "pdf"]

    assert 700 < pdf.candidate.cost.loaded < 1_200


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize(
    ("wish", "message"),
    [
        (
            ResolveSkills(agent="reviewer", team="blue"),
            "the team `blue` cannot be used: the agent `reviewer` is in the team `red`",
        ),
        (
            ResolveSkills(agent="reviewer", workspace="shop"),
            "the workspace `shop` cannot be used: the team `red` is in the workspace `lab`",
        ),
        (
            ResolveSkills(team="red", workspace="shop"),
            "the workspace `shop` cannot be used: the team `red` is in the workspace `lab`",
        ),
        (
            ResolveSkills(agent="seller", workspace="lab"),
            "the workspace `lab` cannot be used: the agent `seller` is in the workspace `shop`",
        ),
        (
            ResolveSkills(node="build", agent="seller"),
            "the agent `seller` cannot be used: the node `build` is for the agent `reviewer`",
        ),
        (
            ResolveSkills(node="build", team="blue"),
            "the team `blue` cannot be used: the agent `reviewer` is in the team `red`",
        ),
        (
            ResolveSkills(node="sell", workspace="lab"),
            "the workspace `lab` cannot be used: the node `sell` is in the workspace `shop`",
        ),
    ],
    ids=str,
)
def test_nobody_is_asked_for_where_their_record_says_they_are_not(
    yard: Skillyard, wish: ResolveSkills, message: str
) -> None:
    yard.add_record(Workspace(name="shop"))
    yard.add_record(Team(name="blue"))
    yard.add_record(Agent(name="seller", workspace="shop"))
    yard.add_record(Node(name="sell", workspace="shop", agent="reviewer"))

    with pytest.raises(InvalidFactError) as caught:
        resolve(yard, wish)

    assert caught.value.message == message
    assert caught.value.hints[0].startswith("Leave it out, or change the record: `skillyard ")


def test_what_a_record_does_not_say_may_be_said(yard: Skillyard) -> None:
    yard.add_record(Agent(name="free"))
    yard.add_record(Node(name="any"))
    save(yard, "pdf")
    assign(yard, "pdf", RED)

    assert loaded(resolve(yard, ResolveSkills(agent="free", team="red"))) == ["pdf"]
    assert loaded(resolve(yard, ResolveSkills(node="any", agent="reviewer"))) == ["pdf"]
    same = ResolveSkills(agent="reviewer", team="red", workspace="lab", node="build")
    assert loaded(resolve(yard, same)) == ["pdf"]


@pytest.mark.requirement("RES-2")
def test_the_store_wins_over_plugins_and_they_win_over_directories(
    yard: Skillyard, tmp_path: Path
) -> None:
    project = write_skills(tmp_path, {"skills/pdf/SKILL.md": make_skill_md("pdf")})
    assert _layers(resolve(yard, project=project)) == ["project"]

    plugin = make_yard(yard.store)
    plugin.actor = Actor("acme", Door.PLUGIN)
    kind = SourceKind.PLUGIN
    wish = SaveSkill(package=make_package("pdf"), owner="acme", plugin_id="acme", kind=kind)
    plugin.save(wish)
    assign(yard, "acme/pdf", RED)
    assert _layers(resolve(yard, project=project)) == ["plugin", "project"]

    save(yard, "pdf")
    assign(yard, "pdf", GLOBAL)
    assert _layers(resolve(yard, project=project)) == ["store", "plugin", "project"]


def _layers(resolved: ResolvedSkills) -> list[str]:
    found = [one for one in resolved.resolution.decisions if one.slug == "pdf"]
    return [one.candidate.layer.value for one in found]


@pytest.mark.requirement("SRC-4")
def test_a_directory_that_cannot_be_read_is_reported_and_the_rest_is_resolved(
    yard: Skillyard, tmp_path: Path
) -> None:
    names = ("good", "linked")
    write_skills(tmp_path, {f"skills/{one}/SKILL.md": make_skill_md(one) for one in names})
    (tmp_path / "skills" / "linked" / "more.md").symlink_to("/etc/passwd")
    write_skills(tmp_path, {"skills/bad/SKILL.md": "---\nname: bad\n---\n\nDo.\n"})

    found = resolve(yard, project=tmp_path)

    assert loaded(found) == ["good"]
    assert [candidate.slug for candidate, _ in found.broken] == ["linked"]
    skipped = {one.location for one in found.findings if one.skipped}
    assert skipped == {str(tmp_path / "skills" / "bad")}


@pytest.mark.requirement("DIS-1")
def test_an_agent_sees_its_skills_where_its_only_sandbox_has_them(yard: Skillyard) -> None:
    def find(**wish: Any) -> tuple[str | None, set[str]]:  # noqa: ANN401
        asked = ResolveSkills(**wish)
        found = (one for one in resolve(yard, asked).resolution.loaded if one.slug == "pdf")
        return yard.find_skills_path(asked), {one.candidate.location for one in found}

    save(yard, "pdf")
    assign(yard, "pdf", GLOBAL)
    assert find(agent="reviewer") == (None, {""})

    yard.add_record(Agent(name="other"))
    yard.add_record(Sandbox(name="far", agent="other", skills_path="/far"))
    yard.add_record(Sandbox(name="box", agent="reviewer", skills_path="/opt/skills/"))
    assert find(agent="reviewer") == find(node="build") == ("/opt/skills/", {"/opt/skills/pdf"})
    assert find(agent="reviewer", skills_path="/run") == ("/run", {"/run/pdf"})
    assert find(team="red") == (None, {""})

    yard.add_record(Sandbox(name="second", agent="reviewer"))
    assert find(agent="reviewer") == (None, {""})


def test_a_named_skill_is_decided_about_and_changes_nothing(yard: Skillyard) -> None:
    save(yard, "pdf")
    before = resolve(yard)

    found = resolve(yard, ResolveSkills(agent="reviewer", named=("pdf", "nothing")))

    assert found.resolution.manifest_hash == before.resolution.manifest_hash
    [pdf] = [one for one in found.resolution.decisions if one.slug == "pdf"]
    assert pdf.rule == "not-assigned"


def test_something_required_that_cannot_be_had_keeps_a_run_from_starting(yard: Skillyard) -> None:
    save(yard, "pdf")
    assign(yard, "pdf", REVIEWER, required=True)
    resolve(yard).require_complete()
    yard.disable("pdf")

    with pytest.raises(ResolutionError, match="pdf is required"):
        resolve(yard).require_complete()
    with pytest.raises(ResolutionError):
        yard.lock(ResolveSkills(agent="reviewer"), project=None, include_user=False)


@pytest.mark.requirement("RES-7")
def test_whole_instructions_take_no_more_than_their_part_of_the_window(
    yard: Skillyard, tmp_path: Path
) -> None:
    for name in ("docx", "pdf"):
        save(yard, name, body="word " * 900)
        assign(yard, name, REVIEWER)
    text = make_skill_md("deploy", body="word " * 900)
    project = write_skills(tmp_path, {"skills/deploy/SKILL.md": text})
    yard.change_record(Agent, "reviewer", lambda one: replace(one, context_window=20_000))

    eager = ResolveSkills(agent="reviewer", policy=Policy(eager=True))

    assert loaded(resolve(yard, project=project)) == ["docx", "pdf", "deploy"]
    assert loaded(resolve(yard, eager, project=project)) == ["docx", "pdf", "deploy"]
    yard.change_record(Agent, "reviewer", lambda one: replace(one, context_window=12_000))
    assert loaded(resolve(yard, project=project)) == ["docx", "pdf", "deploy"]
    assert loaded(resolve(yard, eager, project=project)) == ["docx", "pdf"]
    yard.change_record(Agent, "reviewer", lambda one: replace(one, context_window=11_000))
    assert loaded(resolve(yard, eager, project=project)) == ["docx"]


@pytest.mark.requirement("RES-10")
def test_a_lock_is_replayed_byte_for_byte(yard: Skillyard, tmp_path: Path) -> None:
    fill(yard)
    project = write_skills(tmp_path, {"skills/deploy/SKILL.md": make_skill_md("deploy")})
    wish = ResolveSkills(agent="reviewer")
    lock = yard.lock(wish, project=project, include_user=False)
    save(yard, "docx", body="Changed.\n")
    yard.unassign("xlsx", GLOBAL)

    again = parse_lock(render_lock(lock).encode(), name="skills.lock")
    replayed = yard.replay(again, project=project, include_user=False)

    assert again == lock
    assert [(one.locked.slug, one.package.digest()) for one in replayed] == [
        (one.slug, one.digest) for one in lock.skills
    ]
    with pytest.raises(LockDriftError, match=r"deploy 1\.0\.0 is gone"):
        yard.replay(again, project=None, include_user=False)


@pytest.mark.requirement("RES-10")
def test_a_lock_does_not_give_one_skill_the_name_of_another(
    yard: Skillyard, tmp_path: Path
) -> None:
    save(yard, "pdf")
    save(yard, "docx")
    assign(yard, "pdf", REVIEWER)
    project = write_skills(tmp_path, {"skills/deploy/SKILL.md": make_skill_md("deploy")})
    wish = ResolveSkills(agent="reviewer")
    lock = yard.lock(wish, project=project, include_user=False)
    pdf, deploy = lock.skills[:2]
    renamed = {"docx": replace(pdf, slug="docx"), "ship": replace(deploy, slug="ship")}
    aged = {"pdf": replace(pdf, version=Version(9)), "deploy": replace(deploy, version=Version(9))}

    for slug, forged in (*renamed.items(), *aged.items()):
        with pytest.raises(LockDriftError, match=slug):
            yard.replay(replace(lock, skills=(forged,)), project=project, include_user=False)


@pytest.mark.requirement("DIS-6")
def test_a_context_opens_skills_of_the_store_and_of_directories(
    yard: Skillyard, tmp_path: Path
) -> None:
    save(yard, "pdf", files={"references/forms.md": "Forms.\n"})
    assign(yard, "pdf", REVIEWER)
    project = write_skills(
        tmp_path,
        {"skills/deploy/SKILL.md": make_skill_md("deploy"), "skills/deploy/scripts/go.sh": "go\n"},
    )
    wish = ResolveSkills(agent="reviewer", skills_path="/opt/skills/")

    context = yard.context(wish, project=project, include_user=False)

    assert "<location>/opt/skills/pdf/SKILL.md</location>" in context.tier1()
    assert context.tier3("pdf", "references/forms.md") == "Forms.\n"
    assert context.tier3_list("deploy", "scripts") == ("scripts/go.sh",)
    assert context.tier2("nothing") is None


@pytest.mark.requirement("DIS-2", "DIS-3", "RES-8")
def test_a_directory_that_was_edited_is_not_told_under_the_old_digest(
    yard: Skillyard, tmp_path: Path
) -> None:
    project = write_skills(tmp_path, {"skills/deploy/SKILL.md": make_skill_md("deploy")})
    context = yard.context(project=project, include_user=False)
    assert context.tier2("deploy") is not None

    write_skills(tmp_path, {"skills/deploy/SKILL.md": make_skill_md("deploy", body="New.\n")})

    with pytest.raises(ContentChangedError, match="skills/deploy"):
        context.tier2("deploy")
    with pytest.raises(ContentChangedError):
        context.tier3("deploy", "SKILL.md")
    again = yard.context(project=project, include_user=False)
    assert "New." in (again.tier2("deploy") or "")


def test_every_skill_of_every_source_is_listed_whoever_it_is_for(
    yard: Skillyard, tmp_path: Path
) -> None:
    for name in ("pdf", "docx"):
        save(yard, name)
    yard.archive("docx")
    project = write_skills(tmp_path, {".claude/skills/deploy/SKILL.md": make_skill_md("deploy")})

    listed = yard.list_everything(project=project, include_user=False)

    assert [(one.layer.value, one.slug) for one in listed.candidates][:3] == [
        ("store", "docx"),
        ("store", "pdf"),
        ("claude", "deploy"),
    ]
