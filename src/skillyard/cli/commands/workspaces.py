"""`skillyard workspaces`: keep the workspaces."""

from skillyard.cli.belonging import list_members_of_workspace
from skillyard.cli.record_fields import text_field
from skillyard.cli.records_view import RecordView, make_group
from skillyard.domain.records import Workspace

command = make_group(
    RecordView(
        kind=Workspace,
        plural="workspaces",
        about="Keep the workspaces: places whose agents share the skills assigned to them.",
        fields=(text_field("description"),),
        list_members=list_members_of_workspace,
    )
)
