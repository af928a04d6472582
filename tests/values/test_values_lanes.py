"""Expressions over the lanes of a thread stopped in real kernels, made of bytes."""

import struct

import pytest

from tests.support.values.lane_threads import PRIVATE_BASE, stopped_in, texts, vadd_thread
from tests.support.values.values_fake_context import FakeThread
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.missing import Missing
from zedbg.values.expressions.api import Expression, evaluate, variables
from zedbg.values.formats.formatting import format_value
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import Source
from zedbg.xe.registers import RegisterKind


@pytest.fixture
def vadd():
    return vadd_thread()


def test_a_local_of_all_lanes_is_one_read_of_memory(vadd):
    found = evaluate("i", vadd, range(8))
    assert texts(found) == [str(lane) for lane in range(8)]
    assert vadd.memory_reads == [(MemorySpace.PRIVATE, PRIVATE_BASE + 0x120, 32)]


def test_elements_that_lanes_index_differently_are_read_together(vadd):
    found = evaluate("a[i] + b[i]", vadd, range(8))
    assert [value.number for _lane, value in found] == [lane * 1.5 for lane in range(8)]
    assert found.type.name == "float"
    assert len(vadd.memory_reads) <= 6


def test_a_print_evaluates_in_the_focused_lane(vadd):
    vadd.focused_lane = 5
    assert format_value(evaluate("i", vadd).first) == "5"
    assert format_value(evaluate("&i", vadd).first) == f"(int *) {PRIVATE_BASE + 0x134:#x}"


def test_conditions_give_the_lanes_in_which_they_hold(vadd):
    condition = Expression("i > 2 && i % 2 == 0", vadd.debug_info)
    assert condition.condition(vadd).true == 0b01010000
    assert condition.condition(vadd, 0b11111).true == 0b10000
    assert Expression("$_simd_lane == 3 || n < 0", vadd.debug_info).condition(vadd).true == 0b1000
    assert Expression("i", vadd.debug_info).condition(vadd, 0).true == 0


def test_a_condition_that_one_lane_cannot_decide_says_why(vadd):
    # Lane 7 reads past what is mapped.
    found = Expression("b[i + 1] >= 0", vadd.debug_info).condition(vadd)
    assert found.true == 0b01111111
    assert found.unknown == 0b10000000
    assert found.reason == Missing("Cannot access memory at address 0xa020")


def test_the_right_side_is_not_read_where_the_left_decides(vadd):
    found = Expression("i < 100 || *(int *)0 == 1", vadd.debug_info).condition(vadd)
    assert found.true == 0xFF
    assert not any(address == 0 for _space, address, _size in vadd.memory_reads)


def test_inactive_lanes_have_no_locals_but_registers(vadd):
    vadd.active_lanes = 0b1
    assert texts(evaluate("i", vadd, (0, 5))) == ["0", "<lane 5 is inactive>"]
    assert texts(evaluate("$r22.ud[0]", vadd, (0, 5))) == ["256", "256"]


def test_assignment_writes_the_variable_of_each_lane(vadd):
    evaluate("n = i * 2", vadd, range(8))
    assert texts(evaluate("n", vadd, range(8))) == [str(lane * 2) for lane in range(8)]
    evaluate("n += 5", vadd, (3,))
    assert texts(evaluate("n", vadd, (2, 3, 4))) == ["4", "11", "8"]


def test_memory_is_written_through_pointers(vadd):
    evaluate("*(float *)0x9004 = 7.25", vadd)
    assert format_value(evaluate("a[1]", vadd).first) == "7.25"
    with pytest.raises(EvaluationError, match="0x5"):
        evaluate("*(float *)5 = 1", vadd)


def test_registers_are_read_and_written_as_any_element(vadd):
    vadd.set_register(RegisterKind.GRF, 10, struct.pack("<8f", *(0.5 * n for n in range(8))))
    assert format_value(evaluate("$r10.f", vadd).first) == "{0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5}"
    assert format_value(evaluate("$r10.f[3] * 2", vadd).first) == "3"
    evaluate("$r10.uw[1] = 0x4120", vadd)
    assert format_value(evaluate("$r10.f[0]", vadd).first) == "10"
    evaluate("$f0.ud = 5", vadd)
    assert bytes(vadd.registers[RegisterKind.FLAG][:4]) == b"\x05\0\0\0"
    assert format_value(evaluate("$f0", vadd).first) == "{5, 0}"
    with pytest.raises(EvaluationError, match="register ce cannot be written"):
        evaluate("$ce = 1", vadd)


def test_the_pc_is_shown_and_moved(vadd):
    before = vadd.pc
    assert format_value(evaluate("$pc", vadd).first) == f"(void *) {before:#x}"
    assert evaluate("$ip", vadd).first.number == before
    evaluate("$pc = $pc + 16", vadd)
    assert vadd.pc == before + 16
    assert evaluate("$cr0[2]", vadd).first.number == before + 16


