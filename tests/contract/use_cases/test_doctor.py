"""What the doctor promises, on every store."""

import hashlib

import pytest

from skillyard.application.doctor import Examined, StoreFault
from skillyard.application.ports.store import Store
from skillyard.testing.packages import make_package
from tests.contract.conftest import Spoil
from tests.contract.use_cases.yards import make_yard, save


def faults(store: Store) -> list[StoreFault]:
    return [fault for one in make_yard(store).examine() for fault in one.faults]


@pytest.mark.requirement("STO-1")
def test_a_whole_store_has_no_faults(store: Store) -> None:
    yard = make_yard(store)
    save(yard)
    save(yard, body="Two.\n")
    save(yard, "forms")
    yard.delete("forms")

    examined = list(yard.examine())

    assert examined == [
        Examined("database"),
        *[Examined("package")] * 3,
        Examined("skill"),
        Examined("records"),
        Examined("log"),
    ]


@pytest.mark.requirement("STO-1")
def test_a_changed_byte_is_found_and_named(store: Store, spoil: Spoil) -> None:
    saved = save(make_yard(store), files={"references/a.md": "A\n"})

    spoil(hashlib.sha256(b"A\n").hexdigest(), b"B\n")

    (fault,) = faults(store)
    assert fault.place == str(saved.version.digest)
    assert "references/a.md" in fault.message


@pytest.mark.requirement("STO-1")
def test_a_changed_skill_md_is_found(store: Store, spoil: Spoil) -> None:
    save(make_yard(store))
    content = make_package("pdf").skill_md or b""

    spoil(hashlib.sha256(content).hexdigest(), content.replace(b"pdf", b"doc"))

    assert [fault.place.split(":")[0] for fault in faults(store)] == ["sha256", "pdf 1.0.0"]
