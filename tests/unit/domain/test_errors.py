"""Every error says what is wrong, what to do, and survives a trip to another process."""

import pickle
from collections.abc import Iterator

import pytest

from skillyard.domain import errors
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.errors import SkillyardError

FOUND = (
    Diagnostic(code="SY301", severity=Severity.NOTE, message="a note"),
    Diagnostic(code="SY201", severity=Severity.ERROR, message="no name", hint="Add one"),
    Diagnostic(code="SY205", severity=Severity.ERROR, message="no description"),
)

EVERY_ERROR: list[tuple[SkillyardError, str, tuple[str, ...]]] = [
    (SkillyardError("broken", hints=["Mend it"]), "broken", ("Mend it",)),
    (errors.InvalidInputError("bad"), "bad", ()),
    (
        errors.InvalidNameError("Pdf", reason="it is not lower-case", suggestion="pdf"),
        "`Pdf` is not a skill name: it is not lower-case",
        ("Use `pdf`",),
    ),
    (
        errors.InvalidNameError("", reason="it is empty"),
        "`` is not a skill name: it is empty",
        (),
    ),
    (
        errors.InvalidDescriptionError("it is empty"),
        "the description cannot be used: it is empty",
        ("Say what the skill does and when to use it, in up to 1,024 characters",),
    ),
    (
        errors.InvalidVersionError("one"),
        "`one` is not a version",
        ("Write three numbers, such as `1.0.0`; `v1` and `1.2` are understood too",),
    ),
    (
        errors.InvalidDigestError("x"),
        "`x` is not a digest",
        ("A digest is `sha256:` and 64 lower-case hexadecimal digits",),
    ),
    (
        errors.InvalidPackageError("pdf", FOUND),
        "`pdf` cannot be read as a skill package: no name (SY201) and 1 more",
        ("Add one",),
    ),
    (
        errors.InvalidPackageError("pdf", FOUND[:1]),
        "`pdf` cannot be read as a skill package",
        (),
    ),
    (
        errors.InvalidProfileError("hard", known=["strict", "standard"]),
        "there is no profile `hard`",
        ("Choose one of strict, standard",),
    ),
    (errors.MissingPathError("a/b"), "`a/b` does not exist", ()),
    (
        errors.MissingPathError("a", reason="holds no skill", hint="Make one"),
        "`a` holds no skill",
        ("Make one",),
    ),
    (
        errors.NotFixableError("a.zip"),
        "`a.zip` is not a directory, so nothing in it can be fixed",
        ("Lay it out first: `skillyard unpack`",),
    ),
    (
        errors.UnknownCodeError("SY1"),
        "there is no code `SY1`",
        ("Codes look like `SY202`; `check` prints them",),
    ),
    (
        errors.DuplicateInputError("pdf", first="a/pdf", second="b/pdf"),
        "there are two different skills called `pdf`: a/pdf and b/pdf",
        ("Give one of them another name, or save only one of them",),
    ),
    (
        errors.UnknownFormError("a.rar", known=[".zip", ".tar.gz"]),
        "`a.rar` is in no form that Skillyard knows",
        ("Known forms: a directory, .zip, .tar.gz",),
    ),
    (
        errors.UnsafePathError("../a", reason="it leads out"),
        "the path `../a` is refused: it leads out",
        (),
    ),
    (errors.ConflictError("conflict"), "conflict", ()),
    (
        errors.TargetExistsError("pdf", hint="Choose another name"),
        "`pdf` already exists",
        ("Choose another name",),
    ),
    (
        errors.DriftError("SKILL.md"),
        "`SKILL.md` was changed while it was being worked on",
        ("Nothing was written; run the command again",),
    ),
    (
        errors.CorruptedContentError("pdf", expected="sha256:0", found="sha256:1"),
        "the content of `pdf` does not match its digest",
        ("Expected sha256:0, found sha256:1",),
    ),
    (errors.UnavailableError("not now"), "not now", ()),
    (
        errors.GitUnavailableError("it is not installed"),
        "git could not be asked: it is not installed",
        ("Install git 2.31 or later, and check that `git --version` works",),
    ),
    (
        errors.StorageUnavailableError("/a", reason="no room"),
        "`/a` cannot be used: no room",
        ("Free the way, and run the command again",),
    ),
    (
        errors.AmbiguousSkillError("pdf", references=["acme/pdf", "zeta/pdf"]),
        "there are several skills `pdf`",
        ("Name one of acme/pdf, zeta/pdf",),
    ),
    (
        errors.InvalidFactError(
            [("tag", "`A` is not a tag", "Write `a`"), ("name", "it is empty", "")]
        ),
        "the tag cannot be used: `A` is not a tag; the name cannot be used: it is empty",
        ("Write `a`",),
    ),
    (
        errors.InvalidLockError("skills.lock", reason="it is not a lock"),
        "`skills.lock` cannot be used as a lock: it is not a lock",
        ("Write it anew with `skillyard lock`",),
    ),
    (
        errors.LockDriftError("skills.lock", lost=["pdf 1.0.0 is gone", "x 1.0.0 is gone"]),
        "`skills.lock` cannot be replayed: pdf 1.0.0 is gone; x 1.0.0 is gone",
        ("Resolve again, and write a new lock",),
    ),
    (
        errors.ContentChangedError("skills/pdf"),
        "`skills/pdf` was changed since its skill was resolved",
        ("Resolve again: then the new content is what counts",),
    ),
    (
        errors.ResolutionError(["pdf is required, but it is disabled"]),
        "the skills cannot be resolved: pdf is required, but it is disabled",
        ("`skillyard explain` says what would have to change",),
    ),
    (
        errors.InvalidRangeError("^x"),
        "`^x` is not a range of versions",
        ("Write `1.2.3`, `^1.2`, `~1.2`, `>=1.2 <2` or `*`; `||` joins several",),
    ),
    (errors.NotFoundError("gone"), "gone", ()),
    (
        errors.SkillNotFoundError("pdf"),
        "there is no skill `pdf`",
        ("`skillyard list` shows every skill",),
    ),
    (
        errors.SkillNotFoundError("pdg", near=["pdfs", "pf"]),
        "there is no skill `pdg`",
        ("Did you mean `pdfs` or `pf`?",),
    ),
    (
        errors.VersionNotFoundError("pdf", "2.0.0"),
        "`pdf` has no version 2.0.0",
        ("`skillyard history pdf` shows every version",),
    ),
    (
        errors.SkillFileNotFoundError("pdf", "1.0.0", "scripts/a.sh"),
        "`pdf` 1.0.0 has no file `scripts/a.sh`",
        ("`skillyard files list pdf` shows every file",),
    ),
    (
        errors.RecordNotFoundError("agent", "x"),
        "there is no agent `x`",
        ("`skillyard agents list` shows all",),
    ),
    (
        errors.RecordNotFoundError("team", "x", near=["y"]),
        "there is no team `x`",
        ("Did you mean `y`?",),
    ),
    (
        errors.AssignmentNotFoundError("pdf", "agent:x"),
        "`pdf` is not assigned to agent:x",
        ("`skillyard show pdf` shows its assignments",),
    ),
    (errors.SlugTakenError("pdf"), "there is a skill `pdf` already", ("Choose another name",)),
    (
        errors.VersionExistsError("pdf", "1.0.0", free="1.0.1"),
        "`pdf` has a version 1.0.0 already, and a version never changes",
        ("Save it as 1.0.1, or leave the number out",),
    ),
    (
        errors.StaleWriteError(
            "pdf", base="1.0.0", version="1.0.1", by="ada", at="noon", revision=2
        ),
        "`pdf` was changed since 1.0.0: ada made it 1.0.1 at noon",
        ("Nothing was saved", "`skillyard diff pdf 1.0.0 1.0.1` shows the change; start from it"),
    ),
    (
        errors.StaleWriteError(
            "pdf", base="it was deleted", version="1.0.0", by="ada", at="noon", revision=1
        ),
        "`pdf` was changed since it was deleted: ada made it 1.0.0 at noon",
        ("Nothing was saved", "`skillyard audit --skill pdf` shows the change; start from it"),
    ),
    (
        errors.RecordExistsError("agent", "x"),
        "there is an agent `x` already",
        ("Change it with `skillyard agents set x`",),
    ),
    (
        errors.RecordExistsError("team", "x"),
        "there is a team `x` already",
        ("Change it with `skillyard teams set x`",),
    ),
    (
        errors.RecordInUseError("team", "x", users=["agent y", "agent z"]),
        "the team `x` is still in use",
        ("Used by agent y, agent z: change or remove them first",),
    ),
    (
        errors.ConcurrentChangeError("pdf"),
        "`pdf`, or something that it relies on, was changed at the same moment",
        ("Nothing was done; run the command again",),
    ),
    (errors.NotAllowedError("no"), "no", ()),
    (
        errors.ReadOnlySkillError("acme/pdf", plugin="acme"),
        "`acme/pdf` is managed by the plugin `acme`",
        (
            "Edit the plugin's source to change it",
            "`skillyard duplicate acme/pdf NEW-NAME` makes a skill of your own",
        ),
    ),
    (
        errors.ConfirmationNeededError("deleting `pdf`"),
        "deleting `pdf` needs a confirmation",
        ("Add `--yes` to give it",),
    ),
    (
        errors.StoreUnavailableError("x.db", reason="it is locked"),
        "the database x.db cannot be used: it is locked",
        ("`skillyard config show` prints which database is used, and why",),
    ),
    (
        errors.SchemaOutdatedError("x.db", found="0001", wanted="0002"),
        "the database x.db has the schema 0001, and this Skillyard needs 0002",
        ("Run `skillyard db upgrade`",),
    ),
    (errors.ConfigurationError("set up badly"), "set up badly", ()),
    (
        errors.InvalidSettingError("limits", origin="environment", reason="it is no preset"),
        "the setting `limits` from environment cannot be used: it is no preset",
        ("`skillyard config show` prints every setting and where it comes from",),
    ),
    (
        errors.InvalidSettingError(
            "", origin="user file a", reason="it is not TOML", hint="Mend it"
        ),
        "the user file a cannot be used: it is not TOML",
        ("Mend it",),
    ),
    (
        errors.MissingDriverError("postgresql://x", extra="postgres"),
        "the database postgresql://x needs a driver that is not installed",
        ("Install `skillyard[postgres]`",),
    ),
    (
        errors.SchemaTooNewError("x.db", found="0009", known="0002"),
        "the database x.db has the schema 0009, and this Skillyard knows none after 0002",
        ("Install a newer Skillyard",),
    ),
    (
        errors.AmbiguousRunError("01", ids=["01a", "01b"]),
        "`01` may be several runs: `01a`, `01b`",
        ("Write more of the run's id",),
    ),
    (
        errors.CommandNotStartedError("codex", reason="there is no such program", missing=True),
        "`codex` cannot be started: there is no such program",
        ("Install it, or write the whole path",),
    ),
    (
        errors.CommandNotStartedError("codex", reason="permission denied", missing=False),
        "`codex` cannot be started: permission denied",
        ("Look at its permissions",),
    ),
    (
        errors.WorkspaceUnavailableError("a", reason="it has no commit", hint="Commit something"),
        "`a` cannot be worked on: it has no commit",
        ("Commit something",),
    ),
    (
        errors.InvalidReceiptError("a.json", reason="it is not a receipt"),
        "`a.json` cannot be read as a receipt: it is not a receipt",
        ("Name a file that `skillyard run --receipt` wrote, or a run's id",),
    ),
    (
        errors.RunNotFoundError("01"),
        "there is no run `01`",
        ("`skillyard runs list` names the runs",),
    ),
    (
        errors.RunDriftError("01", lost=["pdf is gone", "csv is gone"]),
        "run `01` cannot be had again: pdf is gone; csv is gone",
        (),
    ),
    (
        errors.ChangedByHandError("skills", paths=list("abcdefg")),
        "`skills` was changed by hand since the last delivery: `a`, `b`, `c`, `d`, `e` and 2 more",
        ("Nothing was done; `--force` replaces what was changed",),
    ),
    (
        errors.DeliveryError(["pdf is not loaded", "csv is damaged"]),
        "the skills cannot be delivered: pdf is not loaded; csv is damaged",
        ("`skillyard run --dry-run` shows the whole plan",),
    ),
    (
        errors.HookAddedSkillsError("init", paths=["evil/SKILL.md", *"abcdef"]),
        (
            "the run was not started: after the hook `init` there are skills nobody chose: "
            "`evil/SKILL.md`, `a`, `b`, `c`, `d` and 2 more"
        ),
        ("Save them with `skillyard add` and assign them, so that they are chosen",),
    ),
    (
        errors.HookFailedError("init", status=1, log="logs/init-1.log"),
        "the run was not started: the hook `init` ended with status 1",
        ("Its output is in `logs/init-1.log`",),
    ),
    (
        errors.HookFailedError("post_init", status=2, log=""),
        "the run was not started: the hook `post_init` ended with status 2",
        ("Run it with `--keep` to have its output",),
    ),
]


