"""The blocks of those skills whose assignment puts their description into every prompt.

A block is left out whole, the lowest priority first: half a description may say the opposite of all
of it. The line that says so counts as well.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from skillyard.disclosure.escaping import path_to_xml, to_block, to_line, to_sentence, to_xml
from skillyard.disclosure.listing import entrypoint_of, list_told
from skillyard.domain.limits import INJECTED_CHARACTERS
from skillyard.domain.resolution import Candidate, Decision, Resolution

INJECTED: Final = INJECTED_CHARACTERS
"""The most characters that all blocks take together."""

_WITH_PATH: Final = (
    "When you need it, read the full SKILL.md at the path above for detailed instructions."
)
_WITHOUT_PATH: Final = "When you need it, call use_skill for detailed instructions."


def render_injected(resolution: Resolution, *, limit: int = INJECTED) -> str:
    """Give the blocks, in order, in at most `limit` characters; empty where there are none.

    A limit that is too small even for the line about what was left out is exceeded by that line.
    """
    blocks = [_render(one.candidate) for one in list_told(resolution.loaded) if _is_injected(one)]
    if len(whole := "\n".join(blocks)) <= limit:
        return whole
    ends = accumulate(len(block) + 1 for block in blocks)
    kept = sum(1 for place, end in enumerate(ends, 1) if end + len(_note(blocks, place)) <= limit)
    return "\n".join((*blocks[:kept], _note(blocks, kept)))


def _is_injected(decision: Decision) -> bool:
    return decision.assignment is not None and decision.assignment.auto_inject


def _note(blocks: Sequence[str], kept: int) -> str:
    return (
        f"[{len(blocks) - kept} more skill descriptions left out — use use_skill to look them up]"
    )


def _render(candidate: Candidate) -> str:
    path = entrypoint_of(candidate)
    attributes = f' path="{path_to_xml(path)}"' if path else ""
    pointer = _WITH_PATH if path else _WITHOUT_PATH
    # The description comes first in its line, so it must not start a block of Markdown.
    says = " ".join(filter(None, (to_block(to_sentence(to_line(candidate.description))), pointer)))
    return f'<skill name="{to_xml(candidate.slug)}"{attributes}>\n{says}\n</skill>'
