"""The reference form is the reference library's, to the byte."""

from pathlib import Path

import pytest
from skills_ref import to_prompt
from skills_ref.parser import read_properties

from skillyard.disclosure.tier1 import render_reference
from tests.unit.disclosure.making import make_candidate, make_resolution

DESCRIPTIONS = (
    "Fill in forms.",
    "'Say \"what\" & <when>: it''s quoted'",
    "|\n  Two lines,\n\n  and a third one\n  # which looks like a heading",
    ">-\n  Folded\n  into one",
    '"::error:: ##[command] 100 %"',
    "日本語 — ünïcode 🚀",
)


def lay_out(root: Path, descriptions: tuple[str, ...]) -> list[Path]:
    directories = [root / f"skill-{number}" for number in range(len(descriptions))]
    for directory, description in zip(directories, descriptions, strict=True):
        directory.mkdir()
        text = f"---\nname: {directory.name}\ndescription: {description}\n---\nDo it.\n"
        (directory / "SKILL.md").write_text(text, "utf-8")
    return directories


@pytest.mark.requirement("WIR-6")
@pytest.mark.parametrize("count", range(len(DESCRIPTIONS) + 1))
def test_the_reference_form_is_the_librarys_to_the_byte(tmp_path: Path, count: int) -> None:
    directories = lay_out(tmp_path.resolve(), DESCRIPTIONS[:count])
    resolution = make_resolution(
        *(
            make_candidate(
                one.name,
                description=read_properties(one).description,
                location=str(one),
            )
            for one in directories
        )
    )

    assert render_reference(resolution) == to_prompt(directories)
