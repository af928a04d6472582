"""Structures for kernels lie in memory as C lays them out."""

import ctypes

import pytest

from zedbg.tools.kernel.arguments import Structure, parse_argument
from zedbg.tools.kernel.elements import ArgumentError


def test_members_are_aligned_as_in_c():
    class Mixed(ctypes.Structure):
        _fields_ = (
            ("a", ctypes.c_int8),
            ("b", ctypes.c_double),
            ("c", ctypes.c_int16 * 3),
            ("d", ctypes.c_uint32),
            ("e", ctypes.c_int8 * 5),
        )

    given = parse_argument("struct{i8=-1,f64=2.5,i16[3]=iota,u32=7,i8[5]=9}")
    expected = Mixed(-1, 2.5, (0, 1, 2), 7, (9, 9, 9, 9, 9))
    assert given == Structure(bytes(expected))


def test_a_vector_is_aligned_by_hand():
    given = parse_argument("struct { i32=1, align[16], f32[4]=2, i8[5]=3, align[16] }")
    assert isinstance(given, Structure)
    assert len(given.data) == 48
    assert given.data[:8] == b"\1\0\0\0\0\0\0\0"
    assert given.data[32:38] == b"\3\3\3\3\3\0"


@pytest.mark.parametrize(
    "text", ["struct{}", "struct{local[4]}", "struct{i32[2]>f}", "struct{i32=1,align[3]}"]
)
def test_what_is_no_structure_is_refused(text):
    with pytest.raises(ArgumentError):
        parse_argument(text)
