"""YAML, read by libyaml's parser into nodes that know their places.

- Every scalar stays the text that was written: nothing is turned into numbers or dates.
- Anchors, aliases and tags are findings and never followed; a key that stands twice is a finding.
- Depth and number of nodes are bounded while parsing, so no input can grow in memory.
- Refuses to know what the fields mean.
"""

from typing import Any, Final, NamedTuple

from yaml import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    MarkedYAMLError,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)
from yaml._yaml import CParser
from yaml.reader import ReaderError

from skillyard.domain.document import Fields, Listing, Node, Place, Scalar
from skillyard.domain.limits import Limits
from skillyard.skillmd import rules
from skillyard.skillmd.plainyaml import read_plain
from skillyard.skillmd.rules import Rule

# Past the constructors of named tuples, which take twice as long.
_new: Final = tuple.__new__


class YamlProblem(NamedTuple):
    """Something in the YAML that is not accepted."""

    rule: Rule
    message: str
    hint: str
    place: Place


class YamlTree(NamedTuple):
    """What was read: the root, or None where the text could not be read to its end."""

    root: Node | None
    problems: tuple[YamlProblem, ...]


class _StopError(Exception):
    """Reading must not go on."""

    def __init__(self, problem: YamlProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def parse_yaml(text: str, *, limits: Limits, part: tuple[int, int] | None = None) -> YamlTree:
    """Read the YAML in `part` of a file's text; never raises for what it holds.

    Without `part`, the whole text is read. Places count from the start of `text`.
    """
    whole = part or (0, len(text))
    plain = read_plain(text, whole, limits)
    if plain is not None:
        return YamlTree(plain, ())
    return compose_yaml(text, limits=limits, part=whole)


def compose_yaml(text: str, *, limits: Limits, part: tuple[int, int]) -> YamlTree:
    """Read any YAML; `parse_yaml` gives the same, and is quicker with what is plain."""
    composer = _Composer(text, limits, part)
    try:
        root = composer.compose()
    except _StopError as stop:
        return YamlTree(None, (*composer.problems, stop.problem))
    return YamlTree(root, tuple(composer.problems))


class _Composer:
    """Builds nodes from libyaml's events."""

    def __init__(self, text: str, limits: Limits, part: tuple[int, int]) -> None:
        self.problems: list[YamlProblem] = []
        self._text = text
        self._start, self._end = part
        # libyaml leaves a byte-order mark out at the start, and does not count it.
        self._start += text.startswith("\ufeff", *part)
        self._limits = limits
        self._depth = limits.front_matter_depth
        self._room = limits.front_matter_nodes
        self._next: Any = None

    def compose(self) -> Node | None:
        source = self._text[self._start : self._end]
        try:
            self._next = CParser(source).get_event
            self._next()  # the start of the stream
            if self._next().__class__ is StreamEndEvent:
                return None
            root = self._node(self._next(), 1)
            self._next()  # the end of the document
            self._finish(self._next())
        except MarkedYAMLError as error:
            raise _StopError(self._syntax(error)) from None
        except ReaderError as error:
            # Here libyaml counts bytes, and everywhere else characters.
            before = source.encode()[: error.position].decode(errors="ignore")
            raise _StopError(self._unreadable(len(before))) from None
        except UnicodeEncodeError as error:
            raise _StopError(self._unreadable(error.start)) from None
        except UnicodeDecodeError:
            raise _StopError(self._undecodable()) from None
        return root

    def _finish(self, event: Any) -> None:  # noqa: ANN401 (libyaml's events have no stubs)
        if event.__class__ is not StreamEndEvent:
            message = "the front matter holds a second YAML document"
            problem = YamlProblem(rules.YAML_SYNTAX, message, "", self._place(event, event))
            raise _StopError(problem)

    def _node(self, event: Any, depth: int) -> Node:  # noqa: ANN401
        self._room -= 1
        if self._room < 0 or depth > self._depth:
            raise _StopError(self._too_much(event))
        kind = event.__class__
        if kind is AliasEvent:
            self._problem(rules.YAML_ALIAS, f"the alias `*{event.anchor}` is not accepted", event)
            return Scalar("", "*", self._place(event, event))
        refused = "" if event.anchor is event.tag is None else self._refuse(event)
        if kind is ScalarEvent:
            place = self._place(event, event)
            return _new(Scalar, (event.value, refused or event.style, place))
        if kind is MappingStartEvent:
            return self._fields(event, depth + 1)
        return self._listing(event, depth + 1)

    def _refuse(self, event: Any) -> str:  # noqa: ANN401
        if event.anchor is not None:
            self._problem(rules.YAML_ALIAS, f"the anchor `&{event.anchor}` is not accepted", event)
        if event.tag is not None:
            self._problem(
                rules.YAML_TAG, f"the tag `{_as_written(event.tag)}` is not accepted", event
            )
        return self._text[self._start + event.start_mark.index]

    def _listing(self, start: Any, depth: int) -> Listing:  # noqa: ANN401
        items = []
        next_event = self._next
        while (event := next_event()).__class__ is not SequenceEndEvent:
            items.append(self._node(event, depth))
        return Listing(tuple(items), bool(start.flow_style), self._place(start, event))

    def _fields(self, start: Any, depth: int) -> Fields:  # noqa: ANN401
        entries = []
        seen = set()
        next_event = self._next
        while (event := next_event()).__class__ is not MappingEndEvent:
            key = self._node(event, depth)
            value = self._node(next_event(), depth)
            if not isinstance(key, Scalar):
                self._problem(rules.YAML_KEY, "a key is a list or mapping", event)
                continue
            if key.text == "<<" and not key.style:
                self._problem(rules.YAML_ALIAS, "the merge key `<<` is not accepted", event)
            if key.text in seen:
                self._problem(rules.YAML_DUPLICATE_KEY, f"`{key.text}` stands twice", event)
            seen.add(key.text)
            entries.append((key, value))
        return Fields(tuple(entries), bool(start.flow_style), self._place(start, event))

    def _place(self, first: Any, last: Any) -> Place:  # noqa: ANN401
        at = self._start
        return _new(Place, (at + first.start_mark.index, at + last.end_mark.index, self._text))

    def _problem(self, rule: Rule, message: str, event: Any) -> None:  # noqa: ANN401
        hint = _HINTS.get(rule.code, "")
        self.problems.append(YamlProblem(rule, message, hint, self._place(event, event)))

    def _too_much(self, event: Any) -> YamlProblem:  # noqa: ANN401
        limits = self._limits
        message = (
            f"more than {limits.front_matter_depth} levels"
            f" or {limits.front_matter_nodes:,} values are not accepted"
        )
        return YamlProblem(rules.YAML_TOO_DEEP, message, _FLATTEN, self._place(event, event))

    def _syntax(self, error: MarkedYAMLError) -> YamlProblem:
        problem = (error.problem or error.context or "it cannot be read").strip()
        mark = error.problem_mark or error.context_mark
        if error.context_mark and any(one in problem for one in _BLAMED_ON_THE_START):
            mark = error.context_mark
        place = self._point(mark.index if mark else 0)
        message, hint = _explain(problem, self._text[place.start : place.end])
        return YamlProblem(rules.YAML_SYNTAX, message, hint, place)

    def _unreadable(self, index: int) -> YamlProblem:
        message = "a control character is not accepted"
        hint = "Remove it; editors show it as a box or a code"
        return YamlProblem(rules.YAML_SYNTAX, message, hint, self._point(index))

    def _undecodable(self) -> YamlProblem:
        # A tag may hold bytes, written as `%ed`, that libyaml passes on and Python refuses.
        message = "a tag is not accepted"
        return YamlProblem(rules.YAML_TAG, message, _HINTS[rules.YAML_TAG.code], self._point(0))

    def _point(self, index: int) -> Place:
        start = min(self._start + index, self._end)
        is_at_end = start == self._end or self._text[start] == "\n"
        return Place(start, start if is_at_end else start + 1, self._text)


_HINTS: Final = {
    rules.YAML_ALIAS.code: "Write the value out in each place",
    rules.YAML_TAG.code: "Remove the tag; every value is text",
    rules.YAML_DUPLICATE_KEY.code: "Keep one of them; most readers take the last",
}

_FLATTEN: Final = "Front matter is a few fields; move data to a file of its own"
_QUOTE: Final = "Put the value in double quotes"

# Where the end is missing, or the start itself is wrong, people look at the start.
_BLAMED_ON_THE_START: Final = (
    "unexpected end of stream",
    "unexpected document indicator",
    "did not find expected alphabetic",
)

# libyaml's words, in the order in which they are looked for, ours, and what to do.
_WORDS: Final = (
    ("mapping values are not allowed", "a value that holds `: ` must stand in quotes", _QUOTE),
    ("block sequence entries are not allowed", "a list cannot start here", _QUOTE),
    ("unexpected end of stream", "a quote or bracket is not closed", "Close it"),
    ("unexpected document indicator", "a quote is not closed before the next `---`", "Close it"),
    ("did not find expected key", "this line does not go with the lines above it", _QUOTE),
    (
        "could not find expected ':'",
        "this line is neither `key: value` nor part of a value",
        "Indent it if it belongs to the value above",
    ),
    ("expected ',' or", "a bracket is not closed, or something follows in it", _QUOTE),
    ("expected <document start>", "something follows after the value", _QUOTE),
    ("did not find expected alphabetic", "`*` and `&` cannot start a plain value", _QUOTE),
    ("cannot start any token", "this character cannot start a value", _QUOTE),
    (
        "unknown escape character",
        "the backslash does not go with this character",
        "Write two backslashes, or put the value in single quotes",
    ),
    (
        "invalid Unicode character escape",
        "the escape stands for no character",
        r"Write the character itself, or its number in eight digits after `\U`",
    ),
    (
        "hexdecimal number",
        "the escape has too few digits",
        r"`\x` takes two hexadecimal digits, `\u` four and `\U` eight",
    ),
    (
        "expected comment or line break",
        "only a comment can follow `|` or `>`",
        "Start the text on the next line, and indent it",
    ),
    ("expected '-' indicator", "this line does not go with the list above it", "Indent it"),
    ("expected node content", "a value is missing", "Write it, or remove the comma"),
)


def _as_written(tag: str) -> str:
    return tag.replace("tag:yaml.org,2002:", "!!", 1)


def _explain(problem: str, character: str) -> tuple[str, str]:
    if character == "\t":
        return "a tab cannot indent YAML", "Indent with blanks"
    for theirs, ours, hint in _WORDS:
        if theirs in problem:
            return ours, hint
    return problem, _QUOTE
