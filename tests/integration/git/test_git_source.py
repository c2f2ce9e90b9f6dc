"""Finding skills in real git repositories, friendly and hostile."""

import hashlib
import os
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from skillyard.adapters.git.source import GitTreeSource
from skillyard.application.ports.source import FoundPackage
from skillyard.domain.errors import (
    GitUnavailableError,
    InvalidInputError,
    MissingPathError,
    UnsafePathError,
)
from skillyard.domain.limits import Limits
from skillyard.domain.package import Package, PackageFile

TEXT = "---\nname: pdf\ndescription: Fill in forms.\n---\nFill in forms.\n"
ENVIRONMENT = {
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_NAME": "A",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "PATH": os.environ["PATH"],
}


class Repository:
    """A real repository, written with git itself."""

    def __init__(self, place: Path) -> None:
        self.place = place
        place.mkdir(exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, given: bytes = b"") -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.place,
            env=ENVIRONMENT,
            input=given,
            stdout=subprocess.PIPE,
            check=True,
        )
        return os.fsdecode(done.stdout).strip()

    def write(self, path: str, content: str | bytes = TEXT) -> Path:
        file = self.place / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def commit(self) -> str:
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--message=x", "--allow-empty")
        return self.git("rev-parse", "HEAD")

    def blob(self, content: bytes) -> str:
        return self.git("hash-object", "-w", "--stdin", given=content)

    def tree(self, *rows: str | bytes) -> str:
        """Make a tree of any rows, also of such as git would never write itself."""
        entries = b"".join(
            b"%s %s\0%s" % (mode, name, bytes.fromhex(blob.decode()))
            for mode, name, blob in (os.fsencode(row).split(b" ", 2) for row in rows)
        )
        return self.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", given=entries)

    def read(self, revision: str = "HEAD", path: str = "", **options: float) -> list[FoundPackage]:
        source = GitTreeSource(self.place, revision, path, **options)  # type: ignore[arg-type]
        return list(source.iter_packages())

    def read_one(self, revision: str = "HEAD", path: str = "") -> FoundPackage:
        (found,) = self.read(revision, path)
        return found


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repo")


def codes(found: FoundPackage) -> list[tuple[str, str]]:
    return [(one.code, one.path) for one in found.taken.diagnostics]


def has_children() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


# What is found, and how it is called


def test_packages_are_found_without_a_work_tree(repository: Repository) -> None:
    repository.write("skills/pdf/SKILL.md")
    repository.write("skills/pdf/run.sh", "true\n").chmod(0o755)
    repository.write("README.md", "# Skills\n")
    repository.commit()
    repository.git("rm", "-r", "--quiet", "--cached", ".")
    (repository.place / "skills" / "pdf" / "SKILL.md").unlink()

    found = repository.read_one()

    assert found.location == f"git:{repository.place}@HEAD:skills/pdf"
    assert found.directory == "pdf"
    assert found.taken.package == Package.of(
        {"SKILL.md": TEXT, "run.sh": PackageFile(b"true\n", executable=True)}
    )
    assert found.taken.diagnostics == ()


def test_a_bare_repository_is_read_like_any_other(tmp_path: Path, repository: Repository) -> None:
    repository.write("pdf/SKILL.md")
    repository.commit()
    repository.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))

    (found,) = GitTreeSource(tmp_path / "bare.git").iter_packages()

    assert found.taken.package == Package.of({"SKILL.md": TEXT})


def test_packages_are_yielded_in_the_order_of_their_locations_bytes(repository: Repository) -> None:
    for name in ["b", "a/x", "a-b", "A", "a.c", "é", "z/1/2"]:
        repository.write(f"{name}/SKILL.md")
    repository.commit()

    found = [one.location.rpartition(":")[2] for one in repository.read()]

    assert found == ["A", "a-b", "a.c", "a/x", "b", "z/1/2", "é"]


def test_a_package_at_the_top_of_a_tree_has_no_name(repository: Repository) -> None:
    repository.write("SKILL.md")
    repository.write("examples/inner/SKILL.md")
    repository.commit()

    found = repository.read_one()

    assert (found.location, found.directory) == (f"git:{repository.place}@HEAD:", None)
    assert list(found.taken.package) == ["SKILL.md", "examples/inner/SKILL.md"]


def test_what_stands_below_a_package_belongs_to_it(repository: Repository) -> None:
    repository.write("outer/SKILL.md")
    repository.write("outer/.hidden/inner/SKILL.md")
    repository.write("outer-not/notes.md")
    repository.commit()

    found = repository.read_one()

    assert list(found.taken.package) == [".hidden/inner/SKILL.md", "SKILL.md"]


