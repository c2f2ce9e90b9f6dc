"""Write the generated pages of the documentation; with --check, only say which ones differ."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from skillyard.providers.page import render_clients_page
from skillyard.skillmd.rule_pages.catalogue import PAGES
from skillyard.skillmd.rule_pages.render import render_rule_index, render_rule_page
from skillyard.skillmd.rules import RULES

DOCS = Path(__file__).resolve().parent.parent / "docs"


class Generator(NamedTuple):
    """Produces pages as path and text.

    Every file that matches the pattern `owned` is its own: those that it no longer produces go.
    """

    owned: str
    produce: Callable[[], Iterable[tuple[str, str]]]


class Difference(NamedTuple):
    """A page that is not what it should be; `text` is None where it should not be at all."""

    path: str
    text: str | None


def produce_diagnostics() -> Iterator[tuple[str, str]]:
    yield "diagnostics/README.md", render_rule_index()
    for rule in RULES:
        yield f"diagnostics/{rule.code}.md", render_rule_page(rule, PAGES[rule.code])


def produce_clients() -> Iterator[tuple[str, str]]:
    yield "clients.md", render_clients_page()


GENERATORS = (
    Generator("diagnostics/*.md", produce_diagnostics),
    Generator("clients.md", produce_clients),
)


def find_differences(docs: Path) -> Iterator[Difference]:
    for generator in GENERATORS:
        pages = dict(generator.produce())
        for path, text in pages.items():
            if _read(docs / path) != text:
                yield Difference(path, text)
        for file in sorted(docs.glob(generator.owned)):
            path = file.relative_to(docs).as_posix()
            if path not in pages:
                yield Difference(path, None)


def _read(file: Path) -> str | None:
    # Without translation: a page with foreign line ends differs.
    return file.read_bytes().decode(errors="replace") if file.is_file() else None


def write(docs: Path, differences: Iterable[Difference]) -> None:
    for path, text in differences:
        file = docs / path
        if text is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on differences")
    parser.add_argument("--docs", type=Path, default=DOCS, help="where the documentation stands")
    options = parser.parse_args(arguments)
    differences = list(find_differences(options.docs))
    if not options.check:
        write(options.docs, differences)
        return 0
    for path, text in differences:
        print(f"{path} {'is no longer generated' if text is None else 'differs'}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
