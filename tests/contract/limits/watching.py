"""See that what is refused has left nothing behind."""

from collections.abc import Callable

import pytest

from skillyard.application.ports.store import Store
from skillyard.domain.audit import AuditFilter
from skillyard.domain.catalogue import SkillFilter
from skillyard.domain.diagnostic import Severity
from skillyard.domain.errors import InvalidFactError, InvalidPackageError, SkillyardError
from skillyard.domain.limits import Limits
from skillyard.domain.records import Agent, Node, Sandbox, Team, Workspace
from skillyard.testing.memory import MemoryStore
from skillyard.yard import Skillyard
from tests.contract.use_cases.yards import make_yard


def make_limited_yard(limits: Limits) -> Skillyard:
    """Give an empty yard with other limits."""
    yard = make_yard(MemoryStore())
    yard.limits = limits
    return yard


def see(store: Store) -> tuple[object, ...]:
    """Give everything that a store holds."""
    with store.view() as view:
        skills = view.skills.list_entries(SkillFilter())
        return (
            skills,
            [view.versions.list(one.id) for one in skills],
            list(view.packages.iter_digests()),
            view.assignments.list(),
            view.records.list(Workspace),
            view.records.list(Team),
            view.records.list(Agent),
            view.records.list(Node),
            view.records.list(Sandbox),
            view.audit.list(AuditFilter()),
            view.outbox.list_pending(most=1000),
        )


def refuse(yard: Skillyard, act: Callable[[], object]) -> SkillyardError:
    """Do what is to be refused, make sure that nothing is different, and give the refusal."""
    before = see(yard.store)
    with pytest.raises(SkillyardError) as caught:
        act()
    assert see(yard.store) == before
    return caught.value


def refuse_package(yard: Skillyard, act: Callable[[], object]) -> tuple[str, str, str]:
    """Give the code, the message and the hint of the one error for which a package is refused."""
    error = refuse(yard, act)
    assert isinstance(error, InvalidPackageError), error
    (found,) = [one for one in error.diagnostics if one.severity is Severity.ERROR]
    assert error.message.endswith(
        f"cannot be read as a skill package: {found.message} ({found.code})"
    )
    assert error.hints == ((found.hint,) if found.hint else ())
    return found.code, found.message, found.hint


def refuse_fact(yard: Skillyard, act: Callable[[], object]) -> tuple[str, tuple[str, ...]]:
    """Give the message and the hints with which something said is refused."""
    error = refuse(yard, act)
    assert isinstance(error, InvalidFactError), error
    assert error.code == "invalid-fact"
    return error.message, error.hints
