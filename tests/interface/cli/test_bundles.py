"""`skillyard new`, `pack`, `unpack`, `digest` and `show` as a user meets them."""

import io
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.interface.cli.running import skillyard, write_skill

FORMS = ["sort.zip", "sort.tar.gz", "sort.json"]


def make_rich_skill(root: Path) -> Path:
    skill = write_skill(root / "sort")
    (skill / "scripts").mkdir()
    (skill / "scripts" / "run.sh").write_text("#!/bin/sh\nexit 0\n")
    (skill / "scripts" / "run.sh").chmod(0o755)
    (skill / "assets").mkdir()
    (skill / "assets" / "logo.bin").write_bytes(bytes(range(256)))
    (skill / "references").mkdir()
    (skill / "references" / "größe.md").write_text("große Tabelle\r\n", encoding="utf-8")
    (skill / "references" / "empty.md").write_text("")
    return skill


def digest_of(path: Path | str, cwd: Path) -> str:
    ran = skillyard("digest", path, cwd=cwd)
    assert ran.status == 0, ran.err
    return ran.out.split()[0]


@pytest.mark.requirement("PKG-2", "INT-2")
@pytest.mark.parametrize("options", [[], ["--directory"], ["--description", 'Say "hi": now # ok']])
def test_a_new_skill_passes_the_strict_profile(options: list[str], tmp_path: Path) -> None:
    made = skillyard("new", "sort-mail", *options, cwd=tmp_path)
    checked = skillyard("check", "sort-mail", "--profile", "strict", "--strict-tree", cwd=tmp_path)

    assert made.status == 0, made.err
    assert (checked.status, checked.out) == (0, "Checked 1 package: no problems found\n")


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize(
    ("name", "hint"),
    [("Sort Mail", "Use `sort-mail`"), ("7zip", "Use `skill-7zip`"), ("../evil", "Use `evil`")],
)
def test_a_bad_name_is_refused_with_a_better_one(name: str, hint: str, tmp_path: Path) -> None:
    ran = skillyard("new", name, cwd=tmp_path)

    assert ran.status == 2
    assert hint in ran.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("INT-2")
def test_new_never_overwrites_and_a_dry_run_makes_nothing(tmp_path: Path) -> None:
    dry = skillyard("new", "sort", "--dry-run", cwd=tmp_path)
    assert (dry.status, list(tmp_path.iterdir())) == (0, [])
    write_skill(tmp_path / "sort", "mine")

    ran = skillyard("new", "sort", cwd=tmp_path)

    assert ran.status == 4
    assert "already exists" in ran.err
    assert (tmp_path / "sort" / "SKILL.md").read_text() == "mine"


@pytest.mark.requirement("PKG-7", "WIR-1")
@pytest.mark.parametrize("form", FORMS)
def test_pack_and_unpack_give_the_same_skill_back(form: str, tmp_path: Path) -> None:
    skill = make_rich_skill(tmp_path)
    before = digest_of("sort", tmp_path)

    packed = skillyard("pack", "sort", "-o", form, cwd=tmp_path)
    unpacked = skillyard("unpack", form, "-d", "out/sort", cwd=tmp_path)

    assert (packed.status, unpacked.status) == (0, 0), packed.err + unpacked.err
    assert digest_of(form, tmp_path) == before == digest_of("out/sort", tmp_path)
    copy = tmp_path / "out" / "sort"
    for file in (one for one in skill.rglob("*") if one.is_file()):
        twin = copy / file.relative_to(skill)
        assert twin.read_bytes() == file.read_bytes()
        assert os.access(twin, os.X_OK) == os.access(file, os.X_OK)


@pytest.mark.requirement("WIR-1")
@pytest.mark.parametrize("form", FORMS)
def test_two_packs_are_equal_bytes_whatever_the_day_umask_and_order(
    form: str, tmp_path: Path
) -> None:
    skill = make_rich_skill(tmp_path)
    skillyard("pack", "sort", "-o", form, cwd=tmp_path)
    first = (tmp_path / form).read_bytes()
    other = tmp_path / "other" / "sort"
    other.mkdir(parents=True)
    for file in sorted((one for one in skill.rglob("*") if one.is_file()), reverse=True):
        twin = other / file.relative_to(skill)
        twin.parent.mkdir(exist_ok=True)
        twin.write_bytes(file.read_bytes())
        twin.chmod(0o700 if os.access(file, os.X_OK) else 0o600)
        os.utime(twin, (1e9, 1e8))

    subprocess.run(
        [
            "bash",
            "-c",
            f"umask 0077; {sys.executable} -m skillyard pack other/sort -o again-{form}",
        ],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )

    assert (tmp_path / f"again-{form}").read_bytes() == first


