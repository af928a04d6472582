"""What is computed again is exact: compared with NumPy, which rounds as IEEE 754 says."""

import math
import operator
import random
from types import SimpleNamespace

import numpy as np
import pytest

from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.opencl_std import Std
from zedbg.spirv.module.operations import Op, Storage
from zedbg.spirv.module.types import UNDEFINED, Kind, Type
from zedbg.spirv.numbers.arithmetic import UnknownValue, binary, cross, dot, fused, rounded, unary
from zedbg.spirv.numbers.computations import computation
from zedbg.spirv.numbers.device_maths import is_left_to_device
from zedbg.spirv.numbers.functions import function

FLOATS = {16: np.float16, 32: np.float32, 64: np.float64}
SIGNED = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
DIVIDEND = 2
BOOLEAN = Type(Kind.BOOLEAN, 1)
FLOAT = Type(Kind.FLOAT, 32)


def floats(bits, count, seed):
    chosen = random.Random(seed)
    sizes = [chosen.uniform(1, 8) for _ in range(count)]
    return [FLOATS[bits](each * 2.0 ** chosen.randrange(-3, 4)) for each in sizes]


@pytest.mark.parametrize("bits", FLOATS)
@pytest.mark.parametrize(
    ("opcode", "compute"),
    [(Op.F_ADD, operator.add), (Op.F_SUB, operator.sub), (Op.F_MUL, operator.mul)],
)
def test_floats_are_rounded_once(bits, opcode, compute):
    kind = Type(Kind.FLOAT, bits)
    values = floats(bits, 400, bits)
    for a, b in zip(values, reversed(values), strict=True):
        assert binary(opcode, kind, float(a), float(b), kind) == float(compute(a, b))


def test_a_fused_multiplication_is_rounded_once():
    """2**-12 squared is lost when the product is rounded before the sum."""
    a = 1.0 + 2.0**-12
    assert fused(a, a, -1.0, 32) == 2.0**-11 + 2.0**-24
    for a, b, c in zip(*(floats(32, 300, seed) for seed in (1, 2, 3)), strict=True):
        exact = np.longdouble(a) * np.longdouble(b) + np.longdouble(c)
        assert fused(float(a), float(b), float(c), 32) == float(np.float32(exact))


def test_quotients_and_roots_of_64_bits_are_rounded_once():
    kind = Type(Kind.FLOAT, 64)
    values = floats(64, 300, 4)
    for a, b in zip(values, reversed(values), strict=True):
        assert binary(Op.F_DIV, kind, float(a), float(b), kind) == float(a / b)
        assert function(Std.SQRT, kind, kind, [float(a)]) == float(np.sqrt(a))


@pytest.mark.parametrize("bits", [16, 32])
def test_quotients_and_roots_of_fewer_bits_are_left_to_the_device(bits):
    kind = Type(Kind.FLOAT, bits)
    with pytest.raises(UnknownValue, match="quotient"):
        binary(Op.F_DIV, kind, 6.0, 3.0, kind)
    with pytest.raises(UnknownValue, match="root"):
        function(Std.SQRT, kind, kind, [4.0])


@pytest.mark.parametrize("bits", [16, 32])
@pytest.mark.parametrize("exponent", [-9, -1, 0, 1, 8, 14])
def test_quotients_by_constants_that_are_powers_of_two_are_exact(bits, exponent):
    kind = Type(Kind.FLOAT, bits)
    for sign in (1.0, -1.0):
        code, divide = quotient(kind, sign * 2.0**exponent)
        assert not is_left_to_device(code, divide)
        made = computation(code, divide)
        assert made.operands == (DIVIDEND,)
        for a in floats(bits, 50, bits):
            expected = a / FLOATS[bits](sign * 2.0**exponent)
            if abs(expected) >= np.finfo(FLOATS[bits]).tiny:
                assert made.compute(float(a)) == float(expected)


def test_quotients_by_vectors_of_powers_of_two_are_exact():
    element = Type(Kind.FLOAT, 32)
    kind = Type(Kind.VECTOR, members=(element,), count=2)
    code, divide = quotient(kind, (4.0, -0.5))
    assert computation(code, divide).compute((6.0, 3.0)) == (1.5, -6.0)
    code, divide = quotient(kind, (4.0, 3.0))
    assert len(computation(code, divide).operands) == 2


