"""How Claude Code loads a skill: almost always, and with what it can make of the file.

The directory is the skill's identity. YAML that stays unreadable after a repair is left out, and
the description then comes from the body.
"""

import re
from collections.abc import Iterator
from typing import Final

from skillyard.domain.client import Length, LengthUnit
from skillyard.skillmd import rules
from skillyard.skillmd.verdict import refusal
from skillyard.skillmd.verdict.clientyaml import Branch, Leaf, YamlNode, each_once
from skillyard.skillmd.verdict.fences import cut_file
from skillyard.skillmd.verdict.kinds import Kind, kind_of
from skillyard.skillmd.verdict.loading import Loaded, Skill, list_fields
from skillyard.skillmd.verdict.numbers import number_text
from skillyard.skillmd.verdict.refusal import FENCES, RefusedError
from skillyard.skillmd.verdict.repairs import parse_or_repair, quote_top_level
from skillyard.skillmd.verdict.whitespace import JS_BLANKS
from skillyard.skillmd.verdict.yamlstyles import find_merged, parse_styled

_FIRST_LINE: Final = Length(100, LengthUnit.UTF16_UNITS)
_HEADING: Final = re.compile(r"#+[ \t]+(?=\S)")
_NOT_SHOWN: Final = re.compile("[\x00-\x1f\x7f-\x9f<>\xa0\u200b-\u200f\u2028\u2029]|  |^ | $|^$")
# As much of a list as its text could show.
_DEPTH: Final = 2
_ITEMS: Final = 500
_TRUE: Final = frozenset({"true", "yes", "on", "1"})
_COLOUR: Final = re.compile("\x1b\\[[0-9;]*m|\x90[^\x9c]*\x9c?")
_LINE_ENDS: Final = re.compile(r"[\r\n]+")
_HIDDEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u200b\u2028-\u202e\u2066-\u2069\ufeff\uffff\U000e0000-\U000e007f]"
)


def load_claude_code(skill: Skill) -> Loaded:
    """Read what can be read; nothing in the front matter keeps the skill from being loaded."""
    skill.cut = cut_file(skill.text, skill.client.reading.fences)
    root = _read_front(skill)
    name = _shown_name(skill, root)
    description = _description(skill, root)
    user, model = _audience(skill, root)
    return Loaded(
        name=name,
        description=description if model else None,
        fields=list_fields(root) or skill.list_written_fields(),
        user_invocable=user,
        model_invocable=model,
    )


def _read_front(skill: Skill) -> YamlNode | None:
    if skill.cut is None:
        _report_no_front(skill)
        return None
    _report_inline_fence(skill)
    try:
        root, fault = parse_or_repair(
            skill.cut.front,
            parse=lambda text: parse_styled(text, skill.style),
            repair=quote_top_level,
        )
    except RefusedError as error:
        skill.report_repair(error, "leaves out the whole front matter")
        return None
    if fault is not None:
        skill.report_repair(fault, "puts values in quotes and reads again")
    return root if isinstance(root, Branch) and root.is_map else None


def _report_no_front(skill: Skill) -> None:
    skill.add(
        rules.CLIENT_REPAIRS,
        f"{skill.client.title} sees no front matter and takes the directory and the body instead",
        hint=FENCES,
    )


def _report_inline_fence(skill: Skill) -> None:
    cut = skill.cut
    if cut is not None and cut.inline:
        skill.add(
            rules.CLIENT_SHORTENS,
            f"{skill.client.title} takes the first `---` for the end of the front matter,"
            " also inside a value",
            span=skill.end_of_front(),
            hint="Write a dash `—` or two hyphens instead",
        )


def _shown_name(skill: Skill, root: YamlNode | None) -> str:
    shown = _name_text(skill, find_merged(root, "name"))
    directory = skill.directory if skill.directory is not None else shown
    if directory is None:
        directory = skill.take_directory()
    if _NOT_SHOWN.search(directory):
        raise refusal.directory_not_shown()
    if shown is not None and shown != directory:
        skill.add(
            rules.CLIENT_NAME,
            f"{skill.client.title} calls it `{directory}`, by its directory,"
            f" and only shows `{shown}`",
            field="name",
            hint="Make `name` equal to the directory's name",
        )
    return shown or directory


