"""`skillyard agents`: keep the agents."""

from typing import Final

from skillyard.cli.record_fields import (
    RecordField,
    Way,
    count_field,
    hooks_field,
    reference_field,
    text_field,
)
from skillyard.cli.records_view import RecordView, make_group
from skillyard.domain.records import Agent

_ALLOWED: Final = RecordField(
    name="allowlist",
    label="allowed skills",
    names_skills=True,
    nothing="every one",
    ways=(
        Way(
            "--allow",
            {"metavar": "SLUG", "multiple": True, "help": "Allow this skill; say it for each."},
        ),
        Way("--allow-none", {"help": "Allow no skill."}, means=()),
        Way("--allow-all", {"help": "Allow every skill, as at first."}, means=None),
    ),
)
_SWITCHED_OFF: Final = RecordField(
    name="disabled_skills",
    label="disabled skills",
    names_skills=True,
    ways=(
        Way(
            "--disable-skill",
            {"metavar": "SLUG", "multiple": True, "help": "Never load it; say it for each."},
        ),
        Way("--disable-none", {"help": "Disable no skill any more."}, means=(), takes_back=True),
    ),
)
_LIGHTWEIGHT: Final = RecordField(
    name="lightweight",
    label="lightweight",
    nothing="no",
    ways=(Way("--lightweight/--no-lightweight", {"help": "Load no skills for it."}),),
)

command = make_group(
    RecordView(
        kind=Agent,
        plural="agents",
        about="Keep the agents.",
        fields=(
            reference_field("team", "The team that it belongs to."),
            reference_field("workspace", "Where it works."),
            reference_field("provider", "The client that it usually runs in.", metavar="CLIENT"),
            _ALLOWED,
            _SWITCHED_OFF,
            count_field("context_window", "How many tokens it can read at once."),
            count_field("eager_limit", "How many skills are loaded whole, at most."),
            count_field("listed_limit", "How many skills are named, at most."),
            _LIGHTWEIGHT,
            hooks_field(),
            text_field("description"),
        ),
    )
)
