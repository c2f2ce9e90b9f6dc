"""A store that several threads and processes use at once."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from skillyard.adapters.db.opening import open_store
from skillyard.adapters.db.store import SqlStore
from skillyard.domain.catalogue import EVERYTHING
from tests.integration.db.samples import PDF, SKILL, fill


@pytest.mark.requirement("STO-1")
def test_threads_share_a_store(store: SqlStore) -> None:
    def add(number: int) -> None:
        with store.begin() as transaction:
            transaction.packages.add([PDF])
            transaction.skills.add_if_absent(replace(SKILL, id=str(number), slug=f"s{number}"))
            transaction.commit()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(40)))

    with store.view() as view:
        assert view.skills.count(EVERYTHING) == 40


def test_a_forked_process_uses_connections_of_its_own(store: SqlStore) -> None:
    fill(store)
    child = os.fork()
    if child == 0:
        # Nothing of pytest's may run in here.
        status = 1
        try:
            with store.begin() as transaction:
                found = transaction.skills.find("pdf")
                added = replace(SKILL, id="child", slug="child")
                transaction.skills.add_if_absent(added)
                transaction.commit()
            status = 0 if found == SKILL else 2
        finally:
            os._exit(status)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with store.begin() as transaction:
        assert transaction.skills.find("child") is not None
        transaction.skills.add_if_absent(replace(SKILL, id="parent", slug="parent"))
        transaction.commit()
    with store.view() as view:
        assert view.skills.count(EVERYTHING) == 3


@pytest.mark.requirement("STO-1", "STO-10")
def test_a_process_that_is_killed_leaves_nothing_half_done(url: str) -> None:
    script = (
        "import sys\n"
        "from skillyard.adapters.db.opening import open_store\n"
        "from tests.integration.db.samples import PDF, SKILL, VERSION, fill\n"
        "from dataclasses import replace\n"
        "store = open_store(sys.argv[1])\n"
        "fill(store)\n"
        "with store.begin() as transaction:\n"
        "    transaction.skills.replace(replace(SKILL, revision=2, updated_by='late'))\n"
        "    print('half', flush=True)\n"
        "    sys.stdin.readline()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout
        assert writer.stdout.readline() == "half\n"
        writer.send_signal(signal.SIGKILL)

    store = open_store(url)
    with store.view() as view:
        assert view.skills.find("pdf") == SKILL
        assert len(view.outbox.list_pending()) == 1
    with store.begin() as transaction:
        assert transaction.skills.replace(replace(SKILL, revision=2))
        transaction.commit()
    store.close()


def test_a_view_sees_the_store_as_it_was_when_it_was_opened(store: SqlStore) -> None:
    with store.view() as view:
        fill(store)

        assert view.skills.find("pdf") is None
        assert view.audit is not None
    with store.view() as view:
        assert view.skills.find("pdf") == SKILL


def test_nothing_comes_after_a_commit(store: SqlStore) -> None:
    with store.begin() as transaction:
        transaction.commit()
        with pytest.raises(Exception, match="closed"):
            transaction.skills.add_if_absent(SKILL)

    with store.view() as view:
        assert view.skills.find("pdf") is None
