"""The packages of tests."""

import pytest

from skillyard.domain.errors import InvalidNameError, UnsafePathError
from skillyard.domain.package import PackageFile
from skillyard.skillmd.check import Judgement, check_package
from skillyard.skillmd.rules import Profile
from skillyard.testing.packages import make_package, make_skill_md

STRICT = Judgement(profile=Profile.STRICT)
SCRIPT = PackageFile(b"#!/bin/sh\n", executable=True)


@pytest.mark.parametrize("name", ["pdf", "form-filler", "a1"])
def test_a_package_passes_the_strict_profile(name: str) -> None:
    package = make_package(name, files={"scripts/run.sh": SCRIPT, "references/a.md": "# A\n"})
    checked = check_package(package, directory=name, judgement=STRICT)

    assert checked.diagnostics == ()
    assert checked.manifest is not None
    assert checked.manifest.name == name


def test_a_package_says_what_it_is_told_to_say() -> None:
    package = make_package("pdf", description='Says: "#1"', body="Do it.\n", files={"run": SCRIPT})
    manifest = check_package(package, directory="pdf").manifest

    assert manifest is not None
    assert manifest.description == 'Says: "#1"'
    assert dict(package.files) == {
        "SKILL.md": PackageFile(
            make_skill_md("pdf", description='Says: "#1"', body="Do it.\n").encode()
        ),
        "run": SCRIPT,
    }
    assert package.skill_md is not None
    assert package.skill_md.endswith(b"---\n\nDo it.\n")


def test_what_is_no_name_and_no_path_is_refused() -> None:
    with pytest.raises(InvalidNameError):
        make_package("No Name")
    with pytest.raises(UnsafePathError):
        make_package(files={"../up": ""})
