"""What a run is, from its preparation to its end."""

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest

from skillyard.application.resolve import ResolveSkills
from skillyard.domain.delivery import NoteKind, OnInvalid, Part
from skillyard.domain.errors import (
    CommandNotStartedError,
    DeliveryError,
    HookFailedError,
    InvalidInputError,
    RecordNotFoundError,
    ResolutionError,
    SkillyardError,
    StorageUnavailableError,
    StoreUnavailableError,
    WorkspaceUnavailableError,
)
from skillyard.domain.facts import FactChanges
from skillyard.domain.hook import Hook, Stage
from skillyard.domain.package import Package
from skillyard.domain.receipt import parse_receipt
from skillyard.domain.records import Node
from skillyard.domain.run import ChangeKind, RunFilter, RunStatus, SeenChange, WorkspaceMode
from skillyard.domain.skill import InstallStrategy
from skillyard.testing.packages import make_package, make_skill_md
from tests.integration.running.world import World, list_tree, make_agent, read_receipt
from tests.integration.runs.making import has_ended


@pytest.mark.requirement("DEL-4", "DEL-15")
def test_a_program_sees_exactly_its_skills_in_a_home_of_its_own(world: World) -> None:
    (world.root / "user" / ".codex" / "skills" / "mine").mkdir(parents=True)

    run = world.run("codex", "exec", "two words")

    assert world.seen("arguments") == ["exec", "two words"]
    skills = [one for one in world.seen("files") if "skills" in one]
    assert skills == ["./.codex/skills/pdf/SKILL.md"]
    environment = dict(one.split("=", 1) for one in world.seen("environment") if "=" in one)
    assert environment["HOME"] == f"{run.root}/home"
    assert environment["CODEX_HOME"] == f"{run.root}/home/.codex"
    assert world.seen("directory") == [f"{run.root}/workspace"]
    assert Path(run.root).name.startswith(f"run-{run.id}-")


@pytest.mark.requirement("DEL-10")
def test_the_record_says_what_the_program_was_given(world: World) -> None:
    world.yard.add_record(make_agent("reviewer"))
    world.do("exit 7")

    run = world.run(skills=replace(world.wish().skills, agent="reviewer"))

    assert run == world.last()
    assert (run.status, run.exit_status, run.failure) == (RunStatus.ENDED, 7, "")
    assert (run.agent, run.subjects) == ("reviewer", ("global", "agent:reviewer"))
    assert (run.provider, run.mode, run.host) == ("codex", "native", "here")
    assert (run.command, run.project) == (("codex", "exec", "hello"), str(world.project))
    (skill,) = run.skills
    assert (skill.slug, str(skill.version), skill.path) == ("pdf", "1.0.0", ".codex/skills/pdf")
    assert skill.digest == skill.delivered == make_package("pdf").digest()
    assert skill.ref == world.yard.get("pdf").skill.id
    assert run.files == ("home/.codex/config.toml",)
    assert run.environment["HOME"] == f"{run.root}/home"
    assert run.changes == ()
    assert world.left() == []


@pytest.mark.requirement("DEL-10")
def test_the_record_is_there_before_the_program_starts(world: World) -> None:
    seen = []

    world.yard.run(
        world.wish(),
        include_user=False,
        include_project=False,
        tell=lambda run: seen.append((run, world.last(), world.was_started)),
    )

    ((told, kept, was_started),) = seen
    assert (told, kept.status, was_started) == (kept, RunStatus.RUNNING, False)


@pytest.mark.requirement("DEL-10")
def test_what_the_program_did_to_its_skills_is_recorded(world: World) -> None:
    world.do('cd "$CODEX_HOME/skills/pdf"; echo x >> SKILL.md; echo y > new.md')

    run = world.run()

    assert run.changes == (
        SeenChange("pdf", "SKILL.md", ChangeKind.CHANGED),
        SeenChange("pdf", "new.md", ChangeKind.ADDED),
    )
    assert world.yard.package("pdf") == make_package("pdf")


