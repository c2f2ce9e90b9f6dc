"""The outside. Each adapter is a stranger to the others."""
