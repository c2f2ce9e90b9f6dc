"""Two names of one directory change what they stand for, in one step.

Python has no function for it. Linux has `renameat2`; elsewhere, and on file systems that cannot do
it, the answer is that it was not done.
"""

import ctypes
import errno
import os
from typing import Final

_SWAP: Final = 2  # RENAME_EXCHANGE
_NOT_HERE: Final = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM})


def exchange(one: str, other: str, parent: int) -> bool:
    """Let both names in `parent` swap what they stand for; False where nothing can do that."""
    swap = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if swap is None:
        return False
    if swap(parent, os.fsencode(one), parent, os.fsencode(other), _SWAP) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NOT_HERE:
        return False
    raise OSError(number, os.strerror(number))
