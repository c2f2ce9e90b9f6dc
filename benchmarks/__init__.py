"""Measurements that anyone can repeat, each beside a peer or a physical floor."""
