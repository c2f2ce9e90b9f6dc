"""Worlds of candidates, drawn at random."""

from dataclasses import replace

from hypothesis import strategies as st

from skillyard.domain.assignment import Assignment, Subject, SubjectKind
from skillyard.domain.digest import TreeDigest
from skillyard.domain.manifest import Confidence
from skillyard.domain.ranges import VersionRange
from skillyard.domain.records import Agent
from skillyard.domain.resolution import Candidate, Cost, Layer, Offered, Policy, Request
from skillyard.domain.skill import SkillStatus
from skillyard.domain.version import Version

World = tuple[tuple[Candidate, ...], Request]
SLUGS = ("a", "b", "c", "d", "e")
SUBJECTS = (
    Subject(SubjectKind.GLOBAL),
    Subject(SubjectKind.WORKSPACE, "lab"),
    Subject(SubjectKind.TEAM, "red"),
    Subject(SubjectKind.AGENT, "ada"),
    Subject(SubjectKind.AGENT, "bob"),
    Subject(SubjectKind.NODE, "build"),
)
_RARELY = st.integers(0, 11).map(lambda number: number == 11)
_VERSIONS = st.sampled_from([Version(1), Version(2), Version(2, pre=("rc", "1"))])


def digest_of(number: int) -> TreeDigest:
    return TreeDigest(f"sha256:{number:064x}")


@st.composite
def assignments(draw: st.DrawFn, subject: Subject) -> Assignment:
    pin = draw(st.sampled_from([None, None, None, "^1", "^2", "*", ">=9"]))
    return Assignment(
        id=f"{subject}",
        skill_id="",
        owner="people",
        slug="",
        subject=subject,
        priority=draw(st.integers(-1, 2)),
        position=draw(st.integers(0, 2)),
        enabled=not draw(_RARELY),
        required=draw(_RARELY),
        opt_in=draw(_RARELY),
        constraint=VersionRange(pin) if pin else None,
    )


@st.composite
def candidates(draw: st.DrawFn, ref: str) -> Candidate:
    layer = draw(st.sampled_from(list(Layer)))
    subjects = draw(st.lists(st.sampled_from((*SUBJECTS, SUBJECTS[0])), max_size=3, unique=True))
    return Candidate(
        slug=draw(st.sampled_from(SLUGS)),
        layer=layer,
        ref=ref,
        offered=Offered(draw(_VERSIONS), digest_of(int(ref))),
        owner={Layer.STORE: "people", Layer.PLUGIN: f"p{ref}"}.get(layer, ""),
        others=(Offered(Version(1, 5), digest_of(100 + int(ref))),),
        assignments=()
        if layer.is_directory
        else tuple(draw(assignments(subject)) for subject in subjects),
        workspaces=draw(st.sampled_from([None, None, ("lab",), ("other",), ("", "lab"), ()])),
        agents=draw(st.sampled_from([None, None, None, ("ada",), ("bob",), ()])),
        enabled=not draw(_RARELY),
        status=draw(st.sampled_from([SkillStatus.ACTIVE] * 20 + list(SkillStatus))),
        deprecated=draw(st.sampled_from([None, None, "Use another"])),
        confidence=draw(st.sampled_from([*Confidence, Confidence.MEDIUM, Confidence.MEDIUM])),
        requires=tuple(draw(st.lists(st.sampled_from((*SLUGS, "none")), max_size=2))),
        missing_commands=("gh",) if draw(_RARELY) else (),
        cost=Cost(listed=draw(st.integers(0, 40)), loaded=draw(st.integers(0, 400))),
    )


@st.composite
def requests(draw: st.DrawFn) -> Request:
    agent = Agent(
        name="ada",
        allowlist=draw(st.sampled_from([None] * 6 + [("*",), ("a", "b", "c"), ()])),
        disabled_skills=("a",) if draw(_RARELY) else (),
        context_window=draw(st.sampled_from([None, None, 400, 4000])),
        eager_limit=draw(st.sampled_from([None, None, 2, 0])),
        lightweight=draw(_RARELY) and draw(_RARELY),
    )
    return Request(
        workspace=draw(st.sampled_from([None, "lab"])),
        team=draw(st.sampled_from([None, "red"])),
        agent=draw(st.sampled_from([None, agent, agent])),
        node=draw(st.sampled_from([None, None, "build"])),
        policy=Policy(
            widen=draw(st.booleans()),
            eager=draw(st.booleans()),
            eager_limit=draw(st.sampled_from([1, 3, 8])),
            include_unavailable=draw(_RARELY),
            include_disabled=draw(_RARELY),
        ),
    )


@st.composite
def _tied(draw: st.DrawFn, found: list[Candidate]) -> list[Candidate]:
    """Give the candidates as they are, or each requiring the next: a chain, or a ring.

    The last one of a chain requires what is not there. One of a ring may, as well.
    """
    shape = draw(st.sampled_from(["loose", "loose", "chain", "ring", "broken ring"]))
    if shape == "loose" or not found:
        return found
    names = [one.slug for one in found]
    nexts = [*names[1:], "none" if shape == "chain" else names[0]]
    lacking = draw(st.integers(0, len(found) - 1)) if shape == "broken ring" else -1
    return [
        replace(one, requires=(needed, "none") if number == lacking else (needed,))
        for number, (one, needed) in enumerate(zip(found, nexts, strict=True))
    ]


@st.composite
def worlds(draw: st.DrawFn) -> tuple[tuple[Candidate, ...], Request]:
    count = draw(st.integers(0, 8))
    found = draw(_tied([draw(candidates(str(number))) for number in range(count)]))
    # The store holds one skill of a name for people.
    seen: set[str] = set()
    kept = []
    for one in found:
        if one.layer is Layer.STORE:
            if one.slug in seen:
                kept.append(replace(one, layer=Layer.PLUGIN, owner=f"p{one.ref}"))
                continue
            seen.add(one.slug)
        kept.append(one)
    return tuple(kept), draw(requests())
