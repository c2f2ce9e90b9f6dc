"""What a bundle says of a skill besides its files."""

from dataclasses import dataclass

from skillyard.domain.package import Package
from skillyard.skillmd.intake import TakenIn


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFacts:
    """What is written into a bundle besides the files; None is not written.

    Archives carry the `wrapper` only: the name of one directory around all files, or None.
    `created_at` is the moment at which the content was made, in ISO 8601; without it the bundle
    names no moment. It is never the time of writing, so that equal content gives equal bytes.
    `digest` is the package's, where the facts are what a store knew of exactly that content.
    """

    slug: str
    display_name: str
    description: str = ""
    category: str | None = None
    tags: tuple[str, ...] = ()
    version: str | None = None
    requires_tools: tuple[str, ...] = ()
    created_at: str | None = None
    author: str | None = None
    digest: str | None = None
    wrapper: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableFacts:
    """What a portable bundle said of its skill; None and nothing where it did not say.

    SKILL.md says the same things, and it decides. Whether the two differ is for the check of the
    package to report (SY408), which gets these facts together with the files. Only where a store
    wrote the bundle, and nobody has changed the files since, do these facts say what people knew.
    """

    name: str | None = None
    slug: str | None = None
    description: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    version: str | None = None
    requires_tools: tuple[str, ...] = ()
    exported_at: str | None = None
    exported_from: str | None = None
    author: str | None = None
    digest: str | None = None

    def describes(self, package: Package) -> bool:
        """Tell whether a store said this of exactly these files."""
        return self.digest is not None and self.digest == str(package.digest())


@dataclass(frozen=True, slots=True, eq=False)
class TakenBundle(TakenIn):
    """What came in from portable JSON, with what that says of the skill.

    It equals whatever brought in the same files with the same findings.
    """

    facts: PortableFacts = PortableFacts()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TakenIn) and self._key(self) == self._key(other)

    def __hash__(self) -> int:
        return hash(self._key(self))

    @staticmethod
    def _key(taken: TakenIn) -> tuple[object, ...]:
        return (taken.package, taken.diagnostics, taken.directory)
