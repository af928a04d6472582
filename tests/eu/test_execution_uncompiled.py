"""Opcodes that no compiler here emits, as the instruction set describes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.xe.execution_bench import Bench, assemble, needs_iga64

pytestmark = [needs_iga64, pytest.mark.native]

DEVICES = EACH_PLATFORM
LANES = 8


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as running:
        yield running


def execute(bench: Bench, text: str, device: str, **registers: np.ndarray) -> None:
    """Runs `text` to its end (label END) with `registers` such as r2=... filled before."""
    code = assemble(text + "\nEND:\nillegal", device)
    bench.start(code, (1 << LANES) - 1, device)
    for name, values in registers.items():
        bench.write_grf(int(name[1:]), values)
    ran = bench.run(1000)
    assert ran.ip == len(code) - 16 and "illegal" in ran.report, ran


_CONDITIONS = {
    "eq": np.equal,
    "ne": np.not_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lt": np.less,
    "le": np.less_equal,
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("condition", _CONDITIONS)
def test_cmpn_holds_where_the_second_operand_is_no_number_unless_it_is_inequality(
    bench: Bench, device: str, condition: str
) -> None:
    left = np.array([1, np.nan, 3, 2, -0.0, np.inf, 5, np.nan], np.float32)
    right = np.array([2, 1, np.nan, 2, 0.0, np.nan, 4, np.nan], np.float32)
    text = f"cmpn (8|M0) ({condition})f0.0 null<1>:f r2.0<1;1,0>:f r4.0<1;1,0>:f"
    execute(bench, text, device, r2=left, r4=right)
    expected = np.where(np.isnan(right), condition != "ne", _CONDITIONS[condition](left, right))
    assert bench.flag(0) & 0xFF == int(expected @ (1 << np.arange(LANES)))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("condition", ["eq", "ne", "gt", "le"])
def test_sel_takes_the_second_operand_where_either_is_no_number(
    bench: Bench, device: str, condition: str
) -> None:
    left = np.array([1, np.nan, 3, 2, -0.0, np.inf, 5, np.nan], np.float32)
    right = np.array([2, 1, np.nan, 2, 0.0, np.nan, 4, np.nan], np.float32)
    text = f"sel (8|M0) ({condition})f0.0 r6.0<1>:f r2.0<1;1,0>:f r4.0<1;1,0>:f"
    execute(bench, text, device, r2=left, r4=right)
    numbers = ~(np.isnan(left) | np.isnan(right))
    expected = np.where(numbers & _CONDITIONS[condition](left, right), left, right)
    np.testing.assert_array_equal(bench.read_grf(6, np.float32, LANES), expected)


@pytest.mark.parametrize("device", DEVICES)
def test_csel_compares_the_third_operand_with_zero(bench: Bench, device: str) -> None:
    first, second = np.arange(LANES, dtype=np.float32), 100 + np.arange(LANES, dtype=np.float32)
    third = np.array([-1, 0, 1, -0.0, np.nan, np.inf, -np.inf, 1e-30], np.float32)
    text = "csel (8|M0) (gt)f0.0 r10.0<1>:f r2.0<1;0>:f r4.0<1;0>:f r6.0<1>:f"
    execute(bench, text, device, r2=first, r4=second, r6=third)
    expected = np.where(third > 0, first, second)
    np.testing.assert_array_equal(bench.read_grf(10, np.float32, LANES), expected)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("operand", ["r10.0<4;1>:uw", "r10.0<8;2>:uw"])
def test_csel_without_a_condition_may_select_only_from_what_it_writes(
    bench: Bench, device: str, operand: str
) -> None:
    # Assemblers put one between pipelines that have to wait for each other.
    values = np.arange(LANES, dtype=np.uint16)
    text = f"(W) csel (4|M0) r10.0<1>:uw {operand} {operand} r10.0<1>:uw"
    if operand == "r10.0<4;1>:uw":
        execute(bench, text, device, r10=values)
        np.testing.assert_array_equal(bench.read_grf(10, np.uint16, LANES), values)
    else:
        with pytest.raises(AssertionError, match="a missing condition modifier"):
            execute(bench, text, device, r10=values)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("wanted", [0xFFFF, 0x0FFF])
def test_a_branch_without_a_mask_takes_channels_along_that_were_added(
    bench: Bench, device: str, wanted: int
) -> None:
    # Eight channels are dispatched; oneDNN's kernels go on with more of them like this.
    text = f"""
