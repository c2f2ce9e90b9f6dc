"""Who reads what a command prints: a person at a terminal, or a program."""

import os
import shutil
import sys


def is_piped() -> bool:
    """Tell whether a program reads standard output, and wants every byte as it is."""
    # The log of a build acts on some lines, and is no terminal either.
    return not sys.stdout.isatty() and os.environ.get("GITHUB_ACTIONS") != "true"


def find_width() -> int | None:
    """Give the width that lines must fit into, or None where nothing needs to be cut."""
    return shutil.get_terminal_size((0, 0)).columns or None
