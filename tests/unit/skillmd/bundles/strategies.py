"""Packages and archives for property tests."""

from hypothesis import strategies as st

from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import find_path_problem, iter_collisions
from skillyard.skillmd.bundles import BundleFacts
from skillyard.skillmd.intake import find_left_out

FACTS = BundleFacts(slug="pdf", display_name="PDF")

_parts = st.one_of(
    st.text("abcXYZ019._- ", min_size=1, max_size=12),
    st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="/"), min_size=1, max_size=8
    ),
    st.sampled_from(["scripts", "references", "n" * 90, "é" * 60]),
)
paths = (
    st.lists(_parts, min_size=1, max_size=4)
    .map("/".join)
    .filter(lambda path: find_path_problem(path) is None and find_left_out(path) is None)
)
contents = st.one_of(
    st.binary(max_size=400),
    st.text(max_size=200).map(str.encode),
    # Short of the limits, and far beyond the ratio of a bomb.
    st.integers(60_000, 70_000).map(bytes),
)
files = st.builds(PackageFile, contents, st.booleans())


def _to_package(skill_md: PackageFile, others: dict[str, PackageFile]) -> Package:
    found = {"SKILL.md": PackageFile(skill_md.content[:60_000], skill_md.executable)} | others
    for path, _ in list(iter_collisions(found)):
        del found[path]
    return Package.of(found)


packages = st.builds(_to_package, files, st.dictionaries(paths, files, max_size=6))
"""Packages that the standard limits accept, with SKILL.md."""

everyday_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
facts = st.builds(
    BundleFacts,
    slug=everyday_texts,
    display_name=everyday_texts,
    description=everyday_texts,
    category=st.none() | everyday_texts,
    tags=st.lists(everyday_texts, max_size=3).map(tuple),
    version=st.none() | everyday_texts,
    requires_tools=st.lists(everyday_texts, max_size=3).map(tuple),
    created_at=st.none() | everyday_texts,
    author=st.none() | everyday_texts,
)
