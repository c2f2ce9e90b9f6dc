"""The pages about rules: complete, and their examples show what they say."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

import pytest

from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.limits import PRESETS
from skillyard.domain.package import Package
from skillyard.skillmd.bundles import find_form, read_bundle
from skillyard.skillmd.check import Judgement, check_package
from skillyard.skillmd.fix import fix_skill_md
from skillyard.skillmd.intake import Entry, EntryKind, take_in
from skillyard.skillmd.rule_pages import find_page_text
from skillyard.skillmd.rule_pages.catalogue import PAGES
from skillyard.skillmd.rule_pages.page import Example, RulePage
from skillyard.skillmd.rule_pages.render import GROUPS, render_rule_index, render_rule_page
from skillyard.skillmd.rules import RULES, Profile, Rule

RULES_BY_CODE: Final = {rule.code: rule for rule in RULES}

Checker = Callable[[RulePage, Example], tuple[Diagnostic, ...]]


def check_as_package(page: RulePage, example: Example) -> tuple[Diagnostic, ...]:
    """Take the files in and judge them, as `skillyard check` does with a directory."""
    profile = Profile.STANDARD if RULES_BY_CODE[page.code].standard else Profile.STRICT
    limits = PRESETS[page.limits]
    taken = take_in(iter_entries(example), limits=limits)
    checked = check_package(
        taken.package,
        directory=example.directory,
        judgement=Judgement(profile=profile, limits=limits),
        earlier=taken.diagnostics,
    )
    return checked.diagnostics


def iter_entries(example: Example) -> Iterator[Entry]:
    for path, content in (example.files or {}).items():
        body = content.encode() if isinstance(content, str) else content
        yield Entry(path, EntryKind.FILE, partial(read_start, body))


def check_as_bundle(page: RulePage, example: Example) -> tuple[Diagnostic, ...]:
    """Read the one file as a bundle, and judge what is in it."""
    limits = PRESETS[page.limits]
    [entry] = iter_entries(example)
    content = entry.read(limits.archive_bytes)
    form = find_form(entry.path, content)
    assert form is not None
    taken = read_bundle(content, form, limits=limits)
    return check_package(taken.package, earlier=taken.diagnostics).diagnostics


def read_start(body: bytes, most: int) -> bytes:
    return body[:most]


# The longest prefix of a code counts. A rule that needs more than a package gets its own checker.
CHECKERS: Final[Mapping[str, Checker]] = {
    "SY": check_as_package,
    "SY4": check_as_bundle,
}


def check(page: RulePage, example: Example) -> tuple[Diagnostic, ...]:
    prefix = max((one for one in CHECKERS if page.code.startswith(one)), key=len)
    return CHECKERS[prefix](page, example)


def each_page(*, with_files: bool) -> list[RulePage]:
    return [one for one in PAGES.values() if (one.bad.files is not None) is with_files]


def by_code(value: object) -> str | None:
    return value.code if isinstance(value, RulePage | Rule) else None


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    assert list(PAGES) == [rule.code for rule in RULES]
    assert all(code == page.code for code, page in PAGES.items())


def test_every_rule_belongs_to_a_group() -> None:
    assert {rule.code[:3] for rule in RULES} == set(GROUPS)


@pytest.mark.parametrize("page", each_page(with_files=True), ids=by_code)
def test_the_bad_example_is_reported_under_its_code(page: RulePage) -> None:
    found = {one.code for one in check(page, page.bad)}

    assert page.code in found


@pytest.mark.parametrize("page", each_page(with_files=True), ids=by_code)
def test_the_good_example_is_free_of_the_finding_and_of_errors(page: RulePage) -> None:
    found = check(page, page.good)

    assert page.code not in {one.code for one in found}
    assert [one for one in found if one.severity is Severity.ERROR] == []


@pytest.mark.parametrize("page", each_page(with_files=False), ids=by_code)
def test_what_files_cannot_show_is_shown_as_a_console(page: RulePage) -> None:
    for example in (page.bad, page.good):
        assert example.files is None
        assert example.console.startswith("$ ")


@pytest.mark.parametrize("rule", RULES, ids=by_code)
def test_the_page_names_the_fix_where_there_is_one(rule: Rule) -> None:
    assert ("`skillyard check --fix`" in PAGES[rule.code].repair) is rule.fixable


@pytest.mark.parametrize("rule", [one for one in RULES if one.fixable], ids=by_code)
def test_the_bad_example_of_a_fixable_rule_can_be_fixed(rule: Rule) -> None:
    bad = PAGES[rule.code].bad
    taken = take_in(iter_entries(bad))

    fixed = fix_skill_md(taken.package, directory=bad.directory, judgement=Judgement())

    checked = check_package(Package.of({"SKILL.md": fixed.content}), directory=bad.directory)
    assert rule.code in {one.code for one in fixed.fixed}
    assert rule.code not in {one.code for one in checked.diagnostics}


@pytest.mark.parametrize("page", PAGES.values(), ids=by_code)
def test_pages_use_plain_words(page: RulePage) -> None:
    assert not re.search(
        r"\b(simply|just|easy|easily)\b", f"{page.why} {page.repair}", re.IGNORECASE
    )


@pytest.mark.parametrize("rule", RULES, ids=by_code)
def test_a_rendered_page_is_printable_and_has_every_part(rule: Rule) -> None:
    text = render_rule_page(rule, PAGES[rule.code])

    assert text.startswith(f"# {rule.code} {rule.name}\n\n{rule.summary}.\n")
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Why",
        "## Bad",
        "## Good",
        "## Repair",
    ]
    assert all(one == "\n" or one.isprintable() for one in text)
    assert max(map(len, text.splitlines())) <= 160


def test_a_page_shows_severities_files_and_what_cannot_be_seen() -> None:
    rule = Rule("SY999", "sample", "A sample", Severity.ERROR, Severity.WARNING, None, fixable=True)
    page = RulePage(
        code="SY999",
        why="It matters. It does.",
        repair="Repair it.",
        bad=Example(
            directory="a", files={"SKILL.md": b"\xef\xbb\xbf```\r\n\xe9\n", "b.json": "{}\n"}
        ),
        good=Example(console="$ ls"),
        limits="wide",
    )

    assert (
        render_rule_page(rule, page)
        == """\
