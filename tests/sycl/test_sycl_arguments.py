"""Arguments of the source against arguments of the compiled kernel."""

from __future__ import annotations

import pytest

from zedbg.sycl import ArgumentMap, PropertySets
from zedbg.sycl.property_sets import RawSet
from zedbg.sycl.property_values import EliminatedArguments
from zedbg.sycl.raw_property import byte_array

# Of six arguments, the first, third and last are removed.
MAP = ArgumentMap(EliminatedArguments(6, 0b100101))


def test_arguments_that_remain_move_up():
    assert [MAP.compiled_index(index) for index in range(6)] == [None, 0, None, 1, 2, None]
    assert [MAP.source_index(index) for index in range(3)] == [1, 3, 4]


def test_both_directions_agree_for_every_mask_of_six_arguments():
    for mask in range(64):
        arguments = ArgumentMap(EliminatedArguments(6, mask))
        compiled = [arguments.compiled_index(index) for index in range(6)]
        assert [index for index in compiled if index is not None] == list(
            range(6 - mask.bit_count())
        )
        for source, index in enumerate(compiled):
            assert (index is None) == bool(mask >> source & 1)
            assert index is None or arguments.source_index(index) == source


def test_without_a_mask_nothing_moves():
    arguments = ArgumentMap.of_kernel(PropertySets(()), "k")
    assert (arguments.compiled_index(7), arguments.source_index(7)) == (7, 7)


def test_the_mask_of_a_kernel_is_found_by_its_name():
    raw = [RawSet("SYCL/kernel param opt", [byte_array("k", b"\2", bits=3)])]
    arguments = ArgumentMap.of_kernel(PropertySets(raw), "k")
    assert [arguments.compiled_index(index) for index in range(3)] == [0, None, 1]


@pytest.mark.parametrize("index", [-1, 6])
def test_an_argument_that_the_source_does_not_have_is_refused(index):
    with pytest.raises(IndexError):
        MAP.compiled_index(index)


@pytest.mark.parametrize("index", [-1, 3])
def test_an_argument_that_the_kernel_does_not_have_is_refused(index):
    with pytest.raises(IndexError):
        MAP.source_index(index)
