"""Python's collector while very many objects are made."""

import gc

import pytest

from zedbg.values.tables.bulk import keeping_all


@pytest.fixture(autouse=True)
def collector():
    yield
    gc.enable()


def test_nothing_is_collected_inside_and_it_goes_on_after():
    with keeping_all():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_an_error():
    with pytest.raises(KeyError), keeping_all():
        raise KeyError
    assert gc.isenabled()


def test_a_collector_that_is_off_stays_off():
    gc.disable()
    with keeping_all(), keeping_all():
        assert not gc.isenabled()
    assert not gc.isenabled()
