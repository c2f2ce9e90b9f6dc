#!/bin/sh
# Find a Python that is new enough, and let it make .venv ready (see tools/bootstrap.py).
# Set PYTHON to choose the interpreter.
set -eu

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        if is_new_enough "$PYTHON"; then
            echo "$PYTHON"
            return
        fi
        echo "error: PYTHON is set to '$PYTHON', which is not Python 3.11 or newer" >&2
        return 1
    fi
    for candidate in python3 python3.15 python3.14 python3.13 python3.12 python3.11 python; do
        if is_new_enough "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    echo "error: no Python 3.11 or newer was found" >&2
    echo "hint: install one, or name it: make PYTHON=/path/to/python3.11" >&2
    return 1
}

cd -- "$(dirname -- "$0")/.."
python=$(find_python)
exec "$python" tools/bootstrap.py
