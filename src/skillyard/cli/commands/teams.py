"""`skillyard teams`: keep the teams."""

from skillyard.cli.belonging import list_members_of_team
from skillyard.cli.record_fields import reference_field, text_field
from skillyard.cli.records_view import RecordView, make_group
from skillyard.domain.records import Team

command = make_group(
    RecordView(
        kind=Team,
        plural="teams",
        about="Keep the teams: groups of agents.",
        fields=(reference_field("workspace", "Where it works."), text_field("description")),
        list_members=list_members_of_team,
    )
)
