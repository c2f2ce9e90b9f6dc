"""What skills need of each other."""

from collections.abc import Iterator, Mapping

from skillyard.resolver.standing import Standing


def iter_missing(winners: Mapping[str, Standing]) -> Iterator[tuple[Standing, str]]:
    """Yield each skill that requires one which is not there, with the name of that one."""
    for one in winners.values():
        for needed in one.candidate.requires:
            if needed not in winners:
                yield one, needed


def find_cycle(slug: str, winners: Mapping[str, Standing]) -> tuple[str, ...]:
    """Give a way from a skill over its requirements back to itself, or nothing.

    Of several the shortest, and among equals the first by name.
    """
    if not winners[slug].candidate.requires:
        return ()
    ways: dict[str, tuple[str, ...]] = {slug: (slug,)}
    waiting = [slug]
    while waiting:
        here = waiting.pop(0)
        for needed in sorted(set(winners[here].candidate.requires)):
            if needed == slug:
                return (*ways[here], slug)
            if needed in winners and needed not in ways:
                ways[needed] = (*ways[here], needed)
                waiting.append(needed)
    return ()


def spread_required(winners: Mapping[str, Standing]) -> set[str]:
    """Give the names that are required: by their assignment, or by something that is."""
    required = {slug for slug, one in winners.items() if one.assignment and one.assignment.required}
    waiting = sorted(required)
    while waiting:
        for needed in winners[waiting.pop()].candidate.requires:
            if needed in winners and needed not in required:
                required.add(needed)
                waiting.append(needed)
    return required