@pytest.mark.parametrize("divisor", [3.0, 0.0, math.inf, 2.0**-140, 2.0**127, None])
def test_other_quotients_are_left_to_the_device(divisor):
    kind = Type(Kind.FLOAT, 32)
    code, divide = quotient(kind, divisor)
    assert is_left_to_device(code, divide)
    with pytest.raises(UnknownValue):
        computation(code, divide).compute(6.0, 1.0 if divisor is None else divisor)


def test_fast_quotients_are_left_to_the_device():
    code, divide = quotient(Type(Kind.FLOAT, 32), 4.0)
    code.fast = frozenset({divide.result})
    assert is_left_to_device(code, divide)
    with pytest.raises(UnknownValue):
        computation(code, divide).compute()


def quotient(kind, divisor):
    """A module's code with a division by a constant (None: by another result), and that."""
    divide = Instruction(Op.F_DIV, 0, 1, (DIVIDEND, 3), None, 0, 0)
    constants = {} if divisor is None else {3: divisor}
    types = dict.fromkeys((1, DIVIDEND, 3), kind)
    code = SimpleNamespace(
        constants=constants,
        type_of=types,
        fast=frozenset(),
        maths=frozenset(),
        has_local_pointers=False,
    )
    return code, divide


def test_magnitudes_and_distances_of_zero_have_a_sign():
    kind = Type(Kind.FLOAT, 32)
    for zero in (
        function(Std.FABS, kind, kind, [-0.0]),
        function(Std.FDIM, kind, kind, [1.0, 2.0]),
    ):
        assert zero == 0.0 and math.copysign(1.0, zero) == 1.0


def test_what_has_no_quotient_or_root_is_unknown():
    kind = Type(Kind.FLOAT, 64)
    with pytest.raises(UnknownValue, match="zero"):
        binary(Op.F_DIV, kind, 6.0, 0.0, kind)
    for number, arguments in ((Std.SQRT, [-1.0]), (Std.FMOD, [1.0, 0.0])):
        with pytest.raises(UnknownValue):
            function(number, kind, kind, arguments)


@pytest.mark.parametrize(
    ("number", "compute"),
    [
        (Std.FDIM, lambda a, b: max(a - b, FLOATS[32](0))),
        (Std.FMOD, np.fmod),
        (Std.RINT, lambda a, b: np.rint(a)),
        (Std.ROUND, lambda a, b: np.copysign(np.floor(np.abs(a) + FLOATS[64](0.5)), a)),
        (Std.SIGN, lambda a, b: np.sign(a)),
    ],
)
def test_functions_without_an_error_are_exact(number, compute):
    kind = Type(Kind.FLOAT, 32)
    halves = [FLOATS[32](each / 2) for each in range(-7, 8) if each]
    values = [*halves, *floats(32, 100, 5), *(-each for each in floats(32, 100, 6))]
    for a, b in zip(values, reversed(values), strict=True):
        arguments, expected = [float(a), float(b)], float(compute(a, b))
        if not expected:  # zeros of either sign are not said
            continue
        count = 2 if number in (Std.FDIM, Std.FMOD) else 1
        assert function(number, kind, kind, arguments[:count]) == expected


@pytest.mark.parametrize("bits", FLOATS)
def test_significands_and_exponents_are_exact(bits):
    kind, whole, chosen = Type(Kind.FLOAT, bits), Type(Kind.INTEGER, 32), random.Random(bits)
    for a in (each * chosen.choice((1, -1)) for each in floats(bits, 200, bits)):
        significand, exponent = np.frexp(a)
        assert function(Std.FREXP, kind, kind, [float(a)]) == float(significand)
        for number, expected in ((Std.FREXP, exponent), (Std.ILOGB, exponent - 1)):
            assert function(number, whole, kind, [float(a)]) == int(expected) & 0xFFFFFFFF
        assert function(Std.LOGB, kind, kind, [float(a)]) == float(exponent - 1)
        power = chosen.randrange(-12, 13)
        scaled = function(Std.LDEXP, kind, kind, [float(a), power & 0xFFFFFFFF])
        assert scaled == float(np.ldexp(a, power))
        for towards in (FLOATS[bits](0), FLOATS[bits](100), FLOATS[bits](-100)):
            following = function(Std.NEXTAFTER, kind, kind, [float(a), float(towards)])
            assert following == float(np.nextafter(a, towards))
        part = float(np.modf(a)[0])
        assert part == 0 or function(Std.MODF, kind, kind, [float(a)]) == part
        part = float(a - np.floor(a))
        assert part == 0 or function(Std.FRACT, kind, kind, [float(a)]) == part


def test_a_fraction_is_less_than_one():
    assert function(Std.FRACT, FLOAT, FLOAT, [-(2.0**-40)]) == 1 - 2.0**-24


