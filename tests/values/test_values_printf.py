"""printf's text is that of the C library, for every conversion; vectors as OpenCL C writes them."""

import ctypes
import struct

import pytest

from zedbg.dwarf.types.program_types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    UCHAR,
    UINT,
    ULONG,
    ArrayType,
    PointerType,
)
from zedbg.missing import Missing
from zedbg.values.expressions.printf import PrintfFormat, split_printf
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.scalars import encode
from zedbg.values.typed.value import Value

LIBRARY = ctypes.CDLL(None)
INTEGERS = [0, 1, -1, 7, 255, 4711, -4711, 2**31 - 1, -(2**31)]
FLOATS = [0.0, -0.0, 1.0, 0.1, -2.5, 1e10, 1e-10, 123456789.0, float("inf"), float("nan")]
INTEGER_FORMS = ["%d", "%i", "%5d", "%-5d|", "%05d", "%+d", "% d", "%.3d", "%u", "%x", "%#x"]
INTEGER_FORMS += ["%X", "%#X", "%o", "%#o", "%8x", "%hhd", "%hd", "%hu", "%hhx", "%08.3d|"]
FLOAT_FORMS = ["%f", "%e", "%g", "%.3f", "%10.2f", "%-10.2f|", "%+g", "%G", "%E", "%.0f", "%010.3f"]


def in_c(form, *arguments):
    buffer = ctypes.create_string_buffer(256)
    LIBRARY.snprintf(buffer, 256, form.encode(), *arguments)
    return buffer.value.decode()


def value(kind, number):
    return Value(kind, encode(kind, number))


@pytest.mark.parametrize("form", INTEGER_FORMS)
def test_integers_are_as_the_c_library_writes_them(form):
    for number in INTEGERS:
        expected = in_c(form, ctypes.c_int(number))
        assert PrintfFormat(form).text([value(INT, number)]) == expected, (form, number)


@pytest.mark.parametrize("form", FLOAT_FORMS)
def test_floating_point_is_as_the_c_library_writes_it(form):
    for number in FLOATS:
        expected = in_c(form, ctypes.c_double(number)).replace("-nan", "nan")
        shown = PrintfFormat(form).text([value(DOUBLE, number)])
        if number == number and abs(number) != float("inf"):
            assert shown == expected, (form, number)
        else:
            assert shown.strip("0 +|").lower() == expected.strip("0 +|").lower(), (form, number)


@pytest.mark.parametrize(
    ("form", "kind", "number", "expected"),
    [
        ("%ld", LONG, -(2**63), "-9223372036854775808"),
        ("%lu", ULONG, 2**64 - 1, "18446744073709551615"),
        ("%u", UINT, 2**32 - 1, "4294967295"),
        ("%c%%", CHAR, 65, "A%"),
        ("%p", PointerType(8, INT), 0x1000, "0x1000"),
        ("%d", FLOAT, 2.75, "2"),
        ("%f", INT, 2, "2.000000"),
        ("a\\tb\\n%d", UCHAR, 200, "a\tb\n200"),
    ],
)
def test_other_conversions(form, kind, number, expected):
    assert PrintfFormat(form).text([value(kind, number)]) == expected


def test_vectors_and_strings():
    vector = Value(ArrayType(16, FLOAT, 4, True), struct.pack("<4f", 1, 2.5, -3, 0))
    assert PrintfFormat("%v4hlf|").text([vector]) == "1.000000,2.500000,-3.000000,0.000000|"
    assert PrintfFormat("%.1v4f").text([vector]) == "1.0,2.5,-3.0,0.0"
    text = Value(ArrayType(6, CHAR, 6), b"hello\0")
    assert PrintfFormat("%s|%7s|%-7s|%.2s|").text([text] * 4) == "hello|  hello|hello  |he|"
    with pytest.raises(EvaluationError, match="vector of 2"):
        PrintfFormat("%v2f").text([vector])


def test_what_is_missing_says_why():
    assert PrintfFormat("i=%d").text([Missing("lane 3 is inactive")]) == "i=<lane 3 is inactive>"


def test_arguments_are_parted_at_commas_outside_of_brackets():
    assert split_printf('"%d, %d\\n", a[f(1, 2)], b') == ("%d, %d\\n", ["a[f(1, 2)]", "b"])
    assert split_printf('"nothing"') == ("nothing", [])
    for wrong in ("i=%d", '"%d", a,, b', '"%d",', '"%d" a'):
        with pytest.raises(EvaluationError):
            split_printf(wrong)


def test_bad_conversions_are_named():
    with pytest.raises(EvaluationError, match="%y"):
        PrintfFormat("%y")