def iter_kinds(kind: type[SkillyardError] = SkillyardError) -> Iterator[type[SkillyardError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from iter_kinds(below)


def by_message(value: object) -> str:
    return value.message if isinstance(value, SkillyardError) else ""


def test_the_list_above_is_complete() -> None:
    ours = {kind for kind in iter_kinds() if kind.__module__ == errors.__name__}

    assert ours == {type(error) for error, _, _ in EVERY_ERROR}


@pytest.mark.parametrize(("error", "message", "hints"), EVERY_ERROR, ids=by_message)
def test_an_error_says_what_is_wrong_and_what_to_do(
    error: SkillyardError, message: str, hints: tuple[str, ...]
) -> None:
    assert (error.message, str(error), error.hints) == (message, message, hints)


@pytest.mark.parametrize("error", [error for error, _, _ in EVERY_ERROR], ids=by_message)
def test_an_error_survives_a_trip_to_another_process(error: SkillyardError) -> None:
    arrived = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own bytes)

    assert type(arrived) is type(error)
    assert (str(arrived), arrived.code, vars(arrived)) == (str(error), error.code, vars(error))


def test_a_message_is_one_sentence_without_a_full_stop() -> None:
    texts = [text for _, message, hints in EVERY_ERROR for text in (message, *hints)]

    assert [one for one in texts if one.endswith(".") or "\n" in one] == []


def test_a_package_that_cannot_be_read_carries_everything_that_was_found() -> None:
    assert errors.InvalidPackageError("pdf", list(FOUND)).diagnostics == FOUND


def test_a_hint_names_the_command_that_lists_what_was_looked_through() -> None:
    skill = errors.SkillNotFoundError("pdf", lister="skill show")
    file = errors.SkillFileNotFoundError("pdf", "1.0.0", "a.sh", lister="use")

    assert skill.hints == ("`skillyard skill show` shows every skill",)
    assert file.hints == ("`skillyard use pdf` shows every file",)
