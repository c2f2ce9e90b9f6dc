"""What each client will do with a skill: load it, under what name, what it ignores or cuts.

The verdict is worked out from the bytes of SKILL.md, because every client has its own fences, its
own reader of YAML and its own repairs. `tests/corpus/client_variants.json` says what the real
programs did.
"""

from skillyard.skillmd.verdict.judge import ClientVerdict, judge_for_client

__all__ = ["ClientVerdict", "judge_for_client"]
