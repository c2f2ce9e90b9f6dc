"""The format: bytes in; package, manifest, digest and every diagnostic out. No input or output."""
