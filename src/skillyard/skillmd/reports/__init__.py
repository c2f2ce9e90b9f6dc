"""The findings about packages, written for people and for other programs.

Every renderer is lazy and yields whole lines without the last line end, so that a report can be
printed while packages are still being checked. Nothing here reads or prints.
"""
