"""The rules about front matter fields, one function for each field."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Final

from skillyard.domain.diagnostic import Span
from skillyard.domain.document import (
    Fields,
    Listing,
    Node,
    Scalar,
    SkillDocument,
    span_of,
)
from skillyard.domain.limits import Limits
from skillyard.domain.manifest import CATEGORIES, Invocation
from skillyard.domain.names import find_name_problem, is_name, sanitize_name
from skillyard.domain.text import shorten
from skillyard.domain.version import find_version
from skillyard.skillmd import fields as known
from skillyard.skillmd import rules
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.frontmatter import AMBIGUOUS
from skillyard.skillmd.rules import Profile
from skillyard.skillmd.scalars import ScalarKind, scalar_kind
from skillyard.skillmd.values import split_tools, to_words

STRATEGIES: Final = ("materialize", "link", "prompt_fallback", "exclude")
_TAG = re.compile(r"[a-z0-9-]+")
# Control, zero-width, bidirectional and tag characters; joiners are part of real words.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_REMARK: Final = re.compile(r"[ \t]+(#[^\r\n]*)")
_TOUCHING_REMARK: Final = re.compile(r"""["'\]}]#""")
_MERGE: Final = "<<"
_TRIGGER_KEYS: Final = ("keywords", "verbs", "patterns")


def check_fields(
    document: SkillDocument, *, directory: str | None, limits: Limits, findings: Findings
) -> None:
    """Report everything about the front matter's fields."""
    if document.fields is None:
        return
    check = _FieldChecks(document, document.fields, directory, limits, findings)
    check.required()
    check.hidden()
    for key, value in document.fields.entries:
        check.field(key, value)


