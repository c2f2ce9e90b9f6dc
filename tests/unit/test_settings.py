"""Each setting has one value, from the place that goes before the others, and says which."""

import contextlib
import errno
import os
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.errors import InvalidSettingError
from skillyard.domain.limits import STANDARD, WIDE, Limits
from skillyard.settings import (
    SETTINGS,
    Settings,
    SettingsFiles,
    find_settings_files,
    hide_password,
    read_settings,
)

pytestmark = pytest.mark.requirement("INT-2")

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"


class World:
    """A user's home and a project below it, with the settings that a test writes there."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.directory = root / "project" / "deep" / "deeper"
        self.user_file = self.home / "settings.toml"
        self.project_file = root / "project" / "skillyard.toml"
        self.directory.mkdir(parents=True)
        self.home.mkdir()

    def read(self, overrides: Mapping[str, str] | None = None, **environment: str) -> Settings:
        return read_settings(
            environment={"SKILLYARD_HOME": str(self.home), "USER": "ada", **environment},
            directory=self.directory,
            overrides=overrides or {},
            platform="linux",
        )

    def fail(
        self,
        overrides: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> str:
        with pytest.raises(InvalidSettingError) as caught:
            self.read(overrides, **(environment or {}))
        assert caught.value.code == "invalid-setting"
        return caught.value.message


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def find_origin(settings: Settings, name: str) -> str:
    return next(one.origin for one in settings.shown if one.name == name)


def test_without_anything_the_defaults_hold() -> None:
    settings = read_settings(
        environment={"HOME": "/home/ada", "LOGNAME": "ada"},
        directory=Path("/nowhere"),
        platform="linux",
    )

    assert settings == Settings(
        home=Path("/home/ada/.local/share/skillyard"),
        database_url="sqlite:////home/ada/.local/share/skillyard/skillyard.db",
        database_upgrade=True,
        actor="ada",
        limits=STANDARD,
    )
    assert {one.origin for one in settings.shown} == {"default"}
    assert [one.name for one in settings.shown] == [known.name for known in SETTINGS]


@pytest.mark.parametrize(
    ("platform", "environment", "home"),
    [
        ("linux", {"HOME": "/h"}, "/h/.local/share/skillyard"),
        ("linux", {"HOME": "/h", "XDG_DATA_HOME": "/data"}, "/data/skillyard"),
        ("linux", {"HOME": "/h", "XDG_DATA_HOME": "data"}, "/h/.local/share/skillyard"),
        ("linux", {"HOME": "/h", "XDG_DATA_HOME": ""}, "/h/.local/share/skillyard"),
        ("linux", {"HOME": "/h", "SKILLYARD_HOME": ""}, "/h/.local/share/skillyard"),
        ("darwin", {"HOME": "/h"}, "/h/Library/Application Support/skillyard"),
        (
            "darwin",
            {"HOME": "/h", "XDG_DATA_HOME": "/d"},
            "/h/Library/Application Support/skillyard",
        ),
        ("linux", {"HOME": "/h", "SKILLYARD_HOME": "/own"}, "/own"),
        ("linux", {"HOME": "/h", "SKILLYARD_HOME": "~/own"}, "/h/own"),
        ("linux", {"HOME": "/h", "SKILLYARD_HOME": "~"}, "/h"),
        ("linux", {"HOME": "/h", "SKILLYARD_HOME": "own"}, "/nowhere/own"),
    ],
)
def test_the_home_is_the_platforms_unless_it_is_set(
    platform: str, environment: dict[str, str], home: str
) -> None:
    found = read_settings(environment=environment, directory=Path("/nowhere"), platform=platform)

    assert found.home == Path(home)
    assert found.database_url == f"sqlite:///{home}/skillyard.db"


def test_two_homes_never_meet(world: World) -> None:
    world.user_file.write_text('actor = "first"\n')
    second = world.home.parent / "second"

    assert world.read().actor == "first"
    assert world.read(SKILLYARD_HOME=str(second)).actor == "ada"
    assert world.read(SKILLYARD_HOME=str(second)).database_url == f"sqlite:///{second}/skillyard.db"


def test_a_home_stands_in_the_url_as_it_is() -> None:
    found = read_settings(
        environment={"SKILLYARD_HOME": "/a?b%20c"}, directory=Path("/nowhere"), platform="linux"
    )

    assert found.home == Path("/a?b%20c")
    assert found.database_url == "sqlite:////a?b%20c/skillyard.db"


def test_each_place_goes_before_the_next(world: World) -> None:
    seen = []
    world.user_file.write_text("[limits]\ntags = 1\n")
    seen.append(world.read())
    world.project_file.write_text("[limits]\ntags = 2\n")
    seen.append(world.read())
    seen.append(world.read(SKILLYARD_LIMITS_TAGS="3"))
    seen.append(world.read({"limits.tags": "4"}, SKILLYARD_LIMITS_TAGS="3"))

    assert [(one.limits.tags, find_origin(one, "limits.tags")) for one in seen] == [
        (1, f"user file {world.user_file}"),
        (2, f"project file {world.project_file}"),
        (3, "environment SKILLYARD_LIMITS_TAGS"),
        (4, "flag --limits.tags"),
    ]


def test_flag_goes_before_environment_for_the_home_and_its_file(world: World) -> None:
    world.user_file.write_text('actor = "from the file"\n')

    settings = world.read({"home": str(world.home)}, SKILLYARD_HOME="/elsewhere")

    assert (settings.home, settings.actor) == (world.home, "from the file")
    assert find_origin(settings, "home") == "flag --home"


def test_the_nearest_project_file_is_the_only_one_that_counts(world: World) -> None:
    world.project_file.write_text("[limits]\ntags = 2\npackage-files = 7\n")
    (world.directory / "skillyard.toml").write_text("[limits]\ntags = 3\n")

    assert world.read().limits == replace(STANDARD, tags=3)


def test_a_directory_with_the_name_of_the_file_is_passed_over(world: World) -> None:
    (world.directory / "skillyard.toml").mkdir()
    world.project_file.write_text("[limits]\ntags = 2\n")

    assert world.read().limits.tags == 2


def test_a_directory_above_that_may_not_be_entered_is_passed_over(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "is_file", refuse)

    assert world.read().limits == STANDARD


def test_every_setting_that_the_users_file_may_hold_is_taken_from_it(world: World) -> None:
    world.user_file.write_text(
        'database-url = "postgresql://ada:secret@host/skills"\n'
        "database-upgrade = false\n"
        'actor = "Ada L."\n'
        'roots = ["/srv/skills", "~/mine", "near"]\n'
        'project-roots = ["docs/skills"]\n'
        '[limits]\npreset = "wide"\ntags = 5\n'
    )

    settings = world.read(HOME="/home/ada")

    assert settings == Settings(
        home=world.home,
        database_url="postgresql://ada:secret@host/skills",
        database_upgrade=False,
        actor="Ada L.",
        limits=replace(WIDE, tags=5),
        roots=(Path("/srv/skills"), Path("/home/ada/mine"), world.home / "near"),
        project_roots=("docs/skills",),
    )
    assert "secret" not in repr(settings)
    assert "secret" not in repr(settings.shown)


def test_single_limits_refine_the_preset_wherever_either_comes_from(world: World) -> None:
    world.project_file.write_text("[limits]\nfile-bytes = 9\n")

    settings = world.read(SKILLYARD_LIMITS="wide")

    assert settings.limits == replace(WIDE, file_bytes=9)
    assert find_origin(settings, "limits") == "environment SKILLYARD_LIMITS"
    assert find_origin(settings, "limits.tags") == "environment SKILLYARD_LIMITS"
    assert find_origin(settings, "limits.file-bytes") == f"project file {world.project_file}"


def test_a_preset_may_stand_without_a_table(world: World) -> None:
    world.project_file.write_text('limits = "wide"\n')

    assert world.read().limits == WIDE


@pytest.mark.parametrize("words", [("true", "YES", "on", "1"), ("False", "no", "off", "0")])
def test_a_variable_says_yes_or_no_in_several_words(words: tuple[str, ...], world: World) -> None:
    said = {world.read(SKILLYARD_DATABASE_UPGRADE=word).database_upgrade for word in words}

    assert said == {"true" in words}


@pytest.mark.parametrize("value", ["sqlite:///x.db", "postgresql://evil:secret@host/db"])
def test_a_project_cannot_redirect_where_skills_are_saved(value: str, world: World) -> None:
    world.project_file.write_text(f'database-url = "{value}"\n')

    with pytest.raises(InvalidSettingError) as caught:
        world.read()

    assert caught.value.message == (
        f"the setting `database-url` from project file {world.project_file} cannot be used: a"
        " project's file cannot set it, because a cloned repository must not redirect where skills"
        " are saved"
    )
    assert caught.value.hints == (
        f"Set SKILLYARD_DATABASE_URL, or `database-url` in {world.user_file}",
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('home = "/x"', "must not redirect where skills are saved"),
        ("database-upgrade = true", "must not change the store"),
        ('actor = "ada"', "must not say who saves skills"),
        *(
            (f"{name} = 1", "must not say how much of a prompt skills take")
            for name in ("eager-limit", "listed-limit", "injected-characters", "window-share")
        ),
        (
            'roots = ["skills"]',
            "must not name directories outside of itself; `project-roots` takes those inside",
        ),
    ],
)
def test_a_project_sets_nothing_that_belongs_to_the_user(
    line: str, reason: str, world: World
) -> None:
    world.project_file.write_text(f"{line}\n")

    assert world.fail().endswith(f"because a cloned repository {reason}")


def test_only_limits_and_its_own_directories_may_come_from_a_project() -> None:
    assert [one.name for one in SETTINGS if not one.not_in_project] == [
        "project-roots",
        "limits",
        *(f"limits.{one.name.replace('_', '-')}" for one in fields(Limits)),
    ]


@pytest.mark.requirement("SRC-1")
def test_further_roots_come_from_flag_environment_and_the_users_file(world: World) -> None:
    world.user_file.write_text('roots = ["/of/file"]\n')
    seen = [
        world.read(),
        world.read(SKILLYARD_ROOTS="/one:~/two::three:/one", HOME="/home/ada"),
        world.read({"roots": "four"}, SKILLYARD_ROOTS="/one"),
        world.read(SKILLYARD_ROOTS=""),
    ]

    assert [(one.roots, find_origin(one, "roots")) for one in seen] == [
        ((Path("/of/file"),), f"user file {world.user_file}"),
        (
            (Path("/one"), Path("/home/ada/two"), world.directory / "three"),
            "environment SKILLYARD_ROOTS",
        ),
        ((world.directory / "four",), "flag --roots"),
        ((Path("/of/file"),), f"user file {world.user_file}"),
    ]


@pytest.mark.requirement("SRC-1")
def test_a_project_names_directories_inside_itself_beside_the_users(world: World) -> None:
    world.user_file.write_text('roots = ["/mine"]\nproject-roots = [".github/skills"]\n')
    assert world.read().project_roots == (".github/skills",)

    world.project_file.write_text('project-roots = [".", "docs/skills"]\n')

    settings = world.read()
    assert (settings.roots, settings.project_roots) == ((Path("/mine"),), (".", "docs/skills"))
    assert find_origin(settings, "project-roots") == f"project file {world.project_file}"


@pytest.mark.requirement("SRC-1")
@pytest.mark.parametrize(
    "path", ["/etc", "~", "~/skills", "~ada/skills", "..", "../other", "a/../../b", "a/.."]
)
def test_a_project_names_no_directory_outside_of_itself(path: str, world: World) -> None:
    world.project_file.write_text(f'project-roots = ["skills", "{path}"]\n')

    assert world.fail() == (
        f"the setting `project-roots` from project file {world.project_file} cannot be used: its"
        " paths must be relative to the project, and stay inside it"
    )


def test_the_home_cannot_stand_in_the_file_that_is_found_by_it(world: World) -> None:
    world.user_file.write_text('home = "/x"\n')

    assert world.fail() == (
        f"the setting `home` from user file {world.user_file} cannot be used: no file can set it,"
        " because it says where the files are"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour = 1", "`colour` from {origin} cannot be used: there is no such setting"),
        ("[limits]\nsize = 1", "`limits.size` from {origin} cannot be used: there is no such"),
        ("[limits.tags]\nx = 1", "`limits.tags` from {origin} cannot be used: it must be a whole"),
        ("[limits]\ntags = true", "it must be a whole number"),
        ("[limits]\ntags = 1.5", "it must be a whole number"),
        ("[limits]\ntags = 0", "it must be from 1 to 2,147,483,647"),
        ("[limits]\ntags = -1", "it must be from 1 to 2,147,483,647"),
        (f"[limits]\ntags = {10**30}", "it must be from 1 to 2,147,483,647"),
        (
            '[limits]\npreset = "huge"',
            "`limits` from {origin} cannot be used: it must be `standard`",
        ),
        ("limits = 3", "it must be `standard` or `wide`"),
        ("limits = []", "it must be `standard` or `wide`"),
        ("database-upgrade = 1", "it must be true or false"),
        ("actor = 1", "it must be a text"),
        ('actor = " "', "it is empty"),
        ("roots = 1", "it must be a list of paths"),
        ("roots = [1]", "it must be a text"),
        ('roots = [""]', "it is empty"),
        ('roots = ["a\\u0000b"]', "it holds a character that cannot be printed"),
        (f"roots = {['a'] * 51}", "it has more than 50 paths"),
        ("project-roots = {}", "it must be a list of paths"),
        ('actor = "a\\u001bb"', "it holds a character that cannot be printed"),
        (f'actor = "{"a" * 2001}"', "it has more than 2,000 characters"),
        ('database-url = "skills.db"', "it must be a URL"),
        ('database-url = "sqlite:///skills.db"', "its path is relative"),
        ("actor =", "the {origin} cannot be used: the file is not TOML: Invalid value (at"),
        ("a = 1\na = 2", "the file is not TOML: Cannot overwrite a value"),
        (f"a = {'9' * 5000}", "or a value too long or deep"),
        (f"a = {'[' * 5000}", "or a value too long or deep"),
        ("#" * 70_000, "the file has more than 65,536 bytes"),
    ],
)
def test_what_a_file_cannot_hold_is_refused_with_its_place(
    text: str, message: str, world: World
) -> None:
    world.user_file.write_text(text)

    assert message.format(origin=f"user file {world.user_file}") in world.fail()


def test_a_file_that_is_not_utf_8_is_refused(world: World) -> None:
    world.user_file.write_bytes(b'actor = "\xff"\n')

    assert world.fail().endswith("the file is not UTF-8")


def test_a_file_that_cannot_be_read_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    world.user_file.write_text("")
    monkeypatch.setattr(Path, "open", refuse)

    assert world.fail() == (
        f"the user file {world.user_file} cannot be used: the file cannot be read:"
        " Permission denied"
    )


def test_a_file_is_checked_also_where_its_value_does_not_hold(world: World) -> None:
    world.user_file.write_text("database-upgrade = 7\n")

    assert "it must be true or false" in world.fail(environment={"SKILLYARD_DATABASE_UPGRADE": "1"})


def test_a_misspelt_setting_gets_a_suggestion(world: World) -> None:
    world.user_file.write_text('database_url = "sqlite:///x"\n')

    with pytest.raises(InvalidSettingError) as caught:
        world.read()

    assert caught.value.hints == ("Did you mean `database-url`?",)


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("SKILLYARD_LIMITS", "huge", "it must be `standard` or `wide`"),
        ("SKILLYARD_LIMITS_TAGS", "many", "it must be a whole number"),
        ("SKILLYARD_LIMITS_TAGS", "\u0663", "it must be a whole number"),
        ("SKILLYARD_LIMITS_TAGS", "0", "it must be from 1 to 2,147,483,647"),
        ("SKILLYARD_DATABASE_UPGRADE", "perhaps", "it must be true or false"),
        ("SKILLYARD_ACTOR", "a\nb", "it holds a character that cannot be printed"),
        ("SKILLYARD_HOME", "/a\udcff", "it holds a character that cannot be printed"),
    ],
)
def test_a_variable_with_a_wrong_value_is_refused(
    variable: str, value: str, message: str, world: World
) -> None:
    assert world.fail(environment={variable: value}).endswith(
        f"from environment {variable} cannot be used: {message}"
    )


def test_a_refused_url_is_not_repeated(world: World) -> None:
    stated = {"SKILLYARD_DATABASE_URL": "ada:secret@host/db"}

    assert "secret" not in world.fail(environment=stated)
    assert "secret" not in world.fail({"database-url": "//ada:secret@host/db"})


def test_an_unknown_flag_is_refused(world: World) -> None:
    assert world.fail({"colour": "red"}) == (
        "the setting `colour` from flag --colour cannot be used: there is no such setting"
    )


@pytest.mark.parametrize(
    ("environment", "actor"),
    [
        ({"SKILLYARD_ACTOR": "bot", "USER": "ada"}, "bot"),
        ({"LOGNAME": "grace", "USER": "ada"}, "grace"),
        ({"LOGNAME": "", "USERNAME": "ada"}, "ada"),
        ({"USER": "a\x1bb"}, "unknown"),
    ],
)
def test_the_actor_is_who_is_logged_in_unless_it_is_set(
    environment: dict[str, str], actor: str
) -> None:
    settings = read_settings(
        environment={"HOME": "/h", **environment}, directory=Path("/nowhere"), platform="linux"
    )

    assert settings.actor == actor


def test_a_user_without_an_account_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)
    found = read_settings(
        environment={"SKILLYARD_HOME": "/h"}, directory=Path("/nowhere"), platform="linux"
    )

    assert found.actor == "unknown"
    with pytest.raises(InvalidSettingError) as caught:
        read_settings(environment={}, directory=Path("/nowhere"), platform="linux")
    assert caught.value.message == (
        "the setting `home` from default cannot be used: the user has no home directory"
    )


def test_the_files_can_be_found_without_being_read(world: World) -> None:
    world.user_file.write_text("nonsense")
    world.project_file.write_text("nonsense")

    found = find_settings_files(
        environment={"SKILLYARD_HOME": str(world.home)}, directory=world.directory
    )

    assert found == SettingsFiles(world.user_file, world.project_file)
    assert found.has_user


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("sqlite:////home/a:b@c/x.db", "sqlite:////home/a:b@c/x.db"),
        ("postgresql://host/db", "postgresql://host/db"),
        ("postgresql://ada@host:5432/db", "postgresql://ada@host:5432/db"),
        ("postgresql://ada:secret@host:5432/db", "postgresql://ada:***@host:5432/db"),
        ("postgresql+psycopg://:secret@host/db", "postgresql+psycopg://:***@host/db"),
        ("postgresql://ada:se@cr/et@host/db", "postgresql://ada:***@host/db"),
        ("postgresql://ada@org:secret@host/db", "postgresql://ada@org:***@host/db"),
        ("postgresql:///db?password=secret&port=1", "postgresql:///db?password=***&port=1"),
        ("postgresql://h/db?port=1&sslPassword=secret", "postgresql://h/db?port=1&sslPassword=***"),
        ("postgresql://h/db?p%61ssword=secret", "postgresql://h/db?p%61ssword=***"),
        ("postgresql://h/db?pasword=secret", "postgresql://h/db?pasword=***"),
        ("postgresql://h/db?secret", "postgresql://h/db?***"),
        ("postgresql://h/db?sslmode=require", "postgresql://h/db?sslmode=require"),
        ("postgresql://ada:secret", "postgresql://***"),
        ("postgresql://ada:sec/ret", "postgresql://***"),
        ("postgresql://h:1/db?password=sec@ret", "postgresql://***"),
        ("postgresql://[::1]:5432,h:1/db", "postgresql://[::1]:5432,h:1/db"),
        ("secret", "***"),
    ],
)
def test_a_password_is_never_shown(url: str, shown: str) -> None:
    assert hide_password(url) == shown


def test_the_home_holds_its_own_database_and_no_other(world: World) -> None:
    assert world.read().is_in_home
    assert not world.read(SKILLYARD_DATABASE_URL="sqlite:////srv/skills.db").is_in_home


@given(st.text("ab:@/?&=%", max_size=10), st.text("xyz0@/?:&=", min_size=1, max_size=12))
def test_no_piece_of_a_password_is_left(user: str, password: str) -> None:
    shown = hide_password(f"postgresql://{user.replace('/', '')}:{password}Q@host/db")

    assert "Q" not in shown


@given(st.dictionaries(st.sampled_from([one.variable for one in SETTINGS]), st.text(max_size=9)))
def test_any_environment_gives_settings_or_an_error_of_ours(environment: dict[str, str]) -> None:
    stated = {"HOME": "/h", **environment}
    with contextlib.suppress(InvalidSettingError):
        found = read_settings(environment=stated, directory=Path("/nowhere"), platform="linux")
        assert found.home.is_absolute()


def test_every_limit_is_a_setting() -> None:
    assert [one.name for one in SETTINGS][14:] == [
        f"limits.{one.name.replace('_', '-')}" for one in fields(Limits)
    ]


@pytest.mark.requirement("RES-7", "DIS-4")
def test_how_much_of_a_prompt_skills_take_is_the_users_to_say(world: World) -> None:
    world.user_file.write_text("eager-limit = 3\nlisted-limit = 20\nwindow-share = 30\n")

    settings = world.read({"eager-limit": "0"}, SKILLYARD_INJECTED_CHARACTERS="100")

    assert (settings.eager_limit, settings.listed_limit) == (0, 20)
    assert (settings.injected_characters, settings.window_share) == (100, 30)
    assert find_origin(settings, "eager-limit") == "flag --eager-limit"


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("eager-limit", "-1", "it must be a whole number"),
        ("listed-limit", "2147483648", "it must be from 0 to 2,147,483,647"),
        ("injected-characters", "many", "it must be a whole number"),
        ("window-share", "0", "it must be from 1 to 100"),
        ("window-share", "101", "it must be from 1 to 100"),
    ],
)
def test_a_number_that_makes_no_sense_is_refused(
    name: str, value: str, reason: str, world: World
) -> None:
    with pytest.raises(InvalidSettingError) as caught:
        world.read({name: value})

    assert caught.value.message.endswith(f"cannot be used: {reason}")


def test_the_page_lists_every_setting() -> None:
    page = PAGE.read_text("utf-8")
    block = page.partition("<!-- table:settings -->\n")[2].partition("\n<!-- end -->")[0]

    assert block.splitlines() == [
        "| setting | variable | type | default | in a project's file | meaning |",
        "|---|---|---|---|---|---|",
        *(
            f"| `{one.name}` | `{one.variable}` | {one.type} | {one.default}"
            f" | {'no' if one.not_in_project else 'yes'} | {one.help} |"
            for one in SETTINGS
        ),
    ]


def test_the_examples_on_the_page_are_settings(world: World) -> None:
    user, project = PAGE.read_text("utf-8").split("```toml\n")[1:]
    world.user_file.write_text(user.partition("```")[0])
    world.project_file.write_text(project.partition("```")[0])

    settings = world.read()

    assert (settings.actor, settings.passed) == ("ada", ("GH_TOKEN", "NPM_TOKEN"))
    assert settings.limits == replace(WIDE, package_files=100)


def test_runs_are_set_up_in_tables_of_their_own(world: World) -> None:
    world.user_file.write_text('[run]\non-invalid = "fail"\npass = "A,B_1"\n[cache]\ndays = 7\n')

    settings = world.read()

    assert (settings.on_invalid, settings.passed) == ("fail", ("A", "B_1"))
    assert (settings.cache_days, world.read(SKILLYARD_CACHE_DAYS="3").cache_days) == (7, 3)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[run]\non-invalid = "hope"', "it must be `leave-out`, `fallback`, `fail`"),
        ('[run]\npass = "A B"', "it must be names of variables with commas between them"),
        ("[run]\npass = 1", "it must be a text"),
        ("[run]\nnow = 1", "there is no such setting"),
    ],
)
def test_what_runs_cannot_be_told_is_refused(world: World, text: str, reason: str) -> None:
    world.user_file.write_text(text)

    with pytest.raises(InvalidSettingError, match=reason):
        world.read()
