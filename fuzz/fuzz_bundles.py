"""Throw bytes at the readers of bundles: they answer with a package or with findings, never else.

What they accept must also survive being written and read again.
"""

import sys
from pathlib import Path
from typing import Final

import atheris

with atheris.instrument_imports(include=["skillyard"]):
    from skillyard.domain.diagnostic import has_errors
    from skillyard.domain.limits import STANDARD
    from skillyard.domain.package import Package, PackageFile
    from skillyard.skillmd.bundles import BundleFacts, Form, read_bundle, render_bundle

FORMS: Final = tuple(Form)
FACTS: Final = BundleFacts(slug="fuzz", display_name="Fuzz")


def read_and_write(data: bytes) -> None:
    if not data:
        return
    taken = read_bundle(data[1:], FORMS[data[0] % len(FORMS)], limits=STANDARD)
    if has_errors(taken.diagnostics) or taken.package.skill_md is None:
        return
    for form in FORMS:
        again = read_bundle(render_bundle(taken.package, form, about=FACTS), form, limits=STANDARD)
        if again.package != taken.package:
            message = f"{form} gave another package"
            raise AssertionError(message)


def write_seeds(directory: Path) -> None:
    """Start from bundles that are accepted: random bytes do not get past the first check."""
    package = Package.of(
        {
            "SKILL.md": "---\nname: fuzz\ndescription: Fuzz.\n---\nFuzz.\n",
            "assets/logo.bin": bytes(range(256)),
            "scripts/run.sh": PackageFile(b"#!/bin/sh\n", executable=True),
        }
    )
    for number, form in enumerate(FORMS):
        bundle = render_bundle(package, form, about=FACTS)
        (directory / f"seed-{form}").write_bytes(bytes([number]) + bundle)


if __name__ == "__main__":
    corpus = Path(sys.argv[-1])
    if corpus.is_dir():
        write_seeds(corpus)
    atheris.Setup(sys.argv, read_and_write)
    atheris.Fuzz()
