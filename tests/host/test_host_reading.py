"""Records of calls, mappings and files of the host that are damaged: what is read, and no more."""

import struct
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zedbg.commands.describe.python_frames import read_frames
from zedbg.host.host_calls import CallKind, CallStack, HostCall, read_record
from zedbg.host.image import HostImage
from zedbg.host.mappings import ProcessMemory, read_mappings
from zedbg.host.noted_launches import argument_passed, launches_of_kernel
from zedbg.host.threads import threads_of
from zedbg.host.unwinding import unwind
from zedbg.host.usm_allocations import UsmAllocation, UsmAllocations

RELAXED = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
START = 0x10000
HEAD, NOTE, STACK = 4096, 2288, 64


class Bytes:
    def __init__(self, data):
        self.data = data

    def read(self, address, size):
        return self.data[address - START : address - START + size] if address >= START else b""


def read_calls(memory, address, size):
    """The calls of the record there; None when it is none."""
    found = read_record(memory, address, size)
    return None if found is None else found.calls()


def note(kind, number, *, handle=0x1000, size=64, gone=0, name=b"", sequence=2, groups=(0, 0, 0)):
    return struct.pack(
        "<3Q4I5Q3II17Q512sQ" + 64 * "2I16s",
        *(sequence, number, gone, kind, number, 7, 16, handle, size, 0, 0, 0, *groups),
        *(len(name), *range(17), name, 3),
        *(8, 1, b"pointers", 4, 1, b"\x2a", 256, 0, b"local", *[0, 0, b""] * 61),
    ) + bytes(range(STACK))


def record(objects, launches, changes=0):
    """As the library in the program writes it."""
    size = NOTE + STACK
    head = struct.pack("<4s7I3Q", b"ZHCL", 4, 7, HEAD, 4, size, 2, size, 0, 9, changes)
    tables = (b"".join(objects).ljust(4 * size, b"\0"), b"".join(launches).ljust(2 * size, b"\0"))
    return head.ljust(HEAD, b"\0") + b"".join(tables)


OBJECTS = [note(3, 1), note(1, 2, gone=5, handle=0x1020), note(4, 3), note(5, 4, name=b"vadd")]
RECORD = record(OBJECTS, [note(6, 5, name=b"vadd", groups=(2, 1, 1))])


def test_a_record_is_read_as_it_was_written():
    calls = read_calls(Bytes(RECORD), START, len(RECORD))
    assert [(each.kind, each.number) for each in calls.allocations] == [
        (CallKind.SHARED_ALLOCATION, 1),
        (CallKind.DEVICE_ALLOCATION, 2),
    ]
    assert [each.name for each in calls.kernels + calls.launches] == ["vadd", "vadd"]
    assert calls.launches[0].groups == (2, 1, 1)
    assert calls.launches[0].arguments == {0: b"pointers", 1: b"\x2a\0\0\0"}
    assert calls.launches[0].stack.read(7, 4) == bytes(range(4))  # register 7 is the stack pointer
    quick = read_record(Bytes(RECORD), START, len(RECORD))
    assert [(each.number, each.handle) for each in quick.allocations()] == [
        (1, 0x1000),
        (2, 0x1020),
    ]
    assert not quick.allocations()[0].stack.stack and quick.noted == 9


def all_launches(*launches, changes=0):
    data = record(OBJECTS, launches, changes)
    found = read_record(Bytes(data), START, len(data)).all_launches()
    return None if found is None else [call.number for call in found]


def test_all_launches_are_known_only_where_none_is_missing_or_changed():
    first, second = (note(6, number, name=b"vadd") for number in (1, 2))
    assert all_launches(first, second) == [1, 2]
    assert all_launches(second) is None  # an older one is not noted any more
    assert all_launches(first, second, changes=1) is None
    assert all_launches(first, note(6, 2)) is None  # of an unknown kernel


