"""What a bundle says of a skill besides its files."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFacts:
    """What is written into a bundle besides the files; None is not written.

    Archives carry the `wrapper` only: the name of one directory around all files, or None.
    `created_at` is the moment at which the content was made, in ISO 8601; without it the bundle
    names no moment. It is never the time of writing, so that equal content gives equal bytes.
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
    wrapper: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableFacts:
    """What a portable bundle said of its skill; None and nothing where it did not say.

    SKILL.md says the same things, and it decides. Whether the two differ is for the check of the
    package to report (SY408), which gets these facts together with the files.
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
