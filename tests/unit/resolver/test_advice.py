"""What is advised can be done, by whoever asks, and to nobody else."""

from dataclasses import replace

import pytest

from skillyard.domain.assignment import Assignment
from skillyard.domain.manifest import Confidence
from skillyard.domain.records import Agent
from skillyard.domain.resolution import Candidate, Cost, Disposition, Layer, Policy, Request, Rule
from skillyard.resolver import explain, resolve
from tests.unit.resolver.making import assigned, directory, offered, stored

ADA = Request(agent=Agent(name="ada"))
EVERYONE = Request()
pytestmark = pytest.mark.requirement("RES-9")


def advise(ref: str, world: list[Candidate], request: Request = ADA) -> list[str]:
    return [one.text for one in explain(ref, world, request).changes]


def test_a_range_that_admits_only_releases_is_taken_off_or_names_the_pre_release() -> None:
    pinned = stored("pdf", given=assigned("agent", "ada", pin="*"))

    assert advise("store-pdf", [replace(pinned, offered=offered("2.0.0-rc.1"))]) == [
        "take the range `*` off the assignment of pdf to agent ada, or pin it to 2.0.0-rc.1"
    ]


def test_a_directory_of_low_confidence_says_more_of_itself() -> None:
    low = replace(directory("pdf"), confidence=Confidence.LOW)

    assert advise("project-pdf", [low]) == [
        'write `"confidence": "medium"` into /project/pdf/manifest.json'
    ]


def test_a_skill_of_low_confidence_is_promoted_or_let_in_by_its_assignment() -> None:
    given = assigned("agent", "ada")
    low = replace(stored("pdf", given=given), confidence=Confidence.LOW)
    plugin = replace(low, layer=Layer.PLUGIN, ref="plugin-pdf", owner="acme")

    assert advise("store-pdf", [low]) == [
        "promote pdf to medium, or let its assignment to agent ada opt in"
    ]
    assert advise("plugin-pdf", [plugin]) == ["let the assignment of pdf to agent ada opt in"]


@pytest.mark.requirement("RES-7")
def test_the_number_that_is_raised_is_the_one_that_is_needed() -> None:
    world = [directory(f"s{number}") for number in range(12)]
    eager = Policy(eager=True, eager_limit=8)

    assert advise("project-s8", world, replace(ADA, policy=eager)) == [
        "raise the number of skills that ada loads whole to 11"
    ]
    assert advise("project-s8", world, Request(policy=eager)) == [
        "do not load skills whole: leave --eager out"
    ]


@pytest.mark.requirement("RES-7")
def test_an_agent_that_loads_nothing_whole_has_no_skills() -> None:
    request = Request(agent=Agent(name="ada", eager_limit=0), policy=Policy(eager=True))

    assert resolve([directory("a")], request).loaded == ()


@pytest.mark.requirement("RES-7")
def test_a_window_of_which_skills_have_no_part_cannot_be_widened() -> None:
    agent = Agent(name="ada", context_window=1_000)
    request = Request(agent=agent, policy=Policy(share=0))

    assert advise("project-a", [replace(directory("a"), cost=Cost(9, 9))], request) == []


def test_nobody_is_told_to_delete_what_comes_with_the_program() -> None:
    world = [directory("hello", layer=Layer.BUNDLED)]

    assert advise("bundled-hello", world) == ["put hello on the list of disabled skills of ada"]
    assert advise("bundled-hello", world, EVERYONE) == [
        "put hello on the list of disabled skills of each agent that shall not have it"
    ]


@pytest.mark.parametrize(
    ("given", "way"),
    [
        (assigned("agent", "ada"), "unassign pdf from agent ada"),
        (assigned("global"), "disable pdf for agent ada"),
    ],
    ids=["its-own", "everyones"],
)
def test_a_store_skill_gives_way_for_the_agent_alone(
    given: tuple[Assignment, ...], way: str
) -> None:
    world = [stored("pdf", given=given), directory("pdf")]

    assert advise("project-pdf", world) == [way]


def test_a_skill_is_left_out_for_the_agent_alone() -> None:
    own = stored("pdf", given=assigned("agent", "ada"))
    of_all = stored("pdf", given=assigned("global"))
    listed = ["put pdf on the list of disabled skills of ada"]

    assert advise("store-pdf", [own]) == ["unassign pdf from agent ada"]
    assert advise("store-pdf", [of_all]) == listed
    assert advise("store-pdf", [own, directory("a", "pdf")]) == listed
    # A copy of it would be loaded in its place: the list goes for every source.
    assert advise("store-pdf", [own, directory("pdf")]) == listed
    assert advise("store-pdf", [of_all], EVERYONE) == ["unassign pdf from everyone"]
    assert advise("store-pdf", [of_all, directory("pdf")], EVERYONE) == [
        "unassign pdf from everyone; another skill of that name is loaded then"
    ]


def test_it_is_said_whose_assignment_is_enabled() -> None:
    hidden = stored("pdf", given=assigned("agent", "ada", enabled=False))

    assert advise("store-pdf", [hidden]) == ["enable the assignment of pdf to agent ada"]


def test_a_manifest_is_told_literally() -> None:
    closed = replace(directory("pdf"), agents=("bob",))

    assert advise("project-pdf", [closed]) == [
        'add "ada" to the `agents` in /project/pdf/manifest.json'
    ]
    assert advise("project-pdf", [closed], EVERYONE) == [
        'write `"agents": "*"` into /project/pdf/manifest.json'
    ]


@pytest.mark.requirement("RES-3", "RES-4")
def test_high_confidence_does_not_widen_a_directory_that_names_its_agents() -> None:
    closed = replace(directory("pdf"), agents=("bob",), confidence=Confidence.HIGH)

    (decision,) = resolve([closed], ADA).decisions

    assert (decision.disposition, decision.rule) == (Disposition.EXCLUDED, Rule.NOT_ASSIGNED)
    assert resolve([closed], Request(agent=Agent(name="bob"))).loaded