def test_names_of_lanes_work_items_and_the_engine(vadd):
    assert texts(evaluate("$_simd_lane", vadd, (1, 4))) == ["1", "4"]
    assert texts(evaluate("$_workitem_global_id[0]", vadd, (0, 3))) == ["8", "11"]
    assert format_value(evaluate("$_workgroup", vadd).first) == "{1, 0, 0}"
    assert format_value(evaluate("$_answer + 1", vadd).first) == "43"
    assert format_value(evaluate("$nothing", vadd).first) == "<$nothing is not set>"


def test_variables_in_scope_say_when_they_are_not_set_yet():
    thread, info = stopped_in("igc2-dg2-O0/reduce")
    found = {each.variable.name: each.values.first for each in variables(thread)}
    assert list(found) == ["in", "out", "tmp", "n", "l", "g"]
    assert found["g"] == Missing("the program has not set it")
    variable = info.variable("g", thread.pc)
    first = min(entry.low for entry in variable.entries)
    place = info.location_expression(variable, thread.pc)
    assert place == Missing(f"not set yet at this address: it lives from {first:#x} on")


def test_without_debug_information_the_error_says_how_to_get_it():
    thread = FakeThread(None)
    with pytest.raises(EvaluationError, match="compile with -g"):
        evaluate("x", thread)
    assert format_value(evaluate("1 + 1", thread).first) == "2"
    assert list(variables(thread)) == []


def test_private_arrays_that_lanes_share_in_turns_are_put_together():
    """Element k of lane L lies at k * 32 + L * 4, though the debug information says otherwise."""
    thread, _info = stopped_in("igc2-dg2-O0/private", 16)
    function = thread.debug_info.function_at(thread.pc)
    assert function.name == "priv"
    (array,) = (v for v in function.variables if v.name == "a")
    assert thread.debug_info.interleaved_partition(array, thread.pc) == 4
    thread.set_register(RegisterKind.GRF, 5, struct.pack("<Q", PRIVATE_BASE), offset=16)
    rows = [[k * 10 + lane for lane in range(8)] for k in range(128)]
    thread.map(PRIVATE_BASE + 64, b"".join(struct.pack("<8i", *row) for row in rows))
    found = evaluate("a", thread, range(8))
    for lane, value in found:
        assert value.plain() == [k * 10 + lane for k in range(128)]
    assert len(thread.memory_reads) == 1
    assert texts(evaluate("a[7]", thread, (2, 5))) == ["72", "75"]
    assert texts(evaluate("a[1]@3", thread, (2,))) == ["{12, 22, 32}"]
    assert texts(evaluate("&a[1]", thread, (2,))) == [f"(int *) {PRIVATE_BASE + 64 + 32 + 8:#x}"]
    with pytest.raises(EvaluationError, match="interleaves"):
        evaluate("&a", thread)
    evaluate("a[3] = -1", thread, (4,))
    assert texts(evaluate("a[3]", thread, (3, 4, 5))) == ["33", "-1", "35"]


def test_locals_in_registers_of_optimised_code_are_read_for_both_halves():
    """vadd at -O2 keeps i of 32 lanes in four registers; lanes 16 on have their own location."""
    thread, info = stopped_in("igc2-dg2-O2/vadd", 4, simd_width=32)
    (variable,) = (v for v in info.functions[0].variables if v.name == "i")
    assert thread.debug_info.location_expression(variable, thread.pc)
    for register in range(128):
        lanes = struct.pack("<8i", *(register * 8 + n for n in range(8)))
        thread.set_register(RegisterKind.GRF, register, lanes)
    thread.is_changed_by_hand = True  # so values are taken from their places as they are
    numbers = [value.number for _lane, value in evaluate("i", thread, range(32))]
    assert numbers[:16] == list(range(numbers[0], numbers[0] + 16))
    assert numbers[16:] == list(range(numbers[16], numbers[16] + 16))
    assert thread.memory_reads == []
    evaluate("i = -9", thread, (20,))
    assert evaluate("i", thread, (20,)).first.number == -9


def test_a_value_that_its_register_does_not_have_is_computed_again():
    thread, _info = stopped_in("igc2-dg2-O2/vadd", 4, simd_width=32)
    value = evaluate("i", thread, (20,)).first
    assert value.number == 28  # the global id
    assert value.source is Source.RECOMPUTED
    with pytest.raises(EvaluationError, match="i has no place here"):
        evaluate("i = -9", thread, (20,))


def test_arrays_in_local_memory_are_read_from_it():
    thread, _info = stopped_in("igc2-dg2-O0/matmul", 13)
    tile = struct.pack("<256f", *range(256))
    thread.map(0, tile + tile, MemorySpace.SLM)
    assert texts(evaluate("As[1][2]", thread)) == ["18"]
    assert texts(evaluate("&As[0][1]", thread)) == ["(float *) 0x10000004"]
    assert {space for space, _address, _size in thread.memory_reads} == {MemorySpace.SLM}
