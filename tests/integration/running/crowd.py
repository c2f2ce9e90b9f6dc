"""Many supervisors at once, each a process of its own, and a small program that says what it sees.

Ten agents have the same three skills, each in versions of its own. The program is called like one
client or another. It looks at all of its run's directory, and changes one delivered file. Where
there are gates, it waits at each until it may go on, and looks again at the end.
"""

import hashlib
import json
import os
import select
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from skillyard.application.assign import AssignSkill
from skillyard.application.resolve import ResolveSkills
from skillyard.application.run_wish import RunAgent
from skillyard.application.save import SaveSkill
from skillyard.domain.assignment import Subject, SubjectKind
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.ranges import VersionRange
from skillyard.domain.run import Run, WorkspaceMode
from skillyard.domain.version import Version
from skillyard.testing.packages import make_package
from skillyard.yard import Skillyard
from tests.integration.running.world import make_agent

SLUGS: Final = ("pdf", "csv", "notes")
AGENTS: Final = 10
CLIENTS: Final = ("codex", "claude", "gemini", "opencode", "copilot", "something")
CHANGED: Final = "pdf"
_PATIENCE_SECONDS: Final = 120.0

_PROGRAM: Final = """#!/bin/sh
root=${HOME%/home}
look() { (cd "$root" && find . -type f -exec sha256sum {} +) > "$REPORTS/$NUMBER.$1"; }
wait_at() {
    [ -p "$GATES/$1" ] || return 0
    exec 3<"$GATES/$1"
    echo "$NUMBER $$ $1" > "$GATES/arrived"
    read -r nothing <&3
}
pwd > "$REPORTS/$NUMBER.directory"
env > "$REPORTS/$NUMBER.environment"
wait_at first
look before
echo "run $NUMBER" >> "$(find "$root" -path "*/skills/pdf/SKILL.md")"
[ -p "$GATES/second" ] || exit $((NUMBER % 7))
wait_at second
look after
wait_at "leave-$((NUMBER % 10))"
exit $((NUMBER % 7))
"""


@dataclass(frozen=True, slots=True)
class Crowd:
    """Where everything stands; `url` names the store."""

    root: Path
    url: str

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def gates(self) -> Path:
        return self.root / "gates"

    @property
    def reports(self) -> Path:
        return self.root / "reports"

    @property
    def cache(self) -> Path:
        return self.home / "cache" / "packages"

    def open(self) -> Skillyard:
        """Open the store as a new process does."""
        return Skillyard.open(home=self.home, database_url=self.url, actor="crowd")

    def make(self) -> None:
        """Make the directories, the program under every name, the skills and the agents."""
        for name in ("home", "gates", "reports", "bin", "project", "user"):
            (self.root / name).mkdir()
        for name in CLIENTS:
            (self.root / "bin" / name).write_text(_PROGRAM)
            (self.root / "bin" / name).chmod(0o755)
        with self.open() as yard:
            for agent in range(AGENTS):
                yard.add_record(make_agent(f"agent-{agent}"))
                for slug in SLUGS:
                    self._give(yard, slug, agent)

    def _give(self, yard: Skillyard, slug: str, agent: int) -> None:
        version = Version.parse(f"1.0.{agent}")
        yard.save(SaveSkill(package=make_version(slug, agent), version=version))
        yard.assign(
            AssignSkill(
                reference=slug,
                subject=Subject(SubjectKind.AGENT, f"agent-{agent}"),
                constraint=VersionRange.exactly(version),
            )
        )

    def wish(self, number: int) -> RunAgent:
        """Wish for the run of that number."""
        return RunAgent(
            command=(CLIENTS[number % len(CLIENTS)], f"--number={number}"),
            skills=ResolveSkills(agent=f"agent-{number % AGENTS}"),
            project=str(self.root / "project"),
            environment={
                "HOME": str(self.root / "user"),
                "PATH": f"{self.root / 'bin'}:{os.defpath}:/usr/bin:/bin",
                "GATES": str(self.gates),
                "REPORTS": str(self.reports),
            },
            added={"NUMBER": str(number)},
            workspace=WorkspaceMode.EMPTY,
        )

    def run(self, numbers: Sequence[int]) -> None:
        """Run one after the other, in this process."""
        with self.open() as yard:
            for number in numbers:
                run = yard.run(self.wish(number), include_user=False, include_project=False)
                (self.reports / f"{number}.id").write_text(run.id)

    def fork(self, numbers: Sequence[int], gates: "Gates | None" = None) -> int:
        """Run one after the other, in a process of their own; give its id."""
        child = os.fork()
        if child:
            return child
        status = 1
        try:
            if gates:
                gates.let_go()
            self.run(numbers)
            status = 0
        except BaseException:  # noqa: BLE001 (it must not go on as its parent would)
            traceback.print_exc()
        finally:
            os._exit(status)


