"""One more word in the front matter, or one less, and nothing else is changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.limits import STANDARD
from skillyard.skillmd.declare import declare, declare_in_yaml, withdraw

POLICY = ("policy", "allow_implicit_invocation")


def say(text: str, *, value: bool = True) -> str | None:
    done = declare(text.encode(), "disable-model-invocation", value=value, limits=STANDARD)
    return None if done is None else done.decode()


def take(text: str, key: str = "allowed-tools") -> str | None:
    done = withdraw(text.encode(), key, limits=STANDARD)
    return None if done is None else done.decode()


def say_in_yaml(text: str) -> str | None:
    done = declare_in_yaml(text.encode(), POLICY, value=False, limits=STANDARD)
    return None if done is None else done.decode()


@pytest.mark.requirement("DEL-8")
def test_a_statement_is_added_before_all_others() -> None:
    assert say("---\n# why\nname: pdf # here\ndescription: x\n---\nBody\n") == (
        "---\ndisable-model-invocation: true\n# why\nname: pdf # here\ndescription: x\n---\nBody\n"
    )


@pytest.mark.requirement("DEL-8")
@pytest.mark.parametrize("said", ["true", "yes", '"false"', "'x'"])
def test_a_statement_that_is_there_is_replaced(said: str) -> None:
    text = f"---\nname: pdf\ndisable-model-invocation: {said} # so\n---\nBody\n"

    assert say(text, value=False) == (
        "---\nname: pdf\ndisable-model-invocation: false # so\n---\nBody\n"
    )


@pytest.mark.requirement("DEL-8")
@pytest.mark.parametrize(
    "text",
    [
        "no front matter\n",
        "---\nname: [\n---\n",
        "---\nname: pdf\ndisable-model-invocation: [a]\n---\n",
        "---\nname: pdf\ndisable-model-invocation: |\n  a\n---\n",
        "---\n{name: pdf}\n---\n",
        "---\nname: pdf\ndisable-model-invocation: a\ndisable-model-invocation: b\n---\n",
    ],
)
def test_what_cannot_be_changed_alone_is_not_changed(text: str) -> None:
    assert say(text) is None


def test_what_is_not_utf8_is_not_changed() -> None:
    content = b"---\nname: pdf\n---\n\xff\n"

    assert declare(content, "a", value=True, limits=STANDARD) is None
    assert withdraw(content, "name", limits=STANDARD) is None
    assert declare_in_yaml(b"\xff", POLICY, value=True, limits=STANDARD) is None


@pytest.mark.requirement("TRU-6")
@pytest.mark.parametrize(
    "field",
    [
        "allowed-tools: Bash\n",
        "allowed-tools: [Bash, Read]\n",
        "allowed-tools:\n  - Bash\n  - Read # and write\n",
        "allowed-tools:\n- Bash\n",
        "allowed-tools: >\n  Bash\n  Read\n",
        'allowed-tools: "Bash(git:*)\n  Read"\n',
        '"allowed-tools": Bash\n',
    ],
)
@pytest.mark.parametrize(
    "below", ["", "# a word on the next\nlicense: MIT\n", "\nmetadata:\n  a: b\n"]
)
def test_a_field_is_taken_out_with_all_its_lines(field: str, below: str) -> None:
    assert (
        take(f"---\nname: pdf\n{field}{below}---\nBody\n") == f"---\nname: pdf\n{below}---\nBody\n"
    )


@pytest.mark.requirement("TRU-6")
def test_what_is_not_said_is_not_taken_out() -> None:
    text = "---\nname: pdf\n---\nallowed-tools: Bash\n"

    assert take(text) == text


@pytest.mark.requirement("TRU-6")
@pytest.mark.parametrize(
    "text",
    [
        "---\n{name: pdf, allowed-tools: Bash}\n---\n",
        "---\nallowed-tools: a\nname: pdf\nallowed-tools: b\n---\n",
    ],
)
def test_what_cannot_be_taken_out_alone_is_not_taken_out(text: str) -> None:
    assert take(text) is None


@pytest.mark.requirement("DEL-8")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "policy:\n  allow_implicit_invocation: false\n"),
        (
            "interface:\n  display_name: PDF\n",
            "policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: PDF\n",
        ),
        (
            "policy:\n    other: 1 # so\n",
            "policy:\n    allow_implicit_invocation: false\n    other: 1 # so\n",
        ),
        (
            "policy:\n  allow_implicit_invocation: true\n",
            "policy:\n  allow_implicit_invocation: false\n",
        ),
        (
            "a: b\npolicy:\n  allow_implicit_invocation: false",
            "a: b\npolicy:\n  allow_implicit_invocation: false",
        ),
    ],
)
def test_a_policy_is_merged_into_what_is_there(before: str, after: str) -> None:
    assert say_in_yaml(before) == after


@pytest.mark.requirement("DEL-8")
@pytest.mark.parametrize("text", ["policy: x\n", "policy: {a: b}\n", "- a\n", "policy: [\n", "x"])
def test_a_policy_that_is_something_else_is_left_alone(text: str) -> None:
    assert say_in_yaml(text) is None


@given(
    st.lists(
        st.sampled_from(
            [
                "name: a\n",
                "# c\n",
                "allowed-tools: b\n",
                "allowed-tools:\n- c\n",
                "x: |\n  # d\n",
                "\n",
            ]
        ),
        max_size=6,
    ),
    st.text(max_size=10),
)
def test_nothing_but_the_field_changes(lines: list[str], body: str) -> None:
    text = "---\n" + "".join(lines) + "---\n" + body

    taken = withdraw(text.encode(errors="replace"), "allowed-tools", limits=STANDARD)

    assert taken is None or withdraw(taken, "allowed-tools", limits=STANDARD) == taken