@pytest.mark.requirement("DEL-13")
def test_a_run_that_is_kept_has_its_root_and_a_receipt_in_it(world: World) -> None:
    login = world.root / "user" / ".codex" / "auth.json"
    login.parent.mkdir()
    login.write_text('{"OPENAI_API_KEY": "secret"}')

    run = world.run(keep=True)

    root = Path(run.root)
    assert world.left() == [root.name]
    assert sorted(one.name for one in root.iterdir()) == [
        "home",
        "logs",
        "private",
        "receipt.json",
        "workspace",
    ]
    assert parse_receipt((root / "receipt.json").read_bytes(), name="x") == run == world.last()
    assert "./.codex/auth.json" in world.seen("files")
    assert not (root / "home" / ".codex" / "auth.json").exists()
    assert not any(b"secret" in content for _, content in list_tree(root).values())


@pytest.mark.requirement("INT-2", "DEL-10")
def test_a_receipt_is_written_at_the_start_and_at_the_end(world: World) -> None:
    receipt = world.root / "given" / "receipt.json"
    world.do(f"cp {receipt} {world.root}/early.json")

    run = world.run(receipt=receipt)

    assert read_receipt(world.root / "early.json")["status"] == "running"
    told = read_receipt(receipt)
    assert (told["status"], told["exit_status"], told["id"]) == ("ended", 0, run.id)
    assert parse_receipt(receipt.read_bytes(), name="x") == run


def test_a_receipt_that_cannot_be_written_keeps_the_program_from_starting(world: World) -> None:
    (world.root / "file").write_text("")

    with pytest.raises(StorageUnavailableError):
        world.run(receipt=world.root / "file" / "receipt.json")

    assert (world.was_started, world.last().status) == (False, RunStatus.NOT_STARTED)
    assert world.left() == []


@pytest.mark.requirement("DEL-12")
def test_hooks_are_run_in_order_in_the_environment_of_the_run(world: World) -> None:
    log = world.root / "log"
    world.yard.add_record(
        make_agent("reviewer", hooks=tuple(Hook(one, f"echo agent >> {log}") for one in Stage))
    )
    step = tuple(Hook(one, f"echo node >> {log}") for one in Stage)
    world.yard.add_record(Node(name="step", agent="reviewer", hooks=step))
    own = 'echo "$SKILLYARD_STAGE $(cd "$HOME" && pwd) $(pwd) $SKILLYARD_RUN_STATUS" >>'
    world.do(f"echo program >> {log}; exit 5")

    run = world.run(
        hooks=tuple(Hook(one, f"{own} {log}") for one in reversed(Stage)),
        skills=ResolveSkills(node="step"),
    )

    home, workspace = f"{run.root}/home", f"{run.root}/workspace"
    assert log.read_text().splitlines() == [
        "agent",
        "node",
        f"pre_init {home} {home} ",
        "agent",
        "node",
        f"init {home} {workspace} ",
        "agent",
        "node",
        f"post_init {home} {workspace} ",
        "program",
        "agent",
        "node",
        f"post_run {home} {workspace} 5",
    ]
    assert run.exit_status == 5


@pytest.mark.requirement("DEL-12")
def test_what_a_hook_leaves_running_is_there_for_the_program_and_ends_with_it(
    world: World,
) -> None:
    world.do('kill -0 "$(cat "$TMPDIR/server")" && cp "$TMPDIR/server" "$here/seen.server"')

    run = world.run(hooks=(Hook(Stage.INIT, 'sleep 600 & echo $! > "$TMPDIR/server"'),))

    assert has_ended(int((world.bin / "seen.server").read_text()))
    assert run.notes == ()


