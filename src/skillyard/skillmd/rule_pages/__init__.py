"""What people are told about each rule: why it matters, how to repair it, a bad and a good example.

Only the documentation and `skillyard check --explain` need this; no check ever imports it.
"""

from skillyard.skillmd.rule_pages.catalogue import PAGES
from skillyard.skillmd.rule_pages.render import render_rule_page
from skillyard.skillmd.rules import RULES


def find_page_text(code: str) -> str | None:
    """Give the page about the rule `code` as Markdown, or None where there is no such rule."""
    rule = next((one for one in RULES if one.code == code), None)
    return render_rule_page(rule, PAGES[code]) if rule else None
