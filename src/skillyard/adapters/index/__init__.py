"""Directories of skills, and what is remembered of them from one look to the next."""