class _FieldChecks:
    """Checks one front matter; holds what every rule needs to know."""

    def __init__(
        self,
        document: SkillDocument,
        fields: Fields,
        directory: str | None,
        limits: Limits,
        findings: Findings,
    ) -> None:
        self.document = document
        self.fields = fields
        self.directory = directory
        self.limits = limits
        self.findings = findings

    def required(self) -> None:
        if _is_missing(self.fields.find("name")):
            name = sanitize_name(self.directory or "") or "my-skill"
            self.findings.add(
                rules.NAME_MISSING,
                "there is no `name`",
                span=self._start(),
                hint=f"Add `name: {name}`",
                fixable=self._can_take_directory(),
            )
        if _is_missing(self.fields.find("description")):
            self.findings.add(
                rules.DESCRIPTION_MISSING,
                "there is no `description`",
                span=self._start(),
                hint="Add `description:` with what the skill does and when to use it",
            )

    def _start(self) -> Span:
        line = self.fields.place.line
        return Span(line, 1, line, 1)

    def field(self, key: Scalar, value: Node) -> None:
        name = key.text
        if name in known.SPECIFICATION or (
            name in known.OWN and self.findings.profile is not Profile.STRICT
        ):
            _CHECKS[name](self, value)
        elif name == _MERGE:
            return  # reported where it was read
        elif name not in known.KNOWN or self.findings.profile is Profile.STRICT:
            self._unknown(key, value)

    def _unknown(self, key: Scalar, value: Node) -> None:
        meant = None if key.text in known.KNOWN else known.find_meant_field(key.text)
        if meant is not None:
            self.findings.add(
                rules.MISSPELT_FIELD,
                f"`{key.text}` is not a known field",
                span=key.place.span,
                hint=f"Did you mean `{meant}`?",
            )
            return
        where = "the specification" if self.findings.profile is Profile.STRICT else "any client"
        self.findings.add(
            rules.UNKNOWN_FIELD,
            f"`{key.text}` is not a field of {where}",
            span=key.place.span,
            hint=_move_hint(key, value),
            fixable=self._can_move(key, value),
        )

    def _can_move(self, key: Scalar, value: Node) -> bool:
        """Tell whether the field can move under `metadata` without a change of meaning.

        What a client acts on must stay where that client looks for it.
        """
        return (
            key.text not in _STAY
            and (isinstance(value, Scalar) or (key.text == "tags" and _is_list_of_words(value)))
            and _has_room(self.fields.find("metadata"), key.text)
            and self._is_tidy
        )

    @cached_property
    def _is_tidy(self) -> bool:
        """Whether each field starts a line with its key and a colon, as nearly all do.

        Only then can a field be written anew without a look at the others.
        """
        return _is_tidy(self.document, self.fields)

    def name(self, value: Node) -> None:
        text = self._text("name", value)
        if text is None or _is_missing(value):
            return
        if len(text) > self.limits.name_characters:
            self._name_finding(rules.NAME_TOO_LONG, text, value)
        elif find_name_problem(text):
            self._name_finding(rules.NAME_INVALID, text, value)
        if self.directory is not None and text != self.directory:
            self.findings.add(
                rules.NAME_DIRECTORY,
                f"`name` is `{shorten(text)}`, but the directory is `{shorten(self.directory)}`",
                span=value.place.span,
                hint=_directory_hint(text, self.directory),
                fixable=self._can_take_directory(),
            )

    def _name_finding(self, rule: rules.Rule, text: str, value: Node) -> None:
        nearest = sanitize_name(text)
        hint = f"Use `{nearest}`" if nearest else "Use letters a-z, digits and hyphens"
        problem = find_name_problem(text)
        self.findings.add(
            rule,
            f"`{shorten(text)}` is not a skill name: {problem}",
            span=value.place.span,
            hint=hint,
            fixable=self._can_take_directory(),
        )

    def _can_take_directory(self) -> bool:
        if self.directory is None or not is_name(self.directory) or not self._is_tidy:
            return False
        # A name over several lines has swallowed something that is worth more than the name.
        key, name = self.fields.find_key("name"), self.fields.find("name")
        if key is None or name is None:
            return True
        if _is_block(name):
            return key.place.line == name.place.line
        return name.place.line == name.place.span.end_line

    def description(self, value: Node) -> None:
        text = self._text("description", value)
        if text is None or scalar_kind_of(value) is ScalarKind.NULL:
            return
        if not text:
            self.findings.add(
                rules.DESCRIPTION_EMPTY,
                "`description` is empty",
                span=value.place.span,
                hint="Say what the skill does and when to use it",
            )
        elif len(text) > self.limits.description_characters:
            self.findings.add(
                rules.DESCRIPTION_TOO_LONG,
                f"`description` has {len(text):,} characters,"
                f" at most {self.limits.description_characters:,} are allowed",
                span=value.place.span,
                hint="Keep what the skill does and when to use it; move the rest to the body",
            )
        self._remark(value)

    def _remark(self, value: Node) -> None:
        """Report what follows a `#` behind the text: it looks like text, and nobody reads it."""
        text, end = value.place.text, value.place.end
        if isinstance(value, Scalar) and not value.style and text.startswith((" ", "\t"), end):
            remark = _REMARK.match(text, end)
            if remark:
                self.findings.add(
                    rules.REMARK_IN_TEXT,
                    "everything from ` #` on is a comment, and no client shows it",
                    span=span_of(text, remark.start(1), remark.end(1)),
                    hint="Put the description in quotes if it belongs to it",
                )

    def license(self, value: Node) -> None:
        self._text("license", value)

    def compatibility(self, value: Node) -> None:
        text = self._text("compatibility", value)
        if text is not None and not 0 < len(text) <= self.limits.compatibility_characters:
            self.findings.add(
                rules.COMPATIBILITY_LENGTH,
                f"`compatibility` has {len(text)} characters,"
                f" 1 to {self.limits.compatibility_characters} are allowed",
                span=value.place.span,
                hint="Name what the skill needs to work, or leave the field out",
            )

    def metadata(self, value: Node) -> None:
        if not isinstance(value, Fields):
            if scalar_kind_of(value) is not ScalarKind.NULL:
                self.findings.add(
                    rules.METADATA_NOT_MAPPING,
                    "`metadata` is not a mapping of keys to texts",
                    span=value.place.span,
                    hint="Write `metadata:`, and below it one indented `key: value` on each line",
                )
            return
        for key, one in value.entries:
            if isinstance(one, Scalar):
                self._metadata_scalar(key.text, one)
            else:
                self.findings.add(
                    rules.METADATA_VALUE,
                    f"`metadata.{key.text}` is {_kind_name(one)}, not text",
                    span=key.place.span,
                    hint="The specification allows texts only; some clients refuse anything else",
                )

    def _metadata_scalar(self, key: str, value: Scalar) -> None:
        self._not_text(f"metadata.{key}", value)
        if key == "version":
            self.version(value)
        elif key == "tags":
            self.tags(value)

    def allowed_tools(self, value: Node) -> None:
        if isinstance(value, Scalar):
            tools = split_tools(value.text)
            wrong = "separated by commas" if _has_comma(value.text, tools) else None
        else:
            tools = to_words(value) or ()
            wrong = _kind_name(value)
        if wrong:
            form = " ".join(tools)
            hint = (
                f"Write `allowed-tools: {form}`"
                if tools
                else "Write the names of tools with blanks between them"
            )
            self.findings.add(
                rules.ALLOWED_TOOLS_FORM,
                f"`allowed-tools` is {wrong}; the specification separates tools by blanks",
                span=value.place.span,
                hint=hint,
                fixable=bool(tools) and split_tools(form) == tools and self._is_tidy,
            )

    def version(self, value: Node) -> None:
        text = self._text("version", value, kinds=False)
        if text and find_version(text) is None:
            self.findings.add(
                rules.VERSION_INVALID,
                f"`{shorten(text)}` is not a semantic version",
                span=value.place.span,
                hint="Write three numbers, such as `1.0.0`",
            )

    def display_name(self, value: Node) -> None:
        text = self._text("display-name", value)
        if text is not None and not 0 < len(text) <= self.limits.display_name_characters:
            self.findings.add(
                rules.DISPLAY_NAME_LENGTH,
                f"`display-name` has {len(text)} characters,"
                f" 1 to {self.limits.display_name_characters} are allowed",
                span=value.place.span,
                hint="Write a short title, or leave the field out",
            )

    def tags(self, value: Node) -> None:
        tags = to_words(value)
        if tags is None:
            self._shape("tags", "words, or a list of words", value)
            return
        wrong = [one for one in tags if one and not _TAG.fullmatch(one)]
        if wrong:
            self._tags_finding(f"`{shorten(wrong[0])}` is not a tag", value)
        if len(tags) > self.limits.tags:
            self._tags_finding(
                f"there are {len(tags)} tags, at most {self.limits.tags} are allowed", value
            )

    def _tags_finding(self, message: str, value: Node) -> None:
        self.findings.add(
            rules.TAGS_INVALID,
            message,
            span=value.place.span,
            hint=f"Use at most {self.limits.tags} tags of a-z, 0-9 and hyphens",
        )

    def category(self, value: Node) -> None:
        self._one_of("category", CATEGORIES, value)

    def invocation(self, value: Node) -> None:
        self._one_of("invocation", tuple(Invocation), value)

    def requires_tools(self, value: Node) -> None:
        if to_words(value) is None:
            self._shape("requires-tools", "words, or a list of words", value)

    def triggers(self, value: Node) -> None:
        if isinstance(value, Fields):
            for key, one in value.entries:
                if key.text not in _TRIGGER_KEYS or to_words(one) is None:
                    self._shape(
                        f"triggers.{key.text}", "a list under keywords, verbs, patterns", one
                    )
        elif to_words(value) is None:
            self._shape("triggers", "a mapping of keywords, verbs and patterns", value)

    def providers(self, value: Node) -> None:
        if isinstance(value, Fields):
            for key, one in value.entries:
                self._one_of(f"providers.{key.text}", STRATEGIES, one)
        elif to_words(value) is None:
            self._shape("providers", "a list of providers, or a mapping of them", value)

    def _one_of(self, field: str, allowed: tuple[str, ...], value: Node) -> None:
        text = self._text(field, value, kinds=False)
        if text and text not in allowed:
            self.findings.add(
                rules.VALUE_NOT_KNOWN,
                f"`{field}` is `{shorten(text)}`, which is not known",
                span=value.place.span,
                hint=f"Choose one of {', '.join(allowed)}",
            )

    def _shape(self, field: str, expected: str, value: Node) -> None:
        self.findings.add(rules.VALUE_SHAPE, f"`{field}` is not {expected}", span=value.place.span)

    def _text(self, field: str, value: Node, *, kinds: bool = True) -> str | None:
        if not isinstance(value, Scalar):
            self.findings.add(
                rules.VALUE_KIND,
                f"`{field}` is {_kind_name(value)}, not text",
                span=value.place.span,
                hint="Write one text, in quotes if it holds special characters",
            )
            return None
        if kinds:
            self._not_text(field, value)
        return value.text.strip()

    def _not_text(self, field: str, value: Scalar) -> None:
        kind = scalar_kind(value, old=True)
        if kind not in (ScalarKind.TEXT, ScalarKind.NULL):
            self.findings.add(
                rules.VALUE_NOT_TEXT,
                f"`{field}` is {kind.value} to some readers of YAML",
                span=value.place.span,
                hint=f'Write "{value.text}" in quotes',
                fixable=True,
            )

    def hidden(self) -> None:
        """Look at every value, wherever it stands: a client may show any of them to the model."""
        front = self.document.front_matter
        if "\\" not in front and (front.isascii() or not _HIDDEN.search(front)):
            return
        for name, value in iter_scalars(self.fields):
            found = _HIDDEN.search(value.text)
            if found:
                self.findings.add(
                    rules.HIDDEN_CHARACTER,
                    f"`{shorten(name)}` holds the invisible character U+{ord(found[0]):04X}",
                    span=value.place.span,
                    hint="Remove it: a model reads it, a person does not see it",
                )


