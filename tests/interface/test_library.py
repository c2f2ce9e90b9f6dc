"""The same through `import skillyard`."""

from pathlib import Path

import pytest

import skillyard
from tests.interface.cli.running import write_skill

pytestmark = pytest.mark.requirement("INT-1")


def test_check_yields_every_skill_with_its_findings(tmp_path: Path) -> None:
    write_skill(tmp_path / "a")
    write_skill(tmp_path / "b", "broken")

    found = [
        (Path(one.found.location).name, [two.code for two in one.checked.diagnostics])
        for one in skillyard.check(tmp_path)
    ]

    assert found == [("a", []), ("b", ["SY107"])]


def test_check_takes_the_profiles_of_the_command(tmp_path: Path) -> None:
    write_skill(tmp_path / "a", "\ufeff---\nname: a\ndescription: Sorts.\n---\nSort.\n")

    (codex,) = skillyard.check(tmp_path / "a", profile="client:codex")
    with pytest.raises(skillyard.SkillyardError) as caught:
        skillyard.check(tmp_path / "a", profile="lax")

    assert codex.verdict is not None
    assert not codex.verdict.loads
    assert caught.value.code == "invalid-profile"


def test_a_package_goes_out_and_comes_back(tmp_path: Path) -> None:
    made = skillyard.new("sort-mail", to=tmp_path, directory=True)
    package = skillyard.read_package(made.target)

    packed = skillyard.pack(made.target, tmp_path / "sort-mail.json")
    laid_out = skillyard.unpack(packed.target, tmp_path / "copy" / "sort-mail")

    assert skillyard.read_package(laid_out.target) == package
    assert skillyard.digest(packed.target) == package.digest() == laid_out.digest


def test_fix_changes_only_what_it_says(tmp_path: Path) -> None:
    file = (
        write_skill(tmp_path / "a", "\ufeff---\nname: a\ndescription: S.\n---\nS.\n") / "SKILL.md"
    )
    write_skill(tmp_path / "b")

    planned = skillyard.fix(tmp_path, dry_run=True)
    untouched = file.read_bytes()
    fixed = skillyard.fix(tmp_path)

    assert [one.found.location for one in planned] == [one.found.location for one in fixed]
    assert [Path(one.found.location).name for one in fixed] == ["a"]
    assert untouched.startswith(b"\xef\xbb\xbf")
    assert file.read_bytes() == untouched.removeprefix(b"\xef\xbb\xbf")


def test_what_is_refused_raises_with_every_finding(tmp_path: Path) -> None:
    write_skill(tmp_path / "a")
    (tmp_path / "a" / "one.md").symlink_to("SKILL.md")
    (tmp_path / "a" / "two.md").symlink_to("SKILL.md")

    with pytest.raises(skillyard.InvalidPackageError) as caught:
        skillyard.read_package(tmp_path / "a")

    assert [one.path for one in caught.value.diagnostics] == ["one.md", "two.md"]
    assert caught.value.code == "invalid-package"


def test_an_ending_that_says_nothing_is_refused(tmp_path: Path) -> None:
    write_skill(tmp_path / "a")

    with pytest.raises(skillyard.SkillyardError) as caught:
        skillyard.pack(tmp_path / "a", tmp_path / "a.rar")

    assert caught.value.code == "unknown-form"


def test_a_name_that_is_not_there_is_no_attribute() -> None:
    with pytest.raises(AttributeError):
        _ = skillyard.nothing
    assert dir(skillyard) == sorted(skillyard.__all__)
