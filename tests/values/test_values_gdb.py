"""Expressions and their output, as GDB 13 answered for the same program in C."""

import pytest

from tests.support.values.values_fake_program import program
from zedbg.values.expressions.api import Expression, evaluate
from zedbg.values.formats.examine import ExamineFormat, examine
from zedbg.values.formats.formatting import FormatOptions, format_value
from zedbg.values.typed.evaluation_error import EvaluationError

# What was typed at GDB's prompt, and what it printed.
PRINTED = {
    "p s": "{a = 1.10000002, b = {1, 2, 3, 4}, c = -7, pad = 1.00000002e+30, in = {h = 3, "
    "c = 120 'x'}, u = {i = 7, f = 9.80908925e-45}, e = (A | C), t = \"ab\\000\\000\", "
    "p = 0x1234, uc = 200 '\\310', ok = true, bf = -2, bg = 17}",
    "p f4": "{1.5, 0.100000001, -0, 1.00000001e-10}",
    "p d": "0.10000000000000001",
    "p arr": "{0 <repeats 300 times>}",
    "p rep": "{1 <repeats 12 times>, 2, 3, 0, 0, 0, 0, 0, 0}",
    "p str": "\"hello\\n\\001\", '\\000' <repeats 12 times>",
    "p zz": "'\\000' <repeats 15 times>",
    "p mat": "{{1, 2, 3}, {4, 5, 6}}",
    "p v4": "{1, 2, 3, 4}",
    "p uv": "{1, 2, 97, 200, 0, 0, 0, 0}",
    "p e2": "R",
    "p e9": "(A | unknown: 0x8)",
    "p e5": "5",
    "p e0": "0",
    "p h": "1.0996",
    "p nanf_": "nan(0x400000)",
    "p inf_": "-inf",
    "p big": "1.0000000000000001e+300",
    "p u": "3000000000",
    "p/x u": "0xb2d05e00",
    "p/x l": "0xfffffffffffffffb",
    "p/d u": "-1294967296",
    "p/u l": "18446744073709551611",
    "p/o u": "026264057000",
    "p/t 10": "1010",
    "p/z 5": "0x00000005",
    "p/c 97": "97 'a'",
    "p/c u": "0 '\\000'",
    "p/x d": "0x3fb999999999999a",
    "p/x f4": "{0x3fc00000, 0x3dcccccd, 0x80000000, 0x2edbe6ff}",
    "p/f u": "-2.42571332e-08",
    "p/f 1": "1.40129846e-45",
    "p/f l": "-nan(0xffffffffffffb)",
    "p/x s": "{a = 0x3f8ccccd, b = {0x1, 0x2, 0x3, 0x4}, c = 0xfff9, pad = 0x7149f2ca, "
    "in = {h = 0x3, c = 0x78}, u = {i = 0x7, f = 0x7}, e = 0x5, "
    "t = {0x61, 0x62, 0x0, 0x0, 0x0}, p = 0x1234, uc = 0xc8, ok = 0x1, bf = 0xfffffffe, "
    "bg = 0x11}",
    "p ch": "97 'a'",
    "p/x ch": "0x61",
    "p/d ch": "97",
    "p/t ch": "1100001",
    "p neg": "-3 '\\375'",
    "p uch": "255 '\\377'",
    "p/c uch": "255 '\\377'",
    "p an": "{x = 1, q = {{y = 2}, {y = 3}}}",
    "p ip": "(int *) 0x10",
    "p vp": "(void *) 0x20",
    "p ctrl": '"\\001\\002\\003\\004\\005\\006"',
    "p full": '"abcd"',
    "p rep2": "{5 <repeats 30 times>}",
    "p/a 0x1234": "0x1234",
    "p s.b": "{1, 2, 3, 4}",
    "p 1==1": "1",
    "p 5/2": "2",
    "p 5/2.0": "2.5",
    "p 1.5f+1": "2.5",
    "p -7/2": "-3",
    "p -7%3": "-1",
    "p 1u-2": "4294967295",
    "p 'a'+1": "98",
    "p sizeof(s)": "64",
    "p (char)97": "97 'a'",
    "p (float)1/3": "0.333333343",
    "p 10 > 3 && 2": "1",
    "p 3.0f": "3",
    "p ~5": "-6",
    "p !5": "0",
    "p 1ul<<33": "8589934592",
    "p 0xffffffff": "4294967295",
    "p 017": "15",
    "p arr[0]@3": "{0, 0, 0}",
    "p f4[0]@2": "{1.5, 0.100000001}",
    "p *&f4": "{1.5, 0.100000001, -0, 1.00000001e-10}",
    "p/x -1": "0xffffffff",
    "p/x (short)-1": "0xffff",
    "p/t (char)-1": "11111111",
    "p/o 8": "010",
    "p/d 'a'": "97",
    "p/f 3.5": "3.5",
    "p/c 65": "65 'A'",
    "p/x v4": "{0x3f800000, 0x40000000, 0x40400000, 0x40800000}",
    "p 1 ? 2 : 3": "2",
    "p ps->in.h": "3",
    "p (long)ps->p": "4660",
    "p 1.0/0": "inf",
    "p 100000000.0": "100000000",
    "p 123456789.123": "123456789.123",
    "p 1e10f": "1e+10",
    "p/s str": "\"hello\\n\\001\", '\\000' <repeats 12 times>",
    "p/x arr": "{0x0 <repeats 300 times>}",
    "p ip+1": "(int *) 0x14",
    "p &arr[2]-&arr[0]": "2",
    "p e2==R": "1",
    "p A|B": "3",
    "p/d e2": "3",
    "p s.bf": "-2",
    "p s.bg": "17",
    "p sa": "{{a = 0, b = {0, 0, 0, 0}, c = 0, pad = 0, in = {h = 0, c = 0 '\\000'}, "
    "u = {i = 0, f = 0}, e = 0, t = \"\\000\\000\\000\\000\", p = 0x0, uc = 0 '\\000', "
    "ok = false, bf = 0, bg = 0} <repeats 12 times>}",
}
TYPES = {
    "s": "struct S",
    "&s.b": "int (*)[4]",
    "f4": "float [4]",
    "v4": "float __attribute__ ((vector_size(4)))",
    "ps->p": "int *",
    "1.5f+1": "float",
    "1u+1l": "long",
    "'a'": "char",
    "&arr[1]": "int *",
    "mat": "int [2][3]",
    "&mat": "int (*)[2][3]",
    "mat[0]": "int [3]",
    "struct S *": "struct S *",
    "unsigned long int": "unsigned long",
}
EXAMINED = {
    "x/4xw &f4": "0x3fc00000\t0x3dcccccd\t0x80000000\t0x2edbe6ff",
    "x/1g &d": "0x3fb999999999999a",
    "x/8xb str": "0x68\t0x65\t0x6c\t0x6c\t0x6f\t0x0a\t0x01\t0x00",
    "x/3dw arr": "0\t0\t0",
    "x/4fw f4": "1.5\t0.100000001\t-0\t1.00000001e-10",
    "x/1fg &d": "0.10000000000000001",
    "x/s str": '"hello\\n\\001"',
    "x/3c str": "104 'h'\t101 'e'\t108 'l'",
    "x/2uh &u": "24064\t45776",
    "x/1th &s.c": "1111111111111001",
    "x/1ow &u": "026264057000",
    "x/3xh str": "0x6568\t0x6c6c\t0x0a6f",
    "x/1dg &l": "-5",
}
WRONG = {
    "nothing": 'No symbol "nothing" in current context.',
    "s.zzz": "There is no member named zzz.",
    "u.x": "Attempt to extract a component of a value that is not a structure.",
    "*d": "Attempt to take contents of a non-pointer value.",
    "*vp": "Attempt to take contents of a non-pointer value.",
    "&1": "Attempt to take address of value not located in memory.",
    "1 = 2": "Left operand of assignment is not an lvalue.",
    "1 +": "A syntax error in expression, near `'.",
    "1 2": "A syntax error in expression, near `2'.",
    "(1": "A syntax error in expression, near `'.",
    "1.5 & 2": "Integer-only operation on floating point number.",
    "s + 1": "Argument to arithmetic operation not a number or boolean.",
    "9x": 'Invalid number "9x".',
    "1 ` 2": 'Invalid character "`" in expression.',
    "struct Q": "No struct type named Q.",
    "struct S": "Attempt to use a type name as an expression.",
    "0x1ffffffffffffffff": "Numeric constant too large.",
    "$r200": "Register $r200 does not exist: this thread has 128.",
    "(struct S)1": "Invalid cast.",
    "arr@0": "Invalid number of repetitions.",
    "": "Argument required (expression to compute).",
    "(" * 3000 + "1": "The expression is nested too deeply.",
}


