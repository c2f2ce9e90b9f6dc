"""What of a stored skill can be found."""

import pytest

from skillyard.application.searchable import make_searchable, make_searchable_candidate
from skillyard.domain.resolution import Candidate, Layer, Offered
from skillyard.domain.skill import Skill
from skillyard.domain.version import Version
from skillyard.ranking.triggers import Cue, Cues, Phrase
from tests.contract.making import make_skill, with_facts

pytestmark = pytest.mark.requirement("DIS-7")

TEXT = b"""\
---
name: pdf
description: Not this one.
triggers: {keywords: [fillable form], verbs: [sign], patterns: ['x+']}
---
# Heading

Use a xylophone.
"""


def make(**facts: object) -> Skill:
    return with_facts(make_skill("pdf"), description="Reads files.", **facts)


def test_a_skill_is_found_by_its_facts_its_triggers_and_its_instructions() -> None:
    found = make_searchable(make(tags=("office",)), TEXT)

    assert set(found.weights) == {
        "pdf",
        "read",
        "fil",
        "offic",
        "fillabl",
        "form",
        "sign",
        "head",
        "use",
        "xylophon",
    }
    assert found.cues == Cues(
        (Phrase("fillabl form", Cue.KEYWORD, "fillable form"), Phrase("sign", Cue.VERB, "sign")),
        ("x+",),
    )
    assert (found.id, found.revision, found.place) == (make().id, 1, ("pdf", "people"))


def test_a_title_that_is_the_slug_in_other_letters_counts_once() -> None:
    same = make_searchable(make(display_name="PDF"), TEXT).weights
    other = make_searchable(make(display_name="Paper"), TEXT).weights

    assert "paper" not in same
    assert "paper" in other
    assert other["pdf"] < same["pdf"]


@pytest.mark.parametrize(
    "content", [b"", b"---\n", b"\xff\xfe", b"---\nname: [\n---\nx", b"\0" * 9]
)
def test_a_text_that_cannot_be_read_leaves_the_facts(content: bytes) -> None:
    found = make_searchable(make(), content)

    assert {"pdf", "read", "fil"} <= set(found.weights)
    assert found.cues == Cues()


def test_a_candidate_is_found_by_the_same_as_a_stored_skill() -> None:
    skill = make(tags=("office",), display_name="Paper")
    candidate = Candidate(
        slug="pdf",
        layer=Layer.PROJECT,
        ref="/skills/pdf",
        offered=Offered(Version(1)),
        display_name="Paper",
        description="Reads files.",
        tags=("office",),
    )

    found, stored = make_searchable_candidate(candidate, TEXT), make_searchable(skill, TEXT)

    assert (found.text, found.cues) == (stored.text, stored.cues)
    assert (found.id, found.place) == ("/skills/pdf", ("pdf", "/skills/pdf"))
