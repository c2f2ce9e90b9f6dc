"""How GitHub Copilot loads a skill: nothing is repaired, and kinds of values are checked."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from skillyard.domain.client import YamlStyle
from skillyard.skillmd import rules
from skillyard.skillmd.verdict import refusal
from skillyard.skillmd.verdict.clientyaml import (
    Branch,
    Leaf,
    YamlNode,
    compose,
    each_once,
    find_twin_key,
    iter_nodes,
)
from skillyard.skillmd.verdict.kinds import Kind, kind_of
from skillyard.skillmd.verdict.loading import Loaded, Skill, list_fields
from skillyard.skillmd.verdict.whitespace import BLANKS

_DEPTH: Final = 128
_REPETITION: Final = 100
_MOST_STEPS: Final = 1_000_000
_BODY_LINES: Final = 3
_RUN: Final = re.compile(" +")


def load_copilot(skill: Skill) -> Loaded:
    """Read the front matter strictly; what is not a mapping counts as empty."""
    cut = skill.cut_or_refuse()
    root = _parse(cut.front)
    fields = root if isinstance(root, Branch) and root.is_map else Branch()
    name = skill.attempt(lambda: _name(skill, fields), otherwise="")
    description = skill.attempt(lambda: _description(skill, fields), otherwise="")
    for key, check in _CHECKS.items():
        skill.attempt(partial(check, fields.find(key), key), otherwise=None)
    skill.settle()
    switch = fields.find("user-invocable")
    user = switch is None or _is_true(switch)
    model = not _is_true(fields.find("disable-model-invocation"))
    skill.report_audience(user=user, model=model)
    return Loaded(
        name=name,
        description=description if model else None,
        fields=list_fields(fields),
        user_invocable=user,
        model_invocable=model,
    )


def _parse(front: str) -> YamlNode | None:
    root = compose(front)
    if (twin := find_twin_key(root)) is not None:
        raise refusal.stands_twice(twin)
    _check_growth(root)
    return root


def _check_growth(root: YamlNode | None) -> None:
    # Walks what aliases repeat as often as they repeat it, as the client does.
    nodes = sum(1 for _ in iter_nodes(root))
    most = min(nodes * _REPETITION, _MOST_STEPS)
    levels = [iter([root])]
    while levels:
        if (node := next(levels[-1], None)) is None:
            levels.pop()
            continue
        if len(levels) > _DEPTH:
            raise refusal.too_deep()
        if isinstance(node, Branch):
            most -= len(node.items)
            if most < 0:
                raise refusal.repeats_too_much()
            levels.append(reversed(node.items))


def _name(skill: Skill, fields: Branch) -> str:
    node = fields.find("name")
    if node is None:
        name = _checked_name(skill, skill.take_directory())
        skill.report_directory()
        return name
    written = _text(node, "name").strip(BLANKS)
    if not written:
        raise refusal.empty("name")
    name = _checked_name(skill, written)
    skill.report_renamed(written, name)
    return name


def _checked_name(skill: Skill, name: str) -> str:
    reading = skill.client.reading
    if reading.name_limit and reading.name_limit.exceeded_by(name):
        raise refusal.too_long("name", name, reading.name_limit)
    if reading.name_pattern and not re.fullmatch(reading.name_pattern, name):
        raise refusal.name_refused(name, reading.name_rule)
    return _RUN.sub("-", name)


def _description(skill: Skill, fields: Branch) -> str:
    node = fields.find("description")
    if node is None:
        return _from_body(skill)
    text = _text(node, "description")
    limit = skill.client.reading.description_limit
    if limit and limit.exceeded_by(text):
        raise refusal.too_long("description", text, limit)
    return text


def _from_body(skill: Skill) -> str:
    body = skill.cut.body if skill.cut else ""
    lines = (line.strip(BLANKS) for line in body.split("\n"))
    text = " ".join([one for one in lines if one and not one.startswith("#")][:_BODY_LINES])
    skill.add(
        rules.CLIENT_REPAIRS,
        f"{skill.client.title} takes the first lines of the body for the missing `description`",
        hint="Write a `description`",
    )
    limit = skill.client.reading.description_limit
    return limit.cut(text) if limit else text


def _text(node: YamlNode, key: str) -> str:
    if not isinstance(node, Leaf) or _kind(node) is not Kind.TEXT:
        raise refusal.not_text(key, _kind(node))
    return node.text


def _check_switch(node: YamlNode | None, key: str) -> None:
    if node is not None and _kind(node) is not Kind.BOOLEAN:
        raise refusal.not_boolean(key)


def _check_hint(node: YamlNode | None, key: str) -> None:
    if _kind(node) not in {Kind.TEXT, Kind.NOTHING}:
        raise refusal.not_text(key, _kind(node))


def _check_tools(node: YamlNode | None, key: str) -> None:
    items = each_once(node.items) if isinstance(node, Branch) and not node.is_map else [node]
    if node is not None and any(_kind(one) is not Kind.TEXT for one in items):
        raise refusal.wrong_kind(key, "text or a list of texts")


_CHECKS: Final[Mapping[str, Callable[[YamlNode | None, str], None]]] = {
    "disable-model-invocation": _check_switch,
    "user-invocable": _check_switch,
    "argument-hint": _check_hint,
    "allowed-tools": _check_tools,
}


def _kind(node: YamlNode | None) -> Kind:
    return kind_of(node, YamlStyle.LIBYAML)


def _is_true(node: YamlNode | None) -> bool:
    return isinstance(node, Leaf) and node.text.lower() == "true"