(W) mov (1|M0) sr0.2<1>:ud 0xFFFF:ud
(W) mov (1|M0) f0.0<1>:ud {wanted:#x}:ud
mov (16|M0) r10.0<1>:uw 1:uw
(W&f0.0) if (16|M0) L1 L1
mov (16|M0) r12.0<1>:uw 1:uw
L1:
(W) endif (16|M0) L2
L2:
mov (16|M0) r14.0<1>:uw 1:uw"""
    execute(
        bench, text, device, **{name: np.zeros(16, np.uint16) for name in ("r10", "r12", "r14")}
    )
    lanes = np.arange(16)
    for register, mask in ((10, 0xFF), (12, wanted), (14, 0xFFFF)):
        written = bench.read_grf(register, np.uint16, 16)
        np.testing.assert_array_equal(written, mask >> lanes & 1)


@pytest.mark.parametrize("device", DEVICES)
def test_movi_takes_each_lane_from_the_address_in_its_address_register(
    bench: Bench, device: str
) -> None:
    register_bytes = 32 if device == "dg2" else 64
    addresses = 4 * register_bytes + 4 * np.array([3, 0, 7, 7, 1, 2, 6, 5])
    values = np.arange(1000, 1000 + LANES, dtype=np.uint32)
    text = """
mov (8|M0) a0.0<1>:uw r2.0<1;1,0>:uw
movi (8|M0) r10.0<1>:ud r[a0.0,0]<1,0>:ud null:ud"""
    execute(bench, text, device, r2=addresses.astype(np.uint16), r4=values)
    expected = values[[3, 0, 7, 7, 1, 2, 6, 5]]
    np.testing.assert_array_equal(bench.read_grf(10, np.uint32, LANES), expected)


COUNTED: dict[
    str, tuple[str, Callable[[int], int]]
] = {  # a program, and r10 of lane n, whose r2 is n
    "brd": (  # lanes that have counted up to their number wait after the jump for the others
        """
LOOP:
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 1:w
  cmp (8|M0) (lt)f0.0 null<1>:d r10.0<1;1,0>:d r2.0<1;1,0>:d
  (f0.0) brd (8|M0) LOOP
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 100:w
""",
        lambda n: 100 + max(n, 1),
    ),
    "halt": (
        """
  cmp (8|M0) (lt)f0.0 null<1>:d r2.0<1;1,0>:d 3:w
  (f0.0) halt (8|M0) OUT OUT
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 10:w
  cmp (8|M0) (ge)f0.0 null<1>:d r2.0<1;1,0>:d 6:w
  (f0.0) halt (8|M0) OUT OUT
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 100:w
OUT:
  join (8|M0) END
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 1:w
""",
        lambda n: 1 if n < 3 else 11 if n >= 6 else 111,
    ),
    "if.b and else.b": (
        """
  cmp (8|M0) (lt)f0.0 null<1>:d r2.0<1;1,0>:d 3:w
  (f0.0) if.b (8|M0) OTHER FI
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 10:w
  else.b (8|M0) FI FI
OTHER:
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 100:w
FI:
  endif (8|M0) END
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 1:w
""",
        lambda n: 11 if n < 3 else 101,
    ),
    "calla": (
        """
  jmpi START
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 10:w
  ret (8|M0) r20.0
START:
  calla (8|M0) r20.0 16
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 1:w
""",
        lambda _: 11,
    ),
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("opcode", COUNTED)
def test_branches_take_their_lanes_along(bench: Bench, opcode: str, device: str) -> None:
    text, expected = COUNTED[opcode]
    numbers = np.arange(LANES, dtype=np.int32)
    execute(bench, text, device, r2=numbers, r10=np.zeros(LANES, np.int32))
    found = bench.read_grf(10, np.int32, LANES)
    assert found.tolist() == [expected(n) for n in range(LANES)]


@pytest.mark.parametrize("device", DEVICES)
def test_madm_is_a_fused_multiply_add(bench: Bench, device: str) -> None:
    random = np.random.default_rng(2)
    a, b, c = (random.uniform(-4, 4, LANES).astype(np.float32) for _ in range(3))
    text = "madm (8|M0) r10.mme1:f r2.nomme:f r4.nomme:f r6.mme0:f"
    execute(bench, text, device, r2=a, r4=b, r6=c)
    exact = a.astype(np.float64) + b.astype(np.float64) * c.astype(np.float64)
    np.testing.assert_array_equal(bench.read_grf(10, np.float32, LANES), exact.astype(np.float32))


SYNC_FUNCTION_BYTE = 11  # of the instruction; the function is in the upper half


@pytest.mark.parametrize(
    ("function", "code", "device"),
    [("sync.flush", 0xC, "bmg"), ("sync.fence", 0xD, "pvc"), ("sync.fence", 0xD, "bmg")],
)
def test_nothing_is_left_to_flush_or_to_fence(
    bench: Bench, function: str, code: int, device: str
) -> None:
    """iga64 assembles them for some devices only, so their codes are put into another sync."""
    words = bytearray(assemble("sync.host null\nmov (8|M0) r10.0<1>:d 7:w\nillegal", device))
    words[SYNC_FUNCTION_BYTE] = code << 4
    bench.start(bytes(words), 0xFF, device)
    ran = bench.run(10)
    assert ran.ip == len(words) - 16, (function, ran)
    assert bench.read_grf(10, np.int32, LANES).tolist() == [7] * LANES


@pytest.mark.parametrize("device", DEVICES)
def test_sync_host_is_refused_by_name(bench: Bench, device: str) -> None:
    """It waits for the host to write a register: nothing here does, and no compiler emits it."""
    bench.start(assemble("sync.host null", device), 0xFF, device)
    ran = bench.run(10)
    assert ran.ip == 0 and "sync.host" in ran.report


def test_dpasw_of_a_thread_that_is_not_one_of_a_pair_is_an_illegal_instruction(
    bench: Bench,
) -> None:
    """It takes half of its rows from the fused partner thread; there is only one thread here."""
    text = "dpasw.8x4 (8|M0) r40:f r40:f r10:hf r20:hf"
    bench.start(assemble(text), 0xFF)
    ran = bench.run(10)
    assert ran.ip == 0 and "dpasw" in ran.report and "not one of a pair" in ran.report
