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
SLUGS = ("a", "b", "c", "d")
SUBJECTS = (
    Subject(SubjectKind.GLOBAL),
    Subject(SubjectKind.WORKSPACE, "lab"),
    Subject(SubjectKind.TEAM, "red"),
    Subject(SubjectKind.AGENT, "ada"),
    Subject(SubjectKind.AGENT, "bob"),
    Subject(SubjectKind.NODE, "build"),
)
_RARELY = st.integers(0, 11).map(lambda number: number == 11)


def digest_of(number: int) -> TreeDigest:
    return TreeDigest(f"sha256:{number:064x}")


@st.composite
def assignments(draw: st.DrawFn, subject: Subject) -> Assignment:
    pin = draw(st.sampled_from([None, None, None, "^1", "^2", ">=9"]))
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
        offered=Offered(Version(draw(st.integers(1, 2))), digest_of(int(ref))),
        owner={Layer.STORE: "people", Layer.PLUGIN: f"p{ref}"}.get(layer, ""),
        others=(Offered(Version(1, 5), digest_of(100 + int(ref))),),
        assignments=()
        if layer.is_directory
        else tuple(draw(assignments(subject)) for subject in subjects),
        workspaces=draw(st.sampled_from([(), ("lab",), ("other",)])),
        agents=draw(st.sampled_from([None, None, None, ("ada",), ("bob",), ()])),
        enabled=not draw(_RARELY),
        status=draw(st.sampled_from([SkillStatus.ACTIVE] * 20 + list(SkillStatus))),
        deprecated=draw(st.sampled_from([None, None, "Use another"])),
        confidence=draw(st.sampled_from([*Confidence, Confidence.MEDIUM, Confidence.MEDIUM])),
        requires=tuple(draw(st.lists(st.sampled_from((*SLUGS, "none")), max_size=1))),
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
        eager_limit=draw(st.sampled_from([None, 2])),
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
def worlds(draw: st.DrawFn) -> tuple[tuple[Candidate, ...], Request]:
    count = draw(st.integers(0, 8))
    found = tuple(draw(candidates(str(number))) for number in range(count))
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
