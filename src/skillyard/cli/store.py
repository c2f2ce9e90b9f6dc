"""Open the store alone, for commands that only look: the rest takes as long again to load."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click

from skillyard.application.ports.catalogue import Catalogue
from skillyard.application.ports.store import Store
from skillyard.bootstrap import open_catalogue, open_store
from skillyard.settings import Settings, read_settings


@contextmanager
def opened_store() -> Iterator[Store]:
    """Give the store that flags, environment and settings name, and close it afterwards."""
    store = open_store(find_settings())
    try:
        yield store
    finally:
        store.close()


@contextmanager
def opened_catalogue() -> Iterator[Catalogue]:
    """Give the list of skills alone, and close it afterwards."""
    catalogue = open_catalogue(find_settings())
    try:
        yield catalogue
    finally:
        catalogue.close()


def find_settings() -> Settings:
    """Give the settings that hold here, with the user's flags before everything else."""
    return read_settings(environment=os.environ, directory=Path.cwd(), overrides=find_overrides())


def find_overrides() -> Mapping[str, str]:
    """Give the settings that the user wrote as flags before the command's name."""
    said = click.get_current_context().find_root().obj
    return said if isinstance(said, Mapping) else {}
