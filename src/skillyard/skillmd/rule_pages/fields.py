"""SY2xx: the fields of the front matter."""

from typing import Final

from skillyard.skillmd.rule_pages.page import DESCRIPTION, NAME, WELL_FORMED, RulePage, skill

_LONG_NAME: Final = "release-notes-for-every-product-of-the-whole-company-in-all-languages"
_LONG_SENTENCE: Final = "It also knows the wording that each product team prefers. "

PAGES: Final = (
    RulePage(
        code="SY201",
        why=(
            "The specification demands a name. Claude Code, Codex and GitHub Copilot fall back to"
            " the name of the directory; Gemini CLI and OpenCode drop the skill without a word. The"
            " lenient profile takes the directory's name as well."
        ),
        repair="Add `name:` with the name of the directory. `skillyard check --fix` does it.",
        bad=skill(DESCRIPTION),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY202",
        why=(
            "A name is made of lower-case letters a-z, digits and single hyphens between them."
            " VS Code does not load other names and says nothing. Clients that do load them change"
            " them, each in its own way: GitHub Copilot turns blanks into hyphens, Gemini CLI turns"
            ' `:\\/<>*?"|` into hyphens. One skill then has a different name in each client. Of'
            " 121,990 public skills 4.4 % have such a name."
        ),
        repair=(
            "Use the name that the hint suggests. `skillyard check --fix` writes the directory's"
            " name, where that is a valid one; it renames no directory."
        ),
        bad=skill("name: Release_Notes", DESCRIPTION),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY203",
        why=(
            "Codex and GitHub Copilot refuse a name of more than 64 characters; Claude Code, Gemini"
            " CLI and OpenCode take it. Plugins put their own name before it, which makes it longer"
            " still."
        ),
        repair=(
            "Choose a shorter name. `skillyard check --fix` writes the directory's name, where that"
            " is a valid one; it renames no directory."
        ),
        bad=skill(f"name: {_LONG_NAME}", DESCRIPTION),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY204",
        why=(
            "The specification wants both to be equal, yet 19.9 % of public skills differ. Every"
            " client loads them. Claude Code goes by the directory, the others by the front matter,"
            " so people and prompts that name the skill reach it in one client and miss it in"
            " another."
        ),
        repair=(
            "Rename the directory, or change `name`. `skillyard check --fix` writes the directory's"
            " name into the front matter, where that is a valid name; it renames no directory."
        ),
        bad=skill(NAME, DESCRIPTION, directory="notes"),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY205",
        why=(
            "The description is what a model reads to decide whether it needs the skill. Without"
            " one, Codex reports an error, Gemini CLI drops the skill, and OpenCode lists it for"
            " people but never shows it to the model. Claude Code and GitHub Copilot take the start"
            " of the body instead."
        ),
        repair="Add `description:` with what the skill does and when to use it.",
        bad=skill(NAME),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY206",
        why=(
            "An empty text is worse than none: Codex reports an error, but Claude Code, Gemini CLI,"
            " OpenCode and GitHub Copilot list the skill. The model then sees a name with nothing"
            " behind it and has no reason to use it."
        ),
        repair="Say what the skill does and when to use it.",
        bad=skill(NAME, 'description: ""'),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY207",
        why=(
            "The specification allows 1,024 characters. GitHub Copilot refuses a skill with more,"
            " Codex shows 1,021 and three dots, and Claude Code cuts at 1,536. The end of the"
            " description is often where it says when to use the skill. Of public descriptions 99 %"
            " have fewer than 800 characters."
        ),
        repair="Keep what the skill does and when to use it, and move the rest to the body.",
        bad=skill(NAME, DESCRIPTION + " " + (_LONG_SENTENCE * 18).strip()),
        good=skill(NAME, DESCRIPTION + " " + _LONG_SENTENCE.strip()),
    ),
    RulePage(
        code="SY208",
        why=(
            "Many readers of YAML turn an unquoted `1.10` into the number 1.1, `no` into a truth"
            " value and `2026-03-01` into a date. OpenCode drops a skill whose name or description"
            " is not text, and says nothing; GitHub Copilot reports an error. To Skillyard every"
            " value is the text that was written."
        ),
        repair="Put the value in quotes. `skillyard check --fix` does so.",
        bad=skill(NAME, DESCRIPTION, "metadata:", "  version: 1.10"),
        good=skill(NAME, DESCRIPTION, "metadata:", '  version: "1.10"'),
    ),
    RulePage(
        code="SY209",
        why=(
            "A field that holds text was given a list or a mapping. With a list as description,"
            " Codex and GitHub Copilot report an error and OpenCode drops the skill without a word."
            " Square brackets at the start of a value are enough to make it a list."
        ),
        repair="Write one text, in quotes if it starts with a bracket.",
        bad=skill(NAME, "description: [Writes release notes, Use before a release]"),
        good=skill(NAME, 'description: "[Team docs] Writes release notes. Use before a release."'),
    ),
    RulePage(
        code="SY210",
        why=(
            "The specification allows 1 to 500 characters here. The field says what the skill needs"
            " around it, such as a system or a program. An empty one says nothing, and a long one"
            " usually holds instructions that belong in the body."
        ),
        repair="Name the requirement in one sentence, or remove the field.",
        bad=skill(NAME, DESCRIPTION, 'compatibility: ""'),
        good=skill(NAME, DESCRIPTION, "compatibility: Needs git 2.31 or later"),
    ),
    RulePage(
        code="SY212",
        why=(
            "`metadata` is a mapping of keys to texts. A text or a list in its place cannot be"
            " looked up by key, so what it says reaches nobody. Microsoft Agent"
            " Framework, for one, takes a mapping of texts and nothing else."
        ),
        repair="Give each fact a key, on an indented line of its own.",
        bad=skill(NAME, DESCRIPTION, "metadata: docs team"),
        good=skill(NAME, DESCRIPTION, "metadata:", "  author: docs team"),
    ),
    RulePage(
        code="SY213",
        why=(
            "The specification allows texts only, yet 18.1 % of public skills with `metadata` hold"
            " other values there. The five command-line clients accept that. Microsoft Agent"
            " Framework demands texts, while Google ADK and OpenClaw define lists and mappings of"
            " their own."
        ),
        repair=(
            "Write a list as one text with blanks between the words. Leave the value as it is if"
            " the one client that defined it is the only one you serve."
        ),
        bad=skill(NAME, DESCRIPTION, "metadata:", "  audiences: [users, operators]"),
        good=skill(NAME, DESCRIPTION, "metadata:", "  audiences: users operators"),
    ),
    RulePage(
        code="SY214",
        why=(
            "The specification separates tools by blanks. Of 11,250 uses only 16.6 % do so; 63.9 %"
            " write commas and 19.4 % a list. All five clients load a skill with any of the"
            " three, but a reader that follows the specification takes `Read,` with its comma for a"
            " tool."
        ),
        repair="Separate the tools by blanks. `skillyard check --fix` rewrites the value.",
        bad=skill(NAME, DESCRIPTION, "allowed-tools: Read, Grep, Bash(git log:*)"),
        good=skill(NAME, DESCRIPTION, "allowed-tools: Read Grep Bash(git log:*)"),
    ),
    RulePage(
        code="SY215",
        why=(
            "The five clients ignore fields that they do not know; the reference library refuses"
            " the skill. Of 121,990 public skills 24.9 % have a field that is not in the"
            " specification. The standard profile knows what clients and Skillyard added; the"
            " strict profile reports that too."
        ),
        repair=(
            "Move the fact under `metadata`, where any key is allowed. `skillyard check --fix` does"
            " so with texts. It leaves lists and mappings to a person, and also the fields that"
            " some client acts on."
        ),
        bad=skill(NAME, DESCRIPTION, "homepage: https://example.com/notes"),
        good=skill(NAME, DESCRIPTION, "metadata:", "  homepage: https://example.com/notes"),
    ),
    RulePage(
        code="SY216",
        why=(
            "A misspelt field is ignored like any unknown one, so a switch that it should set stays"
            " as it was. `user-invokable` stands in 116 public skills: each of them can still be"
            " called by the user. Nobody reports it, because unknown fields are common."
        ),
        repair="Use the spelling that the hint suggests.",
        bad=skill(NAME, DESCRIPTION, "user-invokable: false"),
        good=skill(NAME, DESCRIPTION, "user-invocable: false"),
    ),
    RulePage(
        code="SY218",
        why=(
            "Versions are compared, sorted and pinned, which needs numbers. A text such as"
            " `latest` cannot be compared with anything, and is not used. `v1` and `1.2` are"
            " understood as 1.0.0 and 1.2.0."
        ),
        repair="Write three numbers, such as `1.0.0`, or remove the field.",
        bad=skill(NAME, DESCRIPTION, "version: latest"),
        good=skill(NAME, DESCRIPTION, "version: 1.0.0"),
    ),
    RulePage(
        code="SY219",
        why=(
            "Tags are filters: they are typed, put into addresses and compared letter by letter."
            " Each is made of a-z, 0-9 and hyphens, and there are at most 20. `Changelog` and"
            " `changelog` would be two filters for one thing."
        ),
        repair="Write tags in lower case, with hyphens for blanks, and keep those that people use.",
        bad=skill(NAME, DESCRIPTION, "tags: [Release Notes, Changelog]"),
        good=skill(NAME, DESCRIPTION, "tags: [release-notes, changelog]"),
    ),
    RulePage(
        code="SY220",
        why=(
            "The field takes one of a few values, and this is none of them. A filter by category"
            " does not find a skill in an unknown one, and an unknown `invocation` leaves the skill"
            " open to both the user and the model."
        ),
        repair="Choose one of the values that the hint lists.",
        bad=skill(NAME, DESCRIPTION, "category: documents"),
        good=skill(NAME, DESCRIPTION, "category: writing"),
    ),
    RulePage(
        code="SY221",
        why=(
            "A field of Skillyard has another shape than the one that is read, such as a mapping"
            " where words belong. What it says is ignored. The rest of the skill works, so the"
            " mistake shows only later, for example as a trigger that never fires."
        ),
        repair="Give the value the shape that the message names.",
        bad=skill(NAME, DESCRIPTION, "requires-tools:", "  bash: needed"),
        good=skill(NAME, DESCRIPTION, "requires-tools: [bash]"),
    ),
    RulePage(
        code="SY222",
        why=(
            "In YAML a blank and `#` start a comment, also in the middle of what looks like a"
            " sentence. Every client shows the description without the rest of the line, and nobody"
            " is told."
        ),
        repair="Put the description in quotes, or move the remark to a line of its own.",
        bad=skill(NAME, "description: Writes release notes. See issue # 7 for the format."),
        good=skill(NAME, 'description: "Writes release notes. See issue # 7 for the format."'),
    ),
    RulePage(
        code="SY224",
        why=(
            "The display name is what people see in lists, and has 1 to 128 characters. An empty"
            " one leaves a blank entry, a longer one breaks the layout of tables and cards."
        ),
        repair="Write a short title, or remove the field: the name is shown in its place.",
        bad=skill(NAME, DESCRIPTION, 'display-name: ""'),
        good=skill(NAME, DESCRIPTION, "display-name: Release notes"),
    ),
    RulePage(
        code="SY225",
        why=(
            "A version, author or tag may stand in the front matter itself and under `metadata`."
            " Skillyard takes the first; a client that reads only the specification takes the"
            " second. One skill then has two versions, depending on who asks."
        ),
        repair="Remove one of the two, or make them equal.",
        bad=skill(NAME, DESCRIPTION, "version: 1.2.0", "metadata:", '  version: "1.1.0"'),
        good=skill(NAME, DESCRIPTION, "metadata:", '  version: "1.2.0"'),
    ),
)
