"""Run the command as `python -m skillyard`."""

from skillyard.cli.main import main

if __name__ == "__main__":
    main()
