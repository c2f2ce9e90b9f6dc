"""Every reason for which a client does not take a skill, in words.

A refusal travels as an exception, because a repair may still turn it away.
"""

from skillyard.domain.client import Length
from skillyard.domain.diagnostic import Span

BOM = "\ufeff"
QUOTE = "Put the value in double quotes"
FENCES = "Start the file with a line `---`, and end the front matter with another"


class RefusedError(Exception):
    """A client does not take what it was given.

    `field` names the one to look at. `syntax` means that libyaml refuses the front matter: the
    reason is then looked for where the refusal is reported. `message` is what to say where "will
    not load it" is not the whole truth. `also` are further reasons.
    """

    def __init__(
        self,
        reason: str,
        *,
        field: str = "",
        span: Span | None = None,
        hint: str = "",
        syntax: bool = False,
        message: str = "",
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.field = field
        self.span = span
        self.hint = hint
        self.syntax = syntax
        self.message = message
        self.also: tuple[RefusedError, ...] = ()


def no_file() -> RefusedError:
    """There is no SKILL.md."""
    return RefusedError("there is no SKILL.md", hint="The file must be called SKILL.md")


def directory_skipped(directory: str) -> RefusedError:
    """The client never looks into a directory of this name."""
    return RefusedError(f"it does not look into a directory called `{directory}`")


def directory_not_shown() -> RefusedError:
    """The directory has a name that the client does not show."""
    return RefusedError("the directory's name holds `<`, `>`, hidden characters or two blanks")


def directory_unknown() -> RefusedError:
    """The name would have to come from a directory that is not known."""
    reason = "it has no name of its own, and the directory's name is not known"
    return RefusedError(reason, hint="Write a `name`")


def too_large(size: int, most: int) -> RefusedError:
    """The file has too many bytes."""
    reason = f"SKILL.md has {size:,} bytes, and at most {most:,} are read"
    return RefusedError(reason, hint="Move details to `references/`")


def not_utf8() -> RefusedError:
    """The file is not UTF-8."""
    return RefusedError("SKILL.md is not UTF-8 text", hint="Save it as UTF-8")


def no_front_matter(text: str) -> RefusedError:
    """The client sees no front matter in `text`."""
    if not text.strip():
        return RefusedError("SKILL.md is empty", hint=FENCES)
    span = Span(1, 1, 1, 1 + len(text.split("\n", 1)[0]))
    if text.startswith(BOM):
        hint = "Save the file as UTF-8 without a byte-order mark"
        return RefusedError("SKILL.md starts with a byte-order mark", span=span, hint=hint)
    if not text.startswith("---"):
        return RefusedError("SKILL.md does not start with `---`", span=span, hint=FENCES)
    return RefusedError("it sees no front matter between two `---` lines", span=span, hint=FENCES)


def language_unknown(language: str) -> RefusedError:
    """The word after the opening `---` is no language that the client knows."""
    hint = "Remove the word after the first `---`"
    return RefusedError(f"it does not know the front matter language `{language}`", hint=hint)


def run_as_code(title: str, language: str) -> RefusedError:
    """The client would run the front matter."""
    return RefusedError(
        "its front matter is code, and what that yields is not foreseen",
        span=Span(1, 1, 1, 1 + len(f"---{language}")),
        message=f"{title} runs the front matter as code whenever it looks for skills",
        hint="Remove the word after the first `---`, and write YAML",
    )


def not_yaml() -> RefusedError:
    """The front matter is not YAML to libyaml."""
    return RefusedError("the front matter is not YAML", hint=QUOTE, syntax=True)


def _unreadable(what: str) -> RefusedError:
    # YAML, but not to this client's reader.
    return RefusedError(f"the front matter cannot be read: {what}")


def tag_not_text() -> RefusedError:
    """A tag holds bytes that are no text."""
    return _unreadable("a tag is not text")


def second_document() -> RefusedError:
    """More than one YAML document stands between the fences."""
    return _unreadable("it holds a second YAML document")


def alias_unknown(anchor: str) -> RefusedError:
    """An alias has no anchor before it."""
    return _unreadable(f"the alias `*{anchor}` stands for nothing")


def too_many_values(most: int) -> RefusedError:
    """There are more values than Skillyard reads."""
    return _unreadable(f"it holds more than {most:,} values")


def too_many_handles(most: int) -> RefusedError:
    """There are more `%TAG` lines than Skillyard reads."""
    return _unreadable(f"it holds `%TAG` more than {most:,} times")


def too_deep() -> RefusedError:
    """Lists and mappings stand in each other too deeply."""
    return _unreadable("it is nested too deeply")


def repeats_too_much() -> RefusedError:
    """Aliases blow the front matter up."""
    return _unreadable("its aliases repeat too much")


def no_pairs() -> RefusedError:
    """The front matter is no mapping."""
    return _unreadable("it holds no `key: value` pairs")


def key_not_text() -> RefusedError:
    """A key is a list or mapping."""
    return _unreadable("a key is a list or mapping")


def flush_quotes() -> RefusedError:
    """A quoted value goes on at the start of a line."""
    return _unreadable("a quoted value goes on in a line that is not indented")


def tag_unknown(tag: str) -> RefusedError:
    """The reader does not know a tag, or not for such a value."""
    return _unreadable(f"it does not know the tag `{tag}` here")


def marked_first_key() -> RefusedError:
    """The first key of a mapping has a tag or an anchor."""
    return _unreadable("a tag or an anchor stands before the first key")


def merge_not_mapping() -> RefusedError:
    """`<<` has a value that cannot be merged."""
    return _unreadable("`<<` takes a mapping")


def stands_twice(key: str) -> RefusedError:
    """A key stands twice in one mapping."""
    return RefusedError(f"`{key}` stands twice", field=key, hint="Keep one of them")


def missing(field: str) -> RefusedError:
    """A field that the client needs is not there."""
    return RefusedError(f"`{field}` is missing", field=field, hint=f"Write a `{field}`")


def empty(field: str) -> RefusedError:
    """A field that the client needs holds nothing."""
    return RefusedError(f"`{field}` is empty", field=field, hint=f"Write a `{field}`")


def not_text(field: str, kind: str) -> RefusedError:
    """A field is something other than text."""
    hint = "" if kind in {"a list", "a mapping", "nothing"} else QUOTE
    return RefusedError(f"`{field}` is {kind}, not text", field=field, hint=hint)


def wrong_kind(field: str, expected: str) -> RefusedError:
    """A field is not what the client expects there."""
    return RefusedError(f"`{field}` is not {expected}", field=field, hint=f"Write {expected}")


def not_boolean(field: str) -> RefusedError:
    """A switch is not on or off, as YAML has it."""
    hint = "Write `true` or `false`, without quotes"
    return RefusedError(f"`{field}` is neither `true` nor `false`", field=field, hint=hint)


def too_long(field: str, text: str, length: Length) -> RefusedError:
    """A text is longer than the client takes."""
    number = f"{length.of(text):,} {length.unit}"
    reason = f"the {field} has {number}, and at most {length.limit:,} are taken"
    return RefusedError(reason, field=field, hint="Shorten it")


def name_refused(name: str, rule: str) -> RefusedError:
    """A name holds characters that the client does not take."""
    reason = f"it does not take `{name}` for a name"
    return RefusedError(reason, field="name", hint=f"A name may hold {rule}")


def name_in_use(name: str) -> RefusedError:
    """The client takes the name for that of another skill."""
    return RefusedError(f"it takes the name `{name}` for one that is in use", field="name")
