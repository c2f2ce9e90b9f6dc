"""What a database might take otherwise than another is taken, or refused, alike by all."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import pytest

from skillyard.application.assign import AssignSkill
from skillyard.application.editing import CreateSkill, EditSkill
from skillyard.application.ports.store import Store
from skillyard.domain.assignment import GLOBAL, Subject, SubjectKind
from skillyard.domain.errors import RecordNotFoundError, SkillNotFoundError
from skillyard.domain.facts import FactChanges
from skillyard.domain.limits import LARGEST_NUMBER
from skillyard.domain.manifest import Author
from skillyard.domain.records import Agent, Node, Sandbox, Team, Workspace
from skillyard.domain.version import Version
from skillyard.yard import Skillyard
from tests.contract.limits.watching import refuse, refuse_fact
from tests.contract.use_cases.yards import make_yard, save

NULL, HALF, FOUR_BYTES = "\0", "\ud83d", "\U0001f600"
Act = Callable[[], object]


@pytest.fixture
def yard(store: Store) -> Skillyard:
    """Give a yard over every kind of store, with a skill and an agent in it."""
    yard = make_yard(store)
    save(yard)
    yard.add_record(Agent(name="coder"))
    return yard


def iter_sayings(yard: Skillyard, text: str) -> Iterator[tuple[str, Act]]:
    """Yield each way to say a text that is kept as it is, with the start of a refusal."""
    box = Sandbox(name="box", agent="coder")
    changes = {
        "display name cannot be used: it": FactChanges(display_name=text),
        "deprecation message cannot be used: it": FactChanges(deprecated=text),
        "author cannot be used: it": FactChanges(author=Author("earned", text)),
        "required tools cannot be used: an entry": FactChanges(requires_tools=(text,)),
        "metadata cannot be used: an entry": FactChanges(metadata={text: text}),
        "provider hints cannot be used: an entry": FactChanges(provider_hints={"a": text}),
    }
    create = CreateSkill(slug="csv", content="x", description=text)
    edit = EditSkill(reference="pdf", description=text)
    acts: dict[str, list[Act]] = {
        "message cannot be used: it": [lambda: save(yard, body="other", message=text)],
        "location cannot be used: it": [lambda: save(yard, "xml", location=text)],
        "description cannot be used: it": [
            lambda: yard.create(create),
            lambda: yard.edit(edit),
            lambda: yard.add_record(Workspace(name="acme", description=text)),
        ],
        "command cannot be used: an entry": [lambda: yard.add_record(replace(box, prefix=(text,)))],
        "skills path cannot be used: it": [
            lambda: yard.add_record(replace(box, name="other", skills_path=f"/{text}"))
        ],
    }
    for what, said in changes.items():
        yield what, _change(yard, said)
    for what, several in acts.items():
        yield from ((what, act) for act in several)


def _change(yard: Skillyard, changes: FactChanges) -> Act:
    return lambda: yard.change("pdf", changes)


@pytest.mark.requirement("STO-2", "STO-6")
def test_what_no_text_may_hold_is_refused_wherever_it_is_said(yard: Skillyard) -> None:
    for text, name in ((NULL, "U+0000"), (HALF, "U+D83D")):
        for what, act in iter_sayings(yard, f"a{text}b"):
            assert refuse_fact(yard, act) == (
                f"the {what} holds {name}, which no text may hold",
                ("Leave it out",),
            )


@pytest.mark.requirement("STO-2", "STO-6")
def test_characters_of_four_bytes_are_kept_wherever_they_are_said(yard: Skillyard) -> None:
    for _, act in iter_sayings(yard, FOUR_BYTES):
        act()
    path = f"references/{FOUR_BYTES}.md"
    yard.edit(EditSkill(reference="pdf", put={path: FOUR_BYTES}))

    facts = yard.get("pdf").skill.facts
    assert (facts.display_name, facts.deprecated) == (FOUR_BYTES, FOUR_BYTES)
    assert (facts.description, facts.author.agent) == (FOUR_BYTES, FOUR_BYTES)
    assert (facts.metadata, facts.requires_tools) == ({FOUR_BYTES: FOUR_BYTES}, (FOUR_BYTES,))
    assert yard.get("xml").skill.provenance.ref == FOUR_BYTES
    assert yard.read_file("pdf", path).content == FOUR_BYTES.encode()
    assert yard.get_record(Sandbox, "box").prefix == (FOUR_BYTES,)
    assert yard.get_record(Workspace, "acme").description == FOUR_BYTES


@pytest.mark.requirement("STO-2", "PKG-5")
def test_a_limit_counts_characters_and_not_bytes(yard: Skillyard) -> None:
    name, description = FOUR_BYTES * 128, FOUR_BYTES * 1_024

    yard.change("pdf", FactChanges(display_name=name))
    yard.edit(EditSkill(reference="pdf", description=description))

    facts = yard.get("pdf").skill.facts
    assert (facts.display_name, facts.description) == (name, description)


UNKNOWN: Final = (
    Subject(SubjectKind.WORKSPACE, "nowhere"),
    Subject(SubjectKind.TEAM, "nobody"),
    Subject(SubjectKind.AGENT, "nobody"),
    Subject(SubjectKind.AGENT, ""),
    Subject(SubjectKind.AGENT, "Coder"),
    Subject(SubjectKind.AGENT, f"coder{NULL}"),
    Subject(SubjectKind.AGENT, f"coder{HALF}"),
    Subject(SubjectKind.NODE, "nothing"),
)


@pytest.mark.requirement("STO-5")
def test_a_skill_is_assigned_to_someone_known(yard: Skillyard) -> None:
    for subject in UNKNOWN:
        wish = AssignSkill(reference="pdf", subject=subject)
        error = refuse(yard, _assign(yard, wish))
        assert isinstance(error, RecordNotFoundError), subject
        assert (error.kind, error.name) == (subject.kind, subject.name)


def _assign(yard: Skillyard, wish: AssignSkill) -> Act:
    return lambda: yard.assign(wish)


@pytest.mark.requirement("STO-5")
def test_a_skill_that_is_assigned_is_known(yard: Skillyard) -> None:
    for text in (NULL, HALF, FOUR_BYTES, " ", "%"):
        wish = AssignSkill(reference=f"pdf{text}", subject=GLOBAL)
        assert isinstance(refuse(yard, _assign(yard, wish)), SkillNotFoundError)


@pytest.mark.requirement("STO-6")
def test_a_record_names_only_records_that_are_there(yard: Skillyard) -> None:
    wrong: list[Team | Agent | Node | Sandbox] = [
        *(Team(name="red", workspace=name) for name in ("nowhere", "", NULL, HALF)),
        Agent(name="writer", team="nobody"),
        Node(name="review", agent="nobody"),
        *(Sandbox(name="box", agent=name) for name in ("nobody", "", NULL, HALF)),
    ]

    for record in wrong:
        error = refuse(yard, _add(yard, record))
        assert isinstance(error, RecordNotFoundError), record


def _add(yard: Skillyard, record: Team | Agent | Node | Sandbox) -> Act:
    return lambda: yard.add_record(record)  # type: ignore[type-var]


@pytest.mark.requirement("STO-6")
def test_a_record_may_have_each_of_these_names(yard: Skillyard) -> None:
    names = ["7", "Build.Agent_1@host-2", "a", "a" * 127, "a" * 128]

    for name in names:
        yard.add_record(Workspace(name=name))

    assert [one.name for one in yard.list_records(Workspace)] == names


@pytest.mark.requirement("STO-5")
def test_an_assignment_may_have_each_of_these_numbers(yard: Skillyard) -> None:
    for priority, position in (
        (LARGEST_NUMBER - 1, LARGEST_NUMBER - 1),
        (LARGEST_NUMBER, LARGEST_NUMBER),
        (1 - LARGEST_NUMBER, 1),
        (-LARGEST_NUMBER, 0),
    ):
        wish = AssignSkill(reference="pdf", subject=GLOBAL, priority=priority, position=position)
        yard.assign(wish)
        (kept,) = yard.assignments()
        assert (kept.priority, kept.position) == (priority, position)


@pytest.mark.requirement("STO-6")
def test_an_agent_may_have_each_of_these_numbers(yard: Skillyard) -> None:
    for number in (1, LARGEST_NUMBER - 1, LARGEST_NUMBER):
        agent = Agent(
            name=f"agent{number}", context_window=number, eager_limit=number, listed_limit=number
        )
        yard.add_record(agent)
        assert yard.get_record(Agent, agent.name) == agent


@pytest.mark.requirement("STO-3")
def test_each_number_after_a_large_one_can_be_read_again(yard: Skillyard) -> None:
    for last, following in (
        ("1.0.999999998", "1.0.999999999"),
        ("1.1.999999999", "1.2.0"),
        ("1.999999999.999999999", "2.0.0"),
        ("999999999.999999999.999999998", "999999999.999999999.999999999"),
    ):
        save(yard, body=f"At {last}.", version=Version.parse(last))
        save(yard, body=f"After {last}.")
        assert str(yard.get("pdf").skill.current) == following
