"""What a skill may be called and may say of itself, at each limit and one beyond it."""

from pathlib import Path
from typing import Final

import pytest

from skillyard.application.editing import CreateSkill, EditSkill
from skillyard.application.save import SavedSkill, SaveSkill
from skillyard.domain.errors import InvalidNameError, SlugTakenError
from skillyard.domain.facts import FactChanges
from skillyard.domain.manifest import CATEGORIES
from skillyard.domain.package import Package
from skillyard.domain.skill import SourceKind
from skillyard.testing.packages import make_package, make_skill_md
from skillyard.yard import Skillyard
from tests.contract.limits import contents
from tests.contract.limits.contents import Files
from tests.contract.limits.doors import add
from tests.contract.limits.watching import refuse, refuse_fact, refuse_package
from tests.contract.use_cases.yards import save

pytestmark = pytest.mark.requirement("STO-2", "PKG-5")

LETTERS: Final = "only lower-case letters a-z, digits and single hyphens between them are allowed"
A_64: Final = "a" * 64


def create(
    yard: Skillyard, slug: str = "pdf", *, content: str = "x", description: str = "x"
) -> SavedSkill:
    return yard.create(CreateSkill(slug=slug, content=content, description=description))


def save_files(yard: Skillyard, files: Files) -> SavedSkill:
    return yard.save(SaveSkill(package=Package.of(files)))


@pytest.mark.parametrize("slug", ["a", "pdf", "a1", "a-1", "pdf-2-text", "a" * 63, A_64])
def test_a_new_skill_may_have_this_slug(yard: Skillyard, slug: str) -> None:
    assert create(yard, slug).skill.slug == slug
    assert yard.get(slug).skill.facts.display_name == slug


@pytest.mark.parametrize(
    ("slug", "reason", "hints"),
    [
        ("", "it is empty", ()),
        (f"{A_64}a", "it has 65 characters, at most 64 are allowed", (f"Use `{A_64}`",)),
        ("1pdf", "a new name starts with a letter", ("Use `skill-1pdf`",)),
        ("Pdf", LETTERS, ("Use `pdf`",)),
        ("-pdf", LETTERS, ("Use `pdf`",)),
        ("pdf-", LETTERS, ("Use `pdf`",)),
        ("pdf--text", LETTERS, ("Use `pdf-text`",)),
        ("pdf_text", LETTERS, ("Use `pdf-text`",)),
        ("pdf text", LETTERS, ("Use `pdf-text`",)),
        ("pdf\n", LETTERS, ("Use `pdf`",)),
        ("../pdf", LETTERS, ("Use `pdf`",)),
        ("é", LETTERS, ("Use `e`",)),
        ("٣", LETTERS, ()),
        ("文", LETTERS, ()),
    ],
)
def test_a_new_skill_may_not_have_this_slug(
    yard: Skillyard, slug: str, reason: str, hints: tuple[str, ...]
) -> None:
    error = refuse(yard, lambda: create(yard, slug))

    assert isinstance(error, InvalidNameError)
    assert error.message == f"`{slug}` is not a skill name: {reason}"
    assert error.hints == hints


def test_the_name_in_the_front_matter_has_the_same_limit(yard: Skillyard) -> None:
    beyond = contents.of_front_matter(f"name: {A_64}a\ndescription: x\n")

    assert refuse_package(yard, lambda: save_files(yard, beyond)) == (
        "SY203",
        f"`{A_64}a` is not a skill name: it has 65 characters, at most 64 are allowed",
        f"Use `{A_64}`",
    )
    save_files(yard, contents.of_front_matter(f"name: {A_64}\ndescription: x\n"))


def test_a_leading_digit_is_accepted_from_outside_and_not_from_people(yard: Skillyard) -> None:
    package = make_package("3d-models")
    error = refuse(yard, lambda: yard.save(SaveSkill(package=package)))

    assert isinstance(error, InvalidNameError)
    assert error.message == "`3d-models` is not a skill name: a new name starts with a letter"
    assert error.hints == ("Use `skill-3d-models`",)
    wish = SaveSkill(package=package, kind=SourceKind.IMPORTED)
    assert yard.save(wish).skill.slug == "3d-models"