@pytest.fixture(scope="module")
def thread():
    return program()[0]


@pytest.mark.parametrize("command", PRINTED)
def test_values_are_printed_as_gdb_prints_them(thread, command):
    verb, _, expression = command.partition(" ")
    options = FormatOptions(verb.removeprefix("p").removeprefix("/"))
    found = evaluate(expression, thread).first
    assert format_value(found, options) == PRINTED[command]


@pytest.mark.parametrize("expression", TYPES)
def test_types_are_those_that_gdb_names(thread, expression):
    assert Expression(expression, thread.debug_info).type(thread).name == TYPES[expression]


@pytest.mark.parametrize("command", EXAMINED)
def test_memory_is_examined_as_gdb_examines_it(thread, command):
    letters, _, expression = command.removeprefix("x/").partition(" ")
    pointer = evaluate(f"(long)({expression})", thread).first
    rows = examine(thread, ExamineFormat.parse(letters), pointer.number).rows
    assert "\t".join(text for row in rows for text in row.texts) == EXAMINED[command]


@pytest.mark.parametrize("expression", WRONG)
def test_wrong_expressions_are_one_clear_line(thread, expression):
    with pytest.raises(EvaluationError) as caught:
        evaluate(expression, thread)
    assert str(caught.value) == WRONG[expression]


