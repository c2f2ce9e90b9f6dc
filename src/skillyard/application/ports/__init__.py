"""What the use cases need from outside, named by role."""
