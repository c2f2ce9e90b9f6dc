"""The page of the documentation that says what each client does, written from the data.

Only the documentation needs this.
"""

from collections.abc import Callable, Iterable
from typing import Final

from skillyard.domain.client import Catalogue, Client, Dialect, Length
from skillyard.providers.clients import CLIENTS
from skillyard.providers.deliveries import HOMES

_INTRODUCTION: Final = """\
# What each client does with a skill

Five agent programs load skills, and no two of them read a `SKILL.md` in the same way. This page
says what they do. It was seen by running them in November 2026, on Linux, without credentials:
several hundred small skills were laid before each, and what it listed was written down, for Claude
Code and Codex also what it showed to the model. `tests/corpus/client_variants.json` holds 303 of
them, and `tests/corpus/client_misses.json` those that Skillyard is known to foretell wrongly.

`skillyard check --profile client:<name>` applies all of it to a skill of yours: whether the client
loads it, under what name, and what it ignores, cuts or guesses. `skillyard show` gives the verdicts
of all five."""

_PORTABLE: Final = """\
## A skill that all of them load

- The file is called `SKILL.md`, in these letters, and stands in a directory of its own.
- It is UTF-8 without a byte-order mark, starts with `---` in its first line, and ends the front
  matter with a line that is `---` and nothing else. `---` occurs nowhere else in the front matter.
- The front matter is strict YAML. A description with `: `, ` #` or a special character at its start
  stands in double quotes.
- `name` is a-z, 0-9 and hyphens, at most 64 characters, and equal to the directory's name.
- `description` is one line of 1 to 1,024 characters, and says first when to use the skill.
- `disable-model-invocation` and `user-invocable`, if they are needed, are `true` or `false`.
- `argument-hint` stands in quotes if it starts with `[`.
- The file is smaller than 1,000,000 bytes. No other `SKILL.md` stands inside the skill, and none
  directly in the directory that holds all skills."""

_READING: Final = """\
## How the file is read

*Opens and closes* is what a client takes for the lines around the front matter. A file that has
none, in the client's eyes, is not loaded; Claude Code alone takes the directory's name and the
body then."""

_REPAIRS: Final = """\
## Front matter that is not YAML

The readers of YAML differ as well: js-yaml 3 takes `12:30:45` for a number and js-yaml 4 does not,
both refuse a key that stands twice, and Bun takes the last one. Where a repair does not help, the
skill is not loaded; Claude Code leaves out the whole front matter instead, and Gemini CLI drops the
skill only if a line is missing.

OpenCode runs front matter that starts with `---js` or `---javascript` as code, whenever it looks
for skills ([SY119](diagnostics/SY119.md))."""

_NAMES: Final = """\
## Names

Where *called by* is the directory, `name` is only shown beside it."""

_DESCRIPTIONS: Final = """\
## Descriptions

A description over the limit under *refused* keeps the skill from being loaded; one over the limit
under *cut* is shortened for the model."""

_FIELDS: Final = """\
## Fields

A field that a client does not honour does nothing there, and no client minds unknown fields.
`metadata` means `metadata.short-description` to Codex. Codex has its own switch in place of
`disable-model-invocation`: `policy.allow_implicit_invocation` in `agents/openai.yaml`.

That a field is read shows in the list of skills or in an error. What `agent`, `arguments`,
`context`, `effort`, `hooks`, `model` and the lists of tools then do during a run was not tried;
they are in this table because the client's documentation names them."""

_PLACES: Final = """\
## Where skills are found

*Levels* is how deep below such a directory a skill may stand. A directory with a variable in it
counts if the variable is set: `CLAUDE_CONFIG_DIR`, `CODEX_HOME` and `COPILOT_HOME` then stand for
`~/.claude`, `~/.codex` and `~/.copilot`. With `COPILOT_HOME`, GitHub Copilot does not read
`~/.agents/skills` either. Linked directories are followed by all; a `SKILL.md` that is itself a
link is not read by Codex. Claude Code and GitHub Copilot also take the Markdown files in
`.claude/commands` for skills, and in a linked work tree of git Claude Code looks in the main one
for what the linked one lacks."""

