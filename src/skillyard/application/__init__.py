"""Use cases: one module each. `ports` says what they need from outside."""
