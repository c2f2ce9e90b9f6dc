"""Run a command on a terminal of its own, and press keys when it says `ready`.

Arguments: the keys in hexadecimal, and the command. Says what the terminal showed.
"""

import os
import pty
import sys


def main(keys: bytes, command: list[str]) -> int:
    """Give the status of the command."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(command[0], command)  # noqa: S606 (it is the test's own)
    shown, is_pressed = b"", False
    while True:
        try:
            more = os.read(terminal, 4096)
        except OSError:  # the last program has left the terminal
            break
        if not more:
            break
        shown += more
        if b"ready" in shown and not is_pressed:
            os.write(terminal, keys)
            is_pressed = True
    _, status = os.waitpid(child, 0)
    sys.stdout.write(shown.decode())
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(bytes.fromhex(sys.argv[1]), sys.argv[2:]))