_CHECKS: Final[Mapping[str, Callable[[_FieldChecks, Node], None]]] = {
    "name": _FieldChecks.name,
    "description": _FieldChecks.description,
    "license": _FieldChecks.license,
    "compatibility": _FieldChecks.compatibility,
    "metadata": _FieldChecks.metadata,
    "allowed-tools": _FieldChecks.allowed_tools,
    "version": _FieldChecks.version,
    "display-name": _FieldChecks.display_name,
    "tags": _FieldChecks.tags,
    "category": _FieldChecks.category,
    "requires-tools": _FieldChecks.requires_tools,
    "triggers": _FieldChecks.triggers,
    "invocation": _FieldChecks.invocation,
    "providers": _FieldChecks.providers,
}


def iter_scalars(node: Node, name: str = "") -> Iterator[tuple[str, Scalar]]:
    """Yield every scalar with the dotted name of its place."""
    match node:
        case Scalar():
            yield name, node
        case Listing():
            for one in node.items:
                yield from iter_scalars(one, name)
        case Fields():
            for key, value in node.entries:
                yield from iter_scalars(value, f"{name}.{key.text}" if name else key.text)


def scalar_kind_of(value: Node) -> ScalarKind:
    """Tell how readers understand `value`; a list or mapping counts as text."""
    return scalar_kind(value) if isinstance(value, Scalar) else ScalarKind.TEXT


