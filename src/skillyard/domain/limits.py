"""Every limit in one place.

Limits are enforced where bytes enter, on every way in. `STANDARD` is the default; `WIDE` admits
the larger ones among well-known public skills.
"""

from dataclasses import dataclass, replace

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a package may hold; each number is the largest that is still accepted."""

    skill_md_bytes: int = 64 * KIB
    skill_md_bytes_noted: int = 50_000
    skill_md_lines_noted: int = 500
    file_bytes: int = 256 * KIB
    file_bytes_noted: int = 50_000
    package_bytes: int = MIB
    package_files: int = 512
    package_depth: int = 8
    archive_bytes: int = 8 * MIB
    unpacked_bytes: int = 16 * MIB
    archive_ratio: int = 100
    archive_ratio_from_bytes: int = 64 * KIB
    front_matter_bytes: int = 64 * KIB
    front_matter_depth: int = 16
    front_matter_nodes: int = 2_000
    path_characters: int = 256
    name_characters: int = 64
    display_name_characters: int = 128
    description_characters: int = 1024
    compatibility_characters: int = 500
    tags: int = 20

    def file_limit(self, path: str) -> int:
        """Give the largest size of the file at `path`."""
        return self.skill_md_bytes if path == "SKILL.md" else self.file_bytes


STANDARD = Limits()
WIDE = replace(
    STANDARD,
    skill_md_bytes=MIB,
    file_bytes=10 * MIB,
    package_bytes=16 * MIB,
    # So much that every package within these limits is read again from each form of bundle.
    archive_bytes=32 * MIB,
    unpacked_bytes=48 * MIB,
)
PRESETS = {"standard": STANDARD, "wide": WIDE}

EAGER_SKILLS = 8
"""How many skills are loaded whole, unless settings or an agent's record say otherwise."""
LISTED_SKILLS = 50
"""How many skills a list names, unless settings or an agent's record say otherwise."""
INJECTED_CHARACTERS = 5_000
"""How many characters the blocks that are always shown take, unless settings say otherwise."""
WINDOW_SHARE = 15
"""How many hundredths of a context window skills take, unless settings say otherwise."""

MESSAGE_CHARACTERS = 1024
"""The longest message to those who use a deprecated skill."""
ENTRIES = 100
"""The most entries of a list or mapping of texts."""
ENTRY_CHARACTERS = 4096
"""The longest text for which no other limit is set: an entry of a list, what a version is for."""

LARGEST_NUMBER = 2**31 - 1
"""The largest priority, position or count; every database can keep it, and its negative."""
