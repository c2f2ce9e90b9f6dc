"""Every setting: what it is called, where it may be set, and which value holds.

A value is taken from the first of these that has one: a flag, the environment, the project's file
(the nearest `skillyard.toml`, from the working directory upwards), the user's file (`settings.toml`
in the home), the default.

A project's file comes with whatever was cloned. It cannot say where skills are saved, who saves
them, how much of a prompt they take or what runs are given, and names no directory outside the
project. Every file is checked as a whole, also where another value holds.
"""

import os
import pwd
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote_plus

from skillyard.domain.delivery import OnInvalid
from skillyard.domain.errors import InvalidSettingError
from skillyard.domain.limits import (
    EAGER_SKILLS,
    INJECTED_CHARACTERS,
    KIB,
    LISTED_SKILLS,
    PRESETS,
    STANDARD,
    WINDOW_SHARE,
    Limits,
)

PROJECT_FILE: Final = "skillyard.toml"
USER_FILE: Final = "settings.toml"
DATABASE_FILE: Final = "skillyard.db"

Value = str | int | bool | tuple[str, ...]

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
_DEFAULT: Final = "default"
_MOST_FILE_BYTES: Final = 64 * KIB
_MOST_TEXT: Final = 2000
_MOST_NUMBER: Final = 2**31 - 1
_MOST_PATHS: Final = 50
_UNKNOWN_ACTOR: Final = "unknown"
_LOGIN_VARIABLES: Final = ("LOGNAME", "USER", "LNAME", "USERNAME")

_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_URL: Final = re.compile(r"[a-z][a-z0-9+]{0,40}://.*")
_RELATIVE: Final = re.compile(r"sqlite:///[^/:].*")
_HOST: Final = r"(?:\[[0-9A-Fa-f:.]*\]|[^][@:/?,]*)(?::[0-9]*)?"
# What is no such URL as a whole may hold a password anywhere.
_SHOWN_URL: Final = re.compile(
    r"(?P<scheme>[^:/?]*://)(?:(?P<user>[^:/?]*)(?P<password>:[^?]*)?@)?"
    rf"(?P<place>{_HOST}(?:,{_HOST})*(?:/[^@?]*)?)(?:\?(?P<query>[^@]*))?"
)
_SHOWN_PARAMETERS: Final = frozenset(
    {
        "application_name",
        "channel_binding",
        "connect_timeout",
        "gssencmode",
        "host",
        "hostaddr",
        "keepalives",
        "keepalives_count",
        "keepalives_idle",
        "keepalives_interval",
        "load_balance_hosts",
        "port",
        "sslmode",
        "sslrootcert",
        "target_session_attrs",
        "tcp_user_timeout",
        "user",
    }
)
_NUMBER: Final = re.compile(r"[0-9]{1,10}", re.ASCII)
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_TABLES: Final = ("limits", "run", "cache")
_CACHE_DAYS: Final = 30
_WORDS: Final = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}

_WHERE_SKILLS_ARE_SAVED: Final = (
    "a project's file cannot set it, because a cloned repository must not redirect where skills are"
    " saved"
)
_WHO_SAVES: Final = (
    "a project's file cannot set it, because a cloned repository must not say who saves skills"
)
_WHAT_HAPPENS_TO_THE_STORE: Final = (
    "a project's file cannot set it, because a cloned repository must not change the store"
)
_WHAT_RUNS_ARE_GIVEN: Final = (
    "a project's file cannot set it, because a cloned repository must not say what runs are given"
)
_WHICH_DIRECTORIES_ARE_THE_USERS: Final = (
    "a project's file cannot set it, because a cloned repository must not name directories outside"
    " of itself; `project-roots` takes those inside"
)
_HOW_MUCH_IS_SHOWN: Final = (
    "a project's file cannot set it, because a cloned repository must not say how much of a prompt"
    " skills take"
)
_WHERE_FILES_ARE_FOUND: Final = "no file can set it, because it says where the files are"


@dataclass(frozen=True, slots=True)
class _Refused:
    """Why a value cannot be used."""

    reason: str


def _to_text(value: object) -> str | _Refused:
    if not isinstance(value, str):
        return _Refused("it must be a text")
    if not value.strip():
        return _Refused("it is empty")
    if len(value) > _MOST_TEXT:
        return _Refused(f"it has more than {_MOST_TEXT:,} characters")
    return (
        _Refused("it holds a character that cannot be printed") if _CONTROL.search(value) else value
    )


