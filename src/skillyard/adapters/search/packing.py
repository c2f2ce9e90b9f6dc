"""The terms of a skill as bytes."""

import zlib
from collections.abc import Iterator, Mapping


def pack(weights: Mapping[str, int]) -> bytes:
    """Give `weights` as bytes; the same weights give the same bytes."""
    terms = sorted(weights)
    names = "\n".join(terms).encode()
    return zlib.compress(names + b"\0" + bytes(weights[one] for one in terms), 1)


def unpack(data: bytes) -> Iterator[tuple[str, int]]:
    """Undo `pack`."""
    names, _, values = zlib.decompress(data).partition(b"\0")
    return zip(names.decode().split("\n"), values, strict=True) if values else iter(())