@pytest.mark.requirement("INT-2")
def test_pack_does_not_replace_a_file_unless_told_to(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort")
    (tmp_path / "sort.zip").write_text("mine")

    refused = skillyard("pack", "sort", "-o", "sort.zip", cwd=tmp_path)
    kept = (tmp_path / "sort.zip").read_text()
    forced = skillyard("pack", "sort", "-o", "sort.zip", "--force", cwd=tmp_path)

    assert (refused.status, kept, forced.status) == (4, "mine", 0)
    assert zipfile.ZipFile(tmp_path / "sort.zip").namelist() == ["SKILL.md"]


@pytest.mark.requirement("INT-2")
def test_an_unknown_ending_is_bad_usage(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort")

    ran = skillyard("pack", "sort", "-o", "sort.rar", cwd=tmp_path)

    assert ran.status == 2
    assert "Known forms: a directory, .zip, .skill, .tar.gz, .tgz, .json" in ran.err


def hostile_zip(name: str, content: bytes = b"x") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("SKILL.md", "---\nname: evil\ndescription: x\n---\nx\n")
        archive.writestr(name, content)
    return buffer.getvalue()


def tar_with_link() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        link = tarfile.TarInfo("SKILL.md")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return buffer.getvalue()


@pytest.mark.requirement("TRU-1", "TRU-2", "PKG-8")
@pytest.mark.parametrize(
    ("file", "content", "code"),
    [
        ("up.zip", hostile_zip("../evil.txt"), "SY301"),
        ("absolute.zip", hostile_zip("/evil.txt"), "SY301"),
        ("device.zip", hostile_zip("aux.md"), "SY301"),
        ("bidi.zip", hostile_zip("a\u202eb.md"), "SY301"),
        ("case.zip", hostile_zip("skill.md"), "SY302"),
        ("binary.zip", hostile_zip("tool.exe", b"MZ\0\xff"), "SY309"),
        ("large.zip", hostile_zip("big.txt", os.urandom(150_000).hex().encode()), "SY305"),
        ("bomb.zip", hostile_zip("a.txt", b"x"), "SY"),
        ("link.tar.gz", tar_with_link(), "SY303"),
        ("cut.zip", hostile_zip("a.md")[:-30], "SY402"),
        ("deep.json", b"[" * 100_000, "SY406"),
        ("shape.json", b'{"formatVersion": 3}', "SY407"),
    ],
)
def test_a_hostile_bundle_leaves_nothing_behind(
    file: str, content: bytes, code: str, tmp_path: Path
) -> None:
    if file == "bomb.zip":
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("SKILL.md", b" " * 40_000_000)
        content, code = buffer.getvalue(), "SY404"
    (tmp_path / file).write_bytes(content)

    ran = skillyard("unpack", file, "-d", "out", cwd=tmp_path)

    assert ran.status == 1
    assert code in ran.err
    assert "Traceback" not in ran.err
    assert [one.name for one in tmp_path.iterdir()] == [file]


@pytest.mark.requirement("INT-2", "PKG-8")
def test_the_default_directory_is_the_skills_name_and_never_a_path_of_its_choosing(
    tmp_path: Path,
) -> None:
    evil = "---\nname: ../../evil\ndescription: Sorts.\n---\nSort.\n"
    (tmp_path / "in").mkdir()
    with zipfile.ZipFile(tmp_path / "in" / "x.zip", "w") as archive:
        archive.writestr("SKILL.md", evil)

    ran = skillyard("unpack", "x.zip", cwd=tmp_path / "in")

    assert ran.status == 0
    assert sorted(one.name for one in (tmp_path / "in").iterdir()) == ["evil", "x.zip"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["in"]


@pytest.mark.requirement("INT-2")
def test_unpack_does_not_touch_a_directory_that_holds_something(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort")
    skillyard("pack", "sort", "-o", "sort.zip", cwd=tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")

    ran = skillyard("unpack", "sort.zip", "-d", "out", cwd=tmp_path)

    assert ran.status == 4
    assert [one.name for one in (tmp_path / "out").iterdir()] == ["mine"]


@pytest.mark.requirement("PKG-7", "INT-2")
def test_digest_prints_one_line_for_each_skill(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills" / "a")
    write_skill(tmp_path / "skills" / "b")

    lines = skillyard("digest", "skills", cwd=tmp_path).out.splitlines()
    as_json = json.loads(skillyard("digest", "skills", "--json", cwd=tmp_path).out)

    assert [line.split("  ")[1] for line in lines] == ["skills/a", "skills/b"]
    assert [f"{one['digest']}  {one['path']}" for one in as_json["packages"]] == lines


@pytest.mark.requirement("PKG-7")
def test_the_content_key_sees_through_what_an_installer_wrote(tmp_path: Path) -> None:
    write_skill(tmp_path / "a" / "sort")
    text = (tmp_path / "a" / "sort" / "SKILL.md").read_text()
    marked = text.replace("---\n\n", "metadata:\n  github-repo: https://example.org/x\n---\n\n", 1)
    write_skill(tmp_path / "b" / "sort", marked)

    digests = skillyard("digest", "a", "b", cwd=tmp_path).out.split()[::2]
    keys = skillyard("digest", "a", "b", "--content-key", cwd=tmp_path).out.split()[::2]

    assert digests[0] != digests[1]
    assert keys[0] == keys[1]


@pytest.mark.requirement("INT-2")
def test_show_says_what_a_skill_says_holds_and_who_loads_it(tmp_path: Path) -> None:
    make_rich_skill(tmp_path)

    text = skillyard("show", "sort", cwd=tmp_path)
    as_json = json.loads(skillyard("show", "sort/SKILL.md", "--json", cwd=tmp_path).out)

    assert text.status == 0
    assert "scripts/run.sh *" in text.out
    assert "✓ Codex" in text.out
    assert as_json["name"] == "sort"
    assert as_json["clients"]["gemini-cli"]["loads"] is True
    assert [one["path"] for one in as_json["files"] if one["executable"]] == ["scripts/run.sh"]


@pytest.mark.requirement("INT-2")
def test_show_of_several_skills_asks_for_one(tmp_path: Path) -> None:
    write_skill(tmp_path / "a")
    write_skill(tmp_path / "b")

    ran = skillyard("show", ".", cwd=tmp_path)

    assert ran.status == 2
    assert "Name one of them, such as `a`" in ran.err


@pytest.mark.requirement("INT-2")
def test_a_dry_run_says_what_the_run_would_say(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort")
    skillyard("pack", "sort", "-o", "sort.zip", cwd=tmp_path)

    new = skillyard("new", "sort", "--dry-run", cwd=tmp_path)
    pack = skillyard("pack", "sort", "-o", "sort.zip", "--dry-run", cwd=tmp_path)
    forced = skillyard("pack", "sort", "-o", "sort.zip", "--dry-run", "--force", cwd=tmp_path)
    unpack = skillyard("unpack", "sort.zip", "-d", "sort", "--dry-run", cwd=tmp_path)

    assert [one.status for one in (new, pack, forced, unpack)] == [4, 4, 0, 4]


@pytest.mark.requirement("INT-2")
def test_a_description_that_cannot_be_used_is_bad_usage(tmp_path: Path) -> None:
    for text in ("", "x" * 1025, "\x1b[31m"):
        ran = skillyard("new", "sort", "--description", text, cwd=tmp_path)
        assert ran.status == 2
        assert "the description cannot be used" in ran.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("INT-2")
def test_the_form_and_the_ending_must_not_contradict_each_other(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort")

    assert skillyard("pack", "sort", "-o", "s.zip", "--form", "json", cwd=tmp_path).status == 2
    assert skillyard("pack", "sort", "-o", "s.tar", cwd=tmp_path).status == 2
    assert skillyard("pack", "sort", "-o", "s.bundle", "--form", "zip", cwd=tmp_path).status == 0


@pytest.mark.requirement("INT-2", "SRC-4")
def test_a_broken_skill_hides_no_digest(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills" / "a")
    (write_skill(tmp_path / "skills" / "b") / "link").symlink_to("SKILL.md")
    write_skill(tmp_path / "skills" / "c")

    ran = skillyard("digest", "skills", cwd=tmp_path)

    assert ran.status == 1
    assert [line.split("  ")[1] for line in ran.out.splitlines()] == ["skills/a", "skills/c"]
    assert "SY303" in ran.err
