"""The choice: candidates and a request in, a resolution with reasons out. No input, no output."""

from skillyard.resolver.explain import Explainer, Explanation, explain
from skillyard.resolver.resolve import resolve

__all__ = ["Explainer", "Explanation", "explain", "resolve"]
