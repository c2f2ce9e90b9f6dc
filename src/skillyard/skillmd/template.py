"""The skill that `skillyard new` starts an author with."""

from skillyard.domain.names import SkillName
from skillyard.domain.package import Package, PackageFile
from skillyard.skillmd.repair import quote

_BODY = """\
# {title}

{description}

## When to use this

- The task names something that this skill is about.
- The answer depends on steps that have to be done in a certain order.

## Steps

1. Read what the task asks for, and say in one sentence what the result will be.
2. Do the work.
3. Check the result against the task before you report it.
{extra}"""

_EXTRA = """
## Files

- `references/details.md`: what is needed only now and then. Read it when a step asks for it.
- `scripts/check.sh`: checks the result. Run it as the last step.
"""

_DETAILS = """\
# Details

Facts, tables and longer explanations go here. An agent reads this file only when `SKILL.md` points
to it, so it costs nothing until then.
"""

_SCRIPT = """\
#!/bin/sh
# Check the result of the skill; exit with 0 if it is good.
set -eu

result=${1:?"usage: check.sh RESULT_FILE"}
test -s "$result" || { echo "$result is missing or empty" >&2; exit 1; }
"""


def default_description(name: SkillName) -> str:
    """Give the description that a new skill has until its author writes one."""
    return (
        f"Helps with {name.replace('-', ' ')}. Use when a task mentions {name.replace('-', ' ')}."
    )


def make_new_skill(name: SkillName, *, description: str, directory: bool) -> Package:
    """Make a package that passes the strict profile; `directory` adds files beside SKILL.md."""
    title = name.replace("-", " ").capitalize()
    body = _BODY.format(title=title, description=description, extra=_EXTRA if directory else "")
    front = f"---\nname: {quote(name)}\ndescription: {quote(description)}\n---\n\n"
    files: dict[str, PackageFile | bytes | str] = {"SKILL.md": front + body}
    if directory:
        files["references/details.md"] = _DETAILS
        files["scripts/check.sh"] = PackageFile(_SCRIPT.encode(), executable=True)
    return Package.of(files)
