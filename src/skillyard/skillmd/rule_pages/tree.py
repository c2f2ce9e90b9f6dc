"""SY3xx: the tree of files."""

from collections.abc import Mapping
from typing import Final

from skillyard.skillmd.rule_pages.page import (
    DESCRIPTION,
    NAME,
    WELL_FORMED,
    Example,
    RulePage,
    skill,
)

_STYLE: Final = "# Style\n\nWrite in the present tense.\n"
_PICTURE: Final = b"\x89PNG\r\n\x1a\n"


def _with(files: Mapping[str, str | bytes]) -> Example:
    return skill(NAME, DESCRIPTION, beside=files)


PAGES: Final = (
    RulePage(
        code="SY301",
        why=(
            "A path that leads out of the package, such as `../notes.md`, overwrites files of"
            " whoever unpacks it. Other paths mean nothing, or something else, on another system:"
            " Windows knows `aux.md` as a device and drops a dot at the end. Invisible and"
            " right-to-left characters make a name look like another one. Paths have at most 256"
            " characters and 8 levels, are separated by `/`, and are in Unicode's NFC form."
        ),
        repair="Rename the file. The message says which part of the path is refused.",
        bad=_with({"references/aux.md": _STYLE}),
        good=_with({"references/auxiliary.md": _STYLE}),
    ),
    RulePage(
        code="SY302",
        why=(
            "Windows and macOS usually ignore the case of letters in file names, and some systems"
            " also treat `ß` and `ss`, or two ways to write `é`, as one. Of two such files one"
            " overwrites the other. Which one stays depends on the order of unpacking."
        ),
        repair="Rename one of the two, or join them.",
        bad=_with({"references/Style.md": _STYLE, "references/style.md": _STYLE}),
        good=_with({"references/style.md": _STYLE, "references/tone.md": _STYLE}),
    ),
    RulePage(
        code="SY303",
        why=(
            "A link can lead out of the package, to a key or a password of whoever installs it, and"
            " what it shows may change without the package changing. Symbolic and hard links are"
            " both refused, wherever they lead. Codex does not see a SKILL.md that is a link."
        ),
        repair="Put a copy of the file in the place of the link.",
        bad=Example(
            console=(
                "$ ls -l release-notes\n"
                "-rw-r--r-- SKILL.md\n"
                "lrwxrwxrwx references -> ../shared/references"
            )
        ),
        good=Example(console="$ ls -l release-notes\n-rw-r--r-- SKILL.md\ndrwxr-xr-x references"),
    ),
    RulePage(
        code="SY304",
        why=(
            "Devices, sockets and pipes have no content of their own: reading one may wait for"
            " ever, or change the machine. They get into a directory by accident, as the socket of"
            " a program that ran there, or into an archive on purpose. They are never opened."
        ),
        repair="Remove it, and keep programs from working inside the package.",
        bad=Example(
            console=(
                "$ ls -l release-notes/scripts\n-rwxr-xr-x collect.sh\nsrwxr-xr-x preview.sock"
            )
        ),
        good=Example(console="$ ls -l release-notes/scripts\n-rwxr-xr-x collect.sh"),
    ),
    RulePage(
        code="SY305",
        why=(
            "SKILL.md may have 64 KiB, any other file 256 KiB. A model that reads such a file"
            " spends its context on it; Claude Code skips a SKILL.md of more than 1,000,000 bytes,"
            " and GitHub Copilot refuses one of 2 MB. Of public SKILL.md files 99 % have at most"
            " 35 KB."
        ),
        repair=(
            "Shorten the file or split it. `--limits wide` allows 1 MiB for SKILL.md and 10 MiB for"
            " other files."
        ),
        bad=_with({"references/changes.txt": "Fixed a typing error in the manual.\n" * 8_000}),
        good=_with({"references/changes.txt": "Fixed a typing error in the manual.\n" * 8}),
    ),
    RulePage(
        code="SY306",
        why=(
            "All files together may have 1 MiB. A skill is copied into every run and every sandbox"
            " that uses it, so its size is paid many times. Reading stops as soon as the limit is"
            " reached, and the files after it are not judged."
        ),
        repair=(
            "Leave out what the skill does not need, or let a script fetch it. `--limits wide`"
            " allows 16 MiB."
        ),
        bad=_with(
            {f"assets/archive-{year}.txt": "A line of old notes.\n" * 12_000 for year in range(6)}
        ),
        good=_with({"assets/archive.txt": "A line of old notes.\n" * 12}),
    ),
    RulePage(
        code="SY307",
        why=(
            "A package holds at most 512 files, which is also what the MCP extension for skills and"
            " FastMCP allow. The largest of 598 public skills has 194. More files are"
            " nearly always something that got in by accident, such as a build or a data set."
        ),
        repair="Remove what does not belong there, or join many small files into one.",
        bad=_with({f"references/note-{number:03}.md": _STYLE for number in range(1, 513)}),
        good=_with({"references/notes.md": _STYLE}),
    ),
    RulePage(
        code="SY309",
        why=(
            "Files outside `assets/` are meant to be read: by the model, by a reviewer, by a"
            " program that shows differences. Bytes that are not UTF-8 text cannot be reviewed."
            " Compiled files are a usual way to hide what a skill does."
        ),
        repair="Move the file to `assets/`, or save it as UTF-8 text.",
        bad=_with({"references/logo.png": _PICTURE}),
        good=_with({"assets/logo.png": _PICTURE}),
    ),
    RulePage(
        code="SY311",
        why=(
            "The file is within the limits, but has more than 50,000 bytes. A model that opens it"
            " reads all of it, which can cost more context than the whole rest of the skill."
        ),
        repair="Split it by topic, and say in SKILL.md when to read which part.",
        bad=_with({"references/style.md": "Write in the present tense.\n" * 2_000}),
        good=_with({"references/style.md": _STYLE, "references/words.md": _STYLE}),
    ),
    RulePage(
        code="SY312",
        why=(
            "Codex and OpenCode look for SKILL.md at any depth, so they list the inner one as a"
            " skill of its own. Claude Code, Gemini CLI and GitHub Copilot do not see it. A"
            " template for new skills is the usual reason."
        ),
        repair="Give the inner file another name, or make it a skill beside this one.",
        bad=_with({"templates/SKILL.md": "# Title\n"}),
        good=_with({"templates/skill-template.md": "# Title\n"}),
    ),
    RulePage(
        code="SY313",
        why=(
            "The specification allows any files beside SKILL.md. People and tools look in"
            " `scripts/`, `references/`, `assets/`, `templates/` and `examples/` first. With"
            " `--strict-tree` the finding is an error in every profile, for teams that want one"
            " layout."
        ),
        repair="Move the file to one of the usual directories, or leave it and accept the note.",
        bad=_with({"docs/style.md": _STYLE}),
        good=_with({"references/style.md": _STYLE}),
    ),
    RulePage(
        code="SY314",
        why=(
            "The system refused to give the file out: a missing right, a failing disk, or another"
            " program that changed it in the middle of the reading. The package is incomplete as it"
            " was read, so it has no digest that can be trusted."
        ),
        repair="Give yourself the right to read it, let nobody write there, and check again.",
        bad=Example(
            console=(
                "$ ls -l release-notes\n"
                "-rw-r--r-- SKILL.md\n"
                "---------- manifest.json\n"
                "$ cat release-notes/manifest.json\n"
                "cat: release-notes/manifest.json: Permission denied"
            )
        ),
        good=Example(
            console="$ ls -l release-notes\n-rw-r--r-- SKILL.md\n-rw-r--r-- manifest.json"
        ),
    ),
    RulePage(
        code="SY316",
        why=(
            "Python, npm and macOS leave `__pycache__`, `node_modules`, `__MACOSX`, `.DS_Store` and"
            " files that start with `._` behind. They differ from machine to machine and are part"
            " of no skill. They are neither read nor counted in the digest, and this note says so"
            " once for each name."
        ),
        repair="Nothing has to be done. Delete them if the note disturbs you.",
        bad=_with({"scripts/__pycache__/collect.cpython-311.pyc": b"\xa7\r\r\n"}),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY317",
        why=(
            "An agent calls a skill by its name, so only one of two can be meant. Names that differ"
            " in nothing but case and punctuation are one name. Within one directory of skills the"
            " last one counts, in the order of their paths; the other is left out."
        ),
        repair="Give one of the two another `name`, or remove it.",
        bad=Example(
            console=(
                "$ grep ^name: skills/*/SKILL.md\n"
                "skills/notes/SKILL.md:name: release-notes\n"
                "skills/release-notes/SKILL.md:name: release-notes"
            )
        ),
        good=Example(
            console=(
                "$ grep ^name: skills/*/SKILL.md\n"
                "skills/notes/SKILL.md:name: notes\n"
                "skills/release-notes/SKILL.md:name: release-notes"
            )
        ),
    ),
)
