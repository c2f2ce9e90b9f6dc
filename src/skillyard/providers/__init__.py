"""The clients: what each agent program does with skills, as data."""