_LISTS: Final = """\
## How much of a list the model sees

A client shows the model the names and descriptions of all skills, in so much room. Skillyard
foretells what is cut before a run, to the character; `tests/corpus/client_catalogues.json` holds
lists as the programs showed them. Claude Code alone can be told which skills are important: it
keeps the descriptions of those that are used most, and a run tells it that they are those that come
first in the resolution. Codex and GitHub Copilot list skills by name, and nothing changes that.
Codex also counts the path of its directory of skills where that is longer than about 139 bytes; of
that nothing is foretold, so that deep below long names it may show a little less."""

_HOMES: Final = """\
## What a run gives it

A run has a home of its own, and these variables lead every client there, also for what is
temporary. Skills are laid out in that home, never in the project. Settings answer the questions
about trust, silence the skills that come with the program, and turn its updates off. A program
keeps nothing from one run to the next, because what one run can write another one must not read.
GitHub Copilot unpacks itself in its home, so that it does so in every run: that takes about a
second and 235 MB until the run ends."""

_LOGINS: Final = """\
## Logins

A copy of these files is placed in the run's home, for the program that is started and for no other.
Of a file with settings in it, only the keys that are named are copied. The files of a cloud are
copied only where a variable says that it is used. All other variables whose names look like a
secret (`…TOKEN`, `…SECRET`, `…PASSWORD`, `…_PASS`, `…_PAT`, `…API_KEY`, `…ACCESS_KEY`,
`…CREDENTIALS`, `…PRIVATE_KEY`), name a file with one (`…PASSFILE`, `NETRC`, `KUBECONFIG`) or hold a
URL with a password (`scheme://user:password@host`), and all that lead clients to other homes or
configure git, are held back unless they are named with `--pass`; a proxy with a password is one of
them. `SSH_AUTH_SOCK` is passed on, because git needs it: whoever has it can use your keys as long
as the run lasts. A login in a keyring is not copied, and Codex looks for its own there by the path
of its home, so that it does not find it in a run."""

_INVOCATION: Final = """\
## Who may call on a skill

`user-only` and `model-only` are said in the words of each client. What it cannot be told is noted
before the run, and a skill that is `auto` is delivered byte for byte."""

_IN_PLACE: Final = """\
## In place

A run that works in the project itself turns off what the client finds there, where it can. A skill
that only people may call on gives way to one of the same name in the project: the model is then
told of that one, and the run says so."""

_DIRECTED: Final = """\
## Settings of a project

By these a project adds or forbids skills. In a copy and in a work tree, such a file is hidden whole
if one of its keys says something, where the client is started and above; in place it stays, and the
run says that what is seen may be something else than was foretold. In a work tree of git Claude
Code reads `.claude/settings.local.json` of the main one, which is not hidden from it; the run says
so. Codex takes nothing of the kind from a project."""


def render_clients_page() -> str:
    """Write the page as Markdown."""
    parts = [
        _INTRODUCTION,
        _table(("client", "profile", "package", "version"), _version),
        _PORTABLE,
        _READING,
        _table(("client", "opens and closes", "byte-order mark", "not UTF-8", "largest"), _file),
        _REPAIRS,
        _table(("client", "reader", "what it repairs"), _repair),
        _NAMES,
        _table(("client", "called by", "missing `name`", "longest", "characters"), _name),
        _DESCRIPTIONS,
        _table(("client", "missing `description`", "refused", "cut"), _description),
        _FIELDS,
        _fields(),
        _PLACES,
        _table(("client", "user", "project", "looks upwards", "levels"), _place),
        _table(("client", "of skills with one name", "trust"), _rules),
        _LISTS,
        _table(("client", "room", "what is over it"), _list),
        _HOMES,
        _homes(),
        _table(("client", "program", "skills in the run's home", "settings", "variables"), _given),
        _LOGINS,
        _table(("client", "files", "variables"), _login),
        _INVOCATION,
        _table(("client", "`user-only`", "`model-only`"), _invocation),
        _IN_PLACE,
        _table(("client", "turned off by", "where names are equal, it takes"), _in_place),
        _DIRECTED,
        _table(("client", "files", "keys"), _directed),
    ]
    return "\n\n".join(parts) + "\n"


def _table(head: tuple[str, ...], row: Callable[[Client], Iterable[str]]) -> str:
    lines = [_row(head), "|" + "---|" * len(head)]
    lines += [_row((client.title, *row(client))) for client in CLIENTS.values()]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _version(client: Client) -> tuple[str, ...]:
    return f"`client:{client.id}`", f"`{client.package}`", client.version