def make_version(slug: str, number: int) -> Package:
    """Make one version of a skill; no other one has a file like any of its."""
    mark = f"{slug} {number}\n"
    files: dict[str, PackageFile | str] = {
        "references/a.md": mark * 20,
        f"references/{number}.md": mark,
        "scripts/do.sh": PackageFile(f"#!/bin/sh\n# {mark}".encode(), executable=True),
    }
    return make_package(slug, body=f"This is {mark}", files=files)


class Gates:
    """Pipes at which programs wait; a gate is opened for all of them at once."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._held: dict[str, int] = {}
        self._arrived = self._make("arrived")
        self._rest = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # Whatever went wrong, nobody waits for ever.
        for name in tuple(self._held):
            self.open(name)

    def add(self, *names: str) -> None:
        """Make gates, closed."""
        self._held |= {name: self._make(name) for name in names}

    def open(self, name: str) -> None:
        """Let everybody through."""
        os.close(self._held.pop(name))

    def let_go(self) -> None:
        """Have nothing to do with the gates: a supervisor must not hold them closed."""
        for descriptor in (self._arrived, *self._held.values()):
            os.close(descriptor)

    def iter_arrived(self, number: int) -> Iterator[list[str]]:
        """Give what the next ones say who arrive: their number, their process, and the gate."""
        end = time.monotonic() + _PATIENCE_SECONDS
        while number:
            ready, _, _ = select.select([self._arrived], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                sys.exit(f"{number} programs did not arrive")
            *lines, self._rest = (self._rest + os.read(self._arrived, 65536)).split(b"\n")
            for line in lines:
                number -= 1
                yield line.decode().split()

    def _make(self, name: str) -> int:
        os.mkfifo(self._directory / name)
        # Held for writing, so that nobody who reads finds it at its end.
        return os.open(self._directory / name, os.O_RDWR | os.O_CLOEXEC)


def wait_for(children: Sequence[int]) -> None:
    """Wait until they have all ended well."""
    bad = [one for one in children if os.waitpid(one, 0)[1] != 0]
    if bad:
        sys.exit(f"{len(bad)} supervisors failed")


def read_view(path: Path) -> dict[str, str]:
    """Give the files that a program saw, with the hash of each."""
    lines = path.read_text().splitlines()
    return {line[66:].removeprefix("./"): line[:64] for line in lines}


def list_expected(run: Run, yard: Skillyard) -> dict[str, str]:
    """Give the files of the skills that a record names, with their hashes: what is to be seen."""
    expected = {}
    with yard.store.view() as view:
        for skill in run.skills:
            for path, file in view.packages.get(skill.delivered).files.items():
                digest = hashlib.sha256(file.content).hexdigest()
                expected[f"{skill.part}/{skill.path}/{path}"] = digest
    return expected


def leave_others_out(view: dict[str, str], run: Run) -> dict[str, str]:
    """Give what was seen besides the settings that the record names and the workspace's git."""
    known = {*run.files, "receipt.json"}
    return {
        path: digest
        for path, digest in view.items()
        if path not in known and not path.startswith("workspace/.git/")
    }


def mark_tree(directory: Path) -> dict[str, str]:
    """Give every file below a directory with its mode and the hash of its content."""
    return {
        str(path.relative_to(directory)): (
            f"{path.stat().st_mode:o} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        )
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def be_alive_together(crowd: Crowd, number: int) -> dict[str, object]:
    """Let so many programs be alive at the same moment; give what was seen of them from outside."""
    with Gates(crowd.gates) as gates:
        return _be_alive_together(crowd, number, gates)


def _be_alive_together(crowd: Crowd, number: int, gates: Gates) -> dict[str, object]:
    leaving = [f"leave-{one}" for one in range(10)]
    gates.add("first", "second", *leaving)
    children: list[int] = []
    processes: list[int] = []
    arrived = gates.iter_arrived(number)
    for one in range(number):
        children.append(crowd.fork([one], gates))
        # A few are prepared at a time: a server has connections for so many.
        if len(children) - len(processes) > 8:
            processes.append(int(next(arrived)[1]))
    processes += [int(one[1]) for one in arrived]
    alive = sum(is_alive(one) for one in (*processes, *children))
    cache = mark_tree(crowd.cache)
    gates.open("first")
    list(gates.iter_arrived(number))
    gates.open("second")
    list(gates.iter_arrived(number))
    for turn, name in enumerate(leaving):
        gates.open(name)
        wait_for(children[turn::10])
    return {"alive": alive, "processes": len(set(processes)), "before": cache}


def is_alive(process: int) -> bool:
    """Tell whether a process has not ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def main(root: Path, url: str, number: int, workers: int) -> None:
    """Run a crowd: all at the same moment, or, with workers, so many at a time; print as JSON."""
    crowd = Crowd(root, url)
    crowd.make()
    said: dict[str, object] = {}
    if workers:
        wait_for([crowd.fork(range(one, number, workers)) for one in range(workers)])
    else:
        said = be_alive_together(crowd, number)
    print(json.dumps(said | {"after": mark_tree(crowd.cache)}))  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
