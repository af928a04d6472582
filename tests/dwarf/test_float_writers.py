"""Instructions that may give the number which a place of the source makes, by the machine code."""

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.trust.float_results import float_writers
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.xe.devices import DEVICES

EXPONENT = "(W) and (1|M0) r2.0<1>:d r80.4<0;1,0>:d 2139095040:d"
IS_LARGE = "(W) cmp (1|M0) (ge)f0.0 null<1>:ud r2.0<0;1,0>:ud 0x64000000:ud"
QUOTIENT = "mul (16|M0) r12.0<1>:f r30.0<1;1,0>:f r10.0<1;1,0>:f"
IS_ZERO = "cmp (16|M0) (eq)f0.0 null<1>:f r12.0<1;1,0>:f 0.0:f"
WITHOUT_SIGN = "and (16|M0) r14.0<1>:d r12.0<1;1,0>:d 2147483647:d"


def last(*code):
    """The numbers of the instructions that give the result of ``code``, all of one place."""
    flow = RegisterFlow(assemble("\n".join([*code, "(W) nop"])), DEVICES["dg2"].platform)
    own = [step.offset for step in flow.steps[: len(code)]]
    return [own.index(each.offset) for each in float_writers(flow, own.__contains__).last]


@needs_iga64
def test_bits_that_are_only_compared_are_no_result():
    """A division looks at the exponent of the divisor, which as a number may be near the result."""
    assert last(EXPONENT, IS_LARGE, QUOTIENT) == [2]


@needs_iga64
def test_a_number_that_is_compared_is_a_result():
    assert last(QUOTIENT, IS_ZERO) == [0]


@needs_iga64
def test_a_number_whose_sign_is_cleared_as_an_integer_is_a_result():
    assert last(QUOTIENT, WITHOUT_SIGN) == [1]
