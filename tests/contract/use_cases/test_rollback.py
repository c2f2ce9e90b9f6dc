"""What going back to a version promises about trust, on every store."""

import json

import pytest

from skillyard.application.ports.store import Store
from skillyard.domain.facts import FactChanges
from skillyard.domain.manifest import SYSTEM, Author, Confidence
from skillyard.domain.skill import Door, Provenance, SourceKind
from skillyard.yard import Skillyard
from tests.contract.use_cases.yards import make_yard, save

OTHERS = [SourceKind.IMPORTED, SourceKind.EARNED]


@pytest.fixture
def yard(store: Store) -> Skillyard:
    return make_yard(store)


def claiming(*agents: str, confidence: str = "high") -> dict[str, str]:
    said = {"name": "pdf", "description": "d", "agents": agents, "confidence": confidence}
    return {"manifest.json": json.dumps(said)}


@pytest.mark.requirement("CNF-4", "STO-4")
@pytest.mark.parametrize("kind", OTHERS)
def test_going_back_to_what_others_wrote_makes_it_unproven(
    yard: Skillyard, kind: SourceKind
) -> None:
    save(yard, kind=kind)
    save(yard, body="Two.\n", kind=kind)
    yard.change("pdf", FactChanges(confidence=Confidence.HIGH))

    skill = yard.roll_back("pdf", "1.0.0").skill

    assert (skill.source_kind, skill.facts.confidence) == (kind, Confidence.LOW)


@pytest.mark.requirement("CNF-4", "STO-4")
@pytest.mark.parametrize("kind", OTHERS)
def test_going_back_and_forth_between_ones_own_and_that_of_others_changes_whose_it_is(
    yard: Skillyard, kind: SourceKind
) -> None:
    own = save(yard, location="skills/pdf")
    others = save(yard, body="Theirs.\n", kind=kind, location="x.zip")
    assert (own.version.source_kind, others.version.source_kind) == (SourceKind.ADMIN, kind)

    back = yard.roll_back("pdf", "1.0.0").skill
    forth = yard.roll_back("pdf", "1.0.1").skill

    assert (back.source_kind, back.facts.confidence) == (SourceKind.ADMIN, Confidence.MEDIUM)
    assert (back.provenance, back.facts.author) == (Provenance(Door.CLI, "skills/pdf"), SYSTEM)
    assert (forth.source_kind, forth.facts.confidence) == (kind, Confidence.LOW)
    assert forth.provenance == Provenance(Door.CLI, "x.zip")
    if kind is SourceKind.IMPORTED:
        assert forth.facts.author == Author("imported", source="x.zip")
    assert yard.get("pdf").skill == forth


@pytest.mark.requirement("CNF-4")
def test_going_back_to_ones_own_gives_the_confidence_that_it_started_with(yard: Skillyard) -> None:
    save(yard, files=claiming(confidence="low"))
    save(yard, body="Theirs.\n", kind=SourceKind.IMPORTED)

    assert yard.roll_back("pdf", "1.0.0").skill.facts.confidence is Confidence.LOW


@pytest.mark.requirement("CNF-4")
@pytest.mark.parametrize("confidence", Confidence)
def test_going_back_among_ones_own_versions_leaves_the_confidence_alone(
    yard: Skillyard, confidence: Confidence
) -> None:
    save(yard)
    save(yard, body="Two.\n")
    yard.change("pdf", FactChanges(confidence=confidence))

    assert yard.roll_back("pdf", "1.0.0").skill.facts.confidence is confidence


@pytest.mark.requirement("CNF-4", "STO-3")
def test_what_a_person_makes_from_what_others_wrote_stays_theirs(yard: Skillyard) -> None:
    save(yard, kind=SourceKind.IMPORTED)
    mine = save(yard, body="Mine.\n")
    save(yard, body="Mine again.\n")

    skill = yard.roll_back("pdf", "1.0.1").skill

    assert mine.version.source_kind is skill.source_kind is SourceKind.IMPORTED
    assert skill.facts.confidence is Confidence.LOW


@pytest.mark.requirement("PLG-5", "TRU-1")
@pytest.mark.parametrize("kind", OTHERS)
def test_whom_a_skill_of_others_is_for_is_what_people_said(
    yard: Skillyard, kind: SourceKind
) -> None:
    first = save(yard, files=claiming("theirs"), kind=kind).skill.facts.agents
    yard.change("pdf", FactChanges(agents=("reviewer",)))
    saved = save(yard, files=claiming("theirs", "more"), kind=kind).skill.facts.agents
    by_hand = save(yard, files=claiming("most")).skill.facts.agents
    back = yard.roll_back("pdf", "1.0.0").skill.facts.agents

    assert (first, saved, by_hand, back) == (None, *[("reviewer",)] * 3)


@pytest.mark.requirement("STO-4")
def test_whom_ones_own_skill_is_for_is_what_its_version_says(yard: Skillyard) -> None:
    save(yard, files=claiming("one"))
    save(yard, files=claiming("two"))

    assert yard.roll_back("pdf", "1.0.0").skill.facts.agents == ("one",)


@pytest.mark.requirement("TRU-1")
def test_a_copy_of_a_version_that_others_wrote_is_no_more_trusted(yard: Skillyard) -> None:
    save(yard)
    save(yard, body="Theirs.\n", kind=SourceKind.IMPORTED)
    yard.roll_back("pdf", "1.0.0")

    theirs = yard.duplicate("pdf", "theirs", version="1.0.1").skill
    own = yard.duplicate("pdf", "own").skill

    assert (theirs.source_kind, theirs.facts.confidence) == (SourceKind.IMPORTED, Confidence.LOW)
    assert (own.source_kind, own.facts.confidence) == (SourceKind.ADMIN, Confidence.MEDIUM)
