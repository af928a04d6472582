"""Call chains: stack calls and subroutines of real kernels, over threads made of bytes."""

import struct

import pytest

from tests.support.packed_modules import ZEBINS
from tests.support.values.values_fake_context import FakeThread
from zedbg.dwarf import CodePlaces, DebugInfo
from zedbg.dwarf.frames.unwind import backtrace
from zedbg.dwarf.reading.frame_section import FrameTable, RuleKind
from zedbg.dwarf.scopes.function_bytes import code_of
from zedbg.dwarf.trust.steps import steps_of
from zedbg.values.expressions.api import evaluate
from zedbg.values.source.frame_context import FrameContext
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.registers import Register, RegisterKind
from zedbg.zebin import Module

SCRATCH = 0x6000
RETURN_IP, RETURN_MASK, STACK_POINTER, FRAME_POINTER = 0, 4, 8, 12  # bytes of r127


def module(name):
    return DebugInfo.of(Module.open(ZEBINS / f"{name}.zebin"))


def call_of(info, caller, line):
    """An address after a call in ``caller``, at ``line``: where a callee returns to."""
    (function,) = info.functions_named(caller)
    rows = info.lines.rows_between(function.low, function.high)
    return [row.address for row in rows if row.line == line][-1] + 16


def instructions(info, function):
    """The addresses of its instructions."""
    code, platform = code_of(info.module, function)
    return [function.low + step.offset for step in steps_of(code, platform)]


def calls_in(info, function):
    """Where its calls go on."""
    code, platform = code_of(info.module, function)
    return [
        function.low + step.end
        for step in steps_of(code, platform)
        if step.decoded.opcode is Opcode.CALL
    ]


@pytest.fixture
def in_leaf():
    """calls at -O0: calls -> mid -> leaf, stopped in leaf after its prologue."""
    info = module("igc2-dg2-O0/calls")
    (leaf,) = info.functions_named("leaf")
    thread = FakeThread(info, CodePlaces(info).after_prologue(leaf).address)
    thread.set_register(RegisterKind.SBA, 8, struct.pack("<Q", SCRATCH))
    thread.set_register(RegisterKind.CE, 0, struct.pack("<I", 0x3F))
    into_mid, into_calls = call_of(info, "mid", 8), call_of(info, "calls", 18)
    # leaf's r127: what it saved lies at its frame pointer; mid's own r127 is what it saved.
    frame = struct.pack("<4I", into_mid, 0xFF, 0x140, 0x100)
    thread.set_register(RegisterKind.GRF, 127, frame)
    scratch = bytearray(0x200)
    # A call keeps the lanes that its caller was entered with.
    scratch[0x100:0x110] = struct.pack("<4I", into_mid, 0xFF, 0x100, 0x40)
    scratch[0x120:0x124] = struct.pack("<I", 0x3F)  # ce when leaf was entered
    scratch[0x40:0x50] = struct.pack("<4I", into_calls, 0xFF, 0x40, 0)
    scratch[0x60:0x64] = struct.pack("<I", 0xFF)
    # A copy of it that leaf has.
    thread.set_register(RegisterKind.GRF, 59, bytes(16) + bytes(scratch[0x100:0x110]))
    thread.map(SCRATCH, scratch)
    return thread, info


def test_a_chain_of_stack_calls_reaches_the_kernel(in_leaf):
    thread, info = in_leaf
    found = backtrace(info, thread)
    assert [(frame.level, frame.name, frame.line) for frame in found.frames] == [
        (0, "leaf", 2),
        (1, "mid", 8),
        (2, "calls", 18),
    ]
    assert found.stopped is None


def test_callers_know_which_lanes_called(in_leaf):
    thread, info = in_leaf
    frames = backtrace(info, thread).frames
    assert [frame.call_lanes for frame in frames[1:]] == [0x3F, 0xFF]
    context = FrameContext(thread, frames[1])
    assert context.active_lanes == 0x3F
    assert context.pc == frames[1].pc


def test_registers_of_callers_are_those_that_were_saved(in_leaf):
    thread, info = in_leaf
    frames = backtrace(info, thread).frames
    special = Register(RegisterKind.GRF, 127)
    stack = [struct.unpack_from("<I", f.state.register(special), STACK_POINTER)[0] for f in frames]
    assert stack == [0x140, 0x100, 0x40]
    lost = evaluate("$r8", FrameContext(thread, frames[1])).first
    assert lost.reason == "r8 was not saved by the called function"
    thread.set_register(RegisterKind.GRF, 100, bytes([7] * 32))
    kept = evaluate("$r100.ub[0]", FrameContext(thread, frames[1])).first
    assert kept.number == 7