def test_memory_that_is_not_there_is_missing_with_its_address(thread):
    assert format_value(evaluate("*ip", thread).first) == ("<Cannot access memory at address 0x10>")


def test_rows_of_an_examination_have_as_many_units_as_gdb_puts_in_a_line(thread):
    address = evaluate("(long)&str", thread).first.number
    found = examine(thread, ExamineFormat.parse("9xb"), address)
    assert [len(row.texts) for row in found.rows] == [8, 1]
    assert str(found.rows[1]) == f"{address + 8:#x}:\t0x00"
    assert found.next_address == address + 9


def test_formats_of_examinations_keep_what_is_not_said():
    first = ExamineFormat.parse("4dg")
    assert ExamineFormat.parse("", first) == ExamineFormat(1, "d", 8)
    assert ExamineFormat.parse("2x", first) == ExamineFormat(2, "x", 8)
    assert ExamineFormat.parse("c") == ExamineFormat(1, "c", 1)
    assert ExamineFormat.parse("-3x") == ExamineFormat(-3, "x", 4)
    for wrong in ("4q", "x4", "-x"):
        with pytest.raises(EvaluationError):
            ExamineFormat.parse(wrong)


def test_values_are_plain_data_for_json(thread):
    plain = evaluate("s", thread).first.plain()
    assert plain["b"] == [1, 2, 3, 4]
    assert plain["in"] == {"h": 3, "c": 120}
    assert plain["ok"] is True
    assert plain["bf"] == -2
    assert evaluate("v4", thread).first.plain() == [1.0, 2.0, 3.0, 4.0]