def test_what_is_too_large_is_infinite():
    assert function(Std.LDEXP, FLOAT, FLOAT, [1.5, 200]) == math.inf
    assert function(Std.FMA, FLOAT, FLOAT, [1e30, -1e30, 1.0]) == -math.inf


@pytest.mark.parametrize(
    ("number", "arguments"),
    [(Std.FREXP, [math.inf]), (Std.ILOGB, [0.0]), (Std.ILOGB, [math.inf])],
)
def test_exponents_of_no_numbers_are_left_to_the_device(number, arguments):
    with pytest.raises(UnknownValue):
        function(number, Type(Kind.INTEGER, 32), FLOAT, arguments)


def test_a_fused_zero_has_its_sign():
    """IEEE 754, 6.3: a sum of opposite numbers is +0, of zeros of one sign that one."""
    kind = Type(Kind.FLOAT, 32)
    for number in (Std.FMA, Std.MAD):
        for arguments, sign in (((2.0, 3.0, -6.0), 1.0), ((0.0, -1.0, -0.0), -1.0)):
            found = function(number, kind, kind, list(arguments))
            assert found == 0.0
            assert np.copysign(1.0, found) == sign


@pytest.mark.parametrize(
    ("number", "arguments", "sign"),
    [
        *((each, (0.25,), 1.0) for each in (Std.FLOOR, Std.RINT, Std.TRUNC)),
        *((each, (-0.25,), -1.0) for each in (Std.CEIL, Std.RINT, Std.TRUNC)),
        *((Std.FMAX, each, 1.0) for each in ((-3.0, 0.0), (0.0, -3.0))),
        *((Std.FMIN, each, -1.0) for each in ((-0.0, 2.0), (-0.0, -0.0))),
        *((Std.FCLAMP, each, 1.0) for each in ((-3.0, 0.0, 1.0), (0.0, 0.0, 1.0))),
        (Std.STEP, (2.0, 1.0), 1.0),
    ],
)
def test_a_zero_has_the_sign_that_its_arguments_say(number, arguments, sign):
    found = function(number, FLOAT, FLOAT, list(arguments))
    assert found == 0.0
    assert np.copysign(1.0, found) == sign


@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        (Std.FLOOR, [-0.0]),
        (Std.CEIL, [-0.0]),
        (Std.ROUND, [-0.25]),
        (Std.FMAX, [0.0, -0.0]),
        (Std.FCLAMP, [-0.0, 0.0, 1.0]),
    ],
)
def test_the_sign_of_another_zero_is_left_to_the_device(number, arguments):
    with pytest.raises(UnknownValue, match="sign"):
        function(number, FLOAT, FLOAT, arguments)


def test_the_number_of_a_function_is_no_result():
    """A variable in local memory may have the same number."""
    number, local = Type(Kind.INTEGER, 32), Type(Kind.POINTER, 64, storage=Storage.WORKGROUP)
    types = {1: number, 2: number, 141: local}
    code = SimpleNamespace(
        type_of=types,
        maths={3},
        fast=set(),
        constants={},
        rounding={},
        saturated=set(),
        has_local_pointers=True,
    )
    magnitude = computation(code, Instruction(Op.EXT_INST, 0, 2, [3, 141, 1], None, 0, 0))
    assert magnitude.compute(-5 & (1 << 32) - 1) == 5


def test_what_may_be_fused_or_not_is_unknown_where_that_matters():
    kind, a = Type(Kind.FLOAT, 32), 1.0 + 2.0**-12
    assert function(Std.MAD, kind, kind, [2.0, 3.0, 1.0]) == 7.0
    with pytest.raises(UnknownValue, match="once or twice"):
        function(Std.MAD, kind, kind, [a, a, -1.0])


def test_a_dot_product_is_known_where_no_order_of_its_sums_is_rounded():
    assert dot((1.5, -2.0, 3.0), (4.0, 5.0, 0.25), 32) == -3.25
    assert str(dot((0.0, -0.0), (2.0, -1.0), 32)) == "0.0"
    for a, b in [((1.0, 1e-8), (1.0, 1.0)), ((1.0, 1.0), (1.0, -1.0)), ((3e38, 1.0), (2.0, 1.0))]:
        with pytest.raises(UnknownValue):
            dot(a, b, 32)


