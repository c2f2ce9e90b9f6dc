"""Settings of a project direct skills if they hold a key that adds or forbids some."""

import pytest

from skillyard.domain.client import SkillSettings
from skillyard.providers.clients import CLIENTS
from skillyard.providers.directing import find_directing_keys

pytestmark = pytest.mark.requirement("DEL-5")

SETTINGS = SkillSettings(
    file="x.json", keys=("skills", "permission.skill", "agent.*.permission.skill")
)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("{}", ()),
        ("[]", ()),
        ("null", ()),
        ('"skills"', ()),
        ('{"model": "skills"}', ()),
        ('{"inner": {"skills": {"paths": ["x"]}}}', ()),
        ('{"skills": null}', ()),
        ('{"skills": {}}', ()),
        ('{"skills": []}', ()),
        ('{"skills": false}', ("skills",)),
        ('{"skills": {"enabled": false}}', ("skills",)),
        ('{"permission": "deny"}', ()),
        ('{"permission": {"bash": "deny"}}', ()),
        ('{"permission": {"skill": "deny"}}', ("permission.skill",)),
        ('{"agent": {"a": {}, "b": {"permission": {"skill": {"*": "deny"}}}}}', SETTINGS.keys[2:]),
        ('{"sk\\u0069lls": 1}', ("skills",)),
        ('\ufeff{"skills": 1}', ("skills",)),
    ],
)
def test_a_key_counts_where_it_stands_and_says_something(text: str, keys: tuple[str, ...]) -> None:
    assert find_directing_keys(SETTINGS, text.encode()) == keys


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('{\n  // "skills": 1\n  "model": "x", /* "skills": 2 */\n}', ()),
        ('{"url": "http://x", "skills": [1,], // more\n}', ("skills",)),
        ('{"text": "a \\" /* b", "skills": 1, "end": "*/",}', ("skills",)),
    ],
)
def test_comments_and_commas_at_the_end_are_read_as_clients_do(
    text: str, keys: tuple[str, ...]
) -> None:
    assert find_directing_keys(SETTINGS, text.encode()) == keys


@pytest.mark.parametrize(
    ("content", "keys"),
    [
        (b'{"skills": ', SETTINGS.keys),
        (b"[" * 100_000 + b'"skill"', ("permission.skill", "agent.*.permission.skill")),
        (b"\xff\xfe skills", SETTINGS.keys),
        (b"{nothing of it", ()),
        (b"", ()),
    ],
)
def test_of_what_cannot_be_read_every_key_counts_whose_name_is_in_it(
    content: bytes, keys: tuple[str, ...]
) -> None:
    assert find_directing_keys(SETTINGS, content) == keys


def test_settings_are_named_relative_to_the_project_and_each_once() -> None:
    for client in CLIENTS.values():
        files = [one.file for one in client.delivery.directed_by]
        assert len(set(files)) == len(files)
        assert not [one for one in files if one.startswith(("/", "~", "$"))]