def _name_text(skill: Skill, node: YamlNode | None) -> str | None:
    text = _joined_text(skill, node)
    limit = skill.client.reading.name_limit
    if kind_of(node, skill.style) is not Kind.TEXT:
        return text or None
    if (limit and limit.exceeded_by(text)) or _NOT_SHOWN.search(text):
        _report_name(skill)
        return None
    return text


def _joined_text(skill: Skill, node: YamlNode | None, depth: int = 1) -> str:
    # As JavaScript turns any value into text; aliases may lead a list into itself.
    match kind_of(node, skill.style), node:
        case Kind.TEXT, Leaf(text=text):
            return text
        case ((Kind.NUMBER | Kind.BOOLEAN), Leaf(text=text)):
            return number_text(text)
        case Kind.LIST, Branch(items=items) if depth <= _DEPTH:
            return ",".join(_joined_items(skill, items[:_ITEMS], depth + 1))
        case Kind.MAP, _:
            return "[object Object]"
        case _:
            return ""


def _joined_items(skill: Skill, items: list[YamlNode], depth: int) -> Iterator[str]:
    # Aliases repeat a long text for little, so that only so much is read and put together.
    for one in items:
        if skill.room <= 0:
            return
        if isinstance(one, Branch):
            skill.room -= 1
            yield _joined_text(skill, one, depth)
        else:
            text = _joined_text(skill, one, depth)[: skill.room]
            skill.room -= max(len(text), len(one.text)) + 1
            yield text


def _report_name(skill: Skill) -> None:
    skill.add(
        rules.CLIENT_NAME,
        f"{skill.client.title} does not show this `name`, but the directory's",
        field="name",
        hint="Use lower-case letters, digits and hyphens",
    )


def _description(skill: Skill, root: YamlNode | None) -> str:
    text = _plain_text(skill, find_merged(root, "description"))
    if text is None:
        text = _from_body(skill.cut.body if skill.cut else skill.text)
        if root is not None:
            skill.add(
                rules.CLIENT_REPAIRS,
                f"{skill.client.title} takes the first line of the body for the `description`",
                field="description",
                hint="Write a `description` that is text",
            )
    text = _tidy(text)
    when = _joined_text(skill, find_merged(root, "when_to_use"))
    return f"{text} - {_tidy(when)}" if when.strip(JS_BLANKS) else text


def _plain_text(skill: Skill, node: YamlNode | None) -> str | None:
    if not isinstance(node, Leaf):
        return None
    match kind_of(node, skill.style):
        case Kind.TEXT:
            return node.text.strip(JS_BLANKS) or None
        case Kind.NUMBER | Kind.BOOLEAN:
            return number_text(node.text)
        case _:
            return None


def _from_body(body: str) -> str:
    for line in body.split("\n"):
        if text := line.strip(JS_BLANKS):
            heading = _HEADING.match(text)
            return _FIRST_LINE.cut(text[heading.end() if heading else 0 :], ending="...", half=" ")
    return "Skill"


def _tidy(text: str) -> str:
    text = _LINE_ENDS.sub(" ", _COLOUR.sub("", text))
    return _HIDDEN.sub(" ", text).replace("<", "&lt;").replace(">", "&gt;")


def _audience(skill: Skill, root: YamlNode | None) -> tuple[bool, bool]:
    if _waits_for_paths(skill, find_merged(root, "paths")):
        skill.add(
            rules.CLIENT_HIDES,
            f"{skill.client.title} hides it until a file that `paths` matches is touched",
            field="paths",
        )
        return False, False
    switch = find_merged(root, "user-invocable")
    user = switch is None or _is_true(switch)
    model = not _is_true(find_merged(root, "disable-model-invocation"))
    skill.report_audience(user=user, model=model)
    return user, model


def _waits_for_paths(skill: Skill, node: YamlNode | None) -> bool:
    patterns = each_once(node.items) if isinstance(node, Branch) and not node.is_map else [node]
    return any(
        one.text.removesuffix("/**") not in {"", "**"}
        for one in patterns
        if isinstance(one, Leaf) and kind_of(one, skill.style) is Kind.TEXT
    )


def _is_true(node: YamlNode | None) -> bool:
    return isinstance(node, Leaf) and node.text.lower() in _TRUE
