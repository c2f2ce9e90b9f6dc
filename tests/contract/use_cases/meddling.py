"""Stores in which something happens at a moment that only chance would find."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.skill import SkillVersion, Tombstone
from skillyard.domain.version import Version


class MeddledStore:
    """The store `inner`, in which something happens right before the next one that writes."""

    def __init__(self, inner: Store, meddle: Callable[[], object]) -> None:
        self._inner = inner
        self._meddles: list[Callable[[], object]] = [meddle]

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the inner one has)
        return getattr(self._inner, name)

    @contextmanager
    def begin(self) -> Iterator[Transaction]:
        """See `Store.begin`."""
        while self._meddles:
            self._meddles.pop()()
        with self._inner.begin() as transaction:
            yield transaction


class VanishingStore:
    """The store `inner`, whose skill `slug` is gone when someone asks for a version of it."""

    def __init__(self, inner: Store, slug: str) -> None:
        self._inner = inner
        self._slug = slug

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the inner one has)
        return getattr(self._inner, name)

    @contextmanager
    def begin(self) -> Iterator[Transaction]:
        """See `Store.begin`."""
        with self._inner.begin() as transaction:
            yield _VanishingTransaction(transaction, self._slug)


class _VanishingTransaction:
    def __init__(self, inner: Transaction, slug: str) -> None:
        self._inner = inner
        self.versions = _VanishingVersions(inner, slug)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the inner one has)
        return getattr(self._inner, name)


class _VanishingVersions:
    def __init__(self, inner: Transaction, slug: str) -> None:
        self._inner = inner
        self._slug: str | None = slug

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the inner one has)
        return getattr(self._inner.versions, name)

    def find(self, skill_id: str, version: Version) -> SkillVersion | None:
        skill = self._inner.skills.find(self._slug) if self._slug else None
        if skill is not None and skill.id == skill_id:
            tombstone = Tombstone(
                skill_id=skill.id,
                owner=skill.owner,
                slug=skill.slug,
                version=skill.current,
                digest=skill.digest,
                deleted_at=skill.updated_at,
                deleted_by="eve",
            )
            assert self._inner.skills.remove(skill, tombstone)
            self._slug = None
        return self._inner.versions.find(skill_id, version)


class UnlistedStore:
    """The store `inner`, which lists no versions and no assignments: there may be many."""

    def __init__(self, inner: Store) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the inner one has)
        return getattr(self._inner, name)

    @contextmanager
    def begin(self) -> Iterator[Transaction]:
        """See `Store.begin`."""
        with self._inner.begin() as transaction:
            yield _UnlistedTransaction(transaction)


class _UnlistedTransaction:
    def __init__(self, inner: Transaction) -> None:
        self._inner = inner
        self.versions = _Unlisted(inner.versions)
        self.assignments = _Unlisted(inner.assignments)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the inner one has)
        return getattr(self._inner, name)


class _Unlisted:
    def __init__(self, inner: object) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the inner one has)
        assert name != "list"
        return getattr(self._inner, name)
