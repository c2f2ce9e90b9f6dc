"""Every rule, by its stable code.

A rule says how bad its finding is under each profile; None means that the profile does not look.
Codes are public and never change their meaning: a rule that goes leaves a gap.

SY1xx  SKILL.md as a file, and its front matter as YAML
SY2xx  the fields of the front matter
SY3xx  the tree of files
SY4xx  archives and other bundles
SY5xx  manifest.json
SY6xx  what a client will do with the skill
SY7xx  the text
"""

from dataclasses import dataclass
from enum import StrEnum

from skillyard.domain.diagnostic import Diagnostic, Severity, Span

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE


class Profile(StrEnum):
    """How strictly a package is judged.

    STRICT is the specification to the letter. STANDARD, the default, also knows what clients
    added. LENIENT is for directories that other people own: it recovers what it can.
    """

    STRICT = "strict"
    STANDARD = "standard"
    LENIENT = "lenient"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its code, its name, and its severity under each profile."""

    code: str
    name: str
    summary: str
    strict: Severity | None
    standard: Severity | None
    lenient: Severity | None
    fixable: bool = False

    def severity(self, profile: Profile) -> Severity | None:
        """Give the severity under `profile`; None means that nothing is reported."""
        match profile:
            case Profile.STRICT:
                return self.strict
            case Profile.STANDARD:
                return self.standard
            case Profile.LENIENT:
                return self.lenient

    def finding(
        self,
        message: str,
        *,
        severity: Severity | None = None,
        path: str = "SKILL.md",
        span: Span | None = None,
        hint: str = "",
    ) -> Diagnostic:
        """Make a diagnostic of this rule; without `severity`, the standard profile's."""
        return Diagnostic(
            code=self.code,
            severity=severity or self.standard or Severity.NOTE,
            message=message,
            path=path,
            span=span,
            hint=hint,
        )


SKILL_MD_MISSING = Rule("SY101", "skill-md-missing", "There is no SKILL.md", _E, _E, _W)
SKILL_MD_MISNAMED = Rule(
    "SY102", "skill-md-misnamed", "SKILL.md is spelt in other letters", _E, _E, _W
)
NOT_UTF8 = Rule("SY103", "skill-md-not-utf8", "SKILL.md is not UTF-8 text", _E, _E, _W)
BYTE_ORDER_MARK = Rule(
    "SY104", "byte-order-mark", "A byte-order mark hides the front matter from some clients",
    _W, _W, _N, fixable=True,
)  # fmt: skip
LEADING_BLANK = Rule(
    "SY105", "leading-blank-lines", "The front matter does not start on the first line",
    _E, _E, _W, fixable=True,
)  # fmt: skip
CARRIAGE_RETURNS = Rule(
    "SY106", "carriage-returns", "Lines end in carriage return and line feed",
    _N, _N, _N, fixable=True,
)  # fmt: skip
FRONT_MATTER_MISSING = Rule("SY107", "front-matter-missing", "There is no front matter", _E, _E, _W)
FRONT_MATTER_UNCLOSED = Rule(
    "SY108", "front-matter-unclosed", "The front matter has no closing `---` line", _E, _E, _W
)
FRONT_MATTER_TOO_LARGE = Rule(
    "SY109", "front-matter-too-large", "The front matter is larger than the limit", _E, _E, _W
)
YAML_SYNTAX = Rule("SY110", "yaml-syntax", "The front matter is not YAML", _E, _E, _W, fixable=True)
YAML_NOT_MAPPING = Rule(
    "SY111", "yaml-not-mapping", "The front matter is not made of `key: value` pairs", _E, _E, _W
)
YAML_DUPLICATE_KEY = Rule(
    "SY112", "yaml-duplicate-key", "A key stands twice in one mapping", _E, _E, _W
)
YAML_ALIAS = Rule("SY113", "yaml-alias", "Anchors and aliases are not accepted", _E, _E, _W)
YAML_TAG = Rule("SY114", "yaml-tag", "YAML tags are not accepted", _E, _E, _W)
YAML_TOO_DEEP = Rule("SY115", "yaml-too-deep", "The front matter is nested too deeply", _E, _E, _W)
YAML_KEY = Rule("SY116", "yaml-key-not-text", "A key is not plain text", _E, _E, _W)
HIDDEN_CHARACTER = Rule(
    "SY118", "hidden-character", "A value holds characters that people cannot see", _W, _W, _W
)
FRONT_MATTER_CODE = Rule(
    "SY119", "front-matter-code", "The front matter is code, which a client runs", _E, _E, _E
)

