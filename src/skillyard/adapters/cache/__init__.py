"""Packages kept on the disk of this machine: content-addressed, verified, disposable."""
