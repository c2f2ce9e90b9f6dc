"""The system of record in memory: the same promises as a database, and nothing to set up."""

from skillyard.testing.memory.store import MemoryStore

__all__ = ["MemoryStore"]