NAME_MISSING = Rule("SY201", "name-missing", "There is no `name`", _E, _E, _W, fixable=True)
NAME_INVALID = Rule(
    "SY202", "name-invalid", "`name` holds what a name may not hold", _E, _E, _W, fixable=True
)
NAME_TOO_LONG = Rule("SY203", "name-too-long", "`name` is too long", _E, _E, _W, fixable=True)
NAME_DIRECTORY = Rule(
    "SY204", "name-directory-mismatch", "`name` is not the name of the directory",
    _E, _E, _W, fixable=True,
)  # fmt: skip
DESCRIPTION_MISSING = Rule("SY205", "description-missing", "There is no `description`", _E, _E, _W)
DESCRIPTION_EMPTY = Rule("SY206", "description-empty", "`description` is empty", _E, _E, _W)
DESCRIPTION_TOO_LONG = Rule(
    "SY207", "description-too-long", "`description` is too long", _E, _E, _W
)
VALUE_NOT_TEXT = Rule(
    "SY208", "value-not-text", "A value is read as something other than text by some clients",
    _W, _W, _N, fixable=True,
)  # fmt: skip
VALUE_KIND = Rule(
    "SY209", "value-wrong-kind", "A list or mapping stands where text belongs", _E, _E, _W
)
COMPATIBILITY_LENGTH = Rule(
    "SY210", "compatibility-length", "`compatibility` is empty or too long", _E, _E, _W
)
METADATA_NOT_MAPPING = Rule(
    "SY212", "metadata-not-mapping", "`metadata` is not a mapping", _E, _E, _W
)
METADATA_VALUE = Rule(
    "SY213", "metadata-value-not-text", "A value under `metadata` is not text", _E, _W, _N
)
ALLOWED_TOOLS_FORM = Rule(
    "SY214", "allowed-tools-form", "`allowed-tools` is not text separated by blanks",
    _E, _W, _N, fixable=True,
)  # fmt: skip
UNKNOWN_FIELD = Rule("SY215", "unknown-field", "A field is not known", _E, _W, _N, fixable=True)
MISSPELT_FIELD = Rule("SY216", "misspelt-field", "A field looks misspelt", _E, _W, _W)
VERSION_INVALID = Rule("SY218", "version-invalid", "The version is not semantic", _W, _W, _N)
TAGS_INVALID = Rule("SY219", "tags-invalid", "Tags are too many or malformed", _W, _W, _N)
VALUE_NOT_KNOWN = Rule(
    "SY220", "value-not-known", "A value is not one of those that are known", _W, _W, _N
)
VALUE_SHAPE = Rule("SY221", "value-shape", "A value does not have its field's shape", _W, _W, _N)
REMARK_IN_TEXT = Rule("SY222", "remark-in-text", "A `#` cuts the description short", _W, _W, _N)
DISPLAY_NAME_LENGTH = Rule(
    "SY224", "display-name-length", "`display-name` is empty or too long", _E, _E, _W
)
FACTS_DIFFER = Rule(
    "SY225", "facts-differ", "One fact stands in two places and differs", _W, _W, _N
)

