"""What every cache of packages promises."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from skillyard.adapters.cache.disk import DiskCache
from skillyard.application.ports.cache import PackageCache, SweptCache
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import CorruptedContentError
from skillyard.domain.package import Package, PackageFile
from skillyard.testing.cache import MemoryCache
from skillyard.testing.clock import FixedClock
from skillyard.testing.packages import make_package

DAY = 24 * 3600.0
PDF = make_package(
    "pdf",
    files={
        "scripts/run.sh": PackageFile(b"#!/bin/sh\n", executable=True),
        "scripts/deep/er/logo.bin": bytes(range(256)) * 40,
        "references/größe.md": "größe",
        "references/empty.md": b"",
    },
)
CSV = make_package("csv", body="Read tables.\n")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture(params=["memory", "disk"])
def cache(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> PackageCache:
    if request.param == "memory":
        return MemoryCache(clock=clock)
    return DiskCache(tmp_path / "cache", clock=clock)


def never() -> Package:
    raise AssertionError


def giving(package: Package) -> Callable[[], Package]:
    return lambda: package


def is_kept(cache: PackageCache, package: Package) -> bool:
    asked: list[str] = []

    def fill() -> Package:
        asked.append("filled")
        return package

    assert cache.get(package.digest(), fill) == package
    return not asked


@pytest.mark.requirement("SYN-1")
@pytest.mark.parametrize("package", [PDF, CSV, Package.of({})], ids=["wide", "plain", "empty"])
def test_a_package_is_asked_for_once_and_then_given_as_it_was(
    cache: PackageCache, package: Package
) -> None:
    first = cache.get(package.digest(), lambda: package)
    again = cache.get(package.digest(), never)

    assert first == again == package
    assert list(again) == list(package)


@pytest.mark.requirement("SYN-1")
def test_nothing_is_kept_before_it_is_asked_for(cache: PackageCache) -> None:
    assert cache.sweep(unused_seconds=0, in_use=frozenset()) == SweptCache(0, 0, 0)


@pytest.mark.parametrize("ask", ["get", "lay_down"])
def test_other_content_than_was_asked_for_is_refused_and_not_kept(
    cache: PackageCache, ask: str
) -> None:
    method: Callable[[TreeDigest, Callable[[], Package]], object] = getattr(cache, ask)

    with pytest.raises(CorruptedContentError) as caught:
        method(PDF.digest(), lambda: CSV)

    assert caught.value.hints == (f"Expected {PDF.digest()}, found {CSV.digest()}",)
    assert not is_kept(cache, PDF)


def test_a_failure_to_fill_is_passed_on_and_nothing_is_kept(cache: PackageCache) -> None:
    with pytest.raises(AssertionError):
        cache.get(PDF.digest(), never)

    assert not is_kept(cache, PDF)


def test_what_is_unused_for_long_is_swept_unless_it_is_in_use(
    cache: PackageCache, clock: FixedClock
) -> None:
    old, used, protected = (make_package(name) for name in ("old", "used", "protected"))
    for package in (old, used, protected):
        cache.get(package.digest(), giving(package))
    clock.advance(20 * DAY)
    cache.get(used.digest(), never)
    clock.advance(20 * DAY)

    swept = cache.sweep(unused_seconds=30 * DAY, in_use=frozenset({protected.digest()}))

    assert swept == SweptCache(packages=1, leftovers=0, bytes=old.size)
    assert is_kept(cache, used)
    assert is_kept(cache, protected)
    assert not is_kept(cache, old)


def test_laying_down_is_a_use(cache: PackageCache, clock: FixedClock) -> None:
    cache.get(PDF.digest(), lambda: PDF)
    clock.advance(DAY)
    cache.lay_down(PDF.digest(), never)

    assert cache.sweep(unused_seconds=1, in_use=frozenset()).packages == 0
    assert is_kept(cache, PDF)


def test_everything_is_swept_when_no_time_counts_as_used(
    cache: PackageCache, clock: FixedClock
) -> None:
    for package in (PDF, CSV):
        cache.get(package.digest(), giving(package))
    clock.advance(0.001)

    swept = cache.sweep(unused_seconds=0, in_use=frozenset())

    assert swept == SweptCache(packages=2, leftovers=0, bytes=PDF.size + CSV.size)


@pytest.mark.requirement("SYN-1")
def test_many_may_ask_for_the_same_at_once(cache: PackageCache) -> None:
    packages = [make_package(f"skill-{number % 4}") for number in range(40)]

    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda one: cache.get(one.digest(), lambda: one), packages))

    assert given == packages
    assert all(is_kept(cache, one) for one in packages)