@pytest.mark.parametrize("path", ["skills", "skills/", "./skills", "/skills"])
def test_only_what_stands_below_the_path_is_found(repository: Repository, path: str) -> None:
    repository.write("skills/pdf/SKILL.md")
    repository.write("other/SKILL.md")
    repository.commit()

    found = repository.read_one(path=path)

    assert found.location == f"git:{repository.place}@HEAD:skills/pdf"


def test_the_path_of_a_package_gives_it_its_name(repository: Repository) -> None:
    repository.write("skills/pdf/SKILL.md")
    repository.commit()

    found = repository.read_one(path="skills/pdf")

    assert (found.location, found.directory) == (
        f"git:{repository.place}@HEAD:skills/pdf",
        "pdf",
    )
    assert list(found.taken.package) == ["SKILL.md"]


def test_any_revision_can_be_read(repository: Repository) -> None:
    repository.write("pdf/SKILL.md", "old\n")
    first = repository.commit()
    repository.git("tag", "--annotate", "--message=x", "v1")
    repository.write("pdf/SKILL.md", "new\n")
    repository.commit()

    texts = [
        repository.read_one(revision).taken.package.skill_md
        for revision in [first, first[:10], "v1", "HEAD~1", "v1^{tree}", "main", "HEAD"]
    ]

    assert texts == [b"old\n"] * 5 + [b"new\n"] * 2


@pytest.mark.parametrize("name", ["skill.md", "Skill.MD"])
def test_a_skill_md_in_other_letters_makes_a_package_too(repository: Repository, name: str) -> None:
    repository.write(f"pdf/{name}")
    repository.commit()

    assert list(repository.read_one().taken.package) == [name]


def test_what_belongs_to_tools_is_not_looked_into(repository: Repository) -> None:
    repository.write("node_modules/vendored/SKILL.md")
    repository.write("pdf/SKILL.md")
    repository.write("pdf/node_modules/left-pad/index.js", "")
    repository.commit()

    found = repository.read_one()

    assert found.directory == "pdf"
    assert codes(found) == [("SY316", "node_modules")]


# What is missing


def test_a_repository_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError) as caught:
        list(GitTreeSource(tmp_path / "nowhere").iter_packages())

    assert caught.value.message == f"`{tmp_path}/nowhere` does not exist"


def test_a_directory_that_is_no_repository_is_an_error(repository: Repository) -> None:
    """The repository above it is not taken instead."""
    repository.write("pdf/SKILL.md")
    repository.commit()

    with pytest.raises(MissingPathError) as caught:
        list(GitTreeSource(repository.place / "pdf").iter_packages())

    assert caught.value.message == f"`{repository.place}/pdf` is not a git repository"


@pytest.mark.parametrize("revision", ["nope", "HEAD:pdf", "HEAD~5", "a..b", "0" * 40])
def test_a_revision_that_does_not_exist_is_an_error(repository: Repository, revision: str) -> None:
    repository.write("pdf/SKILL.md")
    repository.commit()

    with pytest.raises(MissingPathError) as caught:
        repository.read(revision)

    assert caught.value.message == f"`{repository.place}` has no revision `{revision}`"


def test_a_repository_without_a_commit_is_an_error(repository: Repository) -> None:
    with pytest.raises(MissingPathError) as caught:
        repository.read()

    assert caught.value.message == f"`{repository.place}` has no revision `HEAD`"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("nowhere", "does not exist"),
        ("pdf/SKILL.md", "is not a directory"),
        ("docs", "holds no skill"),
    ],
)
def test_a_path_without_a_skill_is_an_error(repository: Repository, path: str, reason: str) -> None:
    repository.write("pdf/SKILL.md")
    repository.write("docs/readme.md")
    repository.commit()

    with pytest.raises(MissingPathError) as caught:
        repository.read(path=path)

    assert caught.value.message == f"`git:{repository.place}@HEAD:{path}` {reason}"


def test_what_cannot_be_reached_is_no_revision(repository: Repository) -> None:
    repository.write("pdf/SKILL.md")
    repository.commit()

    with pytest.raises(MissingPathError) as caught:
        repository.read("^HEAD")

    assert caught.value.message == "`^HEAD` is not a revision"


# Values that mean to be something else


@pytest.fixture
def _no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **_: object) -> None:
        raise AssertionError(arguments)

    monkeypatch.setattr(subprocess, "Popen", refuse)


