"""Two runs are told apart by what they were given, and by nothing else."""

from dataclasses import replace

import pytest

from skillyard.domain.run import RunStatus
from skillyard.domain.run_difference import ChangedFact, ChangedSkill, RunDifference, compare_runs
from skillyard.domain.version import Version
from tests.contract.making import LATER, OTHER_PDF, make_run, make_run_skill

pytestmark = pytest.mark.requirement("DEL-10")

PDF, CSV = make_run_skill(), make_run_skill("csv")
RUN = make_run(skills=(PDF, CSV), environment={"HOME": "/a"})


def test_runs_that_were_given_the_same_do_not_differ() -> None:
    again = make_run(
        2,
        skills=(replace(PDF, reason="another", ref="other"), CSV),
        environment={"HOME": "/b"},
        status=RunStatus.ENDED,
        exit_status=1,
        ended_at=LATER,
    )

    assert compare_runs(RUN, again) == RunDifference()
    assert compare_runs(RUN, again).is_empty


def test_every_difference_is_named() -> None:
    newer = replace(PDF, version=Version(2), delivered=OTHER_PDF.digest())
    other = make_run_skill("other")
    after = replace(
        RUN,
        skills=(other, newer),
        provider="claude-code",
        agent=None,
        command=("claude", "-p"),
        environment={"HOME": "/a", "X": "1"},
    )

    difference = compare_runs(RUN, after)

    assert difference == RunDifference(
        added=(other,),
        removed=(CSV,),
        changed=(ChangedSkill(PDF, newer, ("version", "delivered")),),
        facts=(
            ChangedFact("agent", "reviewer", "none"),
            ChangedFact("provider", "codex", "claude-code"),
            ChangedFact("command", "codex exec Say hello", "claude -p"),
        ),
        added_variables=("X",),
    )
    assert difference.changed[0].slug == "pdf"
    assert compare_runs(after, RUN).removed_variables == ("X",)


def test_another_order_is_a_difference() -> None:
    assert compare_runs(RUN, replace(RUN, skills=(CSV, PDF))) == RunDifference(is_reordered=True)