@pytest.mark.requirement("DEL-12")
def test_a_program_is_told_which_run_it_is_in(world: World) -> None:
    run = world.run()

    seen = (world.bin / "seen.environment").read_text().splitlines()
    assert {f"SKILLYARD_RUN_ID={run.id}", f"SKILLYARD_RUN_ROOT={run.root}"} <= set(seen)
    with pytest.raises(InvalidInputError):
        world.run(added={"SKILLYARD_RUN_ID": "another"})


@pytest.mark.requirement("DEL-12")
def test_hooks_find_the_workspace_as_it_is_at_their_stage(world: World) -> None:
    world.make_repository()
    log = world.root / "log"
    look = (
        f'ls "$SKILLYARD_RUN_ROOT/workspace" "$CODEX_HOME/skills" 2>/dev/null | grep -c . >> {log}'
    )

    world.run(hooks=tuple(Hook(one, f"{look}; true") for one in Stage))

    before, filled, laid_out, ended = map(int, log.read_text().split())
    assert before < filled < laid_out == ended


@pytest.mark.requirement("DEL-12")
@pytest.mark.parametrize("stage", [Stage.PRE_INIT, Stage.INIT, Stage.POST_INIT])
def test_a_hook_that_fails_stops_the_run_and_post_run_comes_nevertheless(
    world: World, stage: Stage
) -> None:
    log = world.root / "log"
    hooks = (Hook(stage, "echo why; exit 4"), Hook(Stage.POST_RUN, f"echo end >> {log}"))

    with pytest.raises(HookFailedError) as caught:
        world.run(hooks=hooks)

    assert (caught.value.stage, caught.value.status) == (stage, 4)
    assert (world.was_started, world.left(), log.read_text()) == (False, [], "end\n")
    run = world.last()
    assert (run.status, run.exit_status) == (RunStatus.NOT_STARTED, None)
    assert run.failure == f"the run was not started: the hook `{stage}` ended with status 4"


@pytest.mark.requirement("DEL-12")
def test_the_output_of_hooks_is_kept_with_the_run(world: World) -> None:
    with pytest.raises(HookFailedError) as caught:
        world.run(hooks=(Hook(Stage.INIT, "echo why; exit 4"),), keep=True)

    (hint,) = caught.value.hints
    assert Path(hint.split("`")[1]).read_text() == "why\n"


@pytest.mark.requirement("DEL-12")
def test_a_post_run_hook_that_fails_is_noted_and_changes_nothing(world: World) -> None:
    hooks = (Hook(Stage.POST_RUN, "exit 3"), Hook(Stage.POST_RUN, "true"))

    run = world.run(hooks=hooks)

    assert (run.status, run.exit_status) == (RunStatus.ENDED, 0)
    assert [one.message for one in run.notes if one.kind is NoteKind.HOOK] == [
        "the hook `post_run=exit 3` failed: it ended with status 3"
    ]


@pytest.mark.requirement("DEL-11")
def test_a_required_skill_that_cannot_be_delivered_fails_the_run(world: World) -> None:
    world.save(broken("tables"), required=True)

    with pytest.raises(DeliveryError) as caught:
        world.run()

    assert "`tables` is required" in caught.value.message
    assert (world.was_started, world.left()) == (False, [])
    run = world.last()
    assert (run.status, run.failure) == (RunStatus.NOT_STARTED, caught.value.message)


@pytest.mark.requirement("DEL-11")
def test_a_required_skill_that_cannot_be_had_fails_the_run(world: World) -> None:
    world.save(make_package("tables"), required=True)
    world.yard.disable("tables")

    with pytest.raises(ResolutionError) as caught:
        world.run()

    assert (world.was_started, world.last().failure) == (False, caught.value.message)


@pytest.mark.requirement("DEL-11")
def test_an_optional_skill_that_cannot_be_delivered_is_left_out(world: World) -> None:
    world.save(broken("tables"))

    run = world.run(on_invalid=OnInvalid.LEAVE_OUT)

    assert [one.slug for one in run.skills] == ["pdf"]
    (note,) = [one for one in run.notes if one.slug == "tables"]
    assert (note.kind, run.mode) == (NoteKind.LEFT_OUT, "native")