def test_an_argument_is_what_all_launches_pass_that_may_be_meant():
    def launch(groups, n, pointer):
        stack = CallStack({}, b"")
        arguments = {0: pointer, 1: n}
        return HostCall(
            *(CallKind.LAUNCH, 1, 1, 0, 7, 0, 0, 0, 0, 0, groups, "k"), arguments, stack
        )

    few = launch((2, 1, 1), b"\5\0\0\0", b"pointer1")
    more = launch((4, 1, 1), b"\5\0\0\0", b"pointer2")
    other = launch((4, 1, 1), b"\6\0\0\0", b"pointer3")
    every = [few, more, other]
    assert launches_of_kernel(every, "k", (4, 1, 1), (1, 0, 0)) == [more, other]
    assert launches_of_kernel(every, "k", None, (3, 0, 0)) == [more, other]
    assert launches_of_kernel(every, "other", None, (0, 0, 0)) == []
    five = {1: b"\5\0\0\0"}
    assert argument_passed([more, other], 0, 8, five) == b"pointer2"
    assert argument_passed([more, other], 0, 8, {}) is None  # they differ
    assert argument_passed([few], 0, 16, {}) is None  # not whole
    assert argument_passed([few], 2, 4, {}) is None  # not noted
    assert argument_passed([], 0, 8, {}) is None


def test_of_memory_what_is_there_is_found_before_what_is_gone():
    known = UsmAllocations(
        [
            UsmAllocation(1, "device", 0x1020, 64, True),
            UsmAllocation(2, "host", 0x1020, 64, True),
            UsmAllocation(3, "shared", 0x1000, 64, False),
            UsmAllocation(4, "shared", 0x2000, 0, False),
        ]
    )
    places = (0xFFF, 0x1000, 0x103F, 0x1045, 0x1060, 0x2000, 0x2001)
    assert [each and each.number for each in map(known.at, places)] == [
        *(None, 3, 3, 2, None, 4, None)
    ]
    assert known.at(0x1045).name == "freed host USM allocation 2"


def test_a_note_that_is_being_written_is_left_out():
    torn = record([note(3, 1, sequence=3), note(3, 2)], [])
    assert [each.number for each in read_calls(Bytes(torn), START, len(torn)).allocations] == [2]


@RELAXED
@given(st.lists(st.tuples(st.integers(0, len(RECORD) - 1), st.integers(0, 255)), max_size=12))
def test_damaged_records_are_read_as_far_as_they_go(changes):
    damaged = bytearray(RECORD)
    for at, value in changes:
        damaged[at if at % 2 else at % 64] = value
    calls = read_calls(Bytes(bytes(damaged)), START, len(damaged))
    for call in () if calls is None else calls.launches + calls.allocations:
        found = unwind(call.stack.registers, call.stack, lambda _address: None)
        assert len(found.frames) == 1
    assert read_calls(Bytes(bytes(damaged[:-9000])), START, len(damaged)) is None or calls


@given(st.text())
def test_any_text_may_stand_for_mappings(text):
    assert all(each.begin < each.end for each in read_mappings(text))


def test_mappings_keep_names_with_spaces():
    (found,) = read_mappings("1000-2000 r-xp 00000000 fe:01 12 /a folder/a file (deleted)\n")
    assert (found.name, found.is_file, found.is_code) == ("/a folder/a file (deleted)", False, True)


@given(st.binary() | st.sampled_from([b"[]", b"[1]", b'[{"os_thread_id": 1, "frames": [{}]}]']))
def test_any_output_may_come_of_py_spy(output):
    assert read_frames(output, 1) == []


@pytest.fixture(scope="module")
def small_program(tmp_path_factory):
    """A C program with debug information, as bytes."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.c").write_text("int twice(int x) { return 2 * x; }\nint main(int n, char **a) "
                                    "{ return twice(n) + !a; }\n")  # fmt: skip
    subprocess.run(["cc", "-g", "-O0", "small.c", "-o", "small"], cwd=folder, check=True)
    return (folder / "small").read_bytes()


@RELAXED
@given(
    changes=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=9),
    cut=st.floats(0.1, 1),
)
def test_damaged_files_are_files_of_which_less_is_known(small_program, tmp_path, changes, cut):
    damaged = bytearray(small_program[: int(cut * len(small_program))])
    for at, value in changes:
        damaged[int(at * len(damaged))] = value
    path = tmp_path / "damaged"
    path.write_bytes(damaged)
    image = HostImage(path, "damaged", 0)
    for address in (0, 0x1040, 0x1139, 0x1150, 1 << 63):
        image.symbol_at(address), image.line_at(address), image.frame_rules(address)
        image.calls_at(address)
    assert image.text is None or image.text[0] <= image.text[1]
    assert image.has_debug_info in (True, False)


def test_of_a_process_that_is_gone_nothing_is_known():
    assert threads_of(1 << 22) == []
    memory = ProcessMemory(1 << 22)
    assert not memory.mappings and memory.read(0, 8) == b""
