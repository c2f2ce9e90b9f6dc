"""Two who do something at the same moment: one has written, and has not committed yet."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

from skillyard.application.ports.store import Store
from skillyard.domain.errors import SkillyardError
from skillyard.yard import Skillyard
from tests.contract.use_cases.holding import LONG, HoldingStore
from tests.contract.use_cases.yards import make_yard

First = TypeVar("First")
Second = TypeVar("Second")

_MOMENT = 0.2


def meet(
    store: Store, first: Callable[[Skillyard], First], second: Callable[[Skillyard], Second]
) -> tuple[First, Second | str]:
    """Let `bob` do `second` while `ada` has done `first`, all but the commit.

    `bob` has to wait. Gives what each of them got; an error of ours as its code.
    """
    held = HoldingStore(store)
    with ThreadPoolExecutor(2) as pool:
        of_first = pool.submit(first, make_yard(held))
        assert held.has_written.wait(LONG)
        of_second = pool.submit(_code_or_value, second, make_yard(store, actor="bob"))
        # A store that does not isolate lets the second one pass now.
        done, _ = wait([of_second], timeout=_MOMENT)
        held.may_commit.set()
        assert not done
        return of_first.result(LONG), of_second.result(LONG)


def _code_or_value(act: Callable[[Skillyard], Second], yard: Skillyard) -> Second | str:
    try:
        return act(yard)
    except SkillyardError as error:
        return error.code