def test_a_slug_is_unique_among_the_skills_of_people(yard: Skillyard) -> None:
    create(yard)

    error = refuse(yard, lambda: create(yard, content="y"))

    assert isinstance(error, SlugTakenError)
    assert (error.message, error.hints) == (
        "there is a skill `pdf` already",
        ("Choose another name",),
    )
    plugins = SaveSkill(
        package=make_package(), owner="docs", kind=SourceKind.PLUGIN, plugin_id="docs"
    )
    assert yard.save(plugins).skill.reference == "docs/pdf"


def test_a_slug_never_changes(yard: Skillyard) -> None:
    create(yard)
    renamed = EditSkill(reference="pdf", put={"SKILL.md": make_skill_md("csv")})

    assert refuse_package(yard, lambda: yard.edit(renamed)) == (
        "SY204",
        "`name` is `csv`, but the directory is `pdf`",
        "Write `name: pdf`, or rename the directory to `csv`",
    )


def test_a_slug_is_the_name_in_the_front_matter(yard: Skillyard, tmp_path: Path) -> None:
    (tmp_path / "csv").mkdir()
    (tmp_path / "csv" / "SKILL.md").write_text(make_skill_md("pdf"))
    said = (
        "SY204",
        "`name` is `pdf`, but the directory is `csv`",
        "Write `name: csv`, or rename the directory to `pdf`",
    )

    assert refuse_package(yard, lambda: create(yard, "csv", content=make_skill_md("pdf"))) == said
    assert refuse_package(yard, lambda: add(yard, tmp_path / "csv")) == said


@pytest.mark.parametrize("length", [1, 127, 128])
def test_a_display_name_may_be_so_long(yard: Skillyard, length: int) -> None:
    create(yard)

    changed = yard.change("pdf", FactChanges(display_name="é" * length))
    saved = save_files(yard, contents.with_front_matter(f"display-name: {'x' * length}\n"))

    assert changed.skill.facts.display_name == "é" * length
    assert saved.skill.facts.display_name == "x" * length


@pytest.mark.parametrize("length", [0, 129])
def test_a_display_name_that_a_package_states_may_not_be_so_long(
    yard: Skillyard, length: int
) -> None:
    files = contents.with_front_matter(f"display-name: '{'x' * length}'\n")

    assert refuse_package(yard, lambda: save_files(yard, files)) == (
        "SY224",
        f"`display-name` has {length} characters, 1 to 128 are allowed",
        "Write a short title, or leave the field out",
    )


@pytest.mark.parametrize(
    ("text", "reason", "hint"),
    [
        ("", "it is empty", "Write 1 to 128 characters"),
        (" \t\n", "it is empty", "Write 1 to 128 characters"),
        ("x" * 129, "it has 129 characters, at most 128 are allowed", "Make it shorter"),
    ],
)
def test_a_display_name_that_a_person_says_may_not_be_this(
    yard: Skillyard, text: str, reason: str, hint: str
) -> None:
    create(yard)
    changes = FactChanges(display_name=text)
    said = (f"the display name cannot be used: {reason}", (hint,))

    assert refuse_fact(yard, lambda: yard.change("pdf", changes)) == said
    assert refuse_fact(yard, lambda: save(yard, body="other", changes=changes)) == said


@pytest.mark.parametrize("length", [1, 1_023, 1_024])
def test_a_description_may_be_so_long(yard: Skillyard, length: int) -> None:
    text = "é" * length

    assert create(yard, description=text).skill.facts.description == text
    described = yard.edit(EditSkill(reference="pdf", description="x" * length))
    assert described.skill.facts.description == "x" * length


EMPTY: Final = (
    "SY206",
    "`description` is empty",
    "Say what the skill does and when to use it",
)
TOO_LONG: Final = (
    "SY207",
    "`description` has 1,025 characters, at most 1,024 are allowed",
    "Keep what the skill does and when to use it; move the rest to the body",
)


@pytest.mark.parametrize(("text", "said"), [("", EMPTY), ("  ", EMPTY), ("x" * 1_025, TOO_LONG)])
def test_a_description_may_not_be_this(
    yard: Skillyard, text: str, said: tuple[str, str, str]
) -> None:
    create(yard)
    describe = EditSkill(reference="pdf", description=text)

    assert refuse_package(yard, lambda: create(yard, "csv", description=text)) == said
    assert refuse_package(yard, lambda: yard.edit(describe)) == said


@pytest.mark.parametrize("length", [1, 499, 500])
def test_compatibility_may_be_so_long(yard: Skillyard, length: int) -> None:
    saved = save_files(yard, contents.with_front_matter(f"compatibility: {'x' * length}\n"))

    assert saved.diagnostics == ()


