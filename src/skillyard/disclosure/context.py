"""The skills of one agent in three tiers, each read only when it is asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from skillyard.disclosure.injection import INJECTED
from skillyard.disclosure.listing import LISTED
from skillyard.disclosure.tier1 import (
    Form,
    render_entry,
    render_markdown,
    render_reference,
    render_xml,
)
from skillyard.disclosure.tier2 import OpenedSkill, render_instructions
from skillyard.disclosure.tier3 import FileKind, find_file, list_files, parse_request, render_file
from skillyard.disclosure.tokens import estimate_tokens
from skillyard.disclosure.tools import find_skill, list_reachable
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.resolution import Decision, Resolution


@dataclass(frozen=True, slots=True)
class TierCosts:
    """How many tokens a skill takes in each tier; the third has one number for each file."""

    tier1: int
    tier2: int
    tier3: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How tier 1 is written: see `render_markdown`.

    Without `injected`, the blocks that are always shown take as much as they usually may.
    """

    form: Form = Form.XML
    limit: int = LISTED
    injected: int | None = None
    skills_path: str | None = None


USUAL: Final = Shape()


class SkillContext:
    """What an agent is told of its skills.

    `open_skill` gives a skill's files; it is called for tiers 2 and 3, each time. A name is a slug
    or a display name, in any letter case. Loaded and unproven skills can be reached, and no others.
    """

    def __init__(
        self,
        resolution: Resolution,
        open_skill: Callable[[Decision], OpenedSkill],
        *,
        shape: Shape = USUAL,
    ) -> None:
        self._resolution = resolution
        self._open_skill = open_skill
        self._shape = shape

    def names(self) -> tuple[str, ...]:
        """List the slugs that can be reached: loaded ones, then unproven ones, in order."""
        return tuple(one.slug for one in list_reachable(self._resolution))

    def get(self, name: str) -> Decision | None:
        """Give a skill, or None where there is none of that name."""
        return find_skill(self._resolution, name)

    def tier1(self, form: Form | None = None) -> str:
        """Give the list of skills that a session starts with."""
        shape = self._shape
        injected = INJECTED if shape.injected is None else shape.injected
        match form or shape.form:
            case Form.XML:
                return render_xml(self._resolution, limit=shape.limit, injected=injected)
            case Form.REFERENCE:
                return render_reference(self._resolution, limit=shape.limit)
            case Form.MARKDOWN:
                return render_markdown(
                    self._resolution,
                    limit=shape.limit,
                    injected=injected,
                    skills_path=shape.skills_path,
                )

    def tier2(self, name: str) -> str | None:
        """Give a skill's instructions and the paths of its files, or None without such a skill."""
        found = self.get(name)
        return render_instructions(found.candidate, self._open_skill(found)) if found else None

    def tier3_list(self, name: str, kind: FileKind | str) -> tuple[str, ...]:
        """List a skill's files of one kind; none without such a skill.

        Raises:
            ValueError: There is no such kind.
        """
        wanted = FileKind(kind)
        found = self.get(name)
        return list_files(self._open_skill(found).package, wanted) if found else ()

    def tier3(self, name: str, path: str) -> str | None:
        """Give one file of a skill as text, or None without such a skill or file.

        Raises:
            UnsafePathError: The path is refused; nothing has been opened.
        """
        wanted = parse_request(path)
        found = self.get(name)
        file = find_file(self._open_skill(found).package, wanted) if found else None
        return render_file(wanted, file) if file else None

    def costs(self, name: str) -> TierCosts | None:
        """Give what a skill takes in each tier, or None without such a skill."""
        found = self.get(name)
        if found is None:
            return None
        opened = self._open_skill(found)
        return TierCosts(
            tier1=estimate_tokens(render_entry(found.candidate)),
            tier2=estimate_tokens(render_instructions(found.candidate, opened)),
            tier3=tuple(
                (path, estimate_tokens(render_file(path, file)))
                for path, file in opened.package.files.items()
                if path != SKILL_MD
            ),
        )
