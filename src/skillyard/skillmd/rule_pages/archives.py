"""SY4xx: archives and other bundles."""

from typing import Final

from skillyard.skillmd.rule_pages.page import Example, RulePage

_GOOD_LISTING: Final = Example(
    console=(
        "$ skillyard pack release-notes -o release-notes.zip\n"
        "$ unzip -l release-notes.zip\n"
        "   412  SKILL.md\n"
        "   967  references/style.md"
    )
)
_GOOD_BUNDLE: Final = Example(
    directory="",
    files={
        "release-notes.json": r"""{
  "formatVersion": 2,
  "skill": {
    "name": "Release notes",
    "slug": "release-notes",
    "description": "Writes release notes.",
    "version": "1.2.0",
    "content": "---\nname: release-notes\ndescription: Writes release notes.\n---\n\nGroup them.\n",
    "files": []
  }
}
"""
    },
)


def _said_twice(version: str) -> Example:
    lines = (
        "$ jq -r .skill.version release-notes.json",
        version,
        "$ jq -r .skill.content release-notes.json | grep version",
        "version: 1.2.0",
    )
    return Example(console="\n".join(lines))


PAGES: Final = (
    RulePage(
        code="SY401",
        why=(
            "An archive may have 8 MiB. The limit holds before anything is unpacked, so that a"
            " large upload costs no memory. A skill that fits the limits for its files is far"
            " smaller as an archive."
        ),
        repair="Pack the skill alone, without its neighbours. `--limits wide` allows 32 MiB.",
        bad=Example(console="$ ls -lh everything.zip\n-rw-r--r-- 24M everything.zip"),
        good=Example(
            console=(
                "$ skillyard pack release-notes -o release-notes.zip\n"
                "$ ls -lh release-notes.zip\n"
                "-rw-r--r-- 1.3K release-notes.zip"
            )
        ),
    ),
    RulePage(
        code="SY402",
        why=(
            "The archive ends too early, or a checksum in it does not fit its content. Most often a"
            " download was cut short. Nothing of it is used, not even the files before the damage."
        ),
        repair="Fetch or make the archive again.",
        bad=Example(
            console=("$ unzip -t release-notes.zip\nEnd-of-central-directory signature not found.")
        ),
        good=Example(
            console=(
                "$ unzip -t release-notes.zip\n"
                "No errors detected in compressed data of release-notes.zip."
            )
        ),
    ),
    RulePage(
        code="SY403",
        why=(
            "Two programs would unpack different files from the same archive: a path stands in it"
            " twice, the two directories of a zip disagree, or bytes stand where none belong. A"
            " scanner then inspects one content and the user gets the other. Installers such as uv"
            " had holes of this kind (CVE-2025-54368, CVE-2025-62518)."
        ),
        repair="Unpack it where it can do no harm, look at it, and pack it again.",
        bad=Example(console=("$ unzip -l release-notes.zip\n   412  SKILL.md\n   530  SKILL.md")),
        good=_GOOD_LISTING,
    ),
    RulePage(
        code="SY404",
        why=(
            "A few kilobytes can unpack to gigabytes and fill memory or disk. An archive may"
            " unpack to 16 MiB, and to at most 100 times its own size once it is past 64 KiB. The"
            " bytes that come out are counted; what the archive says about itself is not trusted."
        ),
        repair=(
            "Leave out the file that expands so far, usually one of repeated text. `--limits wide`"
            " allows 48 MiB in all."
        ),
        bad=Example(
            console=(
                "$ ls -lh release-notes.zip\n"
                "-rw-r--r-- 42K release-notes.zip\n"
                "$ unzip -l release-notes.zip\n"
                "        412  SKILL.md\n"
                "  104857600  assets/zeros.txt"
            )
        ),
        good=_GOOD_LISTING,
    ),
    RulePage(
        code="SY405",
        why=(
            "The archive is encrypted, or uses a compression or a kind of entry that common"
            " programs read in different ways or not at all. What cannot be read cannot be checked."
        ),
        repair=(
            "Pack it again, without a password and with the usual compression. `skillyard pack`"
            " does."
        ),
        bad=Example(console="$ zip --encrypt -r release-notes.zip release-notes\nEnter password:"),
        good=_GOOD_LISTING,
    ),
    RulePage(
        code="SY406",
        why=(
            "The bundle is cut short, nested too deeply, not UTF-8, or holds a key twice or a value"
            " such as `NaN`. Readers of JSON disagree about all of these, so one bundle would mean"
            " different skills to different programs."
        ),
        repair="Export the bundle again. The message names the line where reading stopped.",
        bad=Example(
            directory="",
            files={
                "release-notes.json": r"""{
  "formatVersion": 2,
  "skill": {"slug": "release-notes", "slug": "notes", "content": "Group them.\n"}
}
"""
            },
        ),
        good=_GOOD_BUNDLE,
    ),
    RulePage(
        code="SY407",
        why=(
            "The file is JSON, but not a portable skill: a field is missing or has the wrong type,"
            " or its format version is unknown. Nothing is guessed, because a guess would become"
            " part of the skill."
        ),
        repair="Give the bundle the shape of the good example: `formatVersion` 2 and a `skill`.",
        bad=Example(
            directory="",
            files={
                "release-notes.json": r"""{
  "name": "release-notes",
  "content": "---\nname: release-notes\ndescription: Writes release notes.\n---\n"
}
"""
            },
        ),
        good=_GOOD_BUNDLE,
    ),
    RulePage(
        code="SY408",
        why=(
            "A bundle repeats facts that also stand in the SKILL.md inside it. Where they differ,"
            " one of them is out of date, and programs that read only one of them disagree about"
            " the skill. SKILL.md counts."
        ),
        repair="Correct SKILL.md or the bundle, and export again.",
        bad=_said_twice("1.1.0"),
        good=_said_twice("1.2.0"),
    ),
)
