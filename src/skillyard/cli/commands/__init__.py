"""One module for each noun; a command parses, calls one use case, and prints the result."""