def _file(client: Client) -> tuple[str, ...]:
    reading = client.reading
    return (
        reading.fences.value,
        "taken off" if reading.strips_bom else "not loaded",
        "not loaded" if reading.utf8_only else "replaced by U+FFFD",
        f"{reading.file_bytes:,} bytes" if reading.file_bytes else "no limit seen",
    )


def _repair(client: Client) -> tuple[str, ...]:
    return client.reading.yaml.value, client.reading.repair.value


def _name(client: Client) -> tuple[str, ...]:
    reading = client.reading
    return (
        reading.identity.value,
        reading.missing_name.value,
        _length(reading.name_limit),
        reading.name_rule,
    )


def _description(client: Client) -> tuple[str, ...]:
    reading = client.reading
    return (
        reading.missing_description.value,
        _length(reading.description_limit),
        _length(reading.shown_limit),
    )


def _length(length: Length | None) -> str:
    return f"{length.limit:,} {length.unit.value}" if length else "no limit seen"


def _fields() -> str:
    clients = tuple(CLIENTS.values())
    fields = sorted({one for client in clients for one in client.reading.honours})
    lines = [
        _row(("field", *(client.title for client in clients))),
        "|" + "---|" * (1 + len(clients)),
    ]
    for field in fields:
        marks = ("yes" if field in client.reading.honours else "no" for client in clients)
        lines.append(_row((f"`{field}`", *marks)))
    return "\n".join(lines)


def _place(client: Client) -> tuple[str, ...]:
    directories = client.directories
    return (
        _codes(directories.user),
        _codes(directories.project),
        directories.walks_up,
        "any" if directories.depth is None else str(directories.depth),
    )


def _codes(paths: Iterable[str]) -> str:
    return ", ".join(f"`{path}`" for path in paths)


def _rules(client: Client) -> tuple[str, ...]:
    return client.precedence, client.trust


def _list(client: Client) -> tuple[str, ...]:
    catalogue = client.delivery.catalogue
    if catalogue is None:
        return "no limit seen", "-"
    return _room(catalogue), catalogue.style.value


def _room(catalogue: Catalogue) -> str:
    if catalogue.fixed:
        return f"{catalogue.fixed:,} characters"
    unit = "tokens" if catalogue.per_token == 1 else "characters"
    usual = f"{catalogue.limit(None):,} {unit} at {catalogue.window:,} tokens"
    return f"{catalogue.percent}% of the context window: {usual}"


def _homes() -> str:
    lines = [_row(("variable", "in the run's home")), "|---|---|"]
    lines += [
        _row((f"`{name}`", f"`{value.removeprefix('{home}').removeprefix('/') or '.'}`"))
        for name, value in HOMES.items()
    ]
    return "\n".join(lines)


def _given(client: Client) -> tuple[str, ...]:
    delivery = client.delivery
    variables = [f"{name}={value}" for name, value in delivery.variables.items()]
    return (
        _codes(delivery.programs),
        _codes((delivery.skills,)),
        _codes(delivery.files),
        _codes(variables) or "-",
    )


def _login(client: Client) -> tuple[str, ...]:
    delivery = client.delivery
    files: dict[str, str] = {}
    for login in delivery.logins:
        keys = f" ({_codes(login.keys)})" if login.keys else ""
        files.setdefault(f"`{login.path}`{keys}", login.path)
    return ", ".join(files), _codes(delivery.login_variables)


def _invocation(client: Client) -> tuple[str, ...]:
    match client.delivery.dialect:
        case Dialect.FRONT_MATTER:
            return "`disable-model-invocation: true`", "`user-invocable: false`"
        case Dialect.NONE:
            return Dialect.NONE.value, Dialect.NONE.value
        case Dialect.POLICY | Dialect.SETTINGS as dialect:
            return dialect.value, Dialect.NONE.value


def _in_place(client: Client) -> tuple[str, ...]:
    switches = (
        f"{one.by.value}: `{'.'.join(one.keys)}` in `{one.file}`"
        for one in client.delivery.switches
    )
    return "; ".join(switches), client.delivery.clash.value


def _directed(client: Client) -> tuple[str, ...]:
    settings = client.delivery.directed_by
    keys = dict.fromkeys(key for one in settings for key in one.keys)
    return _codes(one.file for one in settings) or "-", _codes(keys) or "-"