@pytest.mark.usefixtures("_no_processes")
@pytest.mark.parametrize(
    "revision",
    ["", "-h", "--upload-pack=touch x", "--output=x", "a\0b", "a\nb", "a\x1b[2J", "x" * 1025],
)
def test_a_revision_that_could_be_an_option_starts_no_process(
    tmp_path: Path, revision: str
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        list(GitTreeSource(tmp_path, revision).iter_packages())

    assert caught.value.code == "invalid-input"


@pytest.mark.usefixtures("_no_processes")
@pytest.mark.parametrize("path", ["..", "a/../../b", "a\0b", "a\nb"])
def test_a_path_that_leads_out_starts_no_process(tmp_path: Path, path: str) -> None:
    with pytest.raises(UnsafePathError):
        list(GitTreeSource(tmp_path, path=path).iter_packages())


def test_a_path_that_looks_like_an_option_is_a_path(repository: Repository) -> None:
    repository.write("--output=x/pdf/SKILL.md")
    repository.commit()

    assert repository.read_one(path="--output=x").directory == "pdf"


def test_a_branch_that_looks_like_an_option_of_another_command_is_a_branch(
    repository: Repository,
) -> None:
    repository.write("pdf/SKILL.md")
    repository.git("update-ref", "refs/heads/--all", repository.commit())

    assert repository.read_one("refs/heads/--all").directory == "pdf"


# Hostile trees


def test_links_and_submodules_are_refused(repository: Repository) -> None:
    blob = repository.blob(TEXT.encode())
    pdf = repository.tree(
        f"100644 SKILL.md {blob}",
        f"120000 link {repository.blob(b'/etc/passwd')}",
        f"160000 module {'1' * 40}",
    )
    tree = repository.tree(f"40000 pdf {pdf}")

    found = repository.read_one(tree)

    assert codes(found) == [("SY303", "link"), ("SY304", "module")]
    assert list(found.taken.package) == ["SKILL.md"]


def test_a_linked_skill_md_makes_a_package_that_is_refused(repository: Repository) -> None:
    pdf = repository.tree(f"120000 SKILL.md {repository.blob(b'/etc/passwd')}")

    found = repository.read_one(repository.tree(f"40000 pdf {pdf}"))

    assert codes(found) == [("SY303", "SKILL.md")]


@pytest.mark.parametrize("name", [".git", ".GIT", "git~1", ".g\u200cit", "..", "a\\b", "\x1b[2J"])
def test_names_that_git_itself_would_refuse_are_refused(repository: Repository, name: str) -> None:
    blob = repository.blob(TEXT.encode())
    inner = repository.tree(f"100644 config {blob}")
    pdf = repository.tree(f"100644 SKILL.md {blob}", f"40000 {name} {inner}")

    found = repository.read_one(repository.tree(f"40000 pdf {pdf}"))

    assert [code for code, _ in codes(found)] == ["SY301"]
    assert all(path.isprintable() for _, path in codes(found))
    assert list(found.taken.package) == ["SKILL.md"]


def test_a_name_that_is_not_utf_8_is_refused_in_a_printable_form(repository: Repository) -> None:
    blob = repository.blob(TEXT.encode())
    pdf = repository.tree(f"100644 SKILL.md {blob}", b"100644 caf\xe9.md " + blob.encode())
    tree = repository.tree(b"40000 p\xff " + pdf.encode())

    found = repository.read_one(tree)

    assert [code for code, _ in codes(found)] == ["SY301"]
    assert (found.directory, found.taken.diagnostics[0].path.isprintable()) == ("p\\xff", True)


def test_a_file_that_stands_twice_is_refused(repository: Repository) -> None:
    blob = repository.blob(TEXT.encode())
    pdf = repository.tree(f"100644 SKILL.md {blob}", f"100644 SKILL.md {repository.blob(b'x')}")

    found = repository.read_one(repository.tree(f"40000 pdf {pdf}"))

    assert [code for code, _ in codes(found)] == ["SY403"]


def test_a_tree_in_the_place_of_a_file_is_a_finding(repository: Repository) -> None:
    inner = repository.tree(f"100644 x {repository.blob(b'x')}")
    pdf = repository.tree(f"100644 SKILL.md {inner}")

    found = repository.read_one(repository.tree(f"40000 pdf {pdf}"))

    assert codes(found) == [("SY314", "SKILL.md")]


def test_a_content_that_is_missing_is_a_finding_and_hides_no_other(repository: Repository) -> None:
    blob = repository.blob(TEXT.encode())
    broken = repository.tree(f"100644 SKILL.md {'1' * 40}")
    whole = repository.tree(f"100644 SKILL.md {blob}")

    found = repository.read(repository.tree(f"40000 a {broken}", f"40000 b {whole}"))

    assert [codes(one) for one in found] == [[("SY314", "SKILL.md")], []]


def test_a_tree_that_is_missing_is_an_error(repository: Repository) -> None:
    tree = repository.tree(f"40000 pdf {'1' * 40}")

    with pytest.raises(GitUnavailableError) as caught:
        repository.read(tree)

    assert caught.value.message == ("git could not be asked: the tree is damaged or incomplete")


def test_a_tree_of_endless_files_is_refused_soon(repository: Repository) -> None:
    tree = repository.tree(f"100644 SKILL.md {repository.blob(TEXT.encode())}")
    for _ in range(10):
        tree = repository.tree(*(f"40000 {name} {tree}" for name in "abcdefghij"))

    with pytest.raises(MissingPathError) as caught:
        repository.read(tree)

    assert "holds more than 100,000 files" in caught.value.message
    assert not has_children()


def test_a_tree_may_hold_as_many_files_as_the_limit_and_no_more(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skillyard.adapters.git.tree.MOST_ROWS", 2)
    repository.write("pdf/SKILL.md")
    repository.write("README.md")
    repository.commit()
    repository.read()
    repository.write("LICENSE")
    repository.commit()

    with pytest.raises(MissingPathError):
        repository.read()


def test_a_tree_of_endless_levels_is_refused_soon(repository: Repository) -> None:
    tree = repository.tree(f"100644 SKILL.md {repository.blob(TEXT.encode())}")
    for _ in range(1000):
        tree = repository.tree(f"40000 x {tree}")

    found = repository.read_one(tree)

    assert codes(found) == [("SY301", "")]


def test_a_package_may_stand_64_levels_down(repository: Repository) -> None:
    repository.write("/".join([*"x" * 64, "SKILL.md"]))
    repository.commit()

    assert codes(repository.read_one()) == []


def test_paths_that_are_long_without_end_are_refused(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("pdf/SKILL.md")
    repository.commit()
    monkeypatch.setattr("skillyard.adapters.git.tree._MOST_BYTES", 10)

    with pytest.raises(MissingPathError) as caught:
        repository.read()

    assert "very long paths" in caught.value.message


def test_a_huge_content_is_refused_and_the_next_one_is_read(repository: Repository) -> None:
    repository.write("a/SKILL.md")
    repository.write("a/assets/huge.bin", bytes(50_000_000))
    repository.write("a/assets/large.bin", bytes(300_000))
    repository.write("a/notes.md", "notes\n")
    repository.write("b/SKILL.md")
    repository.commit()

    first, second = repository.read()

    assert codes(first) == [("SY305", "assets/huge.bin"), ("SY305", "assets/large.bin")]
    assert first.taken.package == Package.of({"SKILL.md": TEXT, "notes.md": "notes\n"})
    assert second.taken.package == Package.of({"SKILL.md": TEXT})


def test_contents_of_every_awkward_size_are_read_whole(repository: Repository) -> None:
    sizes = [0, 1, 65_535, 65_536, 65_537, 200_000]
    for size in sizes:
        repository.write(f"pdf/assets/{size}", b"\n" * size)
    repository.write("pdf/SKILL.md")
    repository.commit()

    files = repository.read_one().taken.package.files

    assert [len(file.content) for path, file in files.items() if path != "SKILL.md"] == sorted(
        sizes, key=str
    )


def test_the_limits_are_those_that_were_given(repository: Repository) -> None:
    repository.write("pdf/SKILL.md")
    repository.commit()

    (found,) = GitTreeSource(repository.place, limits=Limits(skill_md_bytes=10)).iter_packages()

    assert codes(found) == [("SY305", "SKILL.md")]


# Hostile repositories


def test_nothing_that_a_repository_configures_is_run(
    repository: Repository, tmp_path: Path
) -> None:
    canary = tmp_path / "canary"
    script = repository.write("evil.sh", f"#!/bin/sh\ntouch {canary}\n")
    script.chmod(0o755)
    repository.write("pdf/SKILL.md")
    repository.write(".gitattributes", "* filter=evil diff=evil\n")
    repository.commit()
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.alternateRefsCommand",
        "diff.evil.textconv",
        "filter.evil.smudge",
        "filter.evil.process",
        "gpg.program",
        "pager.ls-tree",
        "alias.ls-tree",
    ]:
        repository.git("config", key, str(script))
    repository.git("config", "core.hooksPath", str(repository.place))

    assert repository.read_one().directory == "pdf"
    assert not canary.exists()


def test_a_missing_content_is_not_fetched(repository: Repository, tmp_path: Path) -> None:
    """A partial clone would ask its remote, and a remote can be any program."""
    canary = tmp_path / "canary"
    tree = repository.tree(f"100644 SKILL.md {'1' * 40}")
    tree = repository.tree(f"40000 pdf {tree}")
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::sh -c touch% {canary}",
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
    }.items():
        repository.git("config", key, value)

    found = repository.read_one(tree)

    assert codes(found) == [("SY314", "SKILL.md")]
    assert not canary.exists()


def test_a_partial_clone_gives_findings_for_what_it_lacks(
    repository: Repository, tmp_path: Path
) -> None:
    repository.write("a/SKILL.md")
    repository.write("b/SKILL.md", "other\n")
    repository.commit()
    repository.git("config", "uploadpack.allowFilter", "true")
    origin, clone = f"file://{repository.place}", str(tmp_path / "clone")
    repository.git("clone", "--quiet", "--no-checkout", "--filter=blob:none", origin, clone)

    found = list(GitTreeSource(tmp_path / "clone").iter_packages())

    assert [codes(one) for one in found] == [[("SY314", "SKILL.md")]] * 2
    assert "does not hold the content" in found[0].taken.diagnostics[0].message
    assert not has_children()


def number(value: int) -> bytes:
    """Write a number as deltas hold it: seven bits in a byte, the lowest first."""
    start = b""
    while value > 0x7F:
        start += bytes([value & 0x7F | 0x80])
        value >>= 7
    return start + bytes([value])


def packed(kind: int, size: int, content: bytes, before: bytes = b"") -> bytes:
    first, rest = kind << 4 | size & 15, size >> 4
    head = bytes([first | 0x80]) + number(rest) if rest else bytes([first])
    return head + before + zlib.compress(content, 1)


def write_delta(repository: Repository, size: int, parts: bytes, result: bytes | None) -> str:
    """Write a pack with a base of `size` zeros and a delta of it; give the id of the result."""
    base = bytes(size)
    base_id = hashlib.sha1(b"blob %d\0" % size + base).digest()  # noqa: S324 - git's ids
    copies = 0 if result is not None else len(parts) // 2
    length = copies * 0xFF0000 if result is None else len(result)
    delta = number(size) + number(length) + parts
    body = b"PACK" + struct.pack(">II", 2, 2) + packed(3, size, base)
    body += packed(7, len(delta), delta, base_id)
    body += hashlib.sha1(body).digest()  # noqa: S324
    digest = hashlib.sha1(b"blob %d\0" % length)  # noqa: S324
    for _ in range(copies):
        digest.update(bytes(0xFF0000))
    digest.update(result or b"")
    repository.git("index-pack", "--stdin", given=body)
    return digest.hexdigest()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What git was asked for, line by line."""
    lines: list[bytes] = []
    write = os.write

    def write_and_record(descriptor: int, line: bytes) -> int:
        lines.append(line)
        return write(descriptor, line)

    monkeypatch.setattr(os, "write", write_and_record)
    return lines


def read_beside_a_sound_one(repository: Repository, blob: str) -> list[FoundPackage]:
    bomb = repository.tree(f"100644 SKILL.md {blob}")
    whole = repository.tree(f"100644 SKILL.md {repository.blob(TEXT.encode())}")
    return repository.read(repository.tree(f"40000 a {bomb}", f"40000 b {whole}"))


def test_a_delta_of_many_copies_is_not_unpacked(repository: Repository, asked: list[bytes]) -> None:
    # Each part copies 0xff0000 bytes from the start of the base.
    blob = write_delta(repository, 16 << 20, b"\xc0\xff" * 8, None)

    found = read_beside_a_sound_one(repository, blob)

    assert [codes(one) for one in found] == [[("SY305", "SKILL.md")], []]
    assert asked.count(f"{blob}\n".encode()) == 1  # the size, and no more


def test_a_small_delta_of_a_huge_base_is_a_finding(repository: Repository) -> None:
    """Git would unpack all of the base, and may not allocate as much."""
    blob = write_delta(repository, 270 << 20, b"\x01x", b"x")

    found = read_beside_a_sound_one(repository, blob)

    assert [codes(one) for one in found] == [[("SY314", "SKILL.md")], []]
    assert "cannot unpack" in found[0].taken.diagnostics[0].message
    assert not has_children()


def test_a_huge_loose_content_is_not_unpacked(repository: Repository, asked: list[bytes]) -> None:
    blob = repository.blob(bytes(64 << 20))

    found = read_beside_a_sound_one(repository, blob)

    assert [codes(one) for one in found] == [[("SY305", "SKILL.md")], []]
    assert asked.count(f"{blob}\n".encode()) == 1  # the size, and no more


def test_replaced_objects_do_not_replace_what_was_committed(repository: Repository) -> None:
    repository.write("pdf/SKILL.md")
    repository.commit()
    repository.git("replace", repository.blob(TEXT.encode()), repository.blob(b"evil\n"))

    assert repository.read_one().taken.package.skill_md == TEXT.encode()


def test_variables_of_the_environment_lead_git_nowhere(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository(tmp_path / "other")
    other.write("other/SKILL.md")
    other.commit()
    repository.write("pdf/SKILL.md")
    repository.commit()
    monkeypatch.setenv("GIT_DIR", str(other.place / ".git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.place / ".git" / "objects"))
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))

    assert repository.read_one().directory == "pdf"
    assert not (tmp_path / "trace").exists()


def test_another_users_repository_can_be_read(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("pdf/SKILL.md")
    repository.commit()
    # Only root gives files away; git itself can be told to take its user for somebody else.
    if os.geteuid() == 0:
        for path in [repository.place, *repository.place.rglob("*")]:
            os.chown(path, 12345, 12345)
    else:
        monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")

    assert repository.read_one().directory == "pdf"


# Git itself


def test_without_git_the_error_says_so(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(GitUnavailableError) as caught:
        repository.read()

    assert caught.value.message == "git could not be asked: it is not installed"


def put_git_in_the_way(place: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    place.mkdir()
    (place / "git").write_text(f"#!/bin/sh\n{script}\n")
    (place / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")


def test_a_git_that_does_not_answer_is_given_up_and_ended(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "never")
    put_git_in_the_way(tmp_path / "bin", monkeypatch, f"read line < {tmp_path}/never")

    with pytest.raises(GitUnavailableError) as caught:
        repository.read(patience=0.05)

    assert caught.value.message == "git could not be asked: it took longer than 0.05 seconds"
    assert not has_children()


def test_a_git_that_closes_its_mouth_and_stays_is_given_up_and_ended(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "never")
    script = f"echo {'1' * 40}; exec 1>&-; read line < {tmp_path}/never"
    put_git_in_the_way(tmp_path / "bin", monkeypatch, script)

    with pytest.raises(GitUnavailableError):
        repository.read(patience=0.05)

    assert not has_children()


def test_a_git_that_dies_while_contents_are_read_is_reported(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("pdf/SKILL.md")
    repository.commit()
    script = f'case "$*" in *cat-file*) exit 1;; esac\nPATH={os.environ["PATH"]} exec git "$@"'
    put_git_in_the_way(tmp_path / "bin", monkeypatch, script)

    with pytest.raises(GitUnavailableError) as caught:
        repository.read()

    assert caught.value.message == "git could not be asked: it ended too early"


def test_a_program_called_git_that_cannot_be_started_is_reported(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_bytes(b"\x7fELF")
    (tmp_path / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    with pytest.raises(GitUnavailableError):
        repository.read()


def test_git_is_gone_when_the_reader_stops_half_way(repository: Repository) -> None:
    for name in ["a", "b", "c"]:
        repository.write(f"{name}/SKILL.md")
    repository.commit()
    before = sorted(os.listdir("/dev/fd"))  # noqa: PTH208 - a count, no paths
    packages = GitTreeSource(repository.place).iter_packages()

    next(packages)
    was_running = has_children()
    del packages

    assert was_running
    assert not has_children()
    assert sorted(os.listdir("/dev/fd")) == before  # noqa: PTH208


def test_a_package_is_read_only_when_it_is_asked_for(
    repository: Repository, asked: list[bytes]
) -> None:
    for name in ["a", "b", "c"]:
        repository.write(f"{name}/SKILL.md", name)
    repository.commit()
    asked.clear()
    packages = GitTreeSource(repository.place).iter_packages()

    counts = [len(asked) for _ in packages]

    assert counts == [2, 4, 6]  # a size and a content each
