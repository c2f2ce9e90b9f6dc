"""This machine: its clock, and identities that no other machine gives."""
