"""What is foretold about a skill is what the real clients did with it."""

import pytest

from skillyard.domain.client import Client
from skillyard.providers.clients import CLIENTS
from skillyard.skillmd.verdict import ClientVerdict, judge_for_client
from tests.unit.skillmd.verdict.variants import MISSES, RECORDED, VARIANTS, Outcome, Variant

pytestmark = pytest.mark.requirement("PKG-3")

each_client = pytest.mark.parametrize("client", CLIENTS.values(), ids=lambda one: one.id)


def judge(variant: Variant, client: Client) -> ClientVerdict:
    return judge_for_client(client, content=variant.content, directory=variant.directory)


def foretell(variant: Variant, client: Client) -> Outcome:
    verdict = judge(variant, client)
    if not is_listed(verdict):
        return Outcome(listed=False)
    # Only Claude Code was seen to tell what it offers to users from what it does not.
    user = verdict.user_invocable or client.id != "claude-code"
    return Outcome(
        listed=True, name=verdict.name, description=verdict.description, user_invocable=user
    )


def is_listed(verdict: ClientVerdict) -> bool:
    """Claude Code lists nothing that it offers to nobody; the others list all that they load."""
    if verdict.client_id == "claude-code":
        return verdict.user_invocable or verdict.model_invocable
    return verdict.loads


def known_misses(client: Client) -> set[str]:
    return {variant for variant, one in MISSES if one == client.id}


@each_client
def test_every_skill_comes_out_as_the_client_had_it(client: Client) -> None:
    different = {
        one.id: (foretell(one, client), one.expected[client.id])
        for one in VARIANTS
        if one.id not in known_misses(client) and foretell(one, client) != one.expected[client.id]
    }

    assert different == {}


@each_client
def test_what_is_now_foretold_rightly_leaves_the_list_of_misses(client: Client) -> None:
    right = {one.id for one in VARIANTS if foretell(one, client) == one.expected[client.id]}

    assert known_misses(client) & right == set()
    assert known_misses(client) <= {one.id for one in VARIANTS}


def test_only_opencode_is_foretold_wrongly_about_whether_it_lists_a_skill() -> None:
    wrong = {
        client.id
        for client in CLIENTS.values()
        for one in VARIANTS
        if is_listed(judge(one, client)) != one.expected[client.id].listed
    }

    assert wrong == {"opencode"}
    assert sum(client == "opencode" for _, client in MISSES) <= 5


@each_client
def test_a_skill_that_is_refused_has_a_reason_and_an_error_and_no_other_does(
    client: Client,
) -> None:
    for one in VARIANTS:
        verdict = judge(one, client)
        errors = [found for found in verdict.diagnostics if found.severity == "error"]

        assert bool(verdict.reason) is not verdict.loads
        assert bool(errors) is not verdict.loads
        assert (verdict.name is not None) is verdict.loads


def test_the_recorded_versions_are_those_that_the_facts_are_about() -> None:
    assert RECORDED["versions"] == {client.id: client.version for client in CLIENTS.values()}
