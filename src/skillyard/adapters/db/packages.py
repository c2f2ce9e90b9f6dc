"""The contents, each kept once."""

import hashlib
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from sqlalchemy import Row, bindparam, delete, exists, func, select

from skillyard.adapters.db.inserting import IF_ABSENT
from skillyard.adapters.db.rows import from_digest, reading, to_digest
from skillyard.adapters.db.session import Session
from skillyard.adapters.db.tables import contents, package_files, packages, run_skills, versions
from skillyard.application.ports.store import RemovedPackages
from skillyard.domain.contenttype import find_content_type
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import CorruptedContentError
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import PackagePath
from skillyard.domain.skill import PackageListing, StoredFile

_PAGE: Final = 500
_FILES: Final = (
    select(
        package_files.c.path,
        package_files.c.sha256,
        contents.c.size,
        package_files.c.content_type,
        package_files.c.executable,
    )
    .join_from(package_files, contents, contents.c.sha256 == package_files.c.sha256)
    .where(package_files.c.digest == bindparam("digest"))
    # Code points and the bytes of UTF-8 are in the same order.
    .order_by(package_files.c.path)
)
_BODIES: Final = (
    select(
        package_files.c.path, package_files.c.executable, package_files.c.sha256, contents.c.body
    )
    .join_from(package_files, contents, contents.c.sha256 == package_files.c.sha256)
    .where(package_files.c.digest == bindparam("digest"))
    .order_by(package_files.c.path)
)
_BODY: Final = _BODIES.where(package_files.c.path == bindparam("path"))
_IS_THERE: Final = select(packages.c.digest).where(packages.c.digest == bindparam("digest"))
_KNOWN: Final = select(packages.c.digest).where(
    packages.c.digest.in_(bindparam("digests", expanding=True))
)
_NEXT: Final = (
    select(packages.c.digest)
    .where(packages.c.digest > bindparam("after"))
    .order_by(packages.c.digest)
    .limit(_PAGE)
)
_REMOVE_UNUSED: Final = delete(packages).where(
    ~exists().where(versions.c.digest == packages.c.digest),
    ~exists().where(run_skills.c.digest == packages.c.digest),
    ~exists().where(run_skills.c.delivered == packages.c.digest),
)
_IS_UNUSED: Final = ~exists().where(package_files.c.sha256 == contents.c.sha256)
_UNUSED_BYTES: Final = select(func.coalesce(func.sum(contents.c.size), 0).label("bytes")).where(
    _IS_UNUSED
)
_REMOVE_UNUSED_CONTENTS: Final = delete(contents).where(_IS_UNUSED)


class SqlPackages:
    """See `Packages`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, packages: Iterable[Package]) -> None:
        """See `Packages.add`."""
        offered = {to_digest(package.digest()): package for package in packages}
        for known in self._iter_known(offered):
            del offered[known]
        _Batch(offered).write(self._session)

    def find(self, digest: TreeDigest) -> PackageListing | None:
        """See `Packages.find`."""
        rows = self._session.rows(_FILES, {"digest": to_digest(digest)})
        if not rows and not self._is_there(digest):
            return None
        return PackageListing(digest, tuple(_to_stored_file(row) for row in rows))

    def get(self, digest: TreeDigest) -> Package:
        """See `Packages.get`."""
        rows = self._session.rows(_BODIES, {"digest": to_digest(digest)})
        if not rows and not self._is_there(digest):
            raise CorruptedContentError(str(digest), expected=str(digest), found="nothing")
        with reading(str(digest)):
            package = Package.from_checked((PackagePath(row.path), _to_file(row)) for row in rows)
        if (found := package.digest()) != digest:
            raise CorruptedContentError(str(digest), expected=str(digest), found=str(found))
        return package

    def get_file(self, digest: TreeDigest, path: str) -> PackageFile | None:
        """See `Packages.get_file`."""
        row = self._session.row(_BODY, {"digest": to_digest(digest), "path": path})
        return _to_file(row) if row else None

    def iter_digests(self) -> Iterator[TreeDigest]:
        """See `Packages.iter_digests`."""
        after = b""
        while rows := self._session.rows(_NEXT, {"after": after}):
            yield from (from_digest(row.digest) for row in rows)
            after = rows[-1].digest

    def remove_unused(self) -> RemovedPackages:
        """See `Packages.remove_unused`."""
        with self._session.attempt(several=True):
            removed = self._session.count(_REMOVE_UNUSED, what="a package")
            row = self._session.row(_UNUSED_BYTES)
            self._session.count(_REMOVE_UNUSED_CONTENTS, what="a content")
        return RemovedPackages(removed, int(row.bytes) if row else 0)

    def _is_there(self, digest: TreeDigest) -> bool:
        return self._session.row(_IS_THERE, {"digest": to_digest(digest)}) is not None

    def _iter_known(self, digests: Collection[bytes]) -> Iterator[bytes]:
        wanted = list(digests)
        for start in range(0, len(wanted), _PAGE):
            page = {"digests": wanted[start : start + _PAGE]}
            yield from (row.digest for row in self._session.rows(_KNOWN, page))


class _Batch:
    """Packages as rows.

    Rows are written in the order of their keys, and contents before what refers to them: two
    writers that bring the same content wait for each other in one direction only.
    """

    def __init__(self, offered: dict[bytes, Package]) -> None:
        self.contents: dict[bytes, bytes] = {}
        self.packages: list[dict[str, object]] = []
        self.files: list[dict[str, object]] = []
        for digest, package in sorted(offered.items(), key=lambda one: one[0]):
            self.packages.append(
                {"digest": digest, "files": len(package.files), "size": package.size}
            )
            for path, file in package.files.items():
                self.files.append(self._to_row(digest, path, file))

    def write(self, session: Session) -> None:
        bodies: list[dict[str, object]] = [
            {"sha256": sha256, "size": len(body), "body": body}
            for sha256, body in sorted(self.contents.items())
        ]
        session.add(contents, *bodies, conflict=IF_ABSENT)
        session.add(packages, *self.packages, conflict=IF_ABSENT)
        session.add(package_files, *self.files, conflict=IF_ABSENT)

    def _to_row(self, digest: bytes, path: str, file: PackageFile) -> dict[str, object]:
        sha256 = hashlib.sha256(file.content).digest()
        self.contents[sha256] = file.content
        return {
            "digest": digest,
            "path": path,
            "sha256": sha256,
            "content_type": find_content_type(path, file.content),
            "executable": file.executable,
        }


def _to_stored_file(row: Row[*tuple[Any, ...]]) -> StoredFile:
    return StoredFile(row.path, row.sha256.hex(), row.size, row.content_type, row.executable)


def _to_file(row: Row[*tuple[Any, ...]]) -> PackageFile:
    with reading(row.path):
        found = hashlib.sha256(row.body)
    if found.digest() != row.sha256:
        raise CorruptedContentError(row.path, expected=row.sha256.hex(), found=found.hexdigest())
    return PackageFile(row.body, row.executable)
