"""Ports in memory, and makers of packages: for tests of your own, and for ours."""
