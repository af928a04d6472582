"""Breakpoint bits in code: in and out on every instruction of every kernel, and never seen."""

import pytest

from tests.support.engine.debug_double import DebugDouble
from tests.support.packed_modules import ZEBINS
from zedbg.engine.modules.code_memory import CodeMemory
from zedbg.engine.modules.instruction_bits import InstructionBits

MODULES = sorted(
    f"{path.parent.name}/{path.stem}"
    for build in ("igc1-dg2-O0", "igc2-dg2-O2")
    for path in (ZEBINS / build).glob("*.zebin")
)


def code_of(double):
    first = double.section.address
    return CodeMemory(double, lambda _address: (first, first + len(double.code)))


def addresses(double):
    offset = 0
    while offset + 16 <= len(double.code):  # the rest is padding
        yield double.section.address + offset
        offset += InstructionBits.at(bytes(double.code[offset : offset + 16])).size


@pytest.mark.parametrize("module", MODULES)
def test_every_instruction_takes_a_breakpoint_and_gives_it_back(module):
    double = DebugDouble(module)
    code = code_of(double)
    original = bytes(double.code)
    first = double.section.address
    everywhere = list(addresses(double))
    for address in everywhere:
        code.insert(address)
        bits = InstructionBits.at(bytes(double.code[address - first : address - first + 16]))
        assert bits.has_breakpoint
    assert code.hide(first, bytes(double.code)) == original
    assert code.cached(first, len(original)) == original
    for address in everywhere:
        code.remove(address)
    assert bytes(double.code) == original


def test_two_users_of_one_address_share_the_bit():
    double = DebugDouble()
    code = code_of(double)
    original = bytes(double.code)
    address = double.section.address
    code.insert(address)
    code.insert(address)
    code.remove(address)
    assert bytes(double.code) != original
    code.remove(address)
    assert bytes(double.code) == original


def test_a_bit_that_the_program_brought_along_stays():
    double = DebugDouble()
    code = code_of(double)
    address = double.section.address
    bit = InstructionBits.at(bytes(double.code[:16])).breakpoint_bit
    double.code[bit // 8] |= 1 << bit % 8
    original = bytes(double.code)
    code.insert(address)
    code.remove(address)
    assert bytes(double.code) == original


def test_a_compacted_instruction_at_the_very_end_takes_a_breakpoint():
    double = DebugDouble("igc2-dg2-O2/vadd")
    place = next(
        address
        for address in addresses(double)
        if InstructionBits.at(bytes(double.code[address : address + 16])).size == 8
    )
    double.code = double.code[: place + 8]
    code = code_of(double)
    code.insert(place)
    assert InstructionBits.at(bytes(double.code[place:])).has_breakpoint


@pytest.mark.parametrize("count", [1, 2, 7])
def test_breakpoints_for_a_moment_leave_others_and_what_the_program_brought_along(count):
    double = DebugDouble()
    code = code_of(double)
    first = double.section.address
    places = list(addresses(double))[3 : 3 + count]
    theirs = places[-1] - first
    bit = InstructionBits.at(bytes(double.code[theirs : theirs + 16])).breakpoint_bit
    double.code[theirs + bit // 8] |= 1 << bit % 8
    original = bytes(double.code)
    code.insert(places[0])
    with_one = bytes(double.code)
    before = code.insert_together(places)
    for address in places:
        bits = InstructionBits.at(bytes(double.code[address - first : address - first + 16]))
        assert bits.has_breakpoint
    assert code.hide(first, bytes(double.code)) == original
    code.remove_together(places, before)
    assert bytes(double.code) == with_one
    before = code.insert_together(places)
    code.remove(places[0])  # by the command that had it there
    assert code.has_breakpoint(places[0])
    code.remove_together(places, before)
    assert bytes(double.code) == original
