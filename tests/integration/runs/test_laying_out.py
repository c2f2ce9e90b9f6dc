"""A plan is carried out as it stands, and nothing that is there is written over."""

import errno
import json
import os
import resource
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from skillyard.adapters.cache.disk import DiskCache
from skillyard.adapters.runs.grounds import DiskGrounds
from skillyard.application.ports.ground import RunGround
from skillyard.domain.delivery import TEMPORARY, LoginFile, Note, NoteKind, Part
from skillyard.domain.errors import StorageUnavailableError
from skillyard.domain.package import Package
from skillyard.testing.clock import FixedClock
from tests.integration.runs.making import CSV, PDF, lay_out, plan, plan_file, plan_skill

AUTH = LoginFile(source="~/.codex/auth.json", path=".codex/auth.json")
ACCOUNT = LoginFile(
    source="~/.claude.json", path=".claude/.claude.json", keys=("oauthAccount", "deep.inner")
)


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """Give the user's own home, with logins."""
    home = tmp_path / "user"
    (home / ".codex").mkdir(parents=True)
    (home / ".codex/auth.json").write_text('{"token": "secret"}')
    account = {"oauthAccount": {"id": 1}, "deep": {"inner": 2, "other": 3}, "projects": {"x": 1}}
    (home / ".claude.json").write_text(json.dumps(account))
    return home