def _to_url(value: object) -> str | _Refused:
    text = _to_text(value)
    if isinstance(text, str) and _RELATIVE.fullmatch(text):
        return _Refused(
            "its path is relative, and would be another file in every directory; write"
            " `sqlite:////` and the whole path"
        )
    if isinstance(text, _Refused) or _URL.fullmatch(text):
        return text
    # The value is not repeated: it may hold a password.
    return _Refused("it must be a URL, such as `postgresql://user@host/database`")


def _to_bool(value: object) -> bool | _Refused:
    known = _WORDS.get(value.lower()) if isinstance(value, str) else value
    return known if isinstance(known, bool) else _Refused("it must be true or false")


def _to_preset(value: object) -> str | _Refused:
    if isinstance(value, str) and value in PRESETS:
        return value
    return _Refused(f"it must be {' or '.join(f'`{one}`' for one in PRESETS)}")


def _to_number(value: object) -> int | _Refused:
    return _to_number_within(value, 1, _MOST_NUMBER)


def _to_count(value: object) -> int | _Refused:
    return _to_number_within(value, 0, _MOST_NUMBER)


def _to_share(value: object) -> int | _Refused:
    return _to_number_within(value, 1, 100)


def _to_number_within(value: object, least: int, most: int) -> int | _Refused:
    known = int(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
    if not isinstance(known, int) or isinstance(known, bool):
        return _Refused("it must be a whole number")
    if not least <= known <= most:
        return _Refused(f"it must be from {least} to {most:,}")
    return known


def _to_on_invalid(value: object) -> str | _Refused:
    if isinstance(value, str) and value in set(OnInvalid):
        return value
    return _Refused(f"it must be {', '.join(f'`{one}`' for one in OnInvalid)}")


def _to_variables(value: object) -> str | _Refused:
    text = _to_text(value)
    if isinstance(text, str) and not all(map(_VARIABLE.fullmatch, _split_names(text))):
        return _Refused("it must be names of variables with commas between them")
    return text


def _split_names(text: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in text.split(",") if one.strip())


def _to_paths(value: object) -> tuple[str, ...] | _Refused:
    named = list(filter(None, value.split(os.pathsep))) if isinstance(value, str) else value
    if not isinstance(named, list):
        return _Refused("it must be a list of paths")
    if len(named) > _MOST_PATHS:
        return _Refused(f"it has more than {_MOST_PATHS} paths")
    paths = list(map(_to_text, named))
    refused = next((one for one in paths if isinstance(one, _Refused)), None)
    return refused or tuple(dict.fromkeys(map(str, paths)))


def _to_inner_paths(value: object) -> tuple[str, ...] | _Refused:
    paths = _to_paths(value)
    if isinstance(paths, _Refused) or not any(map(_leads_out, paths)):
        return paths
    return _Refused("its paths must be relative to the project, and stay inside it")


def _leads_out(path: str) -> bool:
    return path.startswith(("/", "~")) or ".." in path.split("/")


_Convert = Callable[[object], Value | _Refused]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSetting:
    """What is known about a setting before it has a value.

    `default` is in words. `not_in_project` and `not_in_files` say why such a file cannot set it;
    they are empty where it can.
    """

    name: str
    to_value: _Convert
    default: str
    help: str
    not_in_project: str = ""
    not_in_files: str = ""

    @property
    def variable(self) -> str:
        """The name of the environment variable."""
        return "SKILLYARD_" + re.sub("[-.]", "_", self.name).upper()

    @property
    def type(self) -> str:
        """What kind of value it takes, in a word or two."""
        return _TYPES[self.to_value]


_TYPES: Final[Mapping[_Convert, str]] = {
    _to_text: "text",
    _to_url: "URL",
    _to_bool: "true or false",
    _to_preset: " or ".join(PRESETS),
    _to_number: "number",
    _to_on_invalid: " or ".join(OnInvalid),
    _to_variables: "names",
    _to_count: "number",
    _to_share: "number",
    _to_paths: "paths",
    _to_inner_paths: "paths",
}

_LIMITS: Final = {
    "skill_md_bytes": "The largest `SKILL.md`, in bytes",
    "skill_md_bytes_noted": "A `SKILL.md` of more bytes gets a warning",
    "skill_md_lines_noted": "A `SKILL.md` of more lines gets a warning",
    "file_bytes": "The largest file beside `SKILL.md`, in bytes",
    "file_bytes_noted": "A file of more bytes gets a warning",
    "package_bytes": "The largest package, in bytes",
    "package_files": "The most files in a package",
    "package_depth": "The most levels of directories in a package",
    "archive_bytes": "The largest bundle, in bytes",
    "unpacked_bytes": "The most bytes that a bundle may unpack to",
    "archive_ratio": "The most times that a bundle may grow when it is unpacked",
    "archive_ratio_from_bytes": "Up to so many unpacked bytes, growth does not count",
    "front_matter_bytes": "The largest front matter, in bytes",
    "front_matter_depth": "The most levels in front matter",
    "front_matter_nodes": "The most values in front matter",
    "path_characters": "The longest path in a package",
    "name_characters": "The longest name of a skill",
    "display_name_characters": "The longest display name",
    "description_characters": "The longest description",
    "compatibility_characters": "The longest `compatibility`",
    "tags": "The most tags of a skill",
}


def _to_name(limit: str) -> str:
    return f"limits.{limit.replace('_', '-')}"


SETTINGS: Final[tuple[KnownSetting, ...]] = (
    KnownSetting(
        name="home",
        to_value=_to_text,
        default="the platform's data directory",
        help="The directory that holds the database and the user's settings",
        not_in_project=_WHERE_SKILLS_ARE_SAVED,
        not_in_files=_WHERE_FILES_ARE_FOUND,
    ),
    KnownSetting(
        name="database-url",
        to_value=_to_url,
        default=f"`{DATABASE_FILE}` in the home, an SQLite database",
        help="The database that holds the skills",
        not_in_project=_WHERE_SKILLS_ARE_SAVED,
    ),
    KnownSetting(
        name="database-upgrade",
        to_value=_to_bool,
        default="true",
        help="Whether opening an older database upgrades its schema",
        not_in_project=_WHAT_HAPPENS_TO_THE_STORE,
    ),
    KnownSetting(
        name="actor",
        to_value=_to_text,
        default="the login name",
        help="Who is recorded as the one who changed something",
        not_in_project=_WHO_SAVES,
    ),
    KnownSetting(
        name="roots",
        to_value=_to_paths,
        default="none",
        help="Further directories of skills that are yours",
        not_in_project=_WHICH_DIRECTORIES_ARE_THE_USERS,
    ),
    KnownSetting(
        name="project-roots",
        to_value=_to_inner_paths,
        default="none",
        help="Further directories of skills inside a project, relative to it",
    ),
    KnownSetting(
        name="eager-limit",
        to_value=_to_count,
        default=f"{EAGER_SKILLS:,}",
        help="How many skills are loaded whole, at most",
        not_in_project=_HOW_MUCH_IS_SHOWN,
    ),
    KnownSetting(
        name="listed-limit",
        to_value=_to_count,
        default=f"{LISTED_SKILLS:,}",
        help="How many skills a prompt names, at most",
        not_in_project=_HOW_MUCH_IS_SHOWN,
    ),
    KnownSetting(
        name="injected-characters",
        to_value=_to_count,
        default=f"{INJECTED_CHARACTERS:,}",
        help="How many characters descriptions take that are in every prompt, at most",
        not_in_project=_HOW_MUCH_IS_SHOWN,
    ),
    KnownSetting(
        name="window-share",
        to_value=_to_share,
        default=f"{WINDOW_SHARE:,}",
        help="How much of an agent's context window skills take, at most, in hundredths",
        not_in_project=_HOW_MUCH_IS_SHOWN,
    ),
    KnownSetting(
        name="run.on-invalid",
        to_value=_to_on_invalid,
        default=OnInvalid.LEAVE_OUT.value,
        help="What becomes of a run when a skill that is not required cannot be delivered",
        not_in_project=_WHAT_RUNS_ARE_GIVEN,
    ),
    KnownSetting(
        name="run.pass",
        to_value=_to_variables,
        default="none",
        help="Variables that are passed on to runs although their names look like secrets",
        not_in_project=_WHAT_RUNS_ARE_GIVEN,
    ),
    KnownSetting(
        name="cache.days",
        to_value=_to_number,
        default=str(_CACHE_DAYS),
        help="After so many days without use, `gc` removes a package from the cache",
        not_in_project=_WHAT_HAPPENS_TO_THE_STORE,
    ),
    KnownSetting(
        name="limits",
        to_value=_to_preset,
        default="standard",
        help="How large files and packages may be; each limit below can be set by itself",
    ),
    *(
        KnownSetting(
            name=_to_name(limit),
            to_value=_to_number,
            default=f"{getattr(STANDARD, limit):,}",
            help=text,
        )
        for limit, text in _LIMITS.items()
    ),
)
"""Every setting, in the order in which they are shown."""

_BY_NAME: Final = {one.name: one for one in SETTINGS}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting with the value that holds, and where it comes from; without any password."""

    name: str
    value: Value
    origin: str

    def to_json(self) -> dict[str, object]:
        """Give the setting as JSON can hold it."""
        return {"setting": self.name, "value": self.value, "origin": self.origin}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What holds. `shown` lists every setting with its origin, fit to be printed."""

    home: Path
    # Not in tracebacks: it may hold a password.
    database_url: str = field(repr=False)
    database_upgrade: bool
    actor: str
    limits: Limits
    on_invalid: OnInvalid = OnInvalid.LEAVE_OUT
    passed: tuple[str, ...] = ()
    cache_days: int = _CACHE_DAYS
    roots: tuple[Path, ...] = ()
    project_roots: tuple[str, ...] = ()
    eager_limit: int = EAGER_SKILLS
    listed_limit: int = LISTED_SKILLS
    injected_characters: int = INJECTED_CHARACTERS
    window_share: int = WINDOW_SHARE
    shown: tuple[Setting, ...] = field(default=(), compare=False, repr=False)

    @property
    def is_in_home(self) -> bool:
        """Whether the database is the one that the home holds."""
        return self.database_url == _to_database_url(str(self.home))


@dataclass(frozen=True, slots=True)
class SettingsFiles:
    """Where the files are: the user's, whether it exists or not, and the project's, if any."""

    user: Path
    project: Path | None

    @property
    def has_user(self) -> bool:
        """Whether the user's file exists."""
        return _is_file(self.user)


def read_settings(
    *,
    environment: Mapping[str, str],
    directory: Path,
    overrides: Mapping[str, str] = _NOTHING,
    platform: str = sys.platform,
) -> Settings:
    """Find out what holds in `directory`; `overrides` are the flags, by the settings' names.

    Raises:
        InvalidSettingError: A setting is unknown or has a value that it cannot have, or a file
            cannot be read. It names the setting and where it comes from.
    """
    stated = _read_stated(environment, overrides)
    home = _find_home(stated, environment, directory, platform)
    files = _find_files(Path(str(home.value)), directory)
    found = {
        **_anchor(_read_user(files), files.user.parent, environment),
        **_read_project(files),
        **_anchor(stated, directory, environment),
        "home": home,
    }
    return _complete(found, environment)


def find_settings_files(
    *,
    environment: Mapping[str, str],
    directory: Path,
    overrides: Mapping[str, str] = _NOTHING,
    platform: str = sys.platform,
) -> SettingsFiles:
    """Find out where the files are, without reading them.

    Raises:
        InvalidSettingError: A flag or a variable has a value that it cannot have.
    """
    stated = _read_stated(environment, overrides)
    home = _find_home(stated, environment, directory, platform)
    return _find_files(Path(str(home.value)), directory)


def hide_password(url: str) -> str:
    """Give a database's URL fit to be printed: rather too little than a piece of a password.

    Of the parameters only those are shown that are known to hold no secret.
    """
    if url.startswith("sqlite:///"):  # a path, as it is, and no password
        return url
    known = _SHOWN_URL.fullmatch(url)
    if known is None:
        scheme, mark, _ = url.partition("://")
        return f"{scheme}://***" if mark else "***"
    user = "" if known["user"] is None else known["user"] + (":***" * bool(known["password"])) + "@"
    shown = f"{known['scheme']}{user}{known['place']}"
    if known["query"] is None:
        return shown
    return f"{shown}?" + "&".join(map(_hide_parameter, known["query"].split("&")))


def _hide_parameter(parameter: str) -> str:
    name, mark, _ = parameter.partition("=")
    if not mark:
        return "***"
    return parameter if unquote_plus(name).lower() in _SHOWN_PARAMETERS else f"{name}=***"


def _read_stated(
    environment: Mapping[str, str], overrides: Mapping[str, str]
) -> dict[str, Setting]:
    # A variable that is set to nothing is not set.
    variables = {
        one.name: environment[one.variable] for one in SETTINGS if environment.get(one.variable)
    }
    return {
        **{
            name: _to_setting(name, text, f"environment {_BY_NAME[name].variable}")
            for name, text in variables.items()
        },
        **{name: _to_setting(name, text, f"flag --{name}") for name, text in overrides.items()},
    }


def _to_setting(name: str, value: object, origin: str) -> Setting:
    known = _BY_NAME.get(name)
    if known is None:
        near = get_close_matches(name.replace("_", "-"), _BY_NAME, n=1)
        hint = f"Did you mean `{near[0]}`?" if near else ""
        raise InvalidSettingError(name, origin=origin, reason="there is no such setting", hint=hint)
    known_value = known.to_value(value)
    if isinstance(known_value, _Refused):
        hint = f"{known.help}; the default is {known.default}"
        raise InvalidSettingError(name, origin=origin, reason=known_value.reason, hint=hint)
    return Setting(name, known_value, origin)


def _find_home(
    stated: Mapping[str, Setting], environment: Mapping[str, str], directory: Path, platform: str
) -> Setting:
    given = stated.get("home")
    if given is None:
        return Setting("home", str(_find_default_home(environment, platform)), _DEFAULT)
    return replace(given, value=_to_absolute(str(given.value), directory, environment))


def _to_absolute(text: str, start: Path, environment: Mapping[str, str]) -> str:
    if text == "~" or text.startswith("~/"):
        return str(_find_user_directory(environment) / text[2:])
    return str(start / text)


def _anchor(
    found: dict[str, Setting], start: Path, environment: Mapping[str, str]
) -> dict[str, Setting]:
    """Give the settings with the paths of `roots` made absolute: relative ones begin at `start`."""
    given = found.get("roots")
    if given is None or not isinstance(given.value, tuple):
        return found
    paths = (_to_absolute(one, start, environment) for one in given.value)
    return {**found, "roots": replace(given, value=tuple(paths))}


def _find_default_home(environment: Mapping[str, str], platform: str) -> Path:
    if platform == "darwin":
        return _find_user_directory(environment) / "Library/Application Support/skillyard"
    # The XDG specification wants a relative path to be ignored.
    data = Path(environment.get("XDG_DATA_HOME", ""))
    if not data.is_absolute():
        data = _find_user_directory(environment) / ".local/share"
    return data / "skillyard"


def _find_user_directory(environment: Mapping[str, str]) -> Path:
    directory = Path(environment.get("HOME", "") or _find_account_entry("pw_dir"))
    if not directory.is_absolute():
        raise InvalidSettingError(
            "home",
            origin=_DEFAULT,
            reason="the user has no home directory",
            hint="Set SKILLYARD_HOME to a directory that may be written",
        )
    return directory


def _find_account_entry(name: str) -> str:
    try:
        return str(getattr(pwd.getpwuid(os.getuid()), name))
    except KeyError:  # in a container, a user may be a mere number
        return ""


def _find_files(home: Path, directory: Path) -> SettingsFiles:
    candidates = (one / PROJECT_FILE for one in (directory, *directory.parents))
    return SettingsFiles(home / USER_FILE, next(filter(_is_file, candidates), None))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # above a directory that one may not enter
        return False


def _read_user(files: SettingsFiles) -> dict[str, Setting]:
    if not files.has_user:
        return {}
    refused = {one.name: (one.not_in_files, f"Set {one.variable}") for one in SETTINGS}
    return _read_file(files.user, f"user file {files.user}", refused)


def _read_project(files: SettingsFiles) -> dict[str, Setting]:
    if files.project is None:
        return {}
    refused = {
        one.name: (
            one.not_in_project,
            f"Set {one.variable}"
            + ("" if one.not_in_files else f", or `{one.name}` in {files.user}"),
        )
        for one in SETTINGS
    }
    return _read_file(files.project, f"project file {files.project}", refused)


def _read_file(
    path: Path, origin: str, refused: Mapping[str, tuple[str, str]]
) -> dict[str, Setting]:
    found = {}
    for name, value in _iter_values(_read_toml(path, origin)):
        reason, hint = refused.get(name, ("", ""))
        if reason:
            raise InvalidSettingError(name, origin=origin, reason=reason, hint=hint)
        found[name] = _to_setting(name, value, origin)
    return found


def _iter_values(table: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if name in _TABLES and isinstance(value, dict):
            for inner, one in value.items():
                is_preset = (name, inner) == ("limits", "preset")
                yield "limits" if is_preset else f"{name}.{inner}", one
        else:
            yield name, value


def _read_toml(path: Path, origin: str) -> dict[str, object]:
    try:
        with path.open("rb") as file:
            return tomllib.loads(_decode(file.read(_MOST_FILE_BYTES + 1)))
    except OSError as error:
        reason = f"the file cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        reason = "the file is not UTF-8"
    except tomllib.TOMLDecodeError as error:
        reason = f"the file is not TOML: {error}"
    except (RecursionError, ValueError):
        reason = f"the file has more than {_MOST_FILE_BYTES:,} bytes, or a value too long or deep"
    hint = "`skillyard config path` shows which files are read"
    raise InvalidSettingError("", origin=origin, reason=reason, hint=hint)


def _decode(content: bytes) -> str:
    if len(content) > _MOST_FILE_BYTES:
        raise ValueError(len(content))
    return content.decode()


def _complete(found: Mapping[str, Setting], environment: Mapping[str, str]) -> Settings:
    preset = found.get("limits", Setting("limits", "standard", _DEFAULT))
    defaults: dict[str, Value] = {
        "database-url": _to_database_url(str(found["home"].value)),
        "database-upgrade": True,
        "actor": _find_login(environment),
        "run.on-invalid": OnInvalid.LEAVE_OUT.value,
        "run.pass": "",
        "cache.days": _CACHE_DAYS,
        "roots": (),
        "project-roots": (),
        "eager-limit": EAGER_SKILLS,
        "listed-limit": LISTED_SKILLS,
        "injected-characters": INJECTED_CHARACTERS,
        "window-share": WINDOW_SHARE,
    }
    whole = {
        **{name: Setting(name, value, _DEFAULT) for name, value in defaults.items()},
        **{one.name: one for one in _iter_limits(preset)},
        "limits": preset,
        **found,
    }
    return _to_settings(whole)


def _iter_limits(preset: Setting) -> Iterator[Setting]:
    """Yield each limit as the preset has it, with the preset's origin."""
    limits = PRESETS[str(preset.value)]
    for limit in _LIMITS:
        yield Setting(_to_name(limit), getattr(limits, limit), preset.origin)


def _to_settings(whole: Mapping[str, Setting]) -> Settings:
    shown = tuple(whole[known.name] for known in SETTINGS)
    return Settings(
        home=Path(str(whole["home"].value)),
        database_url=str(whole["database-url"].value),
        database_upgrade=bool(whole["database-upgrade"].value),
        actor=str(whole["actor"].value),
        on_invalid=OnInvalid(str(whole["run.on-invalid"].value)),
        passed=_split_names(str(whole["run.pass"].value)),
        cache_days=_get_number(whole["cache.days"]),
        limits=_to_limits(whole),
        roots=tuple(map(Path, _list_paths(whole["roots"]))),
        project_roots=_list_paths(whole["project-roots"]),
        eager_limit=_get_number(whole["eager-limit"]),
        listed_limit=_get_number(whole["listed-limit"]),
        injected_characters=_get_number(whole["injected-characters"]),
        window_share=_get_number(whole["window-share"]),
        shown=tuple(replace(one, value=_to_shown(one)) for one in shown),
    )


def _to_limits(whole: Mapping[str, Setting]) -> Limits:
    return Limits(**{one.name: _get_number(whole[_to_name(one.name)]) for one in fields(Limits)})


def _get_number(setting: Setting) -> int:
    return setting.value if isinstance(setting.value, int) else 0


def _list_paths(setting: Setting) -> tuple[str, ...]:
    return setting.value if isinstance(setting.value, tuple) else ()


def _to_shown(setting: Setting) -> Value:
    is_url = setting.name == "database-url"
    return hide_password(str(setting.value)) if is_url else setting.value


def _to_database_url(home: str) -> str:
    # All that stands behind the third stroke is the path, as it is: nothing is escaped.
    return f"sqlite:///{home}/{DATABASE_FILE}"


def _find_login(environment: Mapping[str, str]) -> str:
    stated = (environment.get(variable, "") for variable in _LOGIN_VARIABLES)
    login = next(filter(None, stated), "") or _find_account_entry("pw_name")
    text = _to_text(login)
    return _UNKNOWN_ACTOR if isinstance(text, _Refused) else text
