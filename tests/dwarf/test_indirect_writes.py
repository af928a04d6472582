"""Which registers an instruction writes that has its destination from a0."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.trust.indirect_writes import IndirectWrites
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.xe.devices import DEVICES

SCALED = "mul (8|M0) r14.0<1>:uw r12.0<1;1,0>:uw 0x40:uw"
FROM_ARRAY = "add (8|M0) a0.0<1>:uw r14.0<1;1,0>:uw 0x800:uw"
WRITING = "mov (1|M0) r[a0.0]<1>:d 1:w"


def written(*code):
    flow = RegisterFlow(assemble("\n".join([*code, WRITING])), DEVICES["dg2"].platform)
    last = len(flow.steps) - 1
    return IndirectWrites(flow).ranges([last]).get(last)


@needs_iga64
@pytest.mark.parametrize(
    ("index", "most"),
    [
        ("and (8|M0) r12.0<1>:uw r10.0<1;1,0>:uw 7:uw", 7),
        # A byte, whatever is loaded, has eight bits, of which three are left.
        ("shr (8|M0) r12.0<1>:uw r10.0<4;1,0>:ub 5:w", 7),
        ("mov (8|M0) r12.0<1>:uw r10.0<1;1,0>:ub", 255),
    ],
)
def test_the_bits_of_an_index_bound_what_is_written(index, most):
    assert written(index, SCALED, FROM_ARRAY) == (0x800, 0x800 + 0x40 * most + 4)


@needs_iga64
def test_what_lies_between_the_bytes_of_an_index_does_not_count():
    code = [
        "shr (8|M0) r11.0<2>:ub r10.0<4;1,0>:ub 5:w",
        "mov (8|M0) r12.0<1>:uw r11.0<2;1,0>:ub",
    ]
    assert written(*code, SCALED, FROM_ARRAY) == (0x800, 0x800 + 0x40 * 7 + 4)


@needs_iga64
def test_any_number_of_32_bits_is_no_bound():
    code = "mul (8|M0) r12.0<1>:d r10.0<1;1,0>:d 64:d", FROM_ARRAY.replace("14", "12")
    assert written(*code) is None
