"""What the loaders of all clients share: what they are given, what they give, how they refuse."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from skillyard.domain.client import Client, YamlStyle
from skillyard.domain.diagnostic import Diagnostic, Severity, Span
from skillyard.domain.limits import STANDARD
from skillyard.skillmd import rules
from skillyard.skillmd.rules import Rule
from skillyard.skillmd.verdict import refusal
from skillyard.skillmd.verdict.clientyaml import Branch, Leaf, YamlNode
from skillyard.skillmd.verdict.fences import Cut, cut_file
from skillyard.skillmd.verdict.refusal import RefusedError
from skillyard.skillmd.yamltree import parse_yaml

T = TypeVar("T")

_ENTRY: Final = re.compile(r"^([A-Za-z_][A-Za-z0-9_-]*)[ \t]*:", re.MULTILINE)


MOST_JOINED: Final = 65_536
"""No more characters than this are put together from lists: aliases repeat a long text for little.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What a client makes of a skill; `description` is what the model sees."""

    name: str
    description: str | None
    fields: tuple[str, ...] = ()
    user_invocable: bool = True
    model_invocable: bool = True


@dataclass(slots=True, kw_only=True)
class Skill:
    """A SKILL.md as a client is given it, and what was found about it so far.

    `had_bom` means that the client took a byte-order mark off `text`. The `path` of findings is
    empty where there is no file. `room` is how many characters lists may still be turned into.
    """

    client: Client
    text: str
    directory: str | None
    path: str = "SKILL.md"
    had_bom: bool = False
    cut: Cut | None = None
    room: int = MOST_JOINED
    diagnostics: list[Diagnostic] = field(default_factory=list)
    refusals: list[RefusedError] = field(default_factory=list)

    @property
    def style(self) -> YamlStyle:
        """The YAML reader that the client uses."""
        return self.client.reading.yaml

    def take_directory(self) -> str:
        """Give the directory's name, for want of another.

        Raises:
            RefusedError: It is not known.
        """
        if self.directory is None:
            raise refusal.directory_unknown()
        return self.directory

    def attempt(self, step: Callable[[], T], *, otherwise: T) -> T:
        """Give what `step` gives; a refusal is kept for `settle`, so that others are found too."""
        try:
            return step()
        except RefusedError as refused:
            self.refusals.append(refused)
            return otherwise

    def settle(self) -> None:
        """Refuse the skill if any attempt was refused.

        Raises:
            RefusedError: The first refusal, with the others in `also`.
        """
        if self.refusals:
            first, *others = self.refusals
            first.also = tuple(others)
            raise first

    def cut_or_refuse(self) -> Cut:
        """Cut the file in two.

        Raises:
            RefusedError: The client sees no front matter.
        """
        self.cut = cut_file(self.text, self.client.reading.fences)
        if self.cut is None:
            raise refusal.no_front_matter(self.text)
        return self.cut

    def add(
        self,
        rule: Rule,
        message: str,
        *,
        field: str = "",
        span: Span | None = None,
        hint: str = "",
        severity: Severity | None = None,
    ) -> None:
        """Report a finding at `span`, or else at the line of `field`."""
        place = span or self.find_span(field)
        self.diagnostics.append(rule.finding(message, span=place, hint=hint, severity=severity))

    def find_span(self, field: str) -> Span | None:
        """Give the place of the first line of `field`, or None."""
        found = self._find_line(field)
        if found is None or self.cut is None:
            return None
        front = self.cut.front
        line = self.cut.lines + front.count("\n", 0, found.start(1)) + 1
        column = found.start(1) - front.rfind("\n", 0, found.start(1))
        return Span(line, column, line, column + len(found[1].rstrip()))

    def find_written(self, field: str) -> str:
        """Give what stands after `field:` on its line, as it was written."""
        found = self._find_line(field)
        return found[2].strip() if found else ""

    def list_written_fields(self) -> tuple[str, ...]:
        """Give the keys of the lines that look like entries, for YAML that cannot be read."""
        return tuple(dict.fromkeys(_ENTRY.findall(self.cut.front))) if self.cut else ()

    def end_of_front(self) -> Span:
        """Give the place of the `---` that ends the front matter inside a line."""
        front = self.cut.front if self.cut else ""
        line = (self.cut.lines if self.cut else 0) + front.count("\n") + 1
        column = len(front) - front.rfind("\n")
        return Span(line, column, line, column + len("---"))

    def _find_line(self, field: str) -> re.Match[str] | None:
        if self.cut is None or not field:
            return None
        pattern = rf"^[ \t]*[\"']?({re.escape(field)}[\"']?[ \t]*:([^\n]*))"
        return re.search(pattern, self.cut.front, re.MULTILINE)

    def report_repair(self, fault: RefusedError, how: str) -> None:
        """Say that the client guesses, and what makes it."""
        told = self.explain(fault)
        self.add(
            rules.CLIENT_REPAIRS,
            f"{self.client.title} {how}, because {told.reason}",
            field=told.field,
            span=told.span,
            hint=told.hint,
        )

    def report_renamed(self, written: str, name: str) -> None:
        """Say that the client lists the skill under another name than was written."""
        if name != written:
            self.add(
                rules.CLIENT_NAME,
                f"{self.client.title} lists it as `{name}`",
                field="name",
                hint="Use lower-case letters, digits and hyphens",
            )

    def report_directory(self) -> None:
        """Say that the client takes the directory's name."""
        self.add(
            rules.CLIENT_REPAIRS,
            f"{self.client.title} takes the directory's name for the missing `name`",
            field="name",
            hint="Write a `name`",
        )

    def report_audience(self, *, user: bool, model: bool) -> None:
        """Say whom the client does not offer the skill to."""
        if not user and not model:
            message = f"{self.client.title} offers it to nobody"
            self.add(rules.CLIENT_HIDES, message, field="user-invocable")
        elif not user:
            # Claude Code takes anything but a yes for a no, which is not always what was meant.
            meant = self.find_written("user-invocable").lower() in {"false", "no", "off"}
            message = f"{self.client.title} does not offer it to the user"
            severity = Severity.NOTE if meant else None
            self.add(rules.CLIENT_HIDES, message, field="user-invocable", severity=severity)
        elif not model:
            self.add(
                rules.CLIENT_HIDES,
                f"{self.client.title} does not offer it to the model",
                field="disable-model-invocation",
                severity=Severity.NOTE,
            )

    def explain(self, fault: RefusedError) -> RefusedError:
        """Give a refusal with our own words and the place, where libyaml was the one to refuse."""
        if not fault.syntax or self.cut is None:
            return fault
        tree = parse_yaml(self.cut.front, limits=STANDARD)
        for problem in tree.problems:
            if problem.rule is rules.YAML_SYNTAX:
                reason = f"{fault.reason}: {problem.message}"
                span = _shift(problem.place.span, self.cut.lines)
                return RefusedError(reason, span=span, hint=problem.hint)
        return fault


Loader = Callable[[Skill], Loaded]


def list_fields(root: YamlNode | None) -> tuple[str, ...]:
    """Give the keys of the front matter, each once, in the order in which they stand."""
    if not isinstance(root, Branch):
        return ()
    return tuple(dict.fromkeys(key.text for key, _ in root.entries() if isinstance(key, Leaf)))


def _shift(span: Span, lines: int) -> Span:
    return Span(span.line + lines, span.column, span.end_line + lines, span.end_column)
