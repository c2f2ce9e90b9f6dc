"""The choice: candidates and a request in, a resolution with reasons out. No input, no output."""

from skillyard.resolver.explain import Explanation, explain
from skillyard.resolver.resolve import resolve

__all__ = ["Explanation", "explain", "resolve"]
