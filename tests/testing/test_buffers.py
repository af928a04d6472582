"""Messages of buffers that differ."""

import math

import numpy
import pytest

from zedbg.testing.buffers import Buffer, Comparison, assert_close, assert_equal


def lines(actual, expected, **bounds):
    return list(Comparison(actual, expected, **bounds).lines())


def test_equal_buffers_are_equal_whatever_they_are_made_of():
    values = [1.0, 2.0, math.nan, math.inf]
    buffer = Buffer(values, (4,))
    assert buffer == values
    assert buffer == numpy.array(values)
    assert buffer == numpy.array(values).reshape(2, 2)
    assert buffer != [1.0, 2.0, math.nan, -math.inf]
    assert Buffer([0, 0], (2,)) == 0
    assert numpy.array_equal(numpy.asarray(Buffer([1, 2], (2,))), [1, 2])


def test_another_number_of_elements_is_said():
    assert lines([1, 2], [1, 2, 3]) == ["2 elements, not 3"]


def test_plane_is_shown_as_one():
    actual = numpy.arange(48.0).reshape(6, 8)
    expected = actual.copy()
    expected[3, 4] = -1
    buffer = Buffer(actual.ravel().tolist(), (48,), (8, 6, 1), (4, 2, 1))
    text = lines(buffer, expected)
    assert text[0] == (
        "1 of 48 work-items are wrong; the first is work-item (4,3,0) (work-group (1,1,0), "
        "local id (0,1,0)): 28, not -1"
    )
    assert text[1].strip() == "is, around it (wrong ones are marked with >):"
    assert text[4].split() == ["(2,3,0)", "26", "27", ">28", "29", "30"]
    assert text[10].split() == ["(2,3,0)", "26", "27", "-1", "29", "30"]


def test_elements_that_are_no_work_items_have_an_index():
    text = lines(Buffer([1, 2, 3], (3,), (64, 1, 1)), [1, 2, 4])
    assert text[0] == "1 of 3 elements are wrong; the first is element [2]: 3, not 4"
    assert text[-1].split() == [">", "[2]", "3", "4"]


def test_bounds_are_those_that_are_given():
    assert_close([100.0], [100.00005])
    with pytest.raises(AssertionError, match="1 of 1"):
        assert_close([100.0], [100.1])
    assert_close([100.0], [100.1], relative=0.01)
    assert_close([0.0], [0.001], absolute=0.01)
    with pytest.raises(AssertionError):
        assert_close([math.inf], [1.0], relative=10)
    with pytest.raises(AssertionError):
        assert_equal([0.0], [math.nan])