@pytest.mark.requirement("DEL-11")
def test_an_optional_skill_that_cannot_be_delivered_turns_the_run_to_text(world: World) -> None:
    world.save(broken("tables"))

    run = world.run(on_invalid=OnInvalid.FALLBACK)

    assert (run.mode, {one.part for one in run.skills}) == ("fallback", {Part.PRIVATE})
    assert [one.slug for one in run.skills] == ["pdf", "tables"]
    assert run.environment["SKILLYARD_PROMPT_FILE"] == f"{run.root}/private/SKILLS.md"


@pytest.mark.requirement("DEL-11")
def test_an_optional_skill_that_cannot_be_delivered_fails_the_run_where_that_is_wanted(
    world: World,
) -> None:
    world.save(broken("tables"))

    with pytest.raises(DeliveryError):
        world.run(on_invalid=OnInvalid.FAIL)

    assert (world.was_started, world.last().status) == (False, RunStatus.NOT_STARTED)


@pytest.mark.requirement("DEL-11")
def test_a_skill_whose_stored_content_is_damaged_is_never_delivered(world: World) -> None:
    damage(world, "pdf")

    run = world.run()

    assert run.skills == ()
    assert [(one.kind, one.slug) for one in run.notes] == [(NoteKind.LEFT_OUT, "pdf")]
    with pytest.raises(DeliveryError, match="pdf is damaged"):
        world.run(on_invalid=OnInvalid.FAIL)


@pytest.mark.requirement("DEL-11")
def test_a_directory_that_cannot_be_read_is_left_out_or_fails_the_run(world: World) -> None:
    directory = world.project / "skills" / "tables"
    directory.mkdir(parents=True)
    (directory / "SKILL.md").write_text("---\nname: tables\ndescription: Lays tables.\n---\nLay.\n")
    (directory / "link").symlink_to("/etc/passwd")

    run = world.yard.run(world.wish(), include_user=False)

    assert "tables" not in [one.slug for one in run.skills]
    assert (NoteKind.LEFT_OUT, "tables") in [(one.kind, one.slug) for one in run.notes]
    with pytest.raises(DeliveryError, match="tables cannot be read"):
        world.yard.run(world.wish(on_invalid=OnInvalid.FAIL), include_user=False)


@pytest.mark.requirement("DEL-15")
@pytest.mark.parametrize(("mode", "missing"), [(0, True), (0o644, False)])
def test_a_program_that_cannot_be_started_leaves_a_record_and_nothing_else(
    world: World, mode: int, *, missing: bool
) -> None:
    if mode:
        world.install("tool", mode)

    with pytest.raises(CommandNotStartedError) as caught:
        world.run("tool")

    assert (caught.value.missing, world.left()) == (missing, [])
    run = world.last()
    assert (run.status, run.failure) == (RunStatus.NOT_STARTED, caught.value.message)
    assert [one.slug for one in run.skills] == ["pdf"]


@pytest.mark.requirement("DEL-13")
def test_a_workspace_that_cannot_be_had_leaves_a_record_and_nothing_else(world: World) -> None:
    with pytest.raises(WorkspaceUnavailableError) as caught:
        world.run(workspace=WorkspaceMode.WORKTREE)

    assert (world.was_started, world.left()) == (False, [])
    assert (world.last().failure, world.last().workspace) == (caught.value.message, "worktree")


def test_an_agent_that_does_not_exist_is_an_error_and_no_run(world: World) -> None:
    with pytest.raises(RecordNotFoundError):
        world.run(skills=replace(world.wish().skills, agent="nobody"))

    assert world.yard.list_runs() == []


