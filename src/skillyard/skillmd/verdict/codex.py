"""How Codex loads a skill."""

from typing import Final, NamedTuple

from skillyard.domain.client import YamlStyle
from skillyard.skillmd.verdict import refusal
from skillyard.skillmd.verdict.clientyaml import Branch, Leaf, YamlNode, compose
from skillyard.skillmd.verdict.kinds import Kind, kind_of
from skillyard.skillmd.verdict.loading import Loaded, Skill, list_fields
from skillyard.skillmd.verdict.repairs import parse_or_repair, quote_every_line
from skillyard.skillmd.verdict.whitespace import collapse

_SHORT: Final = "short-description"


class _Read(NamedTuple):
    """The fields that are read; None where one is missing or nothing."""

    name: str | None
    description: str | None
    fields: tuple[str, ...]


def load_codex(skill: Skill) -> Loaded:
    """Read the front matter strictly, then once more with quotes where they might be missing."""
    cut = skill.cut_or_refuse()
    read, fault = parse_or_repair(cut.front, parse=_parse, repair=quote_every_line)
    if fault is not None:
        skill.report_repair(fault, "puts values in quotes and reads again")
    name = skill.attempt(lambda: _name(skill, read.name or ""), otherwise="")
    description = skill.attempt(lambda: _description(read.description), otherwise="")
    skill.settle()
    return Loaded(name=name, description=description, fields=read.fields)


def _description(written: str | None) -> str:
    if written is None:
        raise refusal.missing("description")
    description = collapse(written)
    if not description:
        raise refusal.empty("description")
    return description


def _name(skill: Skill, written: str) -> str:
    name = collapse(written)
    if name:
        skill.report_renamed(written.strip(), name)
    else:
        name = skill.take_directory()
        skill.report_directory()
    limit = skill.client.reading.name_limit
    if limit and limit.exceeded_by(name):
        raise refusal.too_long("name", name, limit)
    return name


def _parse(front: str) -> _Read:
    root = compose(front)
    if root is None:
        return _Read(None, None, ())
    if not isinstance(root, Branch) or not root.is_map:
        raise refusal.no_pairs()
    if any(isinstance(key, Branch) for key, _ in root.entries()):
        raise refusal.key_not_text()
    _check_metadata(_only(root, "metadata"))
    name, description = (_text(_only(root, key), key) for key in ("name", "description"))
    return _Read(name, description, list_fields(root))


def _only(root: Branch, key: str) -> YamlNode | None:
    values = root.find_all(key)
    if len(values) > 1:
        raise refusal.stands_twice(key)
    return values[0] if values else None


def _text(node: YamlNode | None, key: str) -> str | None:
    kind = kind_of(node, YamlStyle.LIBYAML)
    if isinstance(node, Branch):
        raise refusal.not_text(key, kind)
    return node.text if node and kind is not Kind.NOTHING else None


def _check_metadata(node: YamlNode | None) -> None:
    if node is None or (isinstance(node, Leaf) and not (node.text or node.style or node.tag)):
        return
    if not isinstance(node, Branch) or not node.is_map:
        raise refusal.wrong_kind("metadata", "a mapping")
    if isinstance(_only(node, _SHORT), Branch):
        raise refusal.wrong_kind(_SHORT, "text")
