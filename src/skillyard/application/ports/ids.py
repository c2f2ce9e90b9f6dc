"""Where new identities come from."""

from typing import Protocol


class IdSource(Protocol):
    """A source of identities that nobody else has."""

    def new_id(self) -> str:
        """Give a UUID as text that was never given before; later ones sort behind earlier ones."""
        ...
