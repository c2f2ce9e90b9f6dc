"""An agent program that loads skills: where it looks, how it reads them, how it is given them.

Only facts that are data stand here. What a fence or a repair of each style does is in
`skillmd.verdict`, how a catalogue of each style is cut in `providers.catalogue`, and which client
has which in `providers.clients`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


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


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


def _no_files() -> Mapping[str, Mapping[str, object]]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientLogin:
    """A file that holds a client's login, or a part of it; see `domain.delivery.LoginFile`.

    It is passed on only where one of the variables in `when` is set; nothing there means always.
    """

    source: str
    path: str
    keys: tuple[str, ...] = ()
    when: tuple[str, ...] = ()


class SwitchBy(StrEnum):
    """What a client turns skills off by."""

    NAME = "the name of the skill"
    FILE = "the path of its SKILL.md"
    DIRECTORY = "the directory that it stands in"


class SwitchForm(StrEnum):
    """How a client's settings say it: a list, a mapping to a word, or a list of tables."""

    LIST = "a list"
    MAPPING = "a mapping"
    TABLES = "a list of tables"


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """The setting that turns a skill off: where in which file it stands, and what it says.

    `word` is the value of a mapping. The model is not told of what is off.
    """

    file: str
    keys: tuple[str, ...]
    by: SwitchBy
    form: SwitchForm
    word: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillSettings:
    """A file of a project, JSON with or without comments, that may direct which skills are seen.

    Each of `keys` adds or forbids skills: it is a path of names with dots, where `*` is any name.
    With `is_shared` the client reads that of the main work tree in every linked one.
    """

    file: str
    keys: tuple[str, ...]
    is_shared: bool = False


class Clash(StrEnum):
    """Which skill of one name counts: that of the run's home, or that of the project."""

    OURS = "that of the run"
    THEIRS = "that of the project"
    EITHER = "now the one, now the other"
    BOTH = "both"


class Dialect(StrEnum):
    """How a client is told who may call on a skill."""

    FRONT_MATTER = "fields of the front matter"
    POLICY = "`policy.allow_implicit_invocation` in `agents/openai.yaml`"
    SETTINGS = "its settings"
    NONE = "it cannot be told"


class CatalogueStyle(StrEnum):
    """What a client does when the list of skills is longer than it shows to the model."""

    NAMES_STAY = "what does not fit loses its description"
    ALL_SHORTENED = "every description is shortened, to the same length"
    FIRST_ONES = "from the first that does not fit on, only names are given"


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """How much of the list of skills a client shows to the model.

    That is a `percent` of the context window in tokens, counted in `per_token` characters or, where
    that is 1, in tokens; or else a `fixed` number of characters. `window` is the one that counts
    where no other is known. `usage` is the file, and the key in it, by which a client knows the
    skills that are used most: those come first; without one, they come by their names.
    """

    style: CatalogueStyle
    window: int = 0
    percent: int = 0
    per_token: int = 1
    fixed: int = 0
    usage: tuple[str, str] | None = None

    def limit(self, window: int | None) -> int:
        """Give how much is shown, for a context window of so many tokens."""
        return self.fixed or (window or self.window) * self.percent * self.per_token // 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientDelivery:
    """How a client is given its skills, its settings and its login in a home of its own.

    `skills` is where skills are laid out, and `files` are settings: JSON, or TOML where the name
    says so. All paths are relative to the run's home. In texts, also those that are keys, `{home}`,
    `{workspace}` and `{directory}` stand for the places of the run. `variables` are set besides the
    homes. `bundled` are skills of the program's own that are turned off by name. `login_variables`
    are passed on.

    `climbs` tells that the client looks for skills of the project upwards to the root of the
    repository, and `climbs_on` that it goes on up where there is none. With `falls_back` it looks
    in the main work tree for what a linked one lacks. `commands` are directories of the project
    whose files count as skills. `switches` turn off what is found elsewhere, the first that can;
    `silenced` are directories of the project that `variables` keep the client from reading at all.
    `unclashed` are variables that keep it from reading any of the project, where skills of one name
    `clash`. `directed_by` are the project's own settings that add or forbid skills; it looks for
    them where it is started, and upwards.
    """

    programs: tuple[str, ...]
    skills: str
    files: Mapping[str, Mapping[str, object]] = field(default_factory=_no_files, hash=False)
    variables: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    bundled: tuple[str, ...] = ()
    logins: tuple[ClientLogin, ...] = ()
    login_variables: tuple[str, ...] = ()
    dialect: Dialect = Dialect.NONE
    climbs: bool = True
    climbs_on: bool = True
    falls_back: bool = False
    commands: tuple[str, ...] = ()
    switches: tuple[Switch, ...] = ()
    silenced: tuple[str, ...] = ()
    clash: Clash = Clash.OURS
    unclashed: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    directed_by: tuple[SkillSettings, ...] = ()
    catalogue: Catalogue | None = None

    @property
    def name_switch(self) -> Switch | None:
        """The switch that turns a skill off by its name, if there is one."""
        return next((one for one in self.switches if one.by is SwitchBy.NAME), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One agent program, as its `version` was seen to behave.

    `precedence` says which of several skills with one name counts, `trust` what keeps skills of a
    project from being loaded, and `budget` what becomes of descriptions when there are many.
    `delivery` is how a run gives it skills.
    """

    id: str
    title: str
    package: str
    version: str
    reading: ClientReading
    directories: ClientDirectories
    delivery: ClientDelivery
    precedence: str
    trust: str
    budget: str = ""