def read_tree(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def contents(package: Package) -> dict[str, bytes]:
    return {str(path): file.content for path, file in package.files.items()}


def home_of(ground: RunGround) -> Path:
    return Path(ground.places.home)


def count_opened() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


# Skills


@pytest.mark.requirement("DEL-3", "DEL-4")
@pytest.mark.usefixtures("umask")
def test_a_skill_is_laid_out_byte_for_byte_with_the_usual_modes(ground: RunGround) -> None:
    lay_out(ground, plan(plan_skill()))

    skill = home_of(ground) / ".claude/skills/pdf"
    assert read_tree(skill) == contents(PDF)
    assert {path.relative_to(skill).as_posix(): mode_of(path) for path in skill.rglob("*")} == {
        "SKILL.md": 0o644,
        "references": 0o755,
        "references/forms.md": 0o644,
        "scripts": 0o755,
        "scripts/deep": 0o755,
        "scripts/deep/logo.bin": 0o644,
        "scripts/run.sh": 0o755,
    }


def test_each_skill_goes_to_its_own_part(ground: RunGround) -> None:
    lay_out(
        ground,
        plan(
            plan_skill(),
            plan_skill("csv", CSV, part=Part.PRIVATE, path="skills/csv"),
            plan_skill("named", CSV, path=""),
        ),
    )

    assert [path.name for path in (home_of(ground) / ".claude/skills").iterdir()] == ["pdf"]
    assert read_tree(Path(ground.places.private)) == {
        f"skills/csv/{path}": content for path, content in contents(CSV).items()
    }
    assert list(Path(ground.places.workspace).iterdir()) == []


@pytest.mark.requirement("DEL-3")
def test_a_skill_is_linked_where_there_is_something_to_link_to(
    ground: RunGround, tmp_path: Path
) -> None:
    (tmp_path / "kept").mkdir()

    lay_out(ground, plan(plan_skill(), plan_skill("csv", CSV)), links={"pdf": tmp_path / "kept"})

    skills = home_of(ground) / ".claude/skills"
    assert (skills / "pdf").readlink() == tmp_path / "kept"
    assert not (skills / "csv").is_symlink()


@pytest.mark.parametrize("kind", ["directory", "file", "link"])
def test_nothing_that_stands_there_is_written_over(
    ground: RunGround, tmp_path: Path, kind: str
) -> None:
    skill = home_of(ground) / ".claude/skills/pdf"
    skill.parent.mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    match kind:
        case "directory":
            skill.mkdir()
        case "file":
            skill.write_text("mine")
        case _:
            skill.symlink_to(tmp_path / "outside")

    with pytest.raises(StorageUnavailableError) as caught:
        lay_out(ground, plan(plan_skill()))

    assert caught.value.message == f"`{skill}` cannot be used: something stands there already"
    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize("path", [".claude", ".claude/skills", "home"])
def test_a_link_on_the_way_leads_nowhere(ground: RunGround, tmp_path: Path, path: str) -> None:
    (tmp_path / "outside").mkdir()
    if path == "home":
        (home_of(ground) / TEMPORARY).rmdir()
        home_of(ground).rmdir()
        home_of(ground).symlink_to(tmp_path / "outside")
    else:
        (home_of(ground) / path).parent.mkdir(parents=True, exist_ok=True)
        (home_of(ground) / path).symlink_to(tmp_path / "outside")

    with pytest.raises(StorageUnavailableError):
        lay_out(ground, plan(plan_skill()))

    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize("path", ["../pdf", "/pdf", "a//b", "a/./b", "a/..", ""])
def test_a_path_that_leads_elsewhere_is_an_error_of_ours(ground: RunGround, path: str) -> None:
    with pytest.raises(ValueError, match="is no relative path"):
        lay_out(ground, plan(files=[plan_file(path, b"")]))


@pytest.mark.requirement("DEL-3", "DEL-14")
def test_writing_to_a_delivered_file_changes_nothing_elsewhere(
    tmp_path: Path, grounds: DiskGrounds
) -> None:
    cache = DiskCache(tmp_path / "cache", clock=FixedClock())
    skill = plan_skill(package=cache.get(PDF.digest(), lambda: PDF))
    with grounds.make("one") as one, grounds.make("two") as two:
        for ground in (one, two):
            lay_out(ground, plan(skill))
        for path in (home_of(one) / ".claude/skills/pdf").rglob("*"):
            if path.is_file():
                path.write_bytes(b"changed")

        assert read_tree(home_of(two) / ".claude/skills/pdf") == contents(PDF)
        assert two.find_changes([skill]) == ()
        assert len(one.find_changes([skill])) == len(PDF.files)
    assert cache.get(PDF.digest(), lambda: CSV) == PDF


# Files


def test_files_are_written_for_their_owner_only_and_named(ground: RunGround) -> None:
    files = [
        plan_file(".claude/settings.json", b"{}"),
        plan_file("SKILLS.md", b"# Skills\n", Part.PRIVATE),
    ]

    written = lay_out(ground, plan(files=files))

    assert written.files == ("home/.claude/settings.json", "private/SKILLS.md")
    for path, content in zip(written.files, (b"{}", b"# Skills\n"), strict=True):
        file = Path(ground.places.root) / path
        assert (file.read_bytes(), mode_of(file)) == (content, 0o600)


def test_a_file_in_the_project_itself_is_named_by_its_whole_path(
    ground: RunGround, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    ground.start_in(str(project), str(project))

    written = lay_out(ground, plan(files=[plan_file("notes.md", b"x", Part.WORKSPACE)]))

    assert written.files == (f"{project}/notes.md",)
    assert (project / "notes.md").read_bytes() == b"x"


def test_a_full_disk_is_an_error_that_names_the_place(ground: RunGround) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(StorageUnavailableError) as caught:
            lay_out(ground, plan(plan_skill()))
        with pytest.raises(StorageUnavailableError):
            ground.write("receipt.json", b"x" * 2000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert caught.value.path == f"{ground.places.home}/.claude/skills/pdf"
    assert sorted(path.name for path in Path(ground.places.root).iterdir()) == [
        "home",
        "logs",
        "private",
        "workspace",
    ]


@pytest.mark.parametrize("step", ["open", "mkdir", "write", "fchmod", "symlink"])
def test_whatever_step_is_refused_the_error_is_ours_and_nothing_stays_open(
    grounds: DiskGrounds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    everything = plan(
        plan_skill(), plan_skill("csv", CSV), files=[plan_file(".claude/settings.json", b"{}")]
    )
    call = getattr(os, step)
    for at in range(1, 60):
        calls: list[int] = []

        def fail_or_call(*arguments: Any, _at: int = at, **keywords: Any) -> Any:  # noqa: ANN401
            calls.append(1)  # noqa: B023 - it is used within this round
            if len(calls) == _at:  # noqa: B023
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return call(*arguments, **keywords)

        before = count_opened()
        with grounds.make(f"run{at}") as ground:
            with monkeypatch.context() as patch:
                patch.setattr(os, step, fail_or_call)
                try:
                    lay_out(ground, everything, links={"csv": tmp_path})
                except StorageUnavailableError as error:
                    assert "No space left on device" in error.message  # noqa: PT017
            ground.remove()
        assert count_opened() == before
        if len(calls) < at:
            return
    pytest.fail("it never came to an end")


# Logins


@pytest.mark.requirement("DEL-6")
def test_a_login_is_copied_for_reading_only_and_nothing_beside_it(
    ground: RunGround, user: Path
) -> None:
    (user / ".codex/config.toml").write_text("model = 'x'")

    written = lay_out(ground, plan(logins=[AUTH]), environment={"HOME": str(user)})

    copy = home_of(ground) / ".codex/auth.json"
    assert written.files == ()
    assert (copy.read_text(), mode_of(copy)) == ('{"token": "secret"}', 0o400)
    assert [path.name for path in copy.parent.iterdir()] == ["auth.json"]
    ground.drop_logins()
    assert list(copy.parent.iterdir()) == []


@pytest.mark.requirement("DEL-6")
def test_only_the_named_keys_of_a_login_are_passed_on(ground: RunGround, user: Path) -> None:
    lay_out(ground, plan(logins=[ACCOUNT]), environment={"HOME": str(user)})

    copy = home_of(ground) / ".claude/.claude.json"
    assert json.loads(copy.read_bytes()) == {"oauthAccount": {"id": 1}, "deep": {"inner": 2}}
    assert mode_of(copy) == 0o400


@pytest.mark.requirement("DEL-6")
def test_keys_of_a_login_join_the_settings_of_the_run_which_count_more(
    ground: RunGround, user: Path
) -> None:
    settings = {"trusted": True, "deep": {"inner": "ours", "mine": 1}}
    file = plan_file(ACCOUNT.path, json.dumps(settings).encode())

    written = lay_out(ground, plan(files=[file], logins=[ACCOUNT]), environment={"HOME": str(user)})

    copy = home_of(ground) / ACCOUNT.path
    assert written.files == ("home/.claude/.claude.json",)
    assert json.loads(copy.read_bytes()) == {**settings, "oauthAccount": {"id": 1}}
    assert mode_of(copy) == 0o600
    ground.drop_logins()
    assert not copy.exists()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"CODEX_HOME": "{user}/named"}, "named"),
        ({"HOME": "{user}"}, '{"token": "secret"}'),
        ({"CODEX_HOME": "{user}/named", "HOME": "{user}"}, "named"),
        ({"CODEX_HOME": "{user}/nothing", "HOME": "{user}"}, None),
        ({"CODEX_HOME": "", "HOME": "{user}"}, '{"token": "secret"}'),
        ({}, None),
    ],
)
def test_the_first_place_that_is_known_counts(
    ground: RunGround, user: Path, environment: dict[str, str], expected: str | None
) -> None:
    (user / "named").mkdir()
    (user / "named/auth.json").write_text("named")
    logins = [LoginFile(source="$CODEX_HOME/auth.json", path=AUTH.path), AUTH]
    known = {name: value.format(user=user) for name, value in environment.items()}

    written = lay_out(ground, plan(logins=logins), environment=known)

    copy = home_of(ground) / AUTH.path
    assert (copy.read_text() if copy.exists() else None) == expected
    assert written.notes == ()


