"""SY7xx: the text."""

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

PAGES: Final = (
    RulePage(
        code="SY701",
        why=(
            "The front matter says when to use the skill, and then nothing follows. An agent that"
            " activates it learns nothing, and has spent a step on it."
        ),
        repair="Write what the agent should do, in Markdown, after the closing `---`.",
        bad=Example(files={"SKILL.md": skill_md(NAME, DESCRIPTION, body="")}),
        good=WELL_FORMED,
    ),
    RulePage(
        code="SY702",
        why=(
            "The specification advises fewer than 500 lines and 5,000 tokens. The whole SKILL.md"
            " enters the context when the skill is activated, and stays there. Of 121,990 public"
            " files 9,533 have more than 500 lines; the median has 159."
        ),
        repair=(
            "Keep what every use needs. Move the rest to files below `references/`, and say when to"
            " read each."
        ),
        bad=Example(
            files={
                "SKILL.md": skill_md(
                    NAME, DESCRIPTION, body=BODY + "3. Leave out the next word.\n" * 500
                )
            }
        ),
        good=skill(
            NAME,
            DESCRIPTION,
            beside={"references/words.md": "# Words to leave out\n\n- very\n- basically\n"},
        ),
    ),
)
