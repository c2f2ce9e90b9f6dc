"""The facts about clients are complete, and the documentation says the same."""

import re
from pathlib import Path

import pytest

from skillyard.domain.client import Client
from skillyard.providers.clients import CLIENTS
from skillyard.providers.page import render_clients_page
from skillyard.skillmd.verdict.judge import LOADERS, MATTERING
from tests.unit.skillmd.verdict.variants import VARIANTS

pytestmark = pytest.mark.requirement("PKG-3")

DOCS = Path(__file__).parents[3] / "docs"

each_client = pytest.mark.parametrize("client", CLIENTS.values(), ids=lambda one: one.id)


def test_the_five_clients_are_known_by_their_ids_and_can_be_judged() -> None:
    assert list(CLIENTS) == ["claude-code", "codex", "gemini-cli", "opencode", "copilot"]
    assert all(key == client.id for key, client in CLIENTS.items())
    assert set(LOADERS) == set(CLIENTS)


@each_client
def test_every_client_has_a_version_and_places_to_look(client: Client) -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", client.version)
    assert client.directories.user
    assert client.directories.project
    assert client.precedence
    assert {"name", "description"} <= client.reading.honours


def test_what_some_client_honours_matters_where_it_is_ignored() -> None:
    honoured = {field for client in CLIENTS.values() for field in client.reading.honours}

    assert honoured - {"name", "description", "metadata"} == MATTERING


@each_client
def test_the_pages_name_the_version_that_was_seen(client: Client) -> None:
    index = " ".join((DOCS / "diagnostics" / "README.md").read_text(encoding="utf-8").split())

    assert re.search(rf"{client.title}(?: CLI)? {re.escape(client.version)}", index)
    assert f"| {client.title} | `client:{client.id}` | `{client.package}` | {client.version} |" in (
        render_clients_page()
    )


def test_the_page_says_how_many_variants_are_kept() -> None:
    assert f"holds {len(VARIANTS)} of them" in " ".join(render_clients_page().split())


def test_every_link_of_the_page_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", render_clients_page()):
        assert (DOCS / target).is_file(), target
