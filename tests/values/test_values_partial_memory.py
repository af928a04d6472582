"""Memory that ends before what is asked for: what is there is shown, and where it ends is named."""

import pytest

from tests.support.values.values_fake_context import FakeThread
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.levelzero.enums import Result
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.values.expressions.api import evaluate
from zedbg.values.formats.examine import ExamineFormat, examine
from zedbg.values.formats.formatting import format_value
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.partial_memory import readable_part

START = 0x1000
LARGE = 3 << 20


@pytest.mark.parametrize("there", [0, 1, 7, 4096, 12345, (1 << 20) + 1, LARGE - 1, LARGE])
def test_every_byte_in_front_of_the_first_that_cannot_be_read_is_found(there):
    memory = (bytes(range(251)) * (LARGE // 251 + 1))[:there]
    calls = []

    def read(address, size):
        calls.append(size)
        offset = address - START
        if offset + size > there:
            raise LevelZeroError(Result.ERROR_UNKNOWN, "read memory", hex(address))
        return memory[offset : offset + size]

    assert readable_part(read, START, LARGE) == memory
    assert len(calls) <= 2 * 21 + 3  # of one MiB each, then half as much again and again
    assert max(calls) <= 1 << 20


@pytest.fixture
def thread():
    made = FakeThread()
    made.map(START, bytes(range(1, 31)))  # 30 bytes: half of the eighth word is missing
    return made


def examined(thread, format_, address=START):
    return examine(thread, ExamineFormat.parse(format_), address)


def test_rows_up_to_the_last_whole_unit_are_given(thread):
    found = examined(thread, "4000000xw")
    assert [str(row) for row in found.rows] == [
        "0x1000:\t0x04030201\t0x08070605\t0x0c0b0a09\t0x100f0e0d",
        "0x1010:\t0x14131211\t0x18171615\t0x1c1b1a19",
    ]
    assert found.problem == "Cannot access memory at address 0x101e"
    assert found.next_address == 0x101C
    assert found.last is not None and found.last.data == bytes(range(25, 29))


def test_a_unit_that_memory_ends_in_is_an_error_that_names_where(thread):
    with pytest.raises(EvaluationError, match=r"^Cannot access memory at address 0x101e$"):
        examined(thread, "2xg", START + 24)
    with pytest.raises(EvaluationError, match=r"^Cannot access memory at address 0x20$"):
        examined(thread, "2xg", 0x20)


def test_what_is_whole_has_no_problem(thread):
    assert examined(thread, "30xb").problem is None
    assert examined(thread, "0xb").problem is None


def test_strings_in_front_of_one_that_memory_ends_in_are_given(thread):
    thread.memory[MemorySpace.GLOBAL][START][3] = 0
    found = examined(thread, "3s")
    assert [row.texts for row in found.rows] == [('"\\001\\002\\003"',)]
    assert found.problem == "Cannot access memory at address 0x101e"
    with pytest.raises(EvaluationError, match=r"0x101e$"):
        examined(thread, "3s", START + 4)


def test_a_value_that_memory_ends_in_names_where(thread):
    value = evaluate(f"*(int (*)[10]){START}", thread).first
    assert format_value(value) == "<Cannot access memory at address 0x101e>"
