"""One file of a skill, on request."""

import pytest

from skillyard.disclosure.tier3 import FileKind, find_file, list_files, render_file
from skillyard.domain.errors import UnsafePathError
from skillyard.domain.package import Package, PackageFile

PACKAGE = Package.of(
    {
        "SKILL.md": "Do it.",
        "assets/logo.png": b"\x89PNG\xff",
        "references/a.md": "# A\n",
        "references/deep/b.md": "# B\n",
        "scripts/run.sh": "true\n",
        "scripts.md": "not a script",
    }
)


@pytest.mark.requirement("DIS-3")
@pytest.mark.parametrize(
    ("kind", "paths"),
    [
        (FileKind.SCRIPTS, ("scripts/run.sh",)),
        (FileKind.REFERENCES, ("references/a.md", "references/deep/b.md")),
        (FileKind.ASSETS, ("assets/logo.png",)),
    ],
)
def test_files_are_listed_by_the_directory_they_stand_in(
    kind: FileKind, paths: tuple[str, ...]
) -> None:
    assert list_files(PACKAGE, kind) == paths


@pytest.mark.requirement("DIS-3")
@pytest.mark.parametrize("path", ["references/a.md", "./references/a.md", "././references/a.md"])
def test_a_file_is_found_by_its_path(path: str) -> None:
    assert find_file(PACKAGE, path) == PackageFile(b"# A\n")


@pytest.mark.requirement("DIS-3")
@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "..",
        "./",
        "/etc/passwd",
        "../../../etc/passwd",
        "references/../../secret",
        "./../secret",
        "././../a",
        ".//etc/passwd",
        "./././",
        "references//a.md",
        "references\\a.md",
        "C:/secret",
        "file:///etc/passwd",
        "~/../secret\x00",
        "references/a.md\n",
        "references/\u202ea.md",
        ".git/config",
        "a" * 300,
    ],
)
def test_a_path_that_could_lead_out_is_refused_before_anything_is_looked_up(path: str) -> None:
    with pytest.raises(UnsafePathError) as caught:
        find_file(PACKAGE, path)

    assert caught.value.code == "unsafe-path"


@pytest.mark.requirement("DIS-3")
def test_a_file_that_is_not_there_is_none() -> None:
    assert find_file(PACKAGE, "references/none.md") is None


@pytest.mark.requirement("DIS-3")
def test_a_text_is_given_as_it_is_and_anything_else_by_what_it_is() -> None:
    assert render_file("a.md", PackageFile("# Ä\r\n".encode())) == "# Ä\r\n"
    assert render_file("assets/logo.png", PackageFile(b"\x89PNG\xff")) == (
        "[assets/logo.png is not text: 5 bytes of image/png]"
    )
