"""`skillyard nodes`: keep the nodes of workflows."""

from skillyard.cli.record_fields import hooks_field, reference_field, text_field
from skillyard.cli.records_view import RecordView, make_group
from skillyard.domain.records import Node

command = make_group(
    RecordView(
        kind=Node,
        plural="nodes",
        about="Keep the nodes: steps of workflows that have skills of their own.",
        fields=(
            reference_field("workspace", "Where the workflow belongs."),
            reference_field("agent", "The agent that carries the step out."),
            hooks_field(),
            text_field("description"),
        ),
    )
)
