"""Packages that the tests of the reports share, and a strategy for all others."""

from hypothesis import strategies as st

from skillyard.domain.diagnostic import Diagnostic, Severity, Span
from skillyard.skillmd import rules
from skillyard.skillmd.reports.reported import ReportedPackage

SKILL_MD = "---\nname: PDF-Tools\ndescription: >\n  Fill in\n  forms.\n---\n"
DIGEST = f"sha256:{'a' * 64}"

BAD_NAME = Diagnostic(
    code="SY202",
    severity=Severity.ERROR,
    message="`PDF-Tools` is not a skill name: only lower-case letters are allowed",
    span=Span(2, 7, 2, 16),
    hint="Use `pdf-tools`",
    fixable=True,
)
LONG_DESCRIPTION = Diagnostic(
    code="SY207",
    severity=Severity.WARNING,
    message="`description` has 2,000 characters, at most 1,024 are allowed",
    span=Span(3, 14, 6, 1),
)
UNUSUAL_PLACE = Diagnostic(
    code="SY313",
    severity=Severity.NOTE,
    message="`notes/` is not one of the usual places",
    path="notes/",
    hint="Usual are assets/, references/, scripts/",
)
NO_SKILL_MD = Diagnostic(
    code="SY101", severity=Severity.ERROR, message="there is no SKILL.md", path=""
)

PDF = ReportedPackage(
    location="skills/PDF-Tools",
    name="PDF-Tools",
    digest=DIGEST,
    diagnostics=(BAD_NAME, LONG_DESCRIPTION, UNUSUAL_PLACE),
    texts={"SKILL.md": SKILL_MD},
)
ARCHIVE = ReportedPackage(
    location="pdf.zip",
    name="PDF-Tools",
    digest=DIGEST,
    diagnostics=(BAD_NAME,),
    texts={"SKILL.md": SKILL_MD},
    container=True,
)
EMPTY = ReportedPackage(location="skills/empty", name=None, digest=None, diagnostics=(NO_SKILL_MD,))
GOOD = ReportedPackage(location="skills/good", name="good", digest=DIGEST, diagnostics=())


def about(line: str, *, start: int, stop: int, number: int = 1) -> ReportedPackage:
    """Make a package with one finding, about the columns `start` to `stop` of one line."""
    finding = Diagnostic(
        code="SY999",
        severity=Severity.NOTE,
        message="here",
        span=Span(number, start, number, stop),
    )
    return ReportedPackage(
        location="x",
        name="x",
        digest=None,
        diagnostics=(finding,),
        texts={"SKILL.md": "\n" * (number - 1) + line},
    )


def join_surrogates(text: str) -> str:
    """Make one character of each surrogate pair, as every reader of JSON does."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


ANY_TEXT = st.text(
    st.one_of(
        st.characters(exclude_categories=()),
        st.sampled_from(
            "\x1b\x9b\r\n\t\0\x7f\u202e\u2066\u200b\u2028\ufeff\ud800%:,#[](){}\\表e\u0301"
        ),
    ),
    max_size=30,
).map(join_surrogates)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    line, column = draw(st.integers(1, 4)), draw(st.integers(1, 40))
    if draw(st.booleans()):
        return Span(line, column, line, column + draw(st.integers(0, 40)))
    return Span(line, column, line + draw(st.integers(1, 3)), draw(st.integers(1, 40)))


DIAGNOSTICS = st.builds(
    Diagnostic,
    code=st.sampled_from([rule.code for rule in rules.RULES]),
    severity=st.sampled_from(Severity),
    message=ANY_TEXT,
    path=st.one_of(st.sampled_from(["SKILL.md", ""]), ANY_TEXT),
    span=st.none() | spans(),
    hint=ANY_TEXT,
    fixable=st.booleans(),
)
PACKAGES = st.lists(
    st.builds(
        ReportedPackage,
        location=ANY_TEXT,
        name=st.none() | ANY_TEXT,
        digest=st.none() | ANY_TEXT,
        diagnostics=st.lists(DIAGNOSTICS, max_size=3).map(tuple),
        texts=st.fixed_dictionaries({}, optional={"SKILL.md": ANY_TEXT}),
        container=st.booleans(),
        verdict=st.none() | st.dictionaries(ANY_TEXT, ANY_TEXT | st.none() | st.integers()),
    ),
    max_size=3,
)
"""Any packages at all: what they hold is as hostile as text can be."""
