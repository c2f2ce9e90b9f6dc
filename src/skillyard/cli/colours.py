"""Whether output is coloured."""

import os
import sys


def are_colours_unwanted() -> bool:
    """Tell whether the user has said that nothing may be coloured."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


def wants_colours() -> bool:
    """Tell whether standard output is a terminal that may be coloured."""
    return sys.stdout.isatty() and not are_colours_unwanted()
