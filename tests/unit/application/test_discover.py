"""What becomes of the skills that directories hold, whatever the directories are."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.adapters.index.row import NO_FILE, Row, pack_facts, pack_findings
from skillyard.adapters.index.table import Table
from skillyard.application.discover import Discovered, discover_skills
from skillyard.application.ports.discovery import FoundSkill, ListedRoot, LocatedFinding, Root
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.resolution import Cost, Layer

ROOT = Root(Layer.USER, "/skills")
BROKEN = Diagnostic(code="SY201", severity=Severity.WARNING, message="there is no `name`")


class MemoryDirectories:
    """See `Directories`: what stands in each root is said beforehand."""

    def __init__(self, rows: Mapping[Root, list[Row]]) -> None:
        self.looked: list[Root] = []
        self._rows = rows

    def list_root(self, root: Root) -> ListedRoot:
        """See `Directories.list_root`."""
        self.looked.append(root)
        return ListedRoot(root, Table.of(self._rows.get(root, [])))


class NoCommands:
    """See `Commands`: there are none."""

    def find_missing(self, names: Collection[str]) -> frozenset[str]:
        """See `Commands.find_missing`."""
        return frozenset(names)


def make_row(
    place: str,
    slug: str | None = None,
    *,
    commands: str = "",
    facts: Mapping[str, object] = MappingProxyType({}),
    findings: tuple[Diagnostic, ...] = (),
) -> Row:
    name = place if slug is None else slug
    packed = pack_facts(dict(facts)), pack_findings(findings)
    return Row(place, name, f"About {name}.", commands, *packed, NO_FILE, NO_FILE, 100, 1)


def discover(*rows: Row) -> Discovered:
    return discover_skills(
        [ROOT], directories=MemoryDirectories({ROOT: list(rows)}), commands=NoCommands()
    )


def test_a_root_that_is_named_twice_is_looked_into_once() -> None:
    directories = MemoryDirectories({ROOT: [make_row("pdf")]})

    found = discover_skills([ROOT, ROOT], directories=directories, commands=NoCommands())

    assert directories.looked == [ROOT]
    assert len(found.candidates) == 1


@pytest.mark.requirement("SRC-4")
def test_a_broken_skill_is_reported_and_is_no_candidate() -> None:
    found = discover(make_row("a", "", findings=(BROKEN,)), make_row("b", findings=(BROKEN,)))

    assert [one.slug for one in found.candidates] == ["b"]
    assert found.findings == (
        LocatedFinding("/skills/a", BROKEN, skipped=True),
        LocatedFinding("/skills/b", BROKEN, skipped=False),
    )


@pytest.mark.requirement("SRC-5")
def test_of_three_of_one_name_the_last_counts_and_each_other_is_named() -> None:
    found = discover(make_row("a", "pdf"), make_row("b", "pdf"), make_row("c", "pdf"))

    assert [one.ref for one in found.candidates] == ["/skills/c"]
    assert [(one.location, one.diagnostic.message) for one in found.findings] == [
        ("/skills/a", "`/skills/a` and `/skills/c` are both called `pdf`; the latter is used"),
        ("/skills/b", "`/skills/b` and `/skills/c` are both called `pdf`; the latter is used"),
    ]


def test_two_broken_skills_are_no_duplicates_of_each_other() -> None:
    assert discover(make_row("a", ""), make_row("b", "")).findings == ()


@given(st.lists(st.sampled_from(["", "a", "b", "c"]), max_size=8))
def test_every_skill_is_a_candidate_or_broken_or_a_duplicate(names: list[str]) -> None:
    rows = [make_row(f"{number}", name) for number, name in enumerate(names)]

    found = discover(*rows)

    slugs = [one.slug for one in found.candidates]
    assert set(slugs) == set(names) - {""}
    assert len(slugs) == len(set(slugs))
    assert len(slugs) + len(found.findings) + names.count("") == len(names)
    assert [one.ref for one in found.candidates] == sorted(one.ref for one in found.candidates)


@pytest.mark.requirement("SRC-6")
def test_missing_commands_are_named_in_the_order_in_which_they_are_asked_for() -> None:
    (found,) = discover(make_row("a", commands="gh docker")).candidates

    assert found.requires_commands == found.missing_commands == ("gh", "docker")


def test_what_a_skill_costs_is_worked_out_by_whoever_knows() -> None:
    def price(skill: FoundSkill) -> Cost:
        return Cost(len(skill.description), skill.characters)

    found = discover_skills(
        [ROOT],
        directories=MemoryDirectories({ROOT: [make_row("a")]}),
        commands=NoCommands(),
        price=price,
    )

    assert found.candidates[0].cost == Cost(8, 100)


def test_candidates_are_put_together_once() -> None:
    found = discover(make_row("a", facts={"version": "2.0.0"}))

    assert found.candidates is found.candidates
    assert str(found.candidates[0].offered.version) == "2.0.0"
