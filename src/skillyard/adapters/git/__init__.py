"""Git, asked through its command."""
