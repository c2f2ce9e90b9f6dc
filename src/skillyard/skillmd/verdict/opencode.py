"""How OpenCode loads a skill."""

from typing import Final

from skillyard.domain.client import FenceStyle, YamlStyle
from skillyard.skillmd import rules
from skillyard.skillmd.verdict import refusal
from skillyard.skillmd.verdict.clientyaml import Leaf, YamlNode
from skillyard.skillmd.verdict.fences import cut_file
from skillyard.skillmd.verdict.kinds import Kind, kind_of
from skillyard.skillmd.verdict.loading import Loaded, Skill, list_fields
from skillyard.skillmd.verdict.repairs import block_top_level, parse_or_repair
from skillyard.skillmd.verdict.yamlstyles import find_merged, parse_styled

_CODE: Final = frozenset({"js", "javascript"})
_LANGUAGES: Final = frozenset({"", "yaml", "yml", "json"})
# Skills are kept in an object of JavaScript, which has this key already.
_IN_USE: Final = "__proto__"


def load_opencode(skill: Skill) -> Loaded:
    """Read the front matter, then once more with its values as blocks."""
    written = skill.cut_or_refuse().language
    language = written.strip(" \t\r").lower()
    if language in _CODE:
        raise refusal.run_as_code(skill.client.title, written.rstrip())
    if language not in _LANGUAGES:
        raise refusal.language_unknown(language)
    # The repair looks for `---` at the very start, where a byte-order mark would be in its way.
    repair = _leave_alone if skill.had_bom else block_top_level
    root, fault = parse_or_repair(skill.text, parse=_parse, repair=repair)
    if fault is not None:
        skill.report_repair(fault, "takes values with a colon as they are")
    return _loaded(skill, root)


def _leave_alone(text: str) -> str:
    return text


def _parse(text: str) -> YamlNode | None:
    cut = cut_file(text, FenceStyle.LANGUAGES)
    return parse_styled(cut.front, YamlStyle.JS_YAML_3) if cut else None


def _loaded(skill: Skill, root: YamlNode | None) -> Loaded:
    name = skill.attempt(lambda: _name(root), otherwise="")
    description = skill.attempt(lambda: _text(root, "description"), otherwise=None)
    skill.settle()
    if description is None:
        skill.add(
            rules.CLIENT_HIDES,
            f"{skill.client.title} does not offer a skill without `description` to the model",
            hint="Write a `description`",
        )
    return Loaded(
        name=name,
        description=description,
        fields=list_fields(root),
        model_invocable=description is not None,
    )


def _name(root: YamlNode | None) -> str:
    name = _text(root, "name")
    if name is None:
        raise refusal.missing("name")
    if name == _IN_USE:
        raise refusal.name_in_use(name)
    return name


def _text(root: YamlNode | None, key: str) -> str | None:
    node = find_merged(root, key)
    if node is None:
        return None
    kind = kind_of(node, YamlStyle.JS_YAML_3)
    if not isinstance(node, Leaf) or kind is not Kind.TEXT:
        raise refusal.not_text(key, kind)
    return node.text