@pytest.mark.parametrize("length", [0, 501])
def test_compatibility_may_not_be_so_long(yard: Skillyard, length: int) -> None:
    files = contents.with_front_matter(f"compatibility: '{'x' * length}'\n")

    assert refuse_package(yard, lambda: save_files(yard, files)) == (
        "SY210",
        f"`compatibility` has {length} characters, 1 to 500 are allowed",
        "Name what the skill needs to work, or leave the field out",
    )


def test_these_are_the_categories(yard: Skillyard) -> None:
    create(yard)
    words = "general coding ops writing research design testing security custom"

    assert " ".join(CATEGORIES) == words
    for category in words.split():
        assert yard.change("pdf", FactChanges(category=category)).skill.facts.category == category


@pytest.mark.parametrize(
    ("category", "shown"), [("cooking", "cooking"), ("Ops", "Ops"), ("", ""), ("o\0", "o\\x00")]
)
def test_there_is_no_other_category(yard: Skillyard, category: str, shown: str) -> None:
    create(yard)

    said = refuse_fact(yard, lambda: yard.change("pdf", FactChanges(category=category)))

    known = "general, coding, ops, writing, research, design, testing, security, custom"
    assert said == (
        f"the category cannot be used: there is no `{shown}`",
        (f"Choose one of {known}",),
    )


def test_a_category_that_only_the_package_knows_is_kept_as_custom(yard: Skillyard) -> None:
    saved = save_files(yard, contents.with_front_matter("category: cooking\n"))

    assert saved.skill.facts.category == "custom"
    assert saved.notes == ("the category `cooking` is kept as `custom`",)
    assert [one.code for one in saved.diagnostics] == ["SY220"]


def number_tags(count: int) -> tuple[str, ...]:
    return tuple(f"t{number}" for number in range(count))


@pytest.mark.parametrize("tags", [(), number_tags(19), number_tags(20), ("a-1", "7", "-", A_64)])
def test_a_person_may_give_these_tags(yard: Skillyard, tags: tuple[str, ...]) -> None:
    create(yard)

    assert yard.change("pdf", FactChanges(tags=tags)).skill.facts.tags == tags


@pytest.mark.parametrize(
    ("tag", "shown", "hint"),
    [
        ("PDF", "PDF", "Write `pdf`"),
        ("two words", "two words", "Write `two-words`"),
        ("a_b", "a_b", "Write `a-b`"),
        ("é", "é", "Write `e`"),
        ("", "", "Use a-z, 0-9 and hyphens"),
        ("文", "文", "Use a-z, 0-9 and hyphens"),
        ("a\n", "a\\n", "Write `a`"),
    ],
)
def test_a_person_may_not_give_this_tag(yard: Skillyard, tag: str, shown: str, hint: str) -> None:
    create(yard)

    said = refuse_fact(yard, lambda: yard.change("pdf", FactChanges(tags=("a", tag))))

    assert said == (f"the tag cannot be used: `{shown}` is not a tag", (hint,))


def test_no_tag_may_be_longer_than_a_name(yard: Skillyard) -> None:
    create(yard)
    stated = contents.with_front_matter(f"tags: [{A_64}a]\n")
    said = (
        "the tag cannot be used: it has 65 characters, at most 64 are allowed",
        ("Make it shorter",),
    )

    assert refuse_fact(yard, lambda: yard.change("pdf", FactChanges(tags=(f"{A_64}a",)))) == said
    assert refuse_fact(yard, lambda: save_files(yard, stated)) == said


def test_a_person_may_not_give_more_than_20_tags(yard: Skillyard) -> None:
    create(yard)
    changes = FactChanges(tags=number_tags(21))
    said = (
        "the tags cannot be used: there are 21, at most 20 are allowed",
        ("Keep the most telling ones",),
    )

    assert refuse_fact(yard, lambda: yard.change("pdf", changes)) == said
    assert refuse_fact(yard, lambda: save(yard, body="other", changes=changes)) == said


def test_tags_that_a_package_states_are_kept_in_the_nearest_form(yard: Skillyard) -> None:
    saved = save_files(yard, contents.with_front_matter("tags: [PDF, two words, pdf, 文]\n"))

    assert saved.skill.facts.tags == ("pdf", "two-words")
    assert saved.notes == ("the tags are kept as `pdf two-words`",)
    assert [one.code for one in saved.diagnostics] == ["SY219"]


