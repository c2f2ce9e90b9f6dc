"""What every test shares: how hard Hypothesis tries.

The gate tries the same examples each time, so that it never fails by chance. To look for new ones:
`pytest --hypothesis-profile=thorough`.
"""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "gate",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", settings.get_profile("gate"), derandomize=False, max_examples=3000
)
settings.load_profile("gate")
