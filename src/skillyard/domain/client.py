"""An agent program that loads skills: where it looks for them, and how it reads a SKILL.md.

Only facts that are data stand here. What a fence or a repair of each style does is in
`skillmd.verdict`, and which client has which is in `providers.clients`.
"""

from dataclasses import dataclass
from enum import StrEnum


class LengthUnit(StrEnum):
    """What a program counts when it measures a text."""

    CHARACTERS = "characters"
    UTF16_UNITS = "UTF-16 units"


@dataclass(frozen=True, slots=True)
class Length:
    """The longest text that is still taken whole."""

    limit: int
    unit: LengthUnit = LengthUnit.CHARACTERS

    def of(self, text: str) -> int:
        """Measure `text`."""
        if self.unit is LengthUnit.CHARACTERS:
            return len(text)
        return len(text.encode("utf-16-le", errors="surrogatepass")) // 2

    def exceeded_by(self, text: str) -> bool:
        """Tell whether `text` is too long."""
        return self.of(text) > self.limit

    def cut(self, text: str, *, ending: str = "", half: str = "\ufffd") -> str:
        """Give `text` if it fits, otherwise as much of its start as fits with `ending` after it.

        Where the cut goes through a character of two units, `half` stands for what is left of it.
        """
        if not self.exceeded_by(text):
            return text
        room = self.limit - self.of(ending)
        if self.unit is LengthUnit.CHARACTERS:
            return text[:room] + ending
        start = text.encode("utf-16-le", errors="surrogatepass")[: room * 2]
        kept = start.decode("utf-16-le", errors="ignore")
        return kept + half * (room - self.of(kept)) + ending


class FenceStyle(StrEnum):
    """How a client finds the `---` lines."""

    TRIMMED_LINES = "any line that is `---` without the blanks around it"
    FIRST_COLUMN = "a line that starts with `---` and goes on with blanks at most"
    LINE_STARTS = "`---` and nothing else to open, a line that starts with `---` to close"
    LANGUAGES = "`---` with a language or nothing to open, a line that starts with `---` to close"
    ANYWHERE = "`---` and blanks to open, the next `---` anywhere to close"


class YamlStyle(StrEnum):
    """Which YAML reader a client uses; each takes something that the others refuse."""

    LIBYAML = "libyaml"
    JS_YAML_3 = "js-yaml 3"
    JS_YAML_4 = "js-yaml 4"
    BUN = "Bun"


class RepairStyle(StrEnum):
    """What a client does with front matter that is not YAML."""

    NONE = "nothing"
    QUOTE_EVERY_LINE = "quotes values with `: `, in every line"
    QUOTE_TOP_LEVEL = "quotes values with special characters, in lines that are not indented"
    BLOCK_TOP_LEVEL = "takes values with `:` as they are, in lines that are not indented"
    READ_LINES = "looks for `name:` and `description:` line by line"


class Identity(StrEnum):
    """What a client calls a skill by."""

    NAME = "`name`"
    DIRECTORY = "the directory"


class Fallback(StrEnum):
    """What a client takes where a field is missing."""

    NONE = "nothing: the skill is not loaded"
    HIDDEN = "nothing: the model does not see the skill"
    DIRECTORY = "the directory's name"
    FIRST_LINE = "the first line of the body"
    FIRST_LINES = "the first three lines of the body"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientReading:
    """How a client reads a SKILL.md.

    `description_limit` is where a skill is refused, `shown_limit` where its description is cut
    short for the model, with `shown_ending` at the end. `honours` are the fields that change what
    the client does; all others are ignored. A directory that `skips` names, or a hidden one where
    `skips_hidden` is set, is never looked into. `repair`, `identity` and what is taken for missing
    fields say in words what the client's loader does.
    """

    fences: FenceStyle
    yaml: YamlStyle
    repair: RepairStyle
    identity: Identity
    missing_name: Fallback
    missing_description: Fallback
    honours: frozenset[str]
    file_bytes: int | None = None
    utf8_only: bool = False
    strips_bom: bool = False
    name_limit: Length | None = None
    name_pattern: str | None = None
    name_rule: str = ""
    description_limit: Length | None = None
    shown_limit: Length | None = None
    shown_ending: str = ""
    skips: frozenset[str] = frozenset()
    skips_hidden: bool = False

    def skips_directory(self, directory: str) -> bool:
        """Tell whether the client never looks into a directory of this name."""
        return directory in self.skips or (self.skips_hidden and directory.startswith("."))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientDirectories:
    """Where a client looks for skills.

    `~` is the user's home, `$NAME` a variable of the environment, and `project` is relative to the
    project. `depth` is how many levels below such a directory a skill may stand, None for any.
    """

    user: tuple[str, ...]
    project: tuple[str, ...]
    other: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    walks_up: str = ""
    depth: int | None = None
    linked_directories: bool = True
    linked_files: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One agent program, as its `version` was seen to behave.

    `precedence` says which of several skills with one name counts, `trust` what keeps skills of a
    project from being loaded, and `budget` what becomes of descriptions when there are many.
    """

    id: str
    title: str
    package: str
    version: str
    reading: ClientReading
    directories: ClientDirectories
    precedence: str
    trust: str
    budget: str = ""
