"""One module for each step. A released step never changes."""
