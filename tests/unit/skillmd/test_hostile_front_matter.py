"""Hostile front matter ends quickly, with a finding and without an exception.

The time limit that pytest gives each test is the proof that it ends: each of these takes minutes
where a step is repeated for each character or each value.
"""

import pytest

from skillyard.domain.limits import WIDE
from skillyard.domain.package import Package
from skillyard.skillmd.check import Judgement, check_package
from skillyard.skillmd.contentkey import content_key
from skillyard.skillmd.fix import fix_skill_md
from skillyard.skillmd.rules import Profile
from tests.unit.skillmd.checking import GOOD, check, codes, skill_md

pytestmark = pytest.mark.requirement("TRU-2")

ROOM = 64_000
LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [*{below}, *{below}, *{below}, *{below}]\n"
    for below, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def fill(piece: str) -> str:
    return piece * (ROOM // len(piece.encode()))


HOSTILE: dict[str, tuple[str, list[str]]] = {
    "aliases": ("a: &a x\n" + fill("b: *a\n"), ["SY113", "SY115"]),
    "billion laughs": (LAUGHS, ["SY113"]),
    "an alias of itself": ("a: &a [*a]\n", ["SY113"]),
    "brackets": (fill("["), ["SY115"]),
    "braces": (fill("{"), ["SY115"]),
    "braces with keys": (fill("{a: "), ["SY115"]),
    "keys of keys": (fill("? "), ["SY115"]),
    "keys of keys on lines": (fill("?\n "), ["SY112", "SY115"]),
    "lists of lists": (fill("- "), ["SY115"]),
    "deep mappings": ("".join(f"{' ' * n}a:\n" for n in range(300)), ["SY115"]),
    "a long key": ("x" * ROOM + ": a\n", ["SY110"]),
    "a long key that is asked for": ("? " + "x" * ROOM + "\n: a\n", ["SY201"]),
    "long keys": ("".join(f"? {chr(97 + n) * 2_500}\n: a\n" for n in range(24)), ["SY201"]),
    "a huge number": (f"name: {'9' * ROOM}\ndescription: a\n", ["SY203", "SY208"]),
    "a huge hexadecimal number": (f"{GOOD}license: 0x{'f' * ROOM}\n", ["SY208"]),
    "a merge of an alias": ("a: &a {b: c}\n<<: *a\n", ["SY113"]),
    "a merge": (f"{GOOD}<<: {{license: MIT}}\n", ["SY113"]),
    "a Python object": ("name: !!python/object/apply:os.system ['true']\n", ["SY114", "SY209"]),
    "a tag of bytes": ("name: !<%ed%a0%80> a\n", ["SY114"]),
    "a directive": ("%YAML 1.1\n", ["SY110"]),
    "many tags": ("".join(f"a{n}: !t x\n" for n in range(900)), ["SY114"]),
    "two documents": ("name: a\n--- b\nname: c\n", ["SY110"]),
    "many documents": ("a\n" + fill("--- b\n"), ["SY110"]),
    "an end and more": ("name: a\n...\nname: c\n", ["SY110"]),
    "NUL": (f"{GOOD}license: a\0b\n", ["SY110"]),
    "a C1 character": (f"{GOOD}license: a\x9bb\n", ["SY110"]),
    "a C1 character as escape": ('name: pdf\ndescription: "a\\x9bb"\n', ["SY118"]),
    "half a character": ('name: pdf\ndescription: "\\ud800"\n', ["SY110"]),
    "a character beyond all": ('name: pdf\ndescription: "\\U00110000"\n', ["SY110"]),
    "a hidden letter": ('name: pdf\ndescription: "\\U000e0073"\n', ["SY118"]),
    "other line ends": ("name: pdf\u2028description: a\x85license: b\n", ["SY118"]),
    "an unfinished quote": ('name: "' + "x" * ROOM, ["SY110"]),
    "an unfinished quote with escapes": ('name: "' + fill('\\"'), ["SY110"]),
    "blanks before the end": (f"description: a{' ' * ROOM}b: c\n", ["SY110"]),
    "blanks after a name": (f"x: [\nname: a{' ' * ROOM}b\n", ["SY110"]),
    "lines that need quotes": (fill("a: b: c\n"), ["SY110"]),
    "values that need quotes": (
        "".join(f"a{n}: b: c\n" for n in range(1_900)),
        ["SY110"],
    ),
    "comments": (GOOD + fill("# x\n"), []),
    "blank lines": (GOOD + fill("\n"), []),
    "blank lines in a value": (f"{GOOD}license: a\n" + fill("\n") + "  b\n", []),
    "unknown fields": ("".join(f"x{n}: z\n" for n in range(990)), ["SY201", "SY205", "SY215"]),
    "equal keys": (fill("a: b\n"), ["SY112", "SY115"]),
    "brackets in tools": (f"{GOOD}allowed-tools: {'(' * 60_000}\n", []),
    "commas in tools": (f"{GOOD}allowed-tools: '{',a' * 30_000}'\n", ["SY214"]),
    "carriage returns": (GOOD + "\r" * ROOM, []),
    "tabs": (GOOD + "\t" * ROOM, ["SY110"]),
    "fences": (GOOD + fill("---x\n"), ["SY110"]),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("profile", [Profile.STANDARD, Profile.LENIENT])
def test_hostile_front_matter_is_a_finding(name: str, profile: Profile) -> None:
    front, expected = HOSTILE[name]

    checked = check(skill_md(f"{front}\n"), profile=profile, limits=WIDE)

    assert set(expected) <= set(codes(checked))
    assert expected or not {"SY110", "SY115"} & set(codes(checked))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_front_matter_can_be_fixed_as_far_as_possible(name: str) -> None:
    front, _ = HOSTILE[name]
    package = Package.of({"SKILL.md": skill_md(f"{front}\n")})
    judgement = Judgement(limits=WIDE)

    fixed = fix_skill_md(package, directory="pdf", judgement=judgement)

    again = fix_skill_md(
        Package.of({"SKILL.md": fixed.content}), directory="pdf", judgement=judgement
    )
    assert again.content == fixed.content
    assert content_key(package) == content_key(package)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff" * ROOM,
        b"\xef\xbb\xbf" * (ROOM // 3),
        b"---" * (ROOM // 3),
        b"---\n" * (ROOM // 4),
        b"-" * ROOM,
        b"\n" * ROOM,
        b" " * ROOM,
        b"\r" * ROOM + b"\n",
        b"---\n" + b"\r" * ROOM + b"\n---\n",
        b"---\nname: a" + b"\r\r\n" * (ROOM // 3) + b"---\n",
        b"\0" * ROOM,
        b"--- " + b" \t" * (ROOM // 2) + b"x\n",
        b"---\na: b\n---" + b" \t" * (ROOM // 2) + b"x\n",
    ],
    ids=range(14),
)
@pytest.mark.parametrize("profile", list(Profile))
def test_hostile_bytes_are_a_finding(content: bytes, profile: Profile) -> None:
    package = Package.of({"SKILL.md": content})
    judgement = Judgement(profile=profile)

    checked = check_package(package, directory="pdf", judgement=judgement)
    fixed = fix_skill_md(package, directory="pdf", judgement=judgement)

    assert checked.diagnostics
    left = check(fixed.content, profile=profile).diagnostics
    assert [one for one in left if one.fixable] == []