def test_a_cross_product_is_known_where_nothing_of_it_is_rounded():
    a, b = (0.5, 0.0, 0.3), (0.0, 0.5, -0.7)
    assert cross(a, b, 64) == (-0.15, 0.35, 0.25)
    assert cross((*a, 1.0), (*b, 1.0), 64) == (-0.15, 0.35, 0.25, 0.0)
    with pytest.raises(UnknownValue):
        cross((0.1, 0.2, 0.3), (0.4, 0.5, 0.7), 64)


def test_zeros_of_a_cross_product_have_the_signs_of_differences_of_products():
    found = cross((0.0, 1.0, 0.0), (-0.0, -0.25, 0.5), 32)
    assert found == (0.5, 0.0, 0.0)
    assert [np.copysign(1.0, each) for each in found] == [1.0, -1.0, 1.0]


@pytest.mark.parametrize("number", [1e-40, float("nan")])
def test_what_devices_take_for_something_else_is_unknown(number):
    with pytest.raises(UnknownValue):
        rounded(number, 32)


@pytest.mark.parametrize("bits", SIGNED)
@pytest.mark.parametrize(
    ("opcode", "compute"),
    [
        (Op.I_ADD, operator.add),
        (Op.I_SUB, operator.sub),
        (Op.I_MUL, operator.mul),
        (Op.S_LESS_THAN, operator.lt),
        (Op.S_GREATER_THAN_EQUAL, operator.ge),
        (Op.BITWISE_XOR, operator.xor),
    ],
)
def test_integers_wrap(bits, opcode, compute):
    kind = Type(Kind.INTEGER, bits)
    result = BOOLEAN if compute in (operator.lt, operator.ge) else kind
    chosen = random.Random(bits)
    with np.errstate(over="ignore"):
        for _ in range(300):
            a, b = chosen.getrandbits(bits), chosen.getrandbits(bits)
            as_signed = [
                np.frombuffer(each.to_bytes(bits // 8, "little"), SIGNED[bits])[0]
                for each in (a, b)
            ]
            expected = int(compute(*as_signed)) & (1 << bits) - 1
            assert binary(opcode, kind, a, b, result) == expected


@pytest.mark.parametrize(("a", "b"), [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3)])
def test_division_of_signed_numbers_truncates(a, b):
    """C11 6.5.5: towards zero; the remainder has the sign of what is divided."""
    kind, mask = Type(Kind.INTEGER, 32), (1 << 32) - 1
    assert binary(Op.S_DIV, kind, a & mask, b & mask, kind) == int(a / b) & mask
    assert binary(Op.S_REM, kind, a & mask, b & mask, kind) == int(np.fmod(a, b)) & mask


def test_what_a_program_must_not_do_is_unknown():
    kind = Type(Kind.INTEGER, 32)
    cases = [(Op.S_DIV, 1 << 31, (1 << 32) - 1), (Op.U_DIV, 1, 0), (Op.SHIFT_LEFT_LOGICAL, 1, 32)]
    for opcode, a, b in cases:
        with pytest.raises(UnknownValue):
            binary(opcode, kind, a, b, kind)
    with pytest.raises(UnknownValue, match="does not fit"):
        unary(Op.CONVERT_F_TO_S, Type(Kind.FLOAT, 32), 2.0**31, kind)


def test_layout_of_structures_is_that_of_c():
    """OpenCL C 6.1.5 and 6.3.k: members at multiples of their size, three components as four."""
    byte, word, single = Type(Kind.INTEGER, 8), Type(Kind.INTEGER, 32), Type(Kind.FLOAT, 32)
    vector = Type(Kind.VECTOR, 0, (single,), 3)
    structure = Type(Kind.STRUCTURE, 0, (byte, word, vector, Type(Kind.ARRAY, 0, (byte,), 3)))
    assert [structure.offset(index) for index in range(4)] == [0, 4, 16, 32]
    assert structure.size == 48
    value = (1, 2, (1.0, 2.0, 3.0), (4, 5, 6))
    data = structure.encode(value)
    assert data is not None and structure.decode(data) == value


def test_parts_of_a_value_may_be_undefined():
    """As the fourth component of what is stored to a variable of three."""
    single = Type(Kind.FLOAT, 32)
    vector = Type(Kind.VECTOR, 0, (single,), 4)
    value = (1.0, 2.0, 3.0, UNDEFINED)
    data = vector.encode_parts(value)
    assert vector.encode(value) is None
    assert data[12:] == [None] * 4
    assert vector.decode_parts(data) == value
    three = Type(Kind.VECTOR, 0, (single,), 3)
    assert three.decode_parts(data) == value[:3]
    assert three.encode(value[:3]) == bytes(each or 0 for each in data)
