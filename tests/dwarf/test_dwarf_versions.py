"""Debug information of versions 4 and 5, in the 32- and the 64-bit format, of two compilers for the
processor: read as llvm-dwarfdump reads it, and evaluated as GDB does."""

import functools
import itertools
import json
import math
import os
import shutil
import struct
import subprocess
from collections import Counter

import pytest

from tests.support.dwarf.dwarf_dump import dumped_rows
from tests.support.dwarf.dwarf_reading import hold_against_dump
from tests.support.places import SUPPORT
from zedbg.dwarf import DebugInfo
from zedbg.dwarf.expressions.evaluator import Evaluator
from zedbg.dwarf.expressions.places import (
    ImplicitPlace,
    MemoryPlace,
    PiecedPlace,
    RegisterPlace,
    ValuePlace,
)
from zedbg.dwarf.expressions.surroundings import Surroundings
from zedbg.dwarf.frames.variable_frame import argument_passed, frame_base
from zedbg.dwarf.types.program_types import (
    ArrayType,
    BaseType,
    Encoding,
    EnumType,
    PointerType,
    StructType,
)
from zedbg.missing import Missing, MissingError
from zedbg.zebin import Module

HERE = SUPPORT / "dwarf"
SOURCE = HERE / "dwarf_programs" / "values.c"
STOPS = HERE / "processor_stops.py"
BUILDS = list(itertools.product(("gcc", "clang"), (4, 5), (32, 64), (0, 2)))
NAMES = [f"{compiler}-{version}-{bits}-O{level}" for compiler, version, bits, level in BUILDS]
_MACHINE = 18  # offset of e_machine in an ELF file's header
_INTELGT = 205


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Compiles the source, once for each way."""
    folder = tmp_path_factory.mktemp("versions")

    @functools.cache
    def make(compiler, version, bits, level):
        assert shutil.which(compiler), f"{compiler} is not installed"
        program = folder / f"{compiler}-{version}-{bits}-{level}"
        options = ["-w", "-no-pie", "-g", f"-gdwarf-{version}", f"-gdwarf{bits}", f"-O{level}"]
        subprocess.run([compiler, *options, str(SOURCE), "-o", str(program)], check=True)
        return program

    return make


def debug_info(program):
    """Its debug information, read as that of a module which has its addresses."""
    data = bytearray(program.read_bytes())
    struct.pack_into("<H", data, _MACHINE, _INTELGT)
    return DebugInfo.of(Module.from_bytes(bytes(data), program.name))


@pytest.mark.parametrize("how", BUILDS, ids=NAMES)
def test_every_version_and_format_is_read_as_llvm_dwarfdump_reads_it(build, how):
    program = build(*how)
    info = debug_info(program)
    counts = hold_against_dump(info, program)
    assert counts["expressions"] + counts["location list entries"] >= 20
    assert counts["DW_TAG_inlined_subroutine"] >= (2 if how[3] else 0)
    rows = info.lines.rows
    assert Counter(dumped_rows(program)) == Counter(
        (r.address, r.line, r.column, r.is_stmt, r.prologue_end, r.end) for r in rows
    )
    assert {row.file.path for row in rows} == {str(SOURCE)}


def test_every_kind_of_list_entry_is_read_as_llvm_dwarfdump_reads_it(tmp_path):
    program = tmp_path / "lists"
    source = HERE / "dwarf_programs" / "lists.s"
    command = ["gcc", "-nostdlib", "-no-pie", str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    info = debug_info(program)
    counts = hold_against_dump(info, program)
    assert counts["location list entries"] == 8
    (function,) = info.functions
    assert (function.name, function.line, len(function.ranges)) == ("function", 42, 7)
    listed, wide = function.variables
    assert wide.constant == (0x99AABBCCDDEEFF00 << 64 | 0x1122334455667788).to_bytes(16, "little")
    nowhere_else = function.low + 8
    assert info.location_expression(listed, nowhere_else) == bytes.fromhex("319f")
    assert info.location_expression(listed, function.low) == bytes.fromhex("50")
    indexed = info.location_expression(listed, function.low + 0x90)
    frame = StoppedProcessor({"stack": [function.low + 0x80, "2a" + 7 * "00"]}, {})
    (group,) = Evaluator(frame, (0,), Surroundings(unit=listed.unit)).place(indexed)
    assert group.place == MemoryPlace(0x2A)


class StoppedProcessor:
    """A frame of the program for the processor: what GDB wrote of it at a stop."""

    def __init__(self, stop, registers):
        self._registers = {int(number): value for number, value in registers.items()}
        self._start, text = stop["stack"]
        self._stack = bytes.fromhex(text)

    def register_bits(self, number, bit_offset, bit_size):
        if number not in self._registers:
            raise MissingError("the frame does not have this register")
        return self._registers[number] >> bit_offset & ((1 << (bit_size or 64)) - 1)

    def read_memory(self, _space, address, size):
        at = address - self._start
        if not 0 <= at <= len(self._stack) - size:
            raise MissingError("not on the stack")
        return self._stack[at : at + size]


def bits_at(frame, place, size):
    """The bits of what is at ``place``, ``size`` bytes; None for each that is lost."""
    match place:
        case MemoryPlace(addresses=address):
            return of_bytes(frame.read_memory(None, address, size))
        case RegisterPlace(bits=bits):
            return of_number(frame.register_bits(bits.registers, bits.bit_offsets, 128), size)
        case ValuePlace(values=value):
            return of_number(value, size)
        case ImplicitPlace(data=data):
            return of_bytes(data)
        case PiecedPlace(pieces=pieces):
            found = []
            for piece in pieces:
                whole = piece.bit_offset + piece.bit_size
                lost = piece.place is None
                inner = [None] * whole if lost else bits_at(frame, piece.place, -(-whole // 8))
                found += inner[piece.bit_offset : whole]
            return found + [None] * (size * 8 - len(found))
    raise AssertionError(place)


def of_bytes(data):
    return of_number(int.from_bytes(data, "little"), len(data))


def of_number(number, size):
    return [number >> bit & 1 for bit in range(size * 8)]


def value_of(bits, kind):
    """What GDB shows of a value of type ``kind``."""
    kind = kind.stripped()
    if isinstance(kind, StructType):
        return [
            value_of(bits[start : start + (member.bit_size or member.type.size * 8)], member.type)
            for member in kind.members
            for start in [member.offset * 8 + member.bit_offset]
        ]
    assert not isinstance(kind, ArrayType)
    if None in bits:
        return None
    number = sum(bit << index for index, bit in enumerate(bits))
    if isinstance(kind, BaseType) and kind.encoding is Encoding.FLOAT:
        return struct.unpack(
            "<d" if kind.size == 8 else "<f", number.to_bytes(kind.size, "little")
        )[0]
    unsigned = isinstance(kind, PointerType | EnumType) or kind.encoding in (
        Encoding.UNSIGNED,
        Encoding.UNSIGNED_CHAR,
    )
    return number if unsigned or not bits[-1] else number - (1 << len(bits))


def evaluated(info, variable, stop):
    """What zedbg makes of ``variable`` at ``stop``; None when there is a reason that it cannot."""
    frame = StoppedProcessor(stop, stop["registers"])
    outer = StoppedProcessor(stop, stop["outer"])
    pc = stop["pc"]

    def entry_value(expression):
        function = info.function_at(stop["outer_pc"] - 1)
        given = function and argument_passed(function, stop["outer_pc"], expression)
        if given is None:
            raise MissingError("the caller does not say")
        return Evaluator(outer, (0,), Surroundings(unit=function.unit)).number(given)

    def cfa():
        return stop["cfa"]

    def base():
        return frame_base(info.function_at(pc), frame, Surroundings(cfa))

    if variable.constant is not None:
        return variable.constant
    expression = info.location_expression(variable, pc)
    if isinstance(expression, Missing):
        return None
    around = Surroundings(cfa, base, entry_value, variable.unit)
    (group,) = Evaluator(frame, (0,), around).place(expression)
    if isinstance(group.place, Missing):
        return None
    try:
        return value_of(bits_at(frame, group.place, variable.type.size), variable.type)
    except MissingError:
        return None


def same(found, expected):
    if isinstance(found, list):
        # GDB takes what the pieces of a value do not reach for zero.
        pairs = zip(found, expected, strict=True)
        return all(one in (None, 0) if mine is None else same(mine, one) for mine, one in pairs)
    if isinstance(found, float):
        return math.isclose(found, expected, rel_tol=1e-12)
    return found == expected


def is_lost(value):
    return value is None or (isinstance(value, list) and all(map(is_lost, value)))


@pytest.mark.parametrize("how", [one for one in BUILDS if one[2] == (32 if one[1] == 4 else 64)])
def test_every_local_has_the_value_that_gdb_shows(build, how, tmp_path):
    program = build(*how)
    environment = {**os.environ, "STOPS": str(tmp_path / "stops"), "BY_INSTRUCTION": "1"}
    command = ["gdb", "-q", "-nx", "-batch", "-x", str(STOPS), str(program)]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (tmp_path / "stops").exists(), done.stdout + done.stderr
    info = debug_info(program)
    shown = 0
    for stop in json.loads((tmp_path / "stops").read_text()):
        variables = {}
        for _scope, variable in info.variables_at(stop["pc"]):
            variables.setdefault(variable.name, variable)
        for name, expected in stop["locals"].items():
            found = evaluated(info, variables[name], stop)
            if name == "to" and found is None:
                continue  # a pointer that GDB makes up, where its target is known
            assert is_lost(found) == is_lost(expected), (name, stop["function"], hex(stop["pc"]))
            if not is_lost(found):
                assert same(found, expected), (name, stop["function"], hex(stop["pc"]))
                shown += 1
    assert shown > 250