def test_a_login_may_be_a_link_that_the_user_made(ground: RunGround, user: Path) -> None:
    (user / ".codex/auth.json").rename(user / "kept.json")
    (user / ".codex/auth.json").symlink_to(user / "kept.json")

    lay_out(ground, plan(logins=[AUTH]), environment={"HOME": str(user)})

    copy = home_of(ground) / AUTH.path
    assert not copy.is_symlink()
    assert copy.read_text() == '{"token": "secret"}'


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("pipe", "it is no file"),
        ("directory", "it is no file"),
        ("circle", "Too many levels of symbolic links"),
        ("huge", "it has more than 16,777,216 bytes"),
        ("zero", "it cannot be opened"),
    ],
)
def test_a_login_that_cannot_be_passed_on_is_noted(
    ground: RunGround, user: Path, kind: str, reason: str
) -> None:
    file = user / ".codex/auth.json"
    file.unlink()
    match kind:
        case "pipe":
            os.mkfifo(file)
        case "directory":
            file.mkdir()
        case "circle":
            file.symlink_to(file)
        case "huge":
            file.touch()
            os.truncate(file, 2**40)
        case _:
            user = Path(f"{user}\0")

    written = lay_out(ground, plan(logins=[AUTH]), environment={"HOME": str(user)})

    (note,) = written.notes
    assert note.kind is NoteKind.LOGIN
    assert note.message == f"the login `~/.codex/auth.json` is not passed on: {reason}"
    assert not (home_of(ground) / AUTH.path).exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff{", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b'"secret"', "it is no JSON object"),
    ],
)
def test_a_login_that_is_not_what_was_expected_is_noted_without_its_content(
    ground: RunGround, user: Path, content: bytes, reason: str
) -> None:
    (user / ".claude.json").write_bytes(content)

    written = lay_out(ground, plan(logins=[ACCOUNT]), environment={"HOME": str(user)})

    (note,) = written.notes
    assert note.message == f"the login `~/.claude.json` is not passed on: {reason}"


@pytest.mark.parametrize("content", [b"{}", b'{"deep": 3}', b'{"oauthAccount": null}'])
def test_a_login_without_the_named_keys_is_no_login(
    ground: RunGround, user: Path, content: bytes
) -> None:
    (user / ".claude.json").write_bytes(content)

    written = lay_out(ground, plan(logins=[ACCOUNT]), environment={"HOME": str(user)})

    assert written.notes == ()
    assert [path.name for path in home_of(ground).iterdir()] == [TEMPORARY]


