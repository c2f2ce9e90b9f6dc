"""A resolution as the agent sees it, where skills stand elsewhere than they were found."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from skillyard.domain.resolution import Decision, Resolution


def see_at(resolution: Resolution, places: Mapping[str, str]) -> Resolution:
    """Give the resolution with the skills at `places`: directories by the candidates' `ref`.

    A skill that is not among them stays where it is; one whose place is empty is not seen at all.
    What was decided, and the hash, stay the same.
    """
    decisions = (_place(one, places.get(one.candidate.ref)) for one in resolution.decisions)
    return replace(resolution, decisions=tuple(decisions))


def see_below(resolution: Resolution, here: str, there: str) -> Resolution:
    """Give the resolution for an agent that sees the directory `here` at `there`.

    This is for a project that is mounted elsewhere. Skills that do not stand below `here` stay
    where they are.
    """
    directories = (
        one.candidate for one in resolution.decisions if one.candidate.layer.is_directory
    )
    paths = ((one.ref, PurePosixPath(one.location)) for one in directories)
    places = {
        ref: str(there / path.relative_to(here)) for ref, path in paths if path.is_relative_to(here)
    }
    return see_at(resolution, places)


def _place(decision: Decision, place: str | None) -> Decision:
    if place is None:
        return decision
    return replace(decision, candidate=replace(decision.candidate, location=place))
