"""The order in which skills are shown and delivered: total, and the same every time."""

from skillyard.resolver.standing import Standing


def order_key(one: Standing) -> tuple[int, int, int, str, int, str, str]:
    """Give what a candidate is sorted by.

    Priority from high to low, the more specific subject, position, name; what is left apart only
    where one name is offered several times: the stronger layer, the owner, the `ref`.
    """
    candidate, given = one.candidate, one.assignment
    placed = (-given.priority, -one.specificity, given.position) if given else (0, 1, 0)
    return (*placed, candidate.slug, candidate.layer.rank, candidate.owner, candidate.ref)