def _is_missing(value: Node | None) -> bool:
    return value is None or (isinstance(value, Scalar) and scalar_kind(value) is ScalarKind.NULL)


def _kind_name(value: Node) -> str:
    match value:
        case Listing():
            return "a list"
        case Fields():
            return "a mapping"
        case Scalar():
            return "text"


def _has_comma(text: str, tools: tuple[str, ...]) -> bool:
    return "," in text and " ".join(text.split()) != " ".join(tools)


_STAY: Final = known.CLIENTS | {"triggers", "providers"}
# A block to which every blank line below it belongs, also one that a field leaves behind.
_KEEPS_BLANKS: Final = re.compile(r"[|>][0-9]?\+")
# Marks that start or end a YAML document: a field must stand between them.
_DOCUMENT_MARKS: Final = ("---", "...", "%")
_KEY_END: Final = re.compile("[ \t]*:")


def _is_tidy(document: SkillDocument, fields: Fields) -> bool:
    text = document.text
    front = document.front_matter
    return (
        not fields.flow
        # A look for one character costs much less than a pattern.
        and not ("+" in front and _KEEPS_BLANKS.search(front))
        and not ("#" in front and _TOUCHING_REMARK.search(front))
        and not ((not front.isascii() or "\r" in front) and AMBIGUOUS.search(front))
        and not front.startswith(_DOCUMENT_MARKS)
        and not any(f"\n{mark}" in front for mark in _DOCUMENT_MARKS)
        and all(
            text[key.place.start - 1] == "\n"
            and (text[key.place.end] == ":" or _KEY_END.match(text, key.place.end))
            for key, _ in fields.entries
        )
    )


def _is_block(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style in {"|", ">"}


def _has_room(metadata: Node | None, key: str) -> bool:
    match metadata:
        case None:
            return True
        case Scalar():
            return not metadata.text and not metadata.style
        case Fields():
            return not metadata.flow and metadata.find(key) is None
        case Listing():
            return False


def _is_list_of_words(value: Node) -> bool:
    words = to_words(value)
    return bool(words) and " ".join(words or ()).replace(",", " ").split() == list(words or ())


def _move_hint(key: Scalar, value: Node) -> str:
    if key.text in _STAY:
        return "Some clients act on it; keep it and use the standard profile, or leave it out"
    if isinstance(value, Scalar):
        return f"Move it under `metadata`, as `{key.text}`"
    return "Remove it, or move what it says into the body"


def _directory_hint(name: str, directory: str) -> str:
    if is_name(directory):
        other = f", or rename the directory to `{name}`" if is_name(name) else ""
        return f"Write `name: {directory}`{other}"
    nearest = sanitize_name(directory) or sanitize_name(name) or "my-skill"
    return f"Rename the directory to `{nearest}` and write `name: {nearest}`"