def test_tags_that_become_one_count_once(yard: Skillyard) -> None:
    stated = ", ".join((*number_tags(20), "T1"))

    saved = save_files(yard, contents.with_front_matter(f"tags: [{stated}]\n"))

    assert saved.skill.facts.tags == number_tags(20)


def test_tags_that_a_person_gives_stand_for_those_that_are_too_many(yard: Skillyard) -> None:
    wish = SaveSkill(package=Package.of(contents.of_tags(21)), changes=FactChanges(tags=("forms",)))

    assert yard.save(wish).skill.facts.tags == ("forms",)


def test_every_problem_is_named_at_once(yard: Skillyard) -> None:
    create(yard)
    changes = FactChanges(display_name="", category="cooking", tags=("A", "B"))

    message, hints = refuse_fact(yard, lambda: yard.change("pdf", changes))

    assert message == (
        "the display name cannot be used: it is empty;"
        " the category cannot be used: there is no `cooking`;"
        " the tag cannot be used: `A` is not a tag; the tag cannot be used: `B` is not a tag"
    )
    assert len(hints) == 4


@pytest.mark.parametrize("count", [99, 100])
def test_lists_may_be_so_long(yard: Skillyard, count: int) -> None:
    create(yard)
    words = number_tags(count)
    pairs = dict.fromkeys(words, "x" * 4_096)

    facts = yard.change(
        "pdf", FactChanges(requires_tools=words, metadata=pairs, provider_hints=pairs)
    ).skill.facts

    assert (facts.requires_tools, facts.metadata, facts.provider_hints) == (words, pairs, pairs)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        (FactChanges(requires_tools=number_tags(101)), "required tools"),
        (FactChanges(metadata=dict.fromkeys(number_tags(101), "x")), "metadata"),
        (FactChanges(provider_hints=dict.fromkeys(number_tags(101), "x")), "provider hints"),
    ],
)
def test_lists_may_not_be_longer(yard: Skillyard, changes: FactChanges, what: str) -> None:
    create(yard)

    assert refuse_fact(yard, lambda: yard.change("pdf", changes)) == (
        f"the {what} cannot be used: there are 101 entries, at most 100 are allowed",
        ("Leave some out",),
    )


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        (FactChanges(requires_tools=("x" * 4_097,)), "required tools"),
        (FactChanges(metadata={"x": "x" * 4_097}), "metadata"),
        (FactChanges(metadata={"x" * 4_097: "x"}), "metadata"),
    ],
)
def test_no_entry_may_be_longer(yard: Skillyard, changes: FactChanges, what: str) -> None:
    create(yard)

    assert refuse_fact(yard, lambda: yard.change("pdf", changes)) == (
        f"the {what} cannot be used: an entry has more than 4,096 characters",
        ("Make it shorter",),
    )


@pytest.mark.parametrize("length", [1, 1_023, 1_024])
def test_a_deprecation_message_may_be_so_long(yard: Skillyard, length: int) -> None:
    create(yard)

    changed = yard.change("pdf", FactChanges(deprecated="x" * length))

    assert changed.skill.facts.deprecated == "x" * length


@pytest.mark.parametrize(
    ("text", "reason", "hint"),
    [
        ("", "it is empty", "Write 1 to 1,024 characters"),
        ("x" * 1_025, "it has 1,025 characters, at most 1,024 are allowed", "Make it shorter"),
    ],
)
def test_a_deprecation_message_may_not_be_this(
    yard: Skillyard, text: str, reason: str, hint: str
) -> None:
    create(yard)

    said = refuse_fact(yard, lambda: yard.change("pdf", FactChanges(deprecated=text)))

    assert said == (f"the deprecation message cannot be used: {reason}", (hint,))


@pytest.mark.parametrize("length", [0, 1, 4_095, 4_096])
def test_the_message_of_a_version_may_be_so_long(yard: Skillyard, length: int) -> None:
    assert save(yard, message="x" * length).version.message == "x" * length


def test_the_message_of_a_version_may_not_be_longer(yard: Skillyard) -> None:
    assert refuse_fact(yard, lambda: save(yard, message="x" * 4_097)) == (
        "the message cannot be used: it has 4,097 characters, at most 4,096 are allowed",
        ("Make it shorter",),
    )
