"""The command. Each subcommand is imported when it is called."""
