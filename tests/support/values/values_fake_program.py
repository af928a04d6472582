"""A program made of types and bytes: the one that GDB was asked about for test_values_gdb."""

from __future__ import annotations

import struct

from tests.support.values.values_fake_context import FakeThread
from zedbg.dwarf.scopes.scopes import Scope, Variable
from zedbg.dwarf.types.program_types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    SHORT,
    UCHAR,
    UINT,
    VOID,
    ArrayType,
    BaseType,
    Encoding,
    EnumType,
    Member,
    PointerType,
    StructType,
)

S_BYTES = BaseType(1, "signed char", Encoding.SIGNED_CHAR)


def array(element, *counts):
    for count in reversed(counts):
        element = ArrayType(element.size * count, element, count)
    return element


def vector(element, count):
    return ArrayType(element.size * count, element, count, True)


FLAGS = EnumType(4, "E", {"A": 1, "B": 2, "C": 4})
CHOICE = EnumType(4, "E2", {"P": 1, "Q": 2, "R": 3})
IN = StructType(4, "In", "struct", [Member("h", SHORT, 0), Member("c", CHAR, 2)])
UNION = StructType(4, "U", "union", [Member("i", INT, 0), Member("f", FLOAT, 0)])
S = StructType(64, "S", "struct")
S.members += [
    Member("a", FLOAT, 0),
    Member("b", array(INT, 4), 4),
    Member("c", SHORT, 20),
    Member("pad", FLOAT, 24),
    Member("in", IN, 28),
    Member("u", UNION, 32),
    Member("e", FLAGS, 36),
    Member("t", array(CHAR, 5), 40),
    Member("p", PointerType(8, INT), 48),
    Member("uc", UCHAR, 56),
    Member("ok", BOOL, 57),
    Member("bf", INT, 58, 0, 3),
    Member("bg", UINT, 58, 3, 5),
]
INNER = StructType(4, "", "struct", [Member("y", INT, 0)])
ANONYMOUS = StructType(12, "", "struct", [Member("x", INT, 0), Member("q", array(INNER, 2), 4)])
S_DATA = struct.pack("<f4ih2xfhcx", 1.1, 1, 2, 3, 4, -7, 1e30, 3, b"x") + struct.pack(
    "<ii5s3xqB?B5x", 7, 5, b"ab", 0x1234, 200, True, (-2 & 7) | 17 << 3
)
BASE = 0x4000
NAMED = {
    "s": (S, S_DATA),
    "f4": (array(FLOAT, 4), struct.pack("<4f", 1.5, 0.1, -0.0, 1e-10)),
    "d": (DOUBLE, struct.pack("<d", 0.1)),
    "arr": (array(INT, 300), bytes(1200)),
    "rep": (array(INT, 20), struct.pack("<20i", *[1] * 12, 2, 3, *[0] * 6)),
    "str": (array(CHAR, 20), b"hello\n\x01".ljust(20, b"\0")),
    "zz": (array(CHAR, 16), bytes(16)),
    "mat": (array(INT, 2, 3), struct.pack("<6i", 1, 2, 3, 4, 5, 6)),
    "v4": (vector(FLOAT, 4), struct.pack("<4f", 1, 2, 3, 4)),
    "uv": (vector(UCHAR, 8), bytes([1, 2, 97, 200, 0, 0, 0, 0])),
    "e2": (CHOICE, struct.pack("<i", 3)),
    "e9": (FLAGS, struct.pack("<i", 9)),
    "e5": (CHOICE, struct.pack("<i", 5)),
    "e0": (FLAGS, struct.pack("<i", 0)),
    "h": (HALF, struct.pack("<e", 1.1)),
    "nanf_": (FLOAT, struct.pack("<I", 0x7FC00000)),
    "inf_": (FLOAT, struct.pack("<f", float("-inf"))),
    "big": (DOUBLE, struct.pack("<d", 1e300)),
    "u": (UINT, struct.pack("<I", 3000000000)),
    "l": (LONG, struct.pack("<q", -5)),
    "ps": (PointerType(8, S), struct.pack("<Q", BASE)),
    "ch": (CHAR, b"a"),
    "neg": (S_BYTES, b"\xfd"),
    "uch": (UCHAR, b"\xff"),
    "an": (ANONYMOUS, struct.pack("<3i", 1, 2, 3)),
    "ip": (PointerType(8, INT), struct.pack("<Q", 0x10)),
    "vp": (PointerType(8, VOID), struct.pack("<Q", 0x20)),
    "ctrl": (array(CHAR, 6), bytes([1, 2, 3, 4, 5, 6])),
    "full": (array(CHAR, 4), b"abcd"),
    "rep2": (array(INT, 30), struct.pack("<30i", *[5] * 30)),
    "sa": (array(S, 12), bytes(12 * 64)),
}


class FakeInfo:
    """As much of DebugInfo as expressions ask for: variables at fixed addresses."""

    globals = ()
    spirv = None

    def __init__(self, addresses):
        self.findings = {}
        self.variables = [
            Variable(name, NAMED[name][0], False, None, 0, expression=b"\x03" + encoded(address))
            for name, address in addresses.items()
        ]

    def variables_at(self, _address, _frame=None):
        scope = Scope(((0, 1),))
        return ((scope, variable) for variable in self.variables)

    def location_expression(self, variable, _address):
        return variable.expression

    def interleaved_partition(self, _variable, _address):
        return 0

    def simd_width_at(self, _address):
        return 8

    def functions_named(self, _name):
        return []

    def type_named(self, name):
        return {"S": S, "In": IN, "U": UNION, "E": FLAGS, "E2": CHOICE}.get(name)

    def enumerator(self, name):
        for enumeration in (FLAGS, CHOICE):
            if name in enumeration.enumerators:
                return enumeration, enumeration.enumerators[name]
        return None


def encoded(address):
    return struct.pack("<Q", address)


def program():
    """A thread in which every variable of NAMED lies in memory, from BASE on; and addresses."""
    memory = bytearray()
    addresses = {}
    for name, (_type, data) in NAMED.items():
        memory += bytes(-len(memory) % 64)
        addresses[name] = BASE + len(memory)
        memory += data
    thread = FakeThread(FakeInfo(addresses))
    thread.map(BASE, memory + bytes(64))
    return thread, addresses
