"""How hooks are written on the command line."""

from typing import Final

import click

from skillyard.domain.hook import Hook, Stage

_STAGES: Final = ", ".join(Stage)


class HookText(click.ParamType[Hook]):
    """A hook as `STAGE=COMMAND`."""

    name = "hook"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Hook:
        """See `click.ParamType.convert`."""
        if isinstance(value, Hook):
            return value
        stage, mark, command = str(value).partition("=")
        if not mark or stage not in set(Stage):
            self.fail(f"'{value}' is no STAGE=COMMAND with a stage of {_STAGES}", param, ctx)
        return Hook(Stage(stage), command)
