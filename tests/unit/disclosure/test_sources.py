"""Each kind of source has a label and a heading."""

import pytest

from skillyard.disclosure.sources import SOURCES, label_of, source_of
from skillyard.domain.resolution import Layer
from skillyard.domain.skill import SourceKind
from tests.unit.disclosure.making import REVIEW, make_candidate


@pytest.mark.requirement("DIS-1")
def test_every_kind_of_source_is_in_the_table_once() -> None:
    kinds = [*(one.value for one in SourceKind), *(one.value for one in Layer)]

    assert sorted(one.kind for one in SOURCES) == sorted(set(kinds) - {"store"})


@pytest.mark.requirement("DIS-1")
@pytest.mark.parametrize("kind", list(SourceKind))
def test_in_the_store_the_source_kind_decides(kind: SourceKind) -> None:
    assert source_of(make_candidate(source_kind=kind)).kind == kind.value


@pytest.mark.requirement("DIS-1")
@pytest.mark.parametrize("layer", [one for one in Layer if one is not Layer.STORE])
def test_elsewhere_the_layer_decides(layer: Layer) -> None:
    assert source_of(make_candidate(layer=layer)).kind == layer.value


@pytest.mark.requirement("DIS-1")
def test_a_plugins_label_names_it() -> None:
    assert label_of(REVIEW) == "plugin: acme-toolkit"
    assert label_of(make_candidate(layer=Layer.PLUGIN, owner="x] [admin")) == (
        r"plugin: x\] \[admin"
    )
