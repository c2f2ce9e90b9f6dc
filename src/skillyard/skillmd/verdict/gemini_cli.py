"""How Gemini CLI loads a skill."""

import re
from typing import Final, NamedTuple

from skillyard.domain.client import YamlStyle
from skillyard.skillmd.verdict import refusal
from skillyard.skillmd.verdict.clientyaml import Leaf, YamlNode
from skillyard.skillmd.verdict.kinds import Kind, kind_of
from skillyard.skillmd.verdict.loading import Loaded, Skill, list_fields
from skillyard.skillmd.verdict.refusal import RefusedError
from skillyard.skillmd.verdict.repairs import read_lines
from skillyard.skillmd.verdict.yamlstyles import find_merged, parse_styled

_REPLACED: Final = re.compile(r'[:\\/<>*?"|]')


class _Read(NamedTuple):
    """Both fields as text, and the names of all."""

    name: str
    description: str
    fields: tuple[str, ...]


def load_gemini_cli(skill: Skill) -> Loaded:
    """Read the front matter as YAML; without two texts in it, line by line."""
    cut = skill.cut_or_refuse()
    try:
        read = _parse(cut.front)
    except RefusedError as fault:
        read = _from_lines(skill, cut.front, fault)
    name = _REPLACED.sub("-", read.name)
    skill.report_renamed(read.name, name)
    return Loaded(name=name, description=read.description, fields=read.fields)


def _parse(front: str) -> _Read:
    root = parse_styled(front, YamlStyle.JS_YAML_4)
    name, description = (_text(root, key) for key in ("name", "description"))
    return _Read(name, description, list_fields(root))


def _text(root: YamlNode | None, key: str) -> str:
    node = find_merged(root, key)
    if node is None:
        raise refusal.missing(key)
    kind = kind_of(node, YamlStyle.JS_YAML_4)
    if not isinstance(node, Leaf) or kind is not Kind.TEXT:
        raise refusal.not_text(key, kind)
    return node.text


def _from_lines(skill: Skill, front: str, fault: RefusedError) -> _Read:
    found = read_lines(front)
    name = skill.attempt(lambda: _present(found.name, "name"), otherwise="")
    description = skill.attempt(lambda: _present(found.description, "description"), otherwise="")
    skill.settle()
    skill.report_repair(fault, "looks for `name:` and `description:` line by line")
    return _Read(name, description, skill.list_written_fields())


def _present(value: str | None, key: str) -> str:
    if value is None:
        raise refusal.missing(key)
    return value
