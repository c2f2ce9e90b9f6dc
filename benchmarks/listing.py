"""List 10,000 skills by a whole command, beside the commands of others and beside a floor.

Each contender has the same skills where it keeps them: Skillyard in its store, the others in the
directories of a project. The floor is a Python that selects the same columns by bare SQL and prints
them. Wall time with the start of the process, the best of interleaved rounds; every contender
must have named every skill.
"""

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from benchmarks.commands import SKILLYARD, Command, Taken, find_best, measure_all
from benchmarks.corpus import make_corpus
from benchmarks.peers import Peers, install_peers
from benchmarks.results import FASTER, Figures, Result, divide, to_result
from benchmarks.yards import filled_yard, to_url

SKILLS: Final = 10_000
ROUNDS: Final = 5

FLOOR: Final = "python, sqlite3 and print"
TABLE: Final = "skillyard list"
JSON: Final = "skillyard list --json"
OPENSKILLS: Final = "openskills list"
PEER: Final = "skills list"
PEER_JSON: Final = "skills list --json"
_PEERS: Final = (OPENSKILLS, PEER, PEER_JSON)
_NAME: Final = re.compile(rb"skill-\d{5}")
_SELECT: Final = """
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(
    "SELECT s.slug, s.current, s.confidence, s.category, s.source_kind, p.files, s.description, "
    "(SELECT count(*) FROM assignments a WHERE a.skill_id = s.id) "
    "FROM skills s JOIN packages p ON p.digest = s.digest ORDER BY s.slug, s.owner"
):
    print(*row)
"""


def run(skills: int = SKILLS, rounds: int = ROUNDS) -> Result:
    with filled_yard(skills) as (corpus, path):
        directory = corpus.parent
        peers = install_peers(directory / "peers")
        commands = {**_ours(path), **(_theirs(peers, directory, skills) if peers else {})}
        taken = measure_all(commands, rounds)
    best = {name: find_best(runs) for name, runs in taken.items()}
    _require_complete(best, skills)
    return report(best)


def _ours(path: Path) -> dict[str, Command]:
    listing = [SKILLYARD, "--database-url", to_url(path), "list"]
    return {
        FLOOR: Command([sys.executable, "-c", _SELECT, str(path)], path.parent),
        TABLE: Command(listing, path.parent),
        JSON: Command([*listing, "--json"], path.parent),
    }


def _theirs(peers: Peers, directory: Path, skills: int) -> dict[str, Command]:
    for_openskills, for_skills = directory / "openskills", directory / "skills"
    make_corpus(for_openskills / ".claude" / "skills", skills)
    make_corpus(for_skills / ".agents" / "skills", skills)
    openskills, others = peers.find("openskills"), peers.find("skills")
    environment = peers.environment
    return {
        OPENSKILLS: Command([openskills, "list"], for_openskills, environment),
        PEER: Command([others, "list"], for_skills, environment),
        PEER_JSON: Command([others, "list", "--json"], for_skills, environment),
    }


def _require_complete(best: Mapping[str, Taken], skills: int) -> None:
    for name, taken in best.items():
        named = len(set(_NAME.findall(taken.printed)))
        if named != skills:
            message = f"`{name}` named {named} of {skills} skills"
            raise RuntimeError(message)


def report(best: Mapping[str, Taken]) -> Result:
    """Give the figures, and ours beside each of the others."""
    figures: Figures = {name: _to_figure(best.get(name)) for name in (FLOOR, TABLE, JSON, *_PEERS)}
    wall = {name: figure["wall_seconds"] for name, figure in figures.items()}
    pairs = ((OPENSKILLS, TABLE), (OPENSKILLS, JSON), (PEER, TABLE), (PEER_JSON, JSON))
    ratios = {f"{theirs} / {ours}": divide(wall[theirs], wall[ours]) for theirs, ours in pairs}
    promises = dict.fromkeys(ratios, FASTER)
    ratios |= {f"{ours} / floor": divide(wall[ours], wall[FLOOR]) for ours in (TABLE, JSON)}
    return to_result(figures, ratios, promises)


def _to_figure(taken: Taken | None) -> dict[str, float | None]:
    return {
        "wall_seconds": taken.wall_seconds if taken else None,
        "cpu_seconds": taken.cpu_seconds if taken else None,
        "bytes_printed": len(taken.printed) if taken else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skills", type=int, default=SKILLS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    wish = parser.parse_args()
    print(json.dumps(run(wish.skills, wish.rounds), indent=2))


if __name__ == "__main__":
    main()
