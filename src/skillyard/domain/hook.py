"""Commands that are run around a run: they come from records and settings, never from a package."""

from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """When a hook is run, in this order."""

    PRE_INIT = "pre_init"
    INIT = "init"
    POST_INIT = "post_init"
    POST_RUN = "post_run"


@dataclass(frozen=True, slots=True)
class Hook:
    """A command of the shell that is run at a stage, in the run's workspace and environment."""

    stage: Stage
    command: str

    def __str__(self) -> str:
        return f"{self.stage}={self.command}"