# SY999 sample

A sample.

| strict | standard | lenient | fix |
|---|---|---|---|
| error | warning | \N{EN DASH} | yes |

## Why

It matters. It does.

## Bad

With `--limits wide`:

`a/SKILL.md`

````markdown
<U+FEFF>```<CR>
<0xE9>
````

`a/b.json`

```json
{}
```

## Good

With `--limits wide`:

```console
$ ls
```

## Repair

Repair it.

[All diagnostics](README.md)
"""
    )


def test_long_examples_are_shortened_and_say_so() -> None:
    rule = RULES_BY_CODE["SY307"]
    files = {"SKILL.md": "a\n" * 40} | {f"{number}.txt": "b" * 200 for number in range(9)}
    page = RulePage(
        code=rule.code, why="", repair="", bad=Example(files=files), good=Example(console="$ ls")
    )

    text = render_rule_page(rule, page)

    assert "… (40 lines in all)" in text
    assert "… (200 characters in all)" in text
    assert "… and 7 more files." in text


def test_the_index_links_every_page_in_its_group() -> None:
    index = render_rule_index()

    assert re.findall(r"^\| \[(SY\d+)\]\(\1\.md\)", index, re.MULTILINE) == list(PAGES)
    assert re.findall(r"^## (SY\d)xx", index, re.MULTILINE) == list(GROUPS)


def test_a_page_is_found_by_its_code() -> None:
    text = find_page_text("SY202")

    assert text is not None
    assert text.startswith("# SY202 name-invalid\n")
    assert find_page_text("SY999") is None
