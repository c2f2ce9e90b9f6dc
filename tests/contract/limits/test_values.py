"""Which characters, names and numbers may be said of skills and records, and which not."""

import pytest

from skillyard.application.assign import AssignSkill
from skillyard.application.editing import CreateSkill, EditSkill
from skillyard.domain.assignment import GLOBAL, Subject, SubjectKind
from skillyard.domain.errors import InvalidVersionError
from skillyard.domain.limits import LARGEST_NUMBER
from skillyard.domain.records import Agent, Workspace
from skillyard.domain.version import Version
from skillyard.testing.memory import MemoryStore
from skillyard.yard import Skillyard
from tests.contract.limits.watching import refuse, refuse_fact
from tests.contract.use_cases.yards import make_yard, save

NULL, HALF = "\0", "\ud83d"


@pytest.fixture
def yard() -> Skillyard:
    """Give a yard with a skill and an agent in it."""
    yard = make_yard(MemoryStore())
    save(yard)
    yard.add_record(Agent(name="coder"))
    return yard


@pytest.mark.requirement("PKG-5")
@pytest.mark.parametrize("path", ["SKILL.md", "references/a.md", "assets/a.txt"])
def test_half_a_character_is_no_text_of_a_file(yard: Skillyard, path: str) -> None:
    said = (
        f"the text of `{path}` cannot be used: it holds U+D83D, which no text may hold",
        ("Leave it out",),
    )
    create = CreateSkill(slug="csv", content=HALF, files={}, description="x")
    if path != "SKILL.md":
        create = CreateSkill(slug="csv", content="x", files={path: HALF}, description="x")

    assert refuse_fact(yard, lambda: yard.create(create)) == said
    edit = EditSkill(reference="pdf", put={path: HALF})
    assert refuse_fact(yard, lambda: yard.edit(edit)) == said


@pytest.mark.requirement("STO-2")
def test_a_manifest_may_not_name_an_author_that_is_no_text(yard: Skillyard) -> None:
    files = {"manifest.json": '{"author": {"type": "earned", "agent": "a\\u0000b"}}'}

    said = refuse_fact(yard, lambda: save(yard, "csv", files=files))

    assert said == (
        "the author cannot be used: it holds U+0000, which no text may hold",
        ("Leave it out",),
    )


@pytest.mark.requirement("STO-5")
def test_whoever_is_not_known_is_named_with_those_of_nearly_that_name(yard: Skillyard) -> None:
    near = AssignSkill(reference="pdf", subject=Subject(SubjectKind.AGENT, "codr"))
    far = AssignSkill(reference="pdf", subject=Subject(SubjectKind.TEAM, "red"))

    first, second = refuse(yard, lambda: yard.assign(near)), refuse(yard, lambda: yard.assign(far))

    assert (first.message, first.hints) == ("there is no agent `codr`", ("Did you mean `coder`?",))
    assert (second.message, second.hints) == (
        "there is no team `red`",
        ("`skillyard teams list` shows all",),
    )


@pytest.mark.requirement("STO-6")
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "it is empty"),
        ("-a", "`-a` is not a name"),
        ("a b", "`a b` is not a name"),
        ("a/b", "`a/b` is not a name"),
        ("é", "`é` is not a name"),
        ("a\n", "`a\\n` is not a name"),
        (f"a{NULL}", "`a\\x00` is not a name"),
        (f"a{HALF}", "`a\\ud83d` is not a name"),
    ],
    ids=ascii,
)
def test_a_record_may_not_have_this_name(yard: Skillyard, name: str, reason: str) -> None:
    assert refuse_fact(yard, lambda: yard.add_record(Workspace(name=name))) == (
        f"the workspace's name cannot be used: {reason}",
        ("Use 1 to 128 of A-Z, a-z, 0-9, `.`, `_`, `@` and `-`, a letter or digit first",),
    )


@pytest.mark.requirement("STO-6")
def test_no_record_may_have_a_longer_name(yard: Skillyard) -> None:
    message, _ = refuse_fact(yard, lambda: yard.add_record(Workspace(name="a" * 129)))

    assert message.startswith("the workspace's name cannot be used: `aaa")


@pytest.mark.requirement("STO-5")
@pytest.mark.parametrize(
    ("wish", "said"),
    [
        (
            AssignSkill(reference="pdf", subject=GLOBAL, priority=2_147_483_648),
            "the priority cannot be used: it is not between -2147483647 and 2147483647",
        ),
        (
            AssignSkill(reference="pdf", subject=GLOBAL, priority=-2_147_483_648),
            "the priority cannot be used: it is not between -2147483647 and 2147483647",
        ),
        (
            AssignSkill(reference="pdf", subject=GLOBAL, position=2_147_483_648),
            "the position cannot be used: it is not between 0 and 2147483647",
        ),
        (
            AssignSkill(reference="pdf", subject=GLOBAL, position=-1),
            "the position cannot be used: it is not between 0 and 2147483647",
        ),
    ],
)
def test_an_assignment_may_not_have_this_number(
    yard: Skillyard, wish: AssignSkill, said: str
) -> None:
    assert refuse_fact(yard, lambda: yard.assign(wish)) == (said, ())


@pytest.mark.requirement("STO-6")
@pytest.mark.parametrize("number", [-1, 0, LARGEST_NUMBER + 1, 2**63])
def test_an_agent_may_not_have_this_number(yard: Skillyard, number: int) -> None:
    agent = Agent(name="writer", context_window=number, eager_limit=number)

    message, _ = refuse_fact(yard, lambda: yard.add_record(agent))

    assert message == (
        "the context window cannot be used: it is not between 1 and 2147483647;"
        " the eager limit cannot be used: it is not between 1 and 2147483647"
    )


@pytest.mark.requirement("STO-3")
@pytest.mark.parametrize(
    "version",
    [Version(1_000_000_000), Version(-1), Version(1, 0, 0, ("a b",)), Version(1, 0, 0, (NULL,))],
    ids=ascii,
)
def test_a_version_that_could_not_be_read_again_is_not_saved(
    yard: Skillyard, version: Version
) -> None:
    error = refuse(yard, lambda: save(yard, body="other", version=version))

    assert isinstance(error, InvalidVersionError)
    assert error.message == f"`{version}` is not a version"


@pytest.mark.requirement("STO-3")
def test_after_the_very_last_number_nothing_is_saved(yard: Skillyard) -> None:
    save(yard, body="other", version=Version(999_999_999, 999_999_999, 999_999_999))

    error = refuse(yard, lambda: save(yard, body="third"))

    assert error.code == "invalid-input"
    assert error.message == (
        "`pdf` is at 999999999.999999999.999999999, and no number is left behind it"
    )
    assert error.hints == ("Name a free one with `--version`",)
