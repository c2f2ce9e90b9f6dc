"""SY1xx: SKILL.md as a file, and its front matter as YAML."""

from typing import Final

from skillyard.skillmd.rule_pages.page import (
    BODY,
    DESCRIPTION,
    NAME,
    WELL_FORMED,
    Example,
    RulePage,
    skill,
    skill_md,
)

_ACCENT: Final = (
    "description: Writes release notes in the house style of Café Meridian. Use before a release."
)
_DEEP: Final = "[" * 16 + "topic" + "]" * 16
_CODE: Final = '{name: "release-notes", description: "Writes release notes " + String(new Date())}'

PAGES: Final = (
    RulePage(
        code="SY101",
        why=(
            "A skill is a directory with a SKILL.md in it. Claude Code, Codex, Gemini CLI, OpenCode"
            " and GitHub Copilot list nothing for a directory without one, and none of them says"
            " so. A Markdown file of another name that stands in the skills directory is no skill"
            " to any of them."
        ),
        repair=(
            "Write a SKILL.md at the root of the package. `skillyard new` makes one to start from."
        ),
        bad=Example(files={"README.md": BODY}),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY102",
        why=(
            "None of the five clients that were tried lists `skill.md` or `SKILL.MD`, and none"
            " reports it. On a disk that ignores the case of letters the mistake may not show until"
            " the skill reaches a server. The reference library reads `skill.md` too, so passing"
            " its check is no proof."
        ),
        repair=(
            "Rename the file to SKILL.md. In git, use `git mv`, because a rename that changes"
            " nothing but the case can get lost on the way."
        ),
        bad=Example(files={"skill.md": skill_md(NAME, DESCRIPTION)}),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY103",
        why=(
            "The file holds bytes that are not UTF-8, most often because an editor saved it in"
            " Latin-1 or Windows-1252. Codex reports an error and does not load it. Claude Code,"
            " Gemini CLI, OpenCode and GitHub Copilot list it, so the author may not notice."
            " Skillyard marks the first such byte and reads the rest with replacement characters."
        ),
        repair="Open the file in its real encoding and save it as UTF-8.",
        bad=Example(files={"SKILL.md": skill_md(NAME, _ACCENT).encode("latin-1")}),
        good=skill(NAME, _ACCENT),
    ),
    RulePage(
        code="SY104",
        why=(
            "Some editors put the invisible character U+FEFF in front of the text. The `---` is"
            " then no longer the start of the file. Codex reports an error, Gemini CLI drops the"
            " skill without a word, and the reference library refuses it."
        ),
        repair="Save the file as UTF-8 without a mark. `skillyard check --fix` removes it.",
        bad=Example(files={"SKILL.md": "\ufeff" + skill_md(NAME, DESCRIPTION)}),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY105",
        why=(
            "Front matter starts with the first byte of the file. With a blank line before it,"
            " Codex and GitHub Copilot report an error, and Gemini CLI and OpenCode drop the skill"
            " without a word. Of the five clients only Claude Code still lists it."
        ),
        repair="Start the file with `---`. `skillyard check --fix` removes the blank lines.",
        bad=Example(files={"SKILL.md": "\n" + skill_md(NAME, DESCRIPTION)}),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY106",
        why=(
            "All five clients load files with Windows line ends. The bytes count all the same: the"
            " same text with other line ends has another digest, so two checkouts of one skill look"
            " like two versions."
        ),
        repair=(
            "Save the file with Unix line ends. `skillyard check --fix` writes them. In git, the"
            " line `SKILL.md text eol=lf` in `.gitattributes` keeps them."
        ),
        bad=Example(files={"SKILL.md": skill_md(NAME, DESCRIPTION).replace("\n", "\r\n")}),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY107",
        why=(
            "Without front matter there is neither a name nor a description. Codex and GitHub"
            " Copilot report an error, Gemini CLI and OpenCode drop the skill without a word, and"
            " Claude Code takes the first line of the text for a description. Of 121,990 public"
            " files 2.0 % have none."
        ),
        repair=(
            "Start the file with a line `---`, then `name:` and `description:`, then another line"
            " `---`."
        ),
        bad=Example(files={"SKILL.md": BODY}),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY108",
        why=(
            "The front matter starts, but no line `---` ends it, so the instructions are read as"
            " fields. Codex and GitHub Copilot report an error, Gemini CLI and OpenCode drop the"
            " skill without a word. A line such as `----` or ` ---` does not close it."
        ),
        repair="Write `---` on a line of its own, at its very start, after the last field.",
        bad=Example(files={"SKILL.md": f"---\n{NAME}\n{DESCRIPTION}\n\n{BODY}"}),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY109",
        why=(
            "Clients read the front matter of every skill at every start. Claude Code does not"
            " parse one of more than 65,536 characters that it does not trust. Under the standard"
            " limits a whole SKILL.md holds 64 KiB, so this finding comes up with wide limits only."
        ),
        repair=(
            "Keep fields short, and move texts into the body or into a file below `references/`."
        ),
        limits="wide",
        bad=skill(NAME, DESCRIPTION, "metadata:", "  history: " + "changed, " * 8_000),
        good=skill(
            NAME, DESCRIPTION, beside={"references/history.md": "# History\n\nChanged in spring.\n"}
        ),
    ),
    RulePage(
        code="SY110",
        why=(
            "Of 121,990 public SKILL.md files 13.3 % are not YAML. The most frequent reason is a"
            " colon and a blank in a description without quotes: GitHub Copilot refuses such a"
            " skill, while Claude Code, Codex, Gemini CLI and OpenCode repair it on their own. With"
            " a quote that is not closed, Codex, OpenCode and GitHub Copilot all lose the skill."
        ),
        repair=(
            "Put the value in double quotes. `skillyard check --fix` does so where quotes are all"
            " that is missing; tabs, open quotes and wrong indentation need a person."
        ),
        bad=skill(NAME, "description: Writes release notes: one line for each change."),
        good=skill(NAME, 'description: "Writes release notes: one line for each change."'),
    ),
    RulePage(
        code="SY111",
        why=(
            "The front matter is YAML, but a list, a plain text or nothing at all, so no field can"
            " be found in it. With an empty one, Codex reports an error and Gemini CLI and OpenCode"
            " drop the skill without a word. A missing blank after the colon has the same effect:"
            " `name:release-notes` is a plain text."
        ),
        repair="Write one `key: value` pair on each line, without a hyphen before it.",
        bad=skill(f"- {NAME}", f"- {DESCRIPTION}"),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY112",
        why=(
            "YAML forbids a key that stands twice, yet most readers take the last one and say"
            " nothing. The reference library and FastMCP refuse the file. What a person reads at"
            " the top is then not what the client uses."
        ),
        repair="Keep one of the two lines.",
        bad=skill(NAME, DESCRIPTION, "license: MIT", "license: Apache-2.0"),
        good=skill(NAME, DESCRIPTION, "license: Apache-2.0"),
    ),
    RulePage(
        code="SY113",
        why=(
            "An alias repeats what an anchor named. A few lines of aliases can stand for gigabytes,"
            " which is a known attack on readers of YAML. The reference library and FastMCP refuse"
            " them, and Claude Code does not parse anchors in front matter that it does not trust."
        ),
        repair="Write the value out in each place.",
        bad=skill(NAME, DESCRIPTION, "metadata:", "  author: &team docs", "  reviewer: *team"),
        good=skill(NAME, DESCRIPTION, "metadata:", "  author: docs", "  reviewer: docs"),
    ),
    RulePage(
        code="SY114",
        why=(
            "A tag tells the reader what to turn a value into; in some libraries that includes"
            " objects that run code while they are made. No field of a skill needs one. Readers"
            " that do not know a tag refuse the whole file."
        ),
        repair="Remove the tag. Put the value in quotes if it must stay text.",
        bad=skill(NAME, DESCRIPTION, "metadata:", "  version: !!str 1.2.0"),
        good=skill(NAME, DESCRIPTION, "metadata:", '  version: "1.2.0"'),
    ),
    RulePage(
        code="SY115",
        why=(
            "Front matter holds at most 16 levels and 2,000 values. No skill needs more, and text"
            " that is nested thousands of levels deep exhausts the stack of many readers. Reading"
            " stops at the first value beyond the limit, so nothing else in the front matter is"
            " judged."
        ),
        repair="Flatten the value, or move the data to a file below `assets/`.",
        bad=skill(NAME, DESCRIPTION, "metadata:", f"  topics: {_DEEP}"),
        good=skill(NAME, DESCRIPTION, "metadata:", "  topics: features fixes security"),
    ),
    RulePage(
        code="SY116",
        why=(
            "YAML lets a list or a mapping be a key. JSON, and therefore most clients, can hold no"
            " such key; FastMCP refuses the file. It is nearly always a slip of brackets."
        ),
        repair="Make the key plain text.",
        bad=skill(NAME, DESCRIPTION, "metadata:", "  [author, owner]: docs"),
        good=skill(NAME, DESCRIPTION, "metadata:", "  author: docs", "  owner: docs"),
    ),
    RulePage(
        code="SY118",
        why=(
            "A model reads characters that a person does not see: zero-width blanks, characters"
            " that turn the direction of writing, and tag characters that spell out whole hidden"
            " sentences. A description goes into the prompt of every session. Joiners inside words"
            " are accepted, because real scripts need them."
        ),
        repair=(
            "Remove the character that the message names. If you did not put it there, find out who"
            " did before you use the skill."
        ),
        bad=skill(
            NAME,
            "description: Writes release notes\u200b from merged changes. Use before a release.",
        ),
        good=skill(
            NAME, "description: Writes release notes from merged changes. Use before a release."
        ),
    ),
    RulePage(
        code="SY119",
        why=(
            "OpenCode takes a word after the opening `---` for the language of the front matter,"
            " and runs JavaScript as soon as it looks for skills: nobody has to call the skill, and"
            " nobody is asked. The other clients see no front matter in such a file."
        ),
        repair=(
            "Write `---` alone on the first line, and YAML below it. If you did not write the file,"
            " read the code before any client sees it."
        ),
        bad=Example(files={"SKILL.md": f"---js\n{_CODE}\n---\n\n{BODY}"}),
        good=WELL_FORMED,
    ),
)