@pytest.mark.requirement("DEL-5", "DEL-10")
def test_what_was_done_in_a_work_tree_is_kept_as_a_branch(world: World) -> None:
    world.make_repository()
    world.do("echo done > done.txt")

    run = world.run()

    assert run.workspace is WorkspaceMode.WORKTREE
    assert world.git("show", f"{run.workspace_ref}:done.txt") == "done\n"
    assert world.git("status", "--porcelain") == ""
    assert (world.left(), len(world.git("worktree", "list").splitlines())) == ([], 1)
    assert world.last().workspace_ref == run.workspace_ref


@pytest.mark.requirement("DEL-5")
def test_in_place_the_program_works_in_the_project_itself(world: World) -> None:
    world.do("echo done > done.txt")
    other = world.project / ".agents" / "skills" / "other"
    other.mkdir(parents=True)
    (other / "SKILL.md").write_text("---\nname: other\ndescription: Other.\n---\nDo.\n")

    run = world.run(workspace=WorkspaceMode.IN_PLACE)

    assert world.seen("directory") == [str(world.project)]
    assert (world.project / "done.txt").exists()
    assert any("other" in one.message for one in run.notes)


@pytest.mark.requirement("DEL-15")
def test_the_provider_is_told_by_the_flag_the_command_and_the_agent(world: World) -> None:
    world.install("tool")
    world.yard.add_record(make_agent("reviewer", provider="claude-code"))
    named = replace(world.wish().skills, agent="reviewer")

    assert world.run("codex", skills=named).provider == "codex"
    assert world.run("tool", skills=named).provider == "claude-code"
    assert world.run("tool").provider == "prompt"
    assert world.run("codex", provider="prompt").mode == "fallback"


@pytest.mark.requirement("DEL-6")
def test_secrets_are_held_back_unless_they_are_passed_on(world: World) -> None:
    world.environment |= {"MY_TOKEN": "t", "HER_TOKEN": "h", "OPENAI_API_KEY": "k", "PLAIN": "p"}
    added = {"GIVEN": "g", "GIVEN_TOKEN": "s"}

    run = world.run(passed=("MY_TOKEN",), added=added)

    seen = world.seen("environment")
    assert {"MY_TOKEN=t", "OPENAI_API_KEY=k", "PLAIN=p", "GIVEN=g", "GIVEN_TOKEN=s"} <= set(seen)
    assert not any(one.startswith("HER_TOKEN") for one in seen)
    assert (run.environment["GIVEN"], run.environment["GIVEN_TOKEN"]) == ("g", "***")
    assert not {"MY_TOKEN", "OPENAI_API_KEY"} & run.environment.keys()


@pytest.mark.requirement("DEL-4")
def test_what_the_run_sets_cannot_be_set_otherwise(world: World) -> None:
    with pytest.raises(InvalidInputError, match="`HOME` is set by the run itself"):
        world.run(added={"HOME": "/"})

    assert (world.was_started, world.last().status) == (False, RunStatus.NOT_STARTED)


@pytest.mark.requirement("DEL-10")
def test_a_skill_of_a_directory_is_in_the_store_afterwards(world: World) -> None:
    directory = world.project / "skills" / "tables"
    directory.mkdir(parents=True)
    (directory / "SKILL.md").write_text("---\nname: tables\ndescription: Lays tables.\n---\nLay.\n")

    run = world.yard.run(world.wish(), include_user=False)

    (skill,) = [one for one in run.skills if one.slug == "tables"]
    with world.yard.store.view() as view:
        assert set(view.packages.get(skill.delivered)) == {"SKILL.md"}


@pytest.mark.requirement("DEL-3")
def test_a_skill_is_linked_only_where_the_run_cannot_write_to_it(world: World) -> None:
    world.yard.change("pdf", FactChanges(install_strategy=InstallStrategy.LINK))
    world.do('[ -L "$CODEX_HOME/skills/pdf" ] && touch "$(dirname "$0")/seen.link"')

    run = world.run()

    is_linked = (world.bin / "seen.link").exists()
    wanted = InstallStrategy.LINK if is_linked else InstallStrategy.MATERIALIZE
    assert [one.strategy for one in run.skills] == [wanted]
    assert (NoteKind.COPIED in [one.kind for one in run.notes]) is not is_linked
    assert run.changes == ()


