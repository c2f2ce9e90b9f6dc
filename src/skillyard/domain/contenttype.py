"""What kind of file a path and its bytes are, the same on every machine."""

from pathlib import PurePosixPath
from typing import Final

# Not from `mimetypes`, which knows other things on other machines.
_CONTENT_TYPES: Final = {
    ".cfg": "text/plain",
    ".css": "text/css",
    ".csv": "text/csv",
    ".gif": "image/gif",
    ".htm": "text/html",
    ".html": "text/html",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".json": "application/json",
    ".md": "text/markdown",
    ".mjs": "text/javascript",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".py": "text/x-python",
    ".rb": "text/x-ruby",
    ".sh": "application/x-sh",
    ".sql": "application/sql",
    ".svg": "image/svg+xml",
    ".toml": "application/toml",
    ".ts": "text/x-typescript",
    ".txt": "text/plain",
    ".webp": "image/webp",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".zip": "application/zip",
}


def find_content_type(path: str, content: bytes) -> str:
    """Give the media type that the ending of `path` stands for, or what the bytes look like."""
    known = _CONTENT_TYPES.get(PurePosixPath(path).suffix.lower())
    return known or ("text/plain" if _is_text(content) else "application/octet-stream")


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
