"""The limits are those of the documentation."""

import pytest

from skillyard.domain.limits import PRESETS, STANDARD, WIDE, Limits

pytestmark = pytest.mark.requirement("PKG-5")


def test_the_standard_limits() -> None:
    assert (
        Limits(
            skill_md_bytes=65_536,
            skill_md_bytes_noted=50_000,
            skill_md_lines_noted=500,
            file_bytes=262_144,
            file_bytes_noted=50_000,
            package_bytes=1_048_576,
            package_files=512,
            package_depth=8,
            archive_bytes=8_388_608,
            unpacked_bytes=16_777_216,
            archive_ratio=100,
            archive_ratio_from_bytes=65_536,
            front_matter_bytes=65_536,
            front_matter_depth=16,
            front_matter_nodes=2_000,
            path_characters=256,
            name_characters=64,
            display_name_characters=128,
            description_characters=1_024,
            compatibility_characters=500,
            tags=20,
        )
        == STANDARD
    )


def test_the_wide_limits_admit_larger_files_and_nothing_else() -> None:
    different = {
        name: getattr(WIDE, name)
        for name in Limits.__slots__
        if getattr(WIDE, name) != getattr(STANDARD, name)
    }

    assert different == {
        "skill_md_bytes": 1_048_576,
        "file_bytes": 10_485_760,
        "package_bytes": 16_777_216,
        "archive_bytes": 33_554_432,
        "unpacked_bytes": 50_331_648,
    }


def test_the_presets_have_names() -> None:
    assert PRESETS == {"standard": STANDARD, "wide": WIDE}


@pytest.mark.parametrize(
    ("path", "most"),
    [("SKILL.md", 65_536), ("skill.md", 262_144), ("references/a.md", 262_144)],
)
def test_skill_md_has_a_limit_of_its_own(path: str, most: int) -> None:
    assert STANDARD.file_limit(path) == most
