"""A new skill passes the strictest check, whatever it is called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.names import SkillName, parse_name
from skillyard.skillmd.check import Judgement, check_package
from skillyard.skillmd.rules import Profile
from skillyard.skillmd.template import default_description, make_new_skill

pytestmark = pytest.mark.requirement("PKG-1")

NAMES = st.from_regex(r"[a-z0-9]{1,5}(-[a-z0-9]{1,5}){0,3}", fullmatch=True).map(parse_name)
SHOWN = st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Co", "Cn", "Zl", "Zp"])
DESCRIPTIONS = st.text(SHOWN, min_size=1, max_size=50).map(str.strip).filter(bool)
STRICT = Judgement(profile=Profile.STRICT, strict_tree=True)


@given(
    NAMES | st.sampled_from([SkillName(one) for one in ("null", "true", "123", "1e3", "on", "no")]),
    st.booleans(),
)
def test_a_new_skill_has_nothing_wrong_with_it(
    name: SkillName,
    directory: bool,  # noqa: FBT001 (drawn)
) -> None:
    package = make_new_skill(name, description=default_description(name), directory=directory)

    checked = check_package(package, directory=name, judgement=STRICT)

    assert checked.diagnostics == ()
    assert checked.manifest is not None
    assert checked.manifest.name == name


@given(DESCRIPTIONS)
def test_a_description_is_kept_as_it_was_given(description: str) -> None:
    package = make_new_skill(SkillName("pdf"), description=description, directory=False)

    checked = check_package(package, directory="pdf", judgement=STRICT)

    assert checked.manifest is not None
    assert checked.manifest.description == description
    assert checked.is_valid


def test_a_new_skill_is_one_file_or_a_directory() -> None:
    alone = make_new_skill(SkillName("pdf-forms"), description="Fills: forms", directory=False)
    full = make_new_skill(SkillName("pdf-forms"), description="Fills: forms", directory=True)

    assert list(alone) == ["SKILL.md"]
    assert (alone.skill_md or b"").decode().split("\n")[:8] == [
        "---",
        "name: pdf-forms",
        'description: "Fills: forms"',
        "---",
        "",
        "# Pdf forms",
        "",
        "Fills: forms",
    ]
    assert {path: file.executable for path, file in full.files.items()} == {
        "SKILL.md": False,
        "references/details.md": False,
        "scripts/check.sh": True,
    }
