"""Packages of an exact size, length or number."""

from collections.abc import Mapping

from skillyard.testing.packages import make_skill_md

Files = Mapping[str, bytes]
SKILL_MD = make_skill_md().encode()


def with_front_matter(more: str) -> Files:
    """Give a package that says more in its front matter than name and description."""
    return of_front_matter(f"name: pdf\ndescription: Fills forms.\n{more}")


def of_front_matter(text: str) -> Files:
    """Give a package with exactly this front matter."""
    return {"SKILL.md": f"---\n{text}---\n\nFill.\n".encode()}


def of_skill_md(size: int) -> Files:
    """Give a SKILL.md of that many bytes, in one long line."""
    return {"SKILL.md": SKILL_MD + b"x" * (size - len(SKILL_MD))}


def of_lines(count: int) -> Files:
    """Give a SKILL.md of that many lines."""
    return {"SKILL.md": SKILL_MD + b"\n" * (count - SKILL_MD.count(b"\n"))}


def of_file(size: int) -> Files:
    """Give a file of that many bytes beside SKILL.md."""
    return {"SKILL.md": SKILL_MD, "references/a.md": b"x" * size}


def of_package(size: int) -> Files:
    """Give files that have that many bytes together, in parts of a quarter of it."""
    files = {f"references/{number}.md": b"x" * (size // 4) for number in range(3)}
    return {"SKILL.md": SKILL_MD, **files, "references/z.md": b"x" * _rest(size, files)}


def _rest(size: int, files: Files) -> int:
    return size - len(SKILL_MD) - sum(map(len, files.values()))


def of_files(count: int) -> Files:
    """Give that many files, of which SKILL.md is one."""
    return {"SKILL.md": SKILL_MD, **{f"references/{n}.md": b"" for n in range(count - 1)}}


def of_depth(depth: int) -> Files:
    """Give a file whose path has that many parts."""
    return {"SKILL.md": SKILL_MD, "/".join(["references"] * (depth - 1) + ["a.md"]): b""}


def of_path(length: int) -> Files:
    """Give a file whose path has that many characters, and no part of more than 255 bytes."""
    return {"SKILL.md": SKILL_MD, f"references/{'x' * 100}/{'y' * (length - 112)}": b""}


def of_tags(count: int) -> Files:
    """Give a package that states that many tags."""
    return with_front_matter(f"tags: [{', '.join(f't{number}' for number in range(count))}]\n")


def of_description(length: int) -> Files:
    """Give a package with a description of that many characters."""
    return of_front_matter(f"name: pdf\ndescription: {'é' * length}\n")
