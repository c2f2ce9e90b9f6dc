"""Every error has a code of its own, a mapping, and survives a process border."""

import pickle
import re
from collections.abc import Iterator

import pytest

from skillyard.cli.failures import STATUS, find_status
from skillyard.domain import errors
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.errors import SkillyardError


def iter_kinds(kind: type[SkillyardError] = SkillyardError) -> Iterator[type[SkillyardError]]:
    for child in kind.__subclasses__():
        yield child
        yield from iter_kinds(child)


KINDS = sorted(set(iter_kinds()), key=lambda one: one.__name__)

EXAMPLES: tuple[SkillyardError, ...] = (
    errors.InvalidNameError("A", reason="it is upper case", suggestion="a"),
    errors.InvalidDescriptionError("it is empty"),
    errors.InvalidVersionError("x"),
    errors.InvalidDigestError("x"),
    errors.InvalidPackageError(
        "pdf", [Diagnostic(code="SY101", severity=Severity.ERROR, message="there is no SKILL.md")]
    ),
    errors.InvalidProfileError("x", known=["strict"]),
    errors.MissingPathError("x"),
    errors.NotFixableError("x.zip"),
    errors.UnknownCodeError("SY999"),
    errors.DuplicateInputError("pdf", first="a/pdf", second="b/pdf"),
    errors.UnknownFormError("x.rar", known=[".zip"]),
    errors.UnsafePathError("../x", reason="it leaves the package"),
    errors.TargetExistsError("x", hint="Choose another"),
    errors.DriftError("x"),
    errors.CorruptedContentError("x", expected="a", found="b"),
    errors.GitUnavailableError("it is not installed"),
    errors.StorageUnavailableError("x", reason="no space left"),
    errors.AmbiguousSkillError("pdf", references=["acme/pdf", "zeta/pdf"]),
    errors.InvalidFactError([("tag", "`A` is not a tag", "Write `a`")]),
    errors.InvalidRangeError("^x"),
    errors.InvalidLockError("skills.lock", reason="it is not a lock"),
    errors.LockDriftError("skills.lock", lost=["pdf 1.0.0 is gone"]),
    errors.ContentChangedError("skills/pdf"),
    errors.ResolutionError(["pdf is required, but it is disabled"]),
    errors.SkillNotFoundError("pdf", near=["pdfs"]),
    errors.VersionNotFoundError("pdf", "2.0.0"),
    errors.SkillFileNotFoundError("pdf", "1.0.0", "scripts/a.sh"),
    errors.RecordNotFoundError("agent", "x"),
    errors.AssignmentNotFoundError("pdf", "agent:x"),
    errors.SlugTakenError("pdf"),
    errors.VersionExistsError("pdf", "1.0.0", free="1.0.1"),
    errors.StaleWriteError("pdf", base="1.0.0", version="1.0.1", by="ada", at="today", revision=2),
    errors.RecordExistsError("agent", "x"),
    errors.RecordInUseError("team", "x", users=["agent y"]),
    errors.ConcurrentChangeError("pdf"),
    errors.ReadOnlySkillError("acme/pdf", plugin="acme"),
    errors.ConfirmationNeededError("deleting `pdf`"),
    errors.StoreUnavailableError("x.db", reason="it is locked"),
    errors.SchemaOutdatedError("x.db", found="0001", wanted="0002"),
    errors.InvalidSettingError("limits", origin="environment", reason="it is no preset"),
    errors.MissingDriverError("postgresql://x", extra="postgres"),
    errors.SchemaTooNewError("x.db", found="0009", known="0002"),
    errors.AmbiguousRunError("01", ids=["01a", "01b"]),
    errors.CommandNotStartedError("codex", reason="there is no such program", missing=True),
    errors.WorkspaceUnavailableError("x", reason="it has no commit", hint="Commit something"),
    errors.InvalidReceiptError("receipt.json", reason="it is not a receipt"),
    errors.RunNotFoundError("01"),
    errors.RunDriftError("01", lost=["pdf 1.0.0 is gone"]),
    errors.ChangedByHandError("skills", paths=["pdf/SKILL.md"]),
    errors.DeliveryError(["pdf is required, but codex would not load it"]),
    errors.HookAddedSkillsError("init", paths=[".claude/skills/x/SKILL.md"]),
    errors.HookFailedError("init", status=1, log="logs/init-1.log"),
)


def test_each_error_has_a_code_of_its_own() -> None:
    codes = [kind.code for kind in KINDS]

    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", code) for code in codes)


def test_each_error_has_an_exit_status() -> None:
    mapped = {kind for kind in KINDS if any(issubclass(kind, branch) for branch, _ in STATUS)}

    assert mapped == set(KINDS)


def test_each_leaf_of_the_tree_has_an_example_here() -> None:
    leaves = {kind for kind in KINDS if not kind.__subclasses__()}

    # What cannot be resolved is also an error by itself, though others are kinds of it.
    assert leaves | {errors.ResolutionError} == {type(one) for one in EXAMPLES}


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda one: one.code)
def test_an_error_is_one_sentence_and_can_be_pickled(error: SkillyardError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own bytes)

    assert type(again) is type(error)
    assert (again.message, again.hints, str(again)) == (error.message, error.hints, str(error))
    assert vars(again) == vars(error)
    assert not error.message.endswith(".")
    assert find_status(error) in {1, 2, 3, 4, 5, 6, 7, 8, 9}


def test_the_tree_at_the_top_of_the_module_names_every_error() -> None:
    drawn = set(re.findall(r"[A-Za-z]+Error", errors.__doc__ or ""))

    assert drawn == {kind.__name__ for kind in KINDS} | {"SkillyardError"}
