"""SY6xx: what a client will do with the skill."""

from typing import Final

from skillyard.skillmd.rule_pages.page import DESCRIPTION, NAME, Example, RulePage

_END: Final = "---\n…"


def _shown(*fields: str, client: str, directory: str = "release-notes") -> Example:
    lines = (
        f"$ cat {directory}/SKILL.md",
        "---",
        *fields,
        _END,
        f"$ skillyard check --profile client:{client} {directory}",
    )
    return Example(directory=directory, console="\n".join(lines))


PAGES: Final = (
    RulePage(
        code="SY601",
        why=(
            "The client that the profile names does not list the skill, with or without a message."
            " Each client has its own reasons. GitHub Copilot refuses a description of more than"
            " 1,024 characters or with an unquoted colon, Codex a SKILL.md with a byte-order mark,"
            " Gemini CLI drops a skill without a description, and OpenCode one whose name is read"
            " as a number."
        ),
        repair=(
            "Repair what the message names. A skill that is clean under the standard profile has"
            " none of these faults."
        ),
        bad=_shown(
            NAME, "description: Writes release notes: one line for each change.", client="copilot"
        ),
        good=_shown(
            NAME, 'description: "Writes release notes: one line for each change."', client="copilot"
        ),
    ),
    RulePage(
        code="SY602",
        why=(
            "People call a skill by its name, and prompts mention it. Claude Code calls a skill by"
            " its directory and shows the name in the front matter beside it. Gemini CLI replaces"
            " characters such as `:` and `/` by hyphens, GitHub Copilot replaces blanks."
        ),
        repair="Use one name that all accept: a-z, 0-9 and hyphens, equal to the directory's name.",
        bad=_shown(NAME, DESCRIPTION, client="claude-code", directory="notes"),
        good=_shown(NAME, DESCRIPTION, client="claude-code"),
    ),
    RulePage(
        code="SY603",
        why=(
            "The client loads the skill, but the model sees less than was written. Codex cuts a"
            " description to 1,024 characters, Claude Code to 1,536. Claude Code also takes the"
            " first `---` for the end of the front matter, wherever it stands, and to YAML a blank"
            " and `#` in a plain value start a comment. What is lost is often the sentence that"
            " says when to use the skill."
        ),
        repair=(
            "Shorten the description, put when to use the skill into its first sentence, and put"
            " the value in quotes. Write a dash instead of `---`."
        ),
        bad=_shown(
            NAME, "description: Writes release notes --- one line a change.", client="claude-code"
        ),
        good=_shown(
            NAME, "description: Writes release notes, one line a change.", client="claude-code"
        ),
    ),
    RulePage(
        code="SY604",
        why=(
            "The skill says something that this client does not read. Gemini CLI uses name and"
            " description only. `disable-model-invocation` is honoured by Claude Code and GitHub"
            " Copilot; Codex, Gemini CLI and OpenCode let the model call the skill all the same."
        ),
        repair=(
            "Nothing is wrong with the skill. Do not rely on the field in this client, or use the"
            " client's own settings. Codex, for example, reads `policy.allow_implicit_invocation`"
            " in `agents/openai.yaml`."
        ),
        bad=_shown(NAME, DESCRIPTION, "disable-model-invocation: true", client="codex"),
        good=_shown(NAME, DESCRIPTION, "disable-model-invocation: true", client="claude-code"),
    ),
    RulePage(
        code="SY605",
        why=(
            "The client loads the skill because it guesses what was meant. Claude Code, Codex,"
            " Gemini CLI and OpenCode read a description with an unquoted colon, which is not YAML."
            " Claude Code and GitHub Copilot take the start of the body where there is no"
            " description. Another client, or the next version of this one, may guess otherwise."
        ),
        repair="Check the skill with the standard profile, and repair what that reports.",
        bad=_shown(
            NAME, "description: Writes release notes: one line for each change.", client="codex"
        ),
        good=_shown(
            NAME, 'description: "Writes release notes: one line for each change."', client="codex"
        ),
    ),
    RulePage(
        code="SY606",
        why=(
            "The client loads the skill, but does not offer it to the model or to the user."
            " OpenCode keeps a skill without a description from the model. Claude Code hides one"
            " with `paths` until a matching file is touched, and takes any value of"
            " `user-invocable` but a yes for a no. Where the skill itself asks for it, with"
            " `user-invocable: false` or `disable-model-invocation: true`, this is a note."
        ),
        repair=(
            "If nobody was meant to be kept from it, write a description, and remove `paths` or"
            " `user-invocable`."
        ),
        bad=_shown(NAME, client="opencode"),
        good=_shown(NAME, DESCRIPTION, client="opencode"),
    ),
)
