"""The language: frozen values, pure functions and every error. Standard library only."""
