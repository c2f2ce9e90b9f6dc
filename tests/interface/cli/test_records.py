"""Agents, teams, nodes and workspaces at the command line."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.lines import do, run
from tests.interface.cli.running import Ran, skillyard, write_skill

pytestmark = pytest.mark.requirement("STO-6", "INT-2")

KINDS = ["agents", "teams", "nodes", "workspaces"]


def add_team(cwd: Path) -> None:
    """Keep the agent reviewer, in the team red, in the workspace lab."""
    do(
        cwd,
        "workspaces add lab",
        "teams add red --workspace lab",
        "agents add reviewer --team red --provider claude-code",
    )


def test_an_agent_is_added_listed_and_shown(tmp_path: Path) -> None:
    add_team(tmp_path)
    skillyard("agents", "add", "writer", "--description", "Writes \x1b[31mnotes", cwd=tmp_path)

    assert do(tmp_path, "agents list").out == (
        "Agent     Team  Workspace  Provider     Description\n"
        "reviewer  red              claude-code\n"
        "writer                                  Writes \\x1b[31mnotes\n"
    )
    assert do(tmp_path, "agents show writer").out == (
        "writer\n"
        "  allowed skills   every one\n"
        "  disabled skills  none\n"
        "  lightweight      no\n"
        "  description      Writes \\x1b[31mnotes\n"
        "\n"
        "No skills are assigned\n"
    )


def test_an_agent_has_everything_that_is_said(tmp_path: Path) -> None:
    add_team(tmp_path)
    write_skill(tmp_path / "pdf")
    do(tmp_path, "add pdf")

    ran = do(
        tmp_path,
        "agents add a --team red --workspace lab --provider agents-dir --allow pdf --allow docx"
        " --disable-skill xlsx --context-window 200000 --eager-limit 3 --listed-limit 20"
        " --lightweight --description Reads --json",
    )

    assert json.loads(ran.out) == {
        "agent": {
            "name": "a",
            "description": "Reads",
            "workspace": "lab",
            "team": "red",
            "provider": "agents-dir",
            "allowlist": ["pdf", "docx"],
            "disabled_skills": ["xlsx"],
            "context_window": 200000,
            "eager_limit": 3,
            "listed_limit": 20,
            "lightweight": True,
            "hooks": [],
            "revision": 1,
        },
        "dry_run": False,
    }
    assert ran.err == (
        "note: there is no skill docx in the store yet\n"
        "note: there is no skill xlsx in the store yet\n"
    )
    assert do(tmp_path, "agents show a").out == (
        "a\n"
        "  team             red\n"
        "  workspace        lab\n"
        "  provider         agents-dir\n"
        "  allowed skills   pdf, docx\n"
        "  disabled skills  xlsx\n"
        "  context window   200000\n"
        "  eager limit      3\n"
        "  listed limit     20\n"
        "  lightweight      yes\n"
        "  description      Reads\n"
        "\n"
        "No skills are assigned\n"
    )


def test_set_changes_only_what_is_said(tmp_path: Path) -> None:
    add_team(tmp_path)

    ran = do(tmp_path, "agents set reviewer --allow-none --context-window 5 --lightweight")

    assert ran.out == (
        "✓ agent reviewer changed\n"
        "  allowed skills: every one → none\n"
        "  context window: none → 5\n"
        "  lightweight: no → yes\n"
    )
    shown = json.loads(do(tmp_path, "agents show reviewer --json").out)
    assert (shown["team"], shown["allowlist"], shown["revision"]) == ("red", [], 2)


def test_set_takes_back_what_was_said(tmp_path: Path) -> None:
    add_team(tmp_path)
    do(
        tmp_path,
        "agents set reviewer --allow pdf --disable-skill docx --context-window 5 --eager-limit 1"
        " --listed-limit 2 --lightweight --workspace lab --description Reads",
    )

    ran = do(
        tmp_path,
        "agents set reviewer --no-team --no-workspace --no-provider --allow-all --disable-none"
        " --no-context-window --no-eager-limit --no-listed-limit --no-lightweight"
        " --description '' --json",
    )

    told = json.loads(ran.out)
    assert told["agent"] == {
        "name": "reviewer",
        "description": "",
        "workspace": None,
        "team": None,
        "provider": None,
        "allowlist": None,
        "disabled_skills": [],
        "context_window": None,
        "eager_limit": None,
        "listed_limit": None,
        "lightweight": False,
        "hooks": [],
        "revision": 3,
    }
    assert (told["before"]["team"], told["changed"], told["dry_run"]) == ("red", True, False)


@pytest.mark.requirement("DEL-12")
def test_agents_and_nodes_have_hooks(tmp_path: Path) -> None:
    do(tmp_path, "agents add a --hook 'init=make x=1' --hook post_run=true", "nodes add n")

    assert "  hooks            init=make x=1, post_run=true\n" in do(tmp_path, "agents show a").out
    told = json.loads(do(tmp_path, "nodes set n --hook pre_init=true --json").out)
    assert (told["node"]["hooks"], told["before"]["hooks"]) == (["pre_init=true"], [])
    assert do(tmp_path, "agents set a --no-hooks").out == (
        "✓ agent a changed\n  hooks: init=make x=1, post_run=true → none\n"
    )


@pytest.mark.requirement("DEL-12")
@pytest.mark.parametrize("text", ["init", "later=make", "=make", "'init= '"])
def test_a_hook_has_a_stage_and_a_command(tmp_path: Path, text: str) -> None:
    assert run(tmp_path, f"agents add a --hook {text}").status == 2


def test_set_to_what_is_there_already_says_so(tmp_path: Path) -> None:
    add_team(tmp_path)

    assert do(tmp_path, "agents set reviewer --team red").out == (
        "○ agent reviewer is like that already\n"
    )
    told = json.loads(do(tmp_path, "teams set red --workspace lab --json").out)
    assert (told["changed"], told["team"]["revision"]) == (False, 1)


def test_nodes_teams_and_workspaces_are_kept_too(tmp_path: Path) -> None:
    add_team(tmp_path)
    do(tmp_path, "nodes add build --workspace lab --agent reviewer", "nodes set build --no-agent")

    assert do(tmp_path, "nodes list").out == (
        "Node   Workspace  Agent  Description\nbuild  lab\n"
    )  # fmt: skip
    assert do(tmp_path, "teams list").out == "Team  Workspace  Description\nred   lab\n"
    assert json.loads(do(tmp_path, "workspaces list --json").out) == {
        "workspaces": [{"name": "lab", "description": "", "revision": 1}]
    }


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_list_says_how_to_begin(tmp_path: Path, kind: str) -> None:
    assert run(tmp_path, f"{kind} list") == Ran(
        0, "", f"There are no {kind}; `skillyard {kind} add NAME` adds one\n"
    )
    assert json.loads(run(tmp_path, f"{kind} list --json").out) == {kind: []}


@pytest.mark.requirement("STO-5")
def test_show_has_the_skills_in_order_of_precedence(tmp_path: Path) -> None:
    add_team(tmp_path)
    for name in ("docx", "pdf", "xlsx"):
        write_skill(tmp_path / "skills" / name)
    do(
        tmp_path,
        "add skills",
        "assign docx --team red",
        "assign pdf --team red --priority 10 --pin ^1.0 --required --opt-in",
        "assign xlsx --team red --position 0 --disable --auto-inject",
    )

    assert do(tmp_path, "teams show red").out == (
        "red\n"
        "  workspace    lab\n"
        "  agents       reviewer\n"
        "\n"
        "Assigned skills (3)\n"
        "  Skill  Priority  Position  Version  Notes\n"
        "  pdf          10         1  ^1.0     required, opt-in\n"
        "  docx          0         0\n"
        "  xlsx          0         0           disabled, auto-inject\n"
    )
    told = json.loads(do(tmp_path, "teams show red --json").out)
    assert [one["skill"] for one in told["assignments"]] == ["pdf", "docx", "xlsx"]
    first = told["assignments"][0]
    assert {name: first[name] for name in first if name not in ("id", "skill_id")} == {
        "skill": "pdf",
        "subject": {"kind": "team", "name": "red"},
        "priority": 10,
        "position": 1,
        "auto_inject": False,
        "enabled": True,
        "required": True,
        "opt_in": True,
        "constraint": "^1.0",
        "obstacles": [],
    }


@pytest.mark.requirement("STO-5")
def test_an_agent_is_shown_with_every_skill_that_is_assigned_to_it(tmp_path: Path) -> None:
    add_team(tmp_path)
    for name in ("csv", "docx", "pdf", "txt", "xlsx"):
        write_skill(tmp_path / "skills" / name)
    do(
        tmp_path,
        "add skills",
        "assign pdf csv --agent reviewer",
        "assign docx pdf --team red --priority 7",
        "assign xlsx --workspace lab --pin ^9 --required",
        "assign txt --global",
        "archive docx",
        "disable txt",
        "edit csv --confidence low",
        "agents set reviewer --allow pdf --allow csv --allow docx --allow txt",
    )

    ran = do(tmp_path, "agents show reviewer")
    told = json.loads(do(tmp_path, "agents show reviewer --json").out)

    assert ran.out == (
        "reviewer\n"
        "  team             red\n"
        "  provider         claude-code\n"
        "  allowed skills   pdf, csv, docx, txt\n"
        "  disabled skills  none\n"
        "  lightweight      no\n"
        "\n"
        "Assigned skills (6)\n"
        "  Skill  From           Priority  Position  Version  Notes\n"
        "  pdf                          0         0\n"
        "  csv                          0         1           low confidence\n"
        "  docx   team red              7         0           archived\n"
        "  pdf    team red              7         1\n"
        "  xlsx   workspace lab         0         0  ^9       required, no version fits,"
        " not allowed\n"
        "  txt    everyone              0         0           the skill is disabled\n"
    )
    own = [(one["skill"], one["obstacles"]) for one in told["assignments"]]
    assert own == [("pdf", []), ("csv", ["low-confidence"])]
    assert [
        (one["skill"], one["subject"]["kind"], one["obstacles"]) for one in told["inherited"]
    ] == [
        ("docx", "team", ["archived"]),
        ("pdf", "team", []),
        ("xlsx", "workspace", ["no-version", "not-allowed"]),
        ("txt", "global", ["disabled"]),
    ]


def test_a_workspace_is_shown_with_everything_in_it(tmp_path: Path) -> None:
    add_team(tmp_path)
    do(
        tmp_path,
        "workspaces add other",
        "agents add writer --workspace lab",
        "agents add guest --team red --workspace other",
        "nodes add build --workspace lab",
    )

    assert do(tmp_path, "workspaces show lab").out == (
        "lab\n"
        "  teams        red\n"
        "  agents       reviewer, writer\n"
        "  nodes        build\n"
        "\n"
        "No skills are assigned\n"
    )
    told = json.loads(do(tmp_path, "workspaces show other --json").out)
    assert (told["teams"], told["agents"], told["nodes"]) == ([], ["guest"], [])
    told = json.loads(do(tmp_path, "teams show red --json").out)
    assert told["agents"] == ["guest", "reviewer"]


def test_lists_are_cut_down_to_those_of_someone(tmp_path: Path) -> None:
    add_team(tmp_path)
    do(
        tmp_path,
        "agents add writer --workspace lab",
        "nodes add build --agent writer",
        "nodes add test",
    )

    def names(line: str) -> list[str]:
        [records] = json.loads(do(tmp_path, f"{line} --json").out).values()
        return [one["name"] for one in records]

    assert names("agents list --team red") == ["reviewer"]
    assert names("agents list --workspace lab") == ["reviewer", "writer"]
    assert names("agents list --team red --workspace lab") == ["reviewer"]
    assert names("teams list --workspace lab") == ["red"]
    assert names("nodes list --agent writer") == ["build"]
    assert run(tmp_path, "nodes list --agent reviewer") == Ran(
        0, "", "There are no nodes like that\n"
    )
    assert run(tmp_path, "agents list --team rad") == Ran(
        3, "", "error: there is no team `rad`\n\nhint: Did you mean `red`?\n"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_write_can_be_tried_first(tmp_path: Path, kind: str) -> None:
    word = kind.removesuffix("s")
    do(tmp_path, f"{kind} add a")

    assert do(tmp_path, f"{kind} add b --dry-run").out == f"Would add {word} b\n"
    assert do(tmp_path, f"{kind} set a --description x --dry-run").out == (
        f"Would change {word} a\n  description: none → x\n"
    )
    assert do(tmp_path, f"{kind} remove a --dry-run").out == f"Would remove {word} a\n"
    assert json.loads(do(tmp_path, f"{kind} add b --dry-run --json").out)["dry_run"] is True
    told = json.loads(do(tmp_path, f"{kind} list --json").out)
    assert [(one["name"], one["description"]) for one in told[kind]] == [("a", "")]


def test_a_removal_needs_a_yes(tmp_path: Path) -> None:
    add_team(tmp_path)

    assert run(tmp_path, "agents remove reviewer") == Ran(
        6,
        "",
        "error: removing agent reviewer needs a confirmation\n\nhint: Add `--yes` to give it\n",
    )
    declined = run(tmp_path, "agents remove reviewer", stdin="n\n", terminal=True)
    assert declined == Ran(1, "", "Remove agent reviewer? [y/N] Nothing was removed\n")
    agreed = run(tmp_path, "agents remove reviewer", stdin="y\n", terminal=True)
    assert agreed == Ran(0, "✓ agent reviewer removed\n", "Remove agent reviewer? [y/N] ")
    assert run(tmp_path, "agents show reviewer").status == 3


@pytest.mark.requirement("STO-5")
def test_a_removal_takes_the_assignments_along_and_says_so(tmp_path: Path) -> None:
    add_team(tmp_path)
    write_skill(tmp_path / "pdf")
    do(tmp_path, "add pdf", "assign pdf --agent reviewer")

    assert do(tmp_path, "agents remove reviewer --dry-run").out == (
        "Would remove agent reviewer with 1 assignment\n"
    )
    told = json.loads(do(tmp_path, "agents remove reviewer --yes --json").out)
    assert (told["agent"]["name"], told["dry_run"]) == ("reviewer", False)
    assert [one["skill"] for one in told["assignments"]] == ["pdf"]


def test_a_record_that_others_name_stays(tmp_path: Path) -> None:
    add_team(tmp_path)

    assert run(tmp_path, "teams remove red --yes") == Ran(
        4,
        "",
        "error: the team `red` is still in use\n"
        "\nhint: Used by agent reviewer: change or remove them first\n",
    )


def test_a_name_that_exists_is_a_conflict(tmp_path: Path) -> None:
    add_team(tmp_path)

    assert run(tmp_path, "agents add reviewer") == Ran(
        4,
        "",
        "error: there is an agent `reviewer` already\n"
        "\nhint: Change it with `skillyard agents set reviewer`\n",
    )


@pytest.mark.parametrize(
    "line",
    [
        "agents show reviewr",
        "agents set reviewr --no-team",
        "agents remove reviewr --yes",
        "nodes add build --agent reviewr",
    ],
)
def test_a_wrong_name_is_an_error_with_what_was_meant(tmp_path: Path, line: str) -> None:
    add_team(tmp_path)

    assert run(tmp_path, line) == Ran(
        3, "", "error: there is no agent `reviewr`\n\nhint: Did you mean `reviewer`?\n"
    )


def test_an_unknown_provider_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    assert run(tmp_path, "agents add a --provider vim") == Ran(
        2,
        "",
        "error: the provider cannot be used: there is no `vim`\n"
        "\nhint: Choose one of claude-code, codex, gemini-cli, opencode, copilot, agents-dir\n",
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("agents set a", "say what to change"),
        ("agents set a --team red --no-team", "use only one of --team, --no-team"),
        ("agents add a --allow pdf --allow-none", "use only one of --allow, --allow-none"),
        ("agents add a --no-team", "No such option"),
        ("agents add a --context-window 0", "0 is not in the range"),
        ("agents add a --eager-limit 2147483648", "2147483648 is not in the range"),
        ("agents add a --listed-limit many", "'many' is not a valid whole number"),
        ("agents add a/b", "`a/b` is not a name"),
        ("agents add a --allow Not_A_Slug", "`Not_A_Slug` is no skill name"),
        ("teams add", "Missing argument 'NAME'"),
    ],
)
def test_bad_input_is_said(tmp_path: Path, line: str, said: str) -> None:
    ran = run(tmp_path, line)

    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_a_name_that_is_no_text_is_not_found(tmp_path: Path) -> None:
    assert run(tmp_path, "agents show \udcff") == Ran(
        3,
        "",
        "error: there is no agent `\\udcff`\n\nhint: `skillyard agents list` shows all\n",
    )


@pytest.mark.parametrize("kind", KINDS)
def test_each_group_has_the_same_commands(tmp_path: Path, kind: str) -> None:
    out = do(tmp_path, f"{kind} --help").out

    listed = out.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == ["add", "list", "remove", "set", "show"]


def test_a_skill_that_stands_in_a_directory_is_known_too(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills" / "deploy")

    ran = do(tmp_path, "agents add a --allow hello-world --allow deploy --allow pdf")

    assert ran.err == "note: there is no skill pdf in the store yet\n"
