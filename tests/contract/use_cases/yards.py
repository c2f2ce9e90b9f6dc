"""A yard over any store, with a clock that stands still."""

from collections.abc import Mapping
from typing import Any

from skillyard.adapters.scanner.unscanned import NoScanner
from skillyard.adapters.system.ids import TimeOrderedIds
from skillyard.application.ports.store import Store
from skillyard.application.save import SavedSkill, SaveSkill
from skillyard.domain.audit import AuditFilter
from skillyard.domain.package import PackageFile
from skillyard.domain.skill import Actor
from skillyard.testing.clock import FixedClock
from skillyard.testing.packages import BODY, make_package
from skillyard.yard import Skillyard

NO_FILES: Mapping[str, PackageFile | bytes | str] = {}


def make_yard(store: Store, *, actor: str = "ada") -> Skillyard:
    """Give everything that can be done with `store`, done by `actor`."""
    return Skillyard(
        store=store,
        clock=FixedClock(),
        ids=TimeOrderedIds(),
        scanner=NoScanner(),
        actor=Actor(actor),
    )


def save(
    yard: Skillyard,
    name: str = "pdf",
    body: str = BODY,
    *,
    files: Mapping[str, PackageFile | bytes | str] = NO_FILES,
    **wish: Any,  # noqa: ANN401 (any field of the wish)
) -> SavedSkill:
    """Save a skill of that name and body."""
    package = make_package(name, body=body, files=files)
    return yard.save(SaveSkill(package=package, directory=name, **wish))


def count_rows(store: Store) -> tuple[int, int]:
    """Give how many entries the log of changes has, and how many events wait."""
    with store.view() as view:
        return len(view.audit.list(AuditFilter())), len(view.outbox.list_pending(most=1000))
