"""What one run was given that another was not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Final

from skillyard.domain.run import Run, RunSkill

_COMPARED: Final = ("agent", "provider", "mode", "workspace", "manifest_hash", "command")
# Why a skill was chosen may differ without a difference for the program.
_UNSEEN: Final = frozenset({"ref", "rule", "reason"})


@dataclass(frozen=True, slots=True)
class ChangedSkill:
    """A skill that both runs had, and not in the same way; `fields` names what differs."""

    before: RunSkill
    after: RunSkill
    fields: tuple[str, ...]

    @property
    def slug(self) -> str:
        """The name of the skill."""
        return self.after.slug


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """Something else that differs, in words."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDifference:
    """What differs between two runs; skills and names stand in the order of the later run.

    `is_reordered` tells that the skills which both had stood in another order. Of variables only
    the names are compared: their values name the root of the run.
    """

    added: tuple[RunSkill, ...] = ()
    removed: tuple[RunSkill, ...] = ()
    changed: tuple[ChangedSkill, ...] = ()
    is_reordered: bool = False
    facts: tuple[ChangedFact, ...] = ()
    added_variables: tuple[str, ...] = ()
    removed_variables: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Tell whether both runs were given the same."""
        return self == RunDifference()


def compare_runs(before: Run, after: Run) -> RunDifference:
    """Say what `after` was given that `before` was not, and the other way round."""
    old, new = _by_slug(before), _by_slug(after)
    return RunDifference(
        added=tuple(one for slug, one in new.items() if slug not in old),
        removed=tuple(one for slug, one in old.items() if slug not in new),
        changed=tuple(_iter_changed(old, new)),
        is_reordered=[one for one in old if one in new] != [one for one in new if one in old],
        facts=tuple(_iter_facts(before, after)),
        added_variables=tuple(sorted(after.environment.keys() - before.environment.keys())),
        removed_variables=tuple(sorted(before.environment.keys() - after.environment.keys())),
    )


def _by_slug(run: Run) -> Mapping[str, RunSkill]:
    return {one.slug: one for one in run.skills}


def _iter_changed(
    old: Mapping[str, RunSkill], new: Mapping[str, RunSkill]
) -> Iterator[ChangedSkill]:
    for slug, after in new.items():
        before = old.get(slug)
        if before is None:
            continue
        names = tuple(
            one.name
            for one in fields(RunSkill)
            if one.name not in _UNSEEN and getattr(before, one.name) != getattr(after, one.name)
        )
        if names:
            yield ChangedSkill(before, after, names)


def _iter_facts(before: Run, after: Run) -> Iterator[ChangedFact]:
    for name in _COMPARED:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield ChangedFact(name, _say(old), _say(new))


def _say(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "none" if value is None else str(value)
