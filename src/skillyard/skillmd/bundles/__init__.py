"""A package as one file: zip, tar.gz or portable JSON, both ways. Bytes in, bytes out."""

from skillyard.skillmd.bundles.facts import BundleFacts, PortableFacts, TakenBundle
from skillyard.skillmd.bundles.forms import (
    WRITTEN_ENDINGS,
    Form,
    find_form,
    find_form_to_write,
    read_bundle,
    render_bundle,
)
from skillyard.skillmd.bundles.portable_reading import read_portable

__all__ = [
    "WRITTEN_ENDINGS",
    "BundleFacts",
    "Form",
    "PortableFacts",
    "TakenBundle",
    "find_form",
    "find_form_to_write",
    "read_bundle",
    "read_portable",
    "render_bundle",
]
