"""The smallest repository that git takes for one, so that who looks upwards stops at it."""

from pathlib import Path
from typing import Final

_CONFIG: Final = b"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
_HEAD: Final = b"ref: refs/heads/main\n"


def make_minimal_repository(place: Path) -> None:
    """Make `place/.git` with nothing in it; no process is started."""
    root = place / ".git"
    for directory in (root, root / "objects", root / "refs"):
        directory.mkdir()
    (root / "config").write_bytes(_CONFIG)
    (root / "HEAD").write_bytes(_HEAD)