def test_an_unreadable_stack_ends_the_chain_with_the_reason(in_leaf):
    thread, info = in_leaf
    thread.set_register(RegisterKind.SBA, 8, struct.pack("<Q", 0x7777_0000))
    found = backtrace(info, thread)
    # leaf has not called anything: where it returns to is still in a register.
    assert [frame.name for frame in found.frames] == ["leaf", "mid"]
    assert "cannot access memory" in found.stopped.reason


def test_a_chain_without_end_is_cut(in_leaf):
    thread, info = in_leaf
    # mid returns into itself for ever.
    into_mid = call_of(info, "mid", 8)
    block = thread.memory[next(iter(thread.memory))][SCRATCH]
    block[0x40:0x50] = struct.pack("<4I", into_mid, 0xFF, 0x40, 0x40)
    block[0x100:0x110] = struct.pack("<4I", into_mid, 0xFF, 0x40, 0x40)
    found = backtrace(info, thread, limit=20)
    assert len(found.frames) == 20
    assert "more than 20 frames" in found.stopped.reason


def test_subroutines_return_through_a_register():
    info = module("igc2-dg2-O2/calls")
    (leaf,) = info.functions_named("leaf")
    thread = FakeThread(info, leaf.low)
    into_calls = call_of(info, "calls", 18)
    thread.set_register(RegisterKind.GRF, 5, struct.pack("<I", into_calls))
    thread.set_register(RegisterKind.GRF, 30, b"\x09")
    frames = backtrace(info, thread).frames
    assert [frame.name for frame in frames] == ["leaf", "calls"]
    assert evaluate("$r30.ub[0]", FrameContext(thread, frames[1])).first.number == 9


def test_a_kernel_has_no_caller():
    info = module("igc2-dg2-O0/vadd")
    thread = FakeThread(info, info.functions[0].low + 0x640)
    assert [frame.name for frame in backtrace(info, thread).frames] == ["vadd"]


def test_subroutines_without_call_frame_information_are_unwound_by_their_code():
    info = module("igc1-dg2-O2/calls")
    (leaf,), (mid,), (calls,) = map(info.functions_named, ("leaf", "mid", "calls"))
    into_mid, into_calls = (calls_in(info, each)[0] for each in (mid, calls))
    for address in instructions(info, leaf):
        thread = FakeThread(info, address)
        returns_to = struct.pack("<4I", into_mid, 0xFF, into_calls, 0xFF)
        thread.set_register(RegisterKind.GRF, 5, returns_to)
        found = backtrace(info, thread)
        assert [frame.name for frame in found.frames] == ["leaf", "mid", "calls"]
        assert [frame.line for frame in found.frames[1:]] == [8, 18]


def test_where_nothing_says_how_a_function_returns_the_chain_says_so(monkeypatch):
    info = module("igc1-dg2-O2/calls")
    (leaf,) = info.functions_named("leaf")
    monkeypatch.setattr(info.code, "caller_places", lambda address, in_call: None)
    found = backtrace(info, FakeThread(info, leaf.low + 16))
    assert [frame.name for frame in found.frames] == ["leaf"]
    assert "call frame information" in found.stopped.reason


def test_rules_follow_the_addresses():
    info = module("igc2-dg2-O0/calls")
    (leaf,) = info.functions_named("leaf")
    entry = info.frames.entry_at(leaf.low)
    at_entry, inside, at_exit = (
        entry.row_at(address).rules[0].kind for address in (leaf.low, leaf.low + 0x90, leaf.high)
    )
    assert (at_entry, inside, at_exit) == (
        RuleKind.REGISTER,
        RuleKind.EXPRESSION,
        RuleKind.REGISTER,
    )


@pytest.mark.parametrize("size", [3, 11, 30, 300])
def test_a_damaged_section_is_one_clear_line(size):
    module_ = Module.open(ZEBINS / "igc2-dg2-O0" / "calls.zebin")
    data = module_.debug_section(".debug_frame").data[:size]
    with pytest.raises(ValueError, match=r"x\.zebin: debug information: \.debug_frame"):
        FrameTable(data, "x.zebin").entries  # noqa: B018
