"""Two who write at the same moment, in an order that is forced and not hoped for."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.errors import SkillyardError

First = TypeVar("First")
Second = TypeVar("Second")

_LONG = 20.0
_MOMENT = 0.2


def meet(
    store: Store,
    first: Callable[[Transaction], First],
    second: Callable[[Transaction], Second],
    *,
    commit: bool = True,
) -> tuple[First, Second | str]:
    """Let `second` come while `first` has written but not ended; give what each of them got.

    `second` has to wait until `first` ends, by a `commit` or without one. Where it gets an error of
    ours, its code is given.
    """
    first_has_written, second_is_done = Event(), Event()

    def come_second() -> Second | str:
        assert first_has_written.wait(_LONG)
        try:
            return _write(store, second)
        finally:
            second_is_done.set()

    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(come_second)
        try:
            with store.begin() as transaction:
                got = first(transaction)
                first_has_written.set()
                # A store that does not isolate lets the second one pass now.
                assert not second_is_done.wait(_MOMENT), "the second did not wait"
                if commit:
                    transaction.commit()
        finally:
            first_has_written.set()
        return got, answer.result(_LONG)


def _write(store: Store, act: Callable[[Transaction], Second]) -> Second | str:
    try:
        with store.begin() as transaction:
            got = act(transaction)
            transaction.commit()
    except SkillyardError as error:
        return error.code
    return got
