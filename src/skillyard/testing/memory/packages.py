"""The contents, each kept once."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from skillyard.application.ports.store import RemovedPackages
from skillyard.domain.contenttype import find_content_type
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import CorruptedContentError
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import parse_path
from skillyard.domain.skill import PackageListing, StoredFile
from skillyard.testing.memory.state import Work


@dataclass(frozen=True, slots=True)
class MemoryPackages:
    """See `Packages`."""

    work: Work

    def add(self, packages: Iterable[Package]) -> None:
        """See `Packages.add`."""
        draft = self.work.draft
        for package in packages:
            listing = _to_listing(package)
            draft.packages.setdefault(listing.digest, listing)
            for file, stored in zip(package.files.values(), listing.files, strict=True):
                draft.contents.setdefault(stored.sha256, file.content)

    def find(self, digest: TreeDigest) -> PackageListing | None:
        """See `Packages.find`."""
        return self.work.seen.packages.get(digest)

    def get(self, digest: TreeDigest) -> Package:
        """See `Packages.get`."""
        listing = self.find(digest)
        if listing is None:
            raise CorruptedContentError(str(digest), expected=str(digest), found="nothing")
        package = Package.from_checked(
            (parse_path(one.path), self._read(one)) for one in listing.files
        )
        if package.digest() != digest:
            found = str(package.digest())
            raise CorruptedContentError(str(digest), expected=str(digest), found=found)
        return package

    def get_file(self, digest: TreeDigest, path: str) -> PackageFile | None:
        """See `Packages.get_file`."""
        listing = self.find(digest)
        files = listing.files if listing else ()
        return next((self._read(one) for one in files if one.path == path), None)

    def iter_digests(self) -> Iterator[TreeDigest]:
        """See `Packages.iter_digests`."""
        return iter(sorted(self.work.seen.packages))

    def remove_unused(self) -> RemovedPackages:
        """See `Packages.remove_unused`."""
        draft = self.work.draft
        named = {one.digest for one in draft.versions.values()}
        for run in draft.runs.values():
            named |= {digest for one in run.skills for digest in (one.digest, one.delivered)}
        unused = [digest for digest in draft.packages if digest not in named]
        for digest in unused:
            del draft.packages[digest]
        needed = {file.sha256 for one in draft.packages.values() for file in one.files}
        loose = [sha256 for sha256 in draft.contents if sha256 not in needed]
        return RemovedPackages(len(unused), sum(len(draft.contents.pop(one)) for one in loose))

    def _read(self, file: StoredFile) -> PackageFile:
        content = self.work.seen.contents[file.sha256]
        found = hashlib.sha256(content).hexdigest()
        if found != file.sha256:
            raise CorruptedContentError(file.path, expected=file.sha256, found=found)
        return PackageFile(content, file.executable)


def _to_listing(package: Package) -> PackageListing:
    files = (_to_stored_file(path, file) for path, file in package.files.items())
    return PackageListing(package.digest(), tuple(files))


def _to_stored_file(path: str, file: PackageFile) -> StoredFile:
    return StoredFile(
        path=path,
        sha256=hashlib.sha256(file.content).hexdigest(),
        size=len(file.content),
        content_type=find_content_type(path, file.content),
        executable=file.executable,
    )
