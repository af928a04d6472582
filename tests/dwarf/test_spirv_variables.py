"""What SPIR-V says of variables, compared with the source that it was made of."""

import random
import re
import struct
from itertools import pairwise

import pytest

from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS
from zedbg.zebin import Module
from zedbg.zebin.file_errors import ZebinError
from zedbg.zebin.spirv_variables import SpirvVariables

TRUTH = KERNELS / "truth"
RANDOM = (TRUTH / "random.cl").read_text().splitlines()
DECLARED = re.compile(r"uint (.*);$")
DEBUG = 1  # number of the instruction set
VARIABLE, VALUE, OPERATION, EXPRESSION = 26, 29, 30, 31


def spirv_of(build, kernel):
    module = Module.open(MODULES / "truth" / build / kernel)
    return module.section_bytes(module.section(".spv"))


def declared_at(kernel):
    """The line that declares the numbers of a kernel of random.cl."""
    head = next(n for n, text in enumerate(RANDOM, 1) if f"kernel void {kernel}(" in text)
    return next(n for n in range(head, head + 4) if DECLARED.search(RANDOM[n - 1]))


@pytest.mark.parametrize("build", ["igc1-pvc-O2", "igc2-dg2-O2"])
@pytest.mark.parametrize("kernel", ["branches_7", "branches_39", "branches_1"])
def test_after_an_assignment_a_variable_has_the_value_of_that_line(build, kernel):
    variables, line = SpirvVariables(spirv_of(build, kernel), kernel), declared_at(kernel)
    end = next(n for n in range(line, len(RANDOM)) if RANDOM[n].startswith("}"))
    held = 0
    for number, (assignment, store) in enumerate(pairwise(RANDOM[line:end]), line + 1):
        stored = re.fullmatch(r" *T\(\d+, (\w)\);", store)
        if stored is None or not re.match(rf" *{stored[1]} \S?= ", assignment):
            continue
        values = variables.values_of(stored[1], line)
        here = values.at("random.cl", number + 1)
        # The optimiser may have found that nothing changes, or what it is.
        if values.made_at("random.cl", number):
            assert values.lines_of(here) == [number], assignment
            held += 1
        else:
            assert number not in values.lines_of(here)
    assert held >= 10


class Assembler:
    """SPIR-V of one function, of the instructions that matter here."""

    def __init__(self):
        self.words = [0x07230203, 0x10100, 0, 1000, 0]
        self.emit(11, DEBUG, *_text("OpenCL.DebugInfo.100"))
        self.emit(7, 2, *_text("/tmp/a.cl"))
        self.emit(7, 3, *_text("x"))
        self.debug(10, VARIABLE, 3, 0, 0, 4, 0, 0)
        self.debug(11, EXPRESSION)

    def emit(self, opcode, *operands):
        self.words.append((len(operands) + 1) << 16 | opcode)
        self.words += operands

    def debug(self, result, instruction, *operands):
        self.emit(12, 9, result, DEBUG, instruction, *operands)

    def line(self, number, *instructions):
        """Instructions of a line, as opcode and operands, in a block."""
        self.emit(8, 2, number, 1)
        for instruction in instructions:
            self.emit(*instruction)

    def value(self, number, expression=11):
        self.debug(900, VALUE, 10, number, expression)

    def variables(self):
        return SpirvVariables(struct.pack(f"<{len(self.words)}I", *self.words), "m")


def _text(text):
    data = text.encode() + b"\0" * (4 - len(text) % 4)
    return struct.unpack(f"<{len(data) // 4}I", data)


def two_ways(expression=11):
    """x = 5:a; if (..) x = 6:b; 7: .. x ..; 8: x = c; 9: x."""
    made = Assembler()
    made.emit(54, 9, 20, 0, 0)
    made.emit(248, 30)
    made.line(5, (128, 9, 100, 1, 1))
    made.value(100, expression)
    made.emit(250, 99, 31, 32)
    made.emit(248, 31)
    made.line(6, (128, 9, 101, 1, 1))
    made.value(101)
    made.emit(249, 32)
    made.emit(248, 32)
    made.emit(245, 9, 102, 100, 30, 101, 31)
    made.value(102)
    made.line(7, (62, 50, 102))
    made.line(8, (128, 9, 103, 102, 1))
    made.value(103)
    made.line(9, (62, 50, 103))
    made.emit(253)
    made.emit(56)
    return made


def test_where_ways_meet_the_value_is_one_of_those_that_came_there():
    values = two_ways().variables().values_of("x", 4)
    assert values.at("a.cl", 5) == {100}  # at its jump
    assert values.at("a.cl", 6) == {100, 101}
    assert values.at("a.cl", 7) == {100, 101, 102}
    assert values.lines_of(values.at("a.cl", 7)) == [5, 6]
    assert values.made_at("a.cl", 8) == {103}
    assert values.at("a.cl", 9) == {103}
    assert values.made_at("a.cl", 9) == frozenset()  # a store makes none
    assert values.at("other.cl", 9) == frozenset()


def test_without_a_phi_both_values_may_be_there():
    made = two_ways()
    at = made.words.index(7 << 16 | 245)
    del made.words[at : at + 7]
    index = made.words.index(102, at)
    del made.words[index - 6 : index + 2]  # its DebugValue
    assert made.variables().values_of("x", 4).at("a.cl", 7) == {100, 101}


def test_a_variable_that_is_said_by_parts_or_by_address_is_left_out():
    made = two_ways(expression=13)
    assert made.variables().values_of("x", 4).at("a.cl", 9) == frozenset()
    made = Assembler()
    made.debug(12, OPERATION, 0)  # Deref
    made.debug(13, EXPRESSION, 12)
    rest = two_ways(expression=13)
    made.words += rest.words[rest.words.index(5 << 16 | 54) :]
    assert made.variables().values_of("x", 4).at("a.cl", 9) == frozenset()


def test_expressions_of_address_spaces_change_no_value():
    made = Assembler()
    made.debug(12, OPERATION, 6)  # Xderef
    made.debug(13, EXPRESSION, 12)
    rest = two_ways(expression=13)
    made.words += rest.words[rest.words.index(5 << 16 | 54) :]
    assert made.variables().values_of("x", 4).at("a.cl", 9) == {103}


def test_other_names_and_lines_are_other_variables():
    variables = two_ways().variables()
    assert variables.values_of("y", 4).at("a.cl", 9) == frozenset()
    assert variables.values_of("x", 5).at("a.cl", 9) == frozenset()
    assert SpirvVariables(b"", "m").values_of("x", 4).at("a.cl", 9) == frozenset()


def test_damage_is_reported_as_such_or_skipped():
    words, dice, reported = two_ways().words, random.Random(6), 0
    for _ in range(3000):
        damaged = list(words)
        for _ in range(dice.randint(1, 4)):
            damaged[dice.randrange(len(damaged))] = dice.choice(
                [dice.getrandbits(32), dice.randrange(300), dice.randrange(9) << 16 | 12]
            )
        del damaged[dice.randrange(5, len(damaged)) :]
        try:
            data = struct.pack(f"<{len(damaged)}I", *damaged)
            SpirvVariables(data, "m").values_of("x", 4).at("a.cl", 9)
        except ZebinError:
            reported += 1
    assert 0 < reported < 3000
