"""Every way in: each takes the same files, and saves them or raises why not."""

import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from skillyard.application.editing import CreateSkill, EditSkill
from skillyard.application.save import RefusedSkill, SavedSkill, SaveSkill
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import PackagePath
from skillyard.yard import Skillyard
from tests.contract.limits.contents import Files

Way = Callable[[Skillyard, Files, Path], SavedSkill]


class Door(NamedTuple):
    """A way in; through some only a skill that is there already can be reached."""

    name: str
    enter: Way
    needs_skill: bool = False


def add(yard: Skillyard, place: Path) -> SavedSkill:
    """Add the one skill at a place."""
    (done,) = yard.add(place)
    if isinstance(done, RefusedSkill):
        raise done.error
    return done


def by_directory(yard: Skillyard, files: Files, place: Path) -> SavedSkill:
    """Add a directory."""
    for path, content in files.items():
        file = place / "pdf" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return add(yard, place / "pdf")


def by_zip(yard: Skillyard, files: Files, place: Path) -> SavedSkill:
    """Add a zip archive, in which nothing is compressed."""
    with zipfile.ZipFile(place / "pdf.zip", "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return add(yard, place / "pdf.zip")


def by_tar_gz(yard: Skillyard, files: Files, place: Path) -> SavedSkill:
    """Add a tar archive, gzipped, in which nothing is compressed."""
    with tarfile.open(place / "pdf.tar.gz", "w:gz", compresslevel=0) as archive:
        for path, content in files.items():
            header = tarfile.TarInfo(path)
            header.size = len(content)
            archive.addfile(header, io.BytesIO(content))
    return add(yard, place / "pdf.tar.gz")


def to_json(files: Files) -> bytes:
    """Give a portable bundle."""
    others = [
        {"path": path, "content": content.decode()}
        for path, content in files.items()
        if path != "SKILL.md"
    ]
    skill = {"content": files["SKILL.md"].decode(), "files": others}
    return json.dumps({"formatVersion": 2, "skill": skill}).encode()


def by_json(yard: Skillyard, files: Files, place: Path) -> SavedSkill:
    """Add a portable bundle."""
    (place / "pdf.json").write_bytes(to_json(files))
    return add(yard, place / "pdf.json")


def by_creating(yard: Skillyard, files: Files, _: Path) -> SavedSkill:
    """Make a skill from texts."""
    others = {path: content for path, content in files.items() if path != "SKILL.md"}
    content = files["SKILL.md"].decode()
    wish = CreateSkill(slug="pdf", content=content, files=others, judgement=yard.judgement)
    return yard.create(wish)


def by_editing(yard: Skillyard, files: Files, _: Path) -> SavedSkill:
    """Put files into a skill."""
    return yard.edit(EditSkill(reference="pdf", put=files, judgement=yard.judgement))


def by_saving(yard: Skillyard, files: Files, _: Path) -> SavedSkill:
    """Save a package that a program has made."""
    made = ((PackagePath(path), PackageFile(content)) for path, content in files.items())
    wish = SaveSkill(package=Package.from_checked(made), directory="pdf", judgement=yard.judgement)
    return yard.save(wish)


DOORS: Final = (
    Door("directory", by_directory),
    Door("zip", by_zip),
    Door("tar.gz", by_tar_gz),
    Door("json", by_json),
    Door("create", by_creating),
    Door("edit", by_editing, needs_skill=True),
    Door("save", by_saving),
)