def test_a_file_of_the_run_is_not_replaced_by_a_login(ground: RunGround, user: Path) -> None:
    file = plan_file(AUTH.path, b"ours")

    written = lay_out(ground, plan(files=[file], logins=[AUTH]), environment={"HOME": str(user)})

    assert (home_of(ground) / AUTH.path).read_bytes() == b"ours"
    assert [note.kind for note in written.notes] == [NoteKind.LOGIN]
    ground.drop_logins()
    assert (home_of(ground) / AUTH.path).exists()


def test_dropping_logins_follows_no_link_that_the_run_put_there(
    ground: RunGround, user: Path
) -> None:
    lay_out(ground, plan(logins=[AUTH]), environment={"HOME": str(user)})
    (home_of(ground) / ".codex").rename(home_of(ground) / "moved")
    (home_of(ground) / ".codex").symlink_to(user / ".codex")

    ground.drop_logins()

    assert (user / ".codex/auth.json").exists()


def _move(codex: Path) -> None:
    codex.rename(codex.with_name("c2"))
    codex.symlink_to("c2")


def _move_and_renew(codex: Path) -> None:
    _move(codex)
    (codex / "auth.json").unlink()
    (codex / "auth.json").write_text('{"token": "a new secret"}')


def _rename(codex: Path) -> None:
    (codex / "auth.json").rename(codex.with_name("hidden"))


def _copy(codex: Path) -> None:
    workspace = codex.parent.parent / "workspace"
    (workspace / "deep").mkdir()
    (workspace / "deep/copy").write_bytes((codex / "auth.json").read_bytes())


def _forbid(codex: Path) -> None:
    codex.chmod(0o500)


@pytest.mark.requirement("DEL-6")
@pytest.mark.parametrize("hide", [_move, _move_and_renew, _rename, _copy, _forbid])
def test_a_login_is_found_wherever_the_run_has_put_it(
    ground: RunGround, user: Path, hide: Callable[[Path], None]
) -> None:
    lay_out(ground, plan(logins=[AUTH]), environment={"HOME": str(user)})
    (home_of(ground) / ".codex/notes").write_text("kept")
    hide(home_of(ground) / ".codex")
    ground.keep()

    assert ground.drop_logins() == ()

    files = [path for path in Path(ground.places.root).rglob("*") if path.is_file()]
    assert [path.read_text() for path in files] == ["kept"]


DROP_AS_USER = """
import os, sys
from pathlib import Path
from skillyard.adapters.runs.grounds import DiskGrounds
from skillyard.domain.delivery import DeliveryPlan, LoginFile, Mode

os.chdir(sys.argv[1])
if os.geteuid() == 0:  # after the imports, which may lie where nobody may read
    os.chown(".", 65534, 65534)
    os.setgid(65534)
    os.setuid(65534)
Path("auth").write_text("secret")
logins = tuple(LoginFile(source="$HERE/auth", path=f".{one}/auth") for one in ("a", "b", "c"))
plan = DeliveryPlan(provider="codex", mode=Mode.NATIVE, logins=logins)
with DiskGrounds(Path("runs")).make("one") as ground:
    home = Path(ground.places.home)
    ground.lay_out(plan, link=lambda one: None, environment={"HERE": os.getcwd()})
    ground.keep()
    (home / "copy").write_text("secret")
    (home / "copy").chmod(0)
    (home / ".a").chmod(0o500)
    (home / ".b/auth").chmod(0)
    (home / ".b").chmod(0)
    (home / ".c").rename(home / ".c2")
    (home / ".c2").chmod(0o100)
    home.chmod(0o500)
    assert ground.drop_logins() == ()
    for path in home.iterdir():
        assert path.name in {".a", ".b", ".c2", "tmp"}, path
        assert list(path.iterdir()) == []
"""


@pytest.mark.requirement("DEL-6")
def test_a_user_drops_logins_that_nobody_may_read_or_remove() -> None:
    # Not below the directory of the test: only its owner may go there.
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(
            [sys.executable, "-c", DROP_AS_USER, place],
            check=False,
            capture_output=True,
            text=True,
        )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.requirement("DEL-6")
def test_a_login_that_cannot_be_removed_is_named(
    ground: RunGround, user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(ground, plan(logins=[AUTH]), environment={"HOME": str(user)})
    ground.keep()

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", refuse)
        (note,) = ground.drop_logins()

    path = f"{ground.places.root}/home/.codex/auth.json"
    assert note == Note(
        kind=NoteKind.LOGIN, message=f"a login could not be removed: look at `{path}`"
    )
    assert ground.drop_logins() == ()
    assert not Path(path).exists()
