"""Every page, by its rule's code."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from skillyard.skillmd.rule_pages import (
    archives,
    clients,
    fields,
    front_matter,
    sidecar,
    text,
    tree,
)
from skillyard.skillmd.rule_pages.page import RulePage

PAGES: Final[Mapping[str, RulePage]] = MappingProxyType(
    {
        page.code: page
        for pages in (
            front_matter.PAGES,
            fields.PAGES,
            tree.PAGES,
            archives.PAGES,
            sidecar.PAGES,
            clients.PAGES,
            text.PAGES,
        )
        for page in pages
    }
)