@pytest.mark.requirement("DEL-13", "DEL-15")
def test_whoever_interrupts_the_preparation_leaves_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspaces = type(world.yard.outside.workspaces)

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(workspaces, "prepare", interrupt)

    with pytest.raises(KeyboardInterrupt):
        world.run()

    assert (world.left(), world.was_started) == ([], False)
    assert world.last().failure == "it was interrupted"


@pytest.mark.requirement("DEL-10")
def test_what_cannot_be_saved_of_a_work_tree_stays(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.make_repository()
    world.do("echo done > done.txt")
    workspaces = type(world.yard.outside.workspaces)

    def fail(*_: object, **__: object) -> None:
        raise WorkspaceUnavailableError("x", reason="git said no", hint="")

    monkeypatch.setattr(workspaces, "conclude", fail)

    run = world.run()

    assert (run.exit_status, run.is_kept) == (0, True)
    assert (Path(run.root) / "workspace" / "done.txt").read_text() == "done\n"
    assert [one.kind for one in run.notes][-1] is NoteKind.WORKSPACE


def test_a_preview_makes_nothing(world: World) -> None:
    planned = world.preview(hooks=(Hook(Stage.INIT, "true"),))

    assert [one.slug for one in planned.run.skills] == ["pdf"]
    assert planned.plan.environment["HOME"] == "<run>/home"
    assert planned.hooks == (Hook(Stage.INIT, "true"),)
    assert (world.was_started, world.yard.list_runs()) == (False, [])
    assert not world.runs.exists()


@pytest.mark.requirement("RES-10")
def test_a_lock_gives_a_run_the_skills_that_were_locked(world: World) -> None:
    lock = world.yard.lock(world.wish().skills, project=None, include_user=False)
    world.save(make_package("pdf", body="Something else.\n"))

    run = world.yard.run(world.wish(), include_user=False, include_project=False, lock=lock)

    assert run.manifest_hash == lock.manifest_hash
    (skill,) = [one for one in run.skills if one.slug == "pdf"]
    assert skill.delivered == make_package("pdf").digest()


@pytest.mark.requirement("DEL-13")
def test_where_the_end_cannot_be_recorded_the_root_stays_with_its_receipt(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, begin = world.yard.store, world.yard.store.begin

    def fail() -> contextlib.AbstractContextManager[object]:
        if world.was_started:
            raise StoreUnavailableError("here", reason="it is gone")
        return begin()

    monkeypatch.setattr(store, "begin", fail)

    run = world.run()

    assert [one.kind for one in run.notes] == [NoteKind.RECORD]
    receipt = Path(run.root) / "receipt.json"
    assert parse_receipt(receipt.read_bytes(), name="x").exit_status == 0
    assert world.last().status is RunStatus.RUNNING


def test_without_a_store_the_program_is_not_started(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> contextlib.AbstractContextManager[object]:
        raise StoreUnavailableError("here", reason="it is gone")

    monkeypatch.setattr(world.yard.store, "begin", fail)

    with pytest.raises(SkillyardError) as caught:
        world.run()

    assert (caught.value.code, world.was_started) == ("store-unavailable", False)
    assert world.left() == []
    assert world.yard.list_runs(RunFilter()) == []


def broken(slug: str) -> Package:
    """Make a skill that the store takes and that Codex does not load, for its byte order mark."""
    return Package.of({"SKILL.md": f"\ufeff{make_skill_md(slug)}"})


def damage(world: World, slug: str) -> None:
    listing = world.yard.get(slug).listing
    world.yard.store.spoil(listing.files[0].sha256, b"damaged")  # type: ignore[attr-defined]