PATH_UNSAFE = Rule("SY301", "path-unsafe", "A path may not stand in a package", _E, _E, _E)
PATH_COLLISION = Rule(
    "SY302", "path-collision", "Two paths are one file on some systems", _E, _E, _E
)
LINK = Rule("SY303", "link", "Links are not accepted", _E, _E, _E)
SPECIAL_FILE = Rule(
    "SY304", "special-file", "Devices, sockets and pipes are not accepted", _E, _E, _E
)
FILE_TOO_LARGE = Rule("SY305", "file-too-large", "A file is larger than the limit", _E, _E, _E)
PACKAGE_TOO_LARGE = Rule(
    "SY306", "package-too-large", "The files together are larger than the limit", _E, _E, _E
)
TOO_MANY_FILES = Rule("SY307", "too-many-files", "There are more files than the limit", _E, _E, _E)
BINARY_FILE = Rule("SY309", "binary-file", "A binary file stands outside `assets/`", _E, _E, _W)
FILE_LARGE = Rule("SY311", "file-large", "A file is large for its purpose", _W, _W, _N)
NESTED_SKILL = Rule("SY312", "nested-skill", "A second SKILL.md stands inside", _W, _W, _N)
UNUSUAL_PLACE = Rule(
    "SY313", "unusual-place", "A file stands outside the usual directories", None, _N, None
)
UNREADABLE = Rule("SY314", "unreadable", "A file could not be read", _E, _E, _E)
LEFT_OUT = Rule("SY316", "left-out", "Files that no skill means to hold were left out", _N, _N, _N)
DUPLICATE_SKILL = Rule(
    "SY317", "duplicate-skill", "Two skills of one source have the same name", _W, _W, _W
)

ARCHIVE_TOO_LARGE = Rule(
    "SY401", "archive-too-large", "The archive is larger than the limit", _E, _E, _E
)
ARCHIVE_CORRUPT = Rule(
    "SY402", "archive-corrupt", "The archive is damaged or cut short", _E, _E, _E
)
ARCHIVE_AMBIGUOUS = Rule(
    "SY403", "archive-ambiguous", "The archive means different files to different programs",
    _E, _E, _E,
)  # fmt: skip
ARCHIVE_EXPANDS = Rule(
    "SY404", "archive-expands", "The archive expands beyond the limit", _E, _E, _E
)
ARCHIVE_FEATURE = Rule(
    "SY405", "archive-feature", "The archive uses a feature that is not accepted", _E, _E, _E
)
BUNDLE_JSON = Rule("SY406", "bundle-json", "The bundle is not acceptable JSON", _E, _E, _E)
BUNDLE_SHAPE = Rule(
    "SY407", "bundle-shape", "The bundle does not have the portable shape", _E, _E, _E
)
BUNDLE_DIFFERS = Rule("SY408", "bundle-differs", "The bundle and its SKILL.md differ", _W, _W, _N)

MANIFEST_INVALID = Rule(
    "SY501", "manifest-invalid", "manifest.json is not a JSON object", _E, _E, _W
)
MANIFEST_FIELD = Rule(
    "SY502", "manifest-field", "A field of manifest.json does not have its shape", _W, _W, _N
)
MANIFEST_DRIFT = Rule("SY503", "manifest-drift", "manifest.json and SKILL.md differ", _W, _W, _N)

CLIENT_REJECTS = Rule("SY601", "client-rejects", "The client will not load it", _E, _E, _E)
CLIENT_NAME = Rule("SY602", "client-name", "The client lists it under another name", _W, _W, _W)
CLIENT_SHORTENS = Rule("SY603", "client-shortens", "The client shows less of it", _W, _W, _W)
CLIENT_IGNORES = Rule("SY604", "client-ignores", "The client ignores a field", _N, _N, _N)
CLIENT_REPAIRS = Rule("SY605", "client-repairs", "The client guesses what was meant", _W, _W, _W)
CLIENT_HIDES = Rule(
    "SY606", "client-hides", "The client does not offer it to the model or to the user", _W, _W, _W
)

BODY_EMPTY = Rule("SY701", "body-empty", "There are no instructions", _W, _W, _N)
BODY_LONG = Rule("SY702", "body-long", "SKILL.md is long", _W, _W, _N)

RULES: tuple[Rule, ...] = tuple(
    sorted((one for one in globals().values() if isinstance(one, Rule)), key=lambda one: one.code)
)
