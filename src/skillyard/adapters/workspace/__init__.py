"""What runs work on: empty directories, copies, and work trees of git."""
