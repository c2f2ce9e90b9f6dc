"""A local index of what the skills of a store are about."""
