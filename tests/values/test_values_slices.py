"""Slices, memory spaces and short names in expressions, over lanes of a thread made of bytes."""

import struct

import pytest

from tests.support.values.lane_threads import PRIVATE_BASE, stopped_in, texts, vadd_thread
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.values.expressions.api import evaluate
from zedbg.values.formats.formatting import format_value
from zedbg.values.typed.evaluation_error import EvaluationError

__all__ = ["vadd"]


@pytest.fixture
def vadd():
    return vadd_thread()


def shown(text, thread):
    return format_value(evaluate(text, thread).first)


def test_a_slice_is_the_elements_between(vadd):
    assert shown("b[2:6]", vadd) == "{2, 3, 4, 5}"
    assert shown("b[i:i + 3]", vadd) == "{0, 1, 2}"
    assert texts(evaluate("b[i:i + 2]", vadd, (0, 5))) == ["{0, 1}", "{5, 6}"]
    assert shown("sizeof(b[0:8])", vadd) == "32"
    assert evaluate("b[0:8]", vadd).type.name == "const float [8]"


def test_a_slice_of_an_array_stays_inside(vadd):
    vadd.map(0x5000, struct.pack("<4i", 1, 2, 3, 4))
    assert shown("(*(int *)0x5000@4)[1:3]", vadd) == "{2, 3}"
    with pytest.raises(EvaluationError, match="The array has 4 elements"):
        evaluate("(*(int *)0x5000@4)[1:5]", vadd)


@pytest.mark.parametrize("text", ["b[3:3]", "b[5:2]", "b[0:i]"])
def test_a_slice_has_one_length_of_at_least_one(vadd, text):
    with pytest.raises(EvaluationError, match="FIRST:END"):
        evaluate(text, vadd, range(8))


def test_the_choice_of_c_still_has_its_colon(vadd):
    assert shown("b[i ? 1 : 3]", vadd) == "3"
    assert shown("b[i ? 1 : 3:5]", vadd) == "{3, 4}"


def test_addresses_lie_in_the_space_that_is_named(vadd):
    vadd.map(0, struct.pack("<4f", 1.5, 2.5, 3.5, 4.5), MemorySpace.SLM)
    assert shown("*@slm (float *)4", vadd) == "2.5"
    assert shown("*(float *)@slm 8", vadd) == "3.5"
    assert shown("((float *)@local 0)[1:3]", vadd) == "{2.5, 3.5}"
    assert shown("*@global (float *)0x9004", vadd) == "0.5"
    assert shown(f"*@private (int *){PRIVATE_BASE + 0x124}", vadd) == "1"
    with pytest.raises(EvaluationError, match='No address space "@moon": one of @global'):
        evaluate("@moon 4", vadd)


def test_names_of_work_items_are_short(vadd):
    assert texts(evaluate("$_lane", vadd, (1, 4))) == ["1", "4"]
    assert texts(evaluate("$_global_id[0]", vadd, (0, 3))) == ["8", "11"]
    assert shown("$_local_id", vadd) == shown("$_workitem_local_id", vadd)


def test_vector_components_are_picked():
    thread, _info = stopped_in("igc2-dg2-O0/calls")
    thread.map(0x7000, struct.pack("<4f", 1, 2, 3, 4))
    vector = "(*(float4 *)0x7000)"
    assert shown(f"{vector}.y", thread) == "2"
    assert shown(f"{vector}.s31", thread) == "{4, 2}"
    assert shown(f"{vector}[1:3]", thread) == "{2, 3}"
