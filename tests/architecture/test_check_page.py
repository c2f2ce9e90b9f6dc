"""docs/check.md says what the code does: limits, what is left out, links that lead somewhere."""

import re
from pathlib import Path
from typing import Final

from skillyard.domain.limits import KIB, MIB, STANDARD, WIDE, Limits
from skillyard.skillmd.check import FOLDERS
from skillyard.skillmd.fields import OWN, SPECIFICATION
from skillyard.skillmd.intake import LEFT_OUT_NAMES

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = (DOCS / "check.md").read_text(encoding="utf-8")


def find_block(marker: str) -> str:
    block = re.search(rf"<!-- {marker} -->\n(.*?)\n<!-- end -->", PAGE, re.DOTALL)
    assert block is not None
    return block[1].strip()


def show_bytes(size: int) -> str:
    return f"{size // MIB} MiB" if size % MIB == 0 else f"{size // KIB} KiB"


def list_limits(limits: Limits) -> list[str]:
    return [
        show_bytes(limits.skill_md_bytes),
        f"{limits.skill_md_bytes_noted:,} bytes, {limits.skill_md_lines_noted:,} lines",
        show_bytes(limits.file_bytes),
        f"{limits.file_bytes_noted:,} bytes",
        show_bytes(limits.package_bytes),
        f"{limits.package_files:,}",
        f"{limits.package_depth:,}",
        f"{limits.path_characters:,}",
        show_bytes(limits.archive_bytes),
        show_bytes(limits.unpacked_bytes),
        f"{limits.archive_ratio:,} times",
        show_bytes(limits.front_matter_bytes),
        f"{limits.front_matter_depth:,}, {limits.front_matter_nodes:,}",
        f"{limits.name_characters:,} characters",
        f"{limits.display_name_characters:,} characters",
        f"{limits.description_characters:,} characters",
        f"{limits.compatibility_characters:,} characters",
        f"{limits.tags:,}",
    ]


def test_the_limits_are_those_of_the_code() -> None:
    _, _, *rows = find_block("table:limits").splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]

    assert [row[1] for row in cells] == list_limits(STANDARD)
    assert [row[2] for row in cells] == list_limits(WIDE)
    assert f"growth of a bundle, past {show_bytes(STANDARD.archive_ratio_from_bytes)}" in PAGE


def test_the_names_that_are_left_out_are_those_of_the_code() -> None:
    assert find_block("list:left-out").splitlines() == [
        f"- `{name}`" for name in sorted(LEFT_OUT_NAMES)
    ]


def test_fields_and_folders_are_named() -> None:
    for name in SPECIFICATION | OWN:
        assert f"`{name}`" in PAGE
    for name in FOLDERS:
        assert f"`{name}/`" in PAGE


def test_every_link_leads_to_a_page_or_a_heading() -> None:
    headings = {
        re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in PAGE.splitlines()
        if line.startswith("#")
    }
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        if target.startswith("#"):
            assert target[1:] in headings
        else:
            assert (DOCS / target).is_file(), target
