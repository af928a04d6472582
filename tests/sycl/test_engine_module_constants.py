"""Which values of specialization constants a module has, of all that its program gave."""

import os
import socket
import struct
import threading
import zlib

import pytest

from zedbg.commands.describe.constant_values import _buffer_argument
from zedbg.engine.modules.module_constants import (
    BuiltModules,
    ModuleConstants,
    buffer_size,
    built_value,
    recorded_build,
    values_in_buffer,
)
from zedbg.engine.process.constants_message import recorded_constants
from zedbg.engine.process.hold_server import HoldServer
from zedbg.sycl.property_values import SpecializationConstant, SpecializationConstantElement
from zedbg.zebin.arguments import KernelArgument
from zedbg.zebin.zeinfo import ArgumentInfo, PayloadArgument

SPIRV = b"SPIR-V of one image"
PADDING = 0xFFFFFFFF
PID = 7


def built_with(values, spirv=SPIRV):
    return ModuleConstants(PID, len(spirv), zlib.crc32(spirv), values)


def test_a_module_has_the_latest_values_that_were_given_before_it_was_loaded():
    first, second, other = built_with({0: b"1"}), built_with({0: b"2"}), built_with({}, b"other")
    built = BuiltModules()
    built.add(first, loaded=0)
    built.add(other, loaded=1)
    built.add(second, loaded=2)
    assert built.of_module(1, PID, SPIRV) is first
    assert built.of_module(2, PID, b"other") is other
    assert built.of_module(3, PID, SPIRV) is second
    assert built.of_module(3, PID, b"of another size") is None
    assert built.of_module(3, PID + 1, SPIRV) is None  # another process of the same program
    built.clear()
    assert built.of_module(1, PID, SPIRV) is None


def message(value, spirv=SPIRV, size=4, count=1):
    """As the library in the program writes it: one constant, with the id 0."""
    head = struct.pack("<4sIIIQII", b"ZCST", 1, PID, count, len(spirv), zlib.crc32(spirv), 0)
    return head + struct.pack("<IIQ", 0, size, value)


@pytest.fixture
def record():
    """A record of this process, to be filled."""
    with os.fdopen(os.memfd_create("zedbg-constants"), "wb", buffering=0) as file:
        yield file


def test_a_record_is_read_up_to_where_it_is_damaged(record):
    assert recorded_constants(os.getpid()) == ()
    whole = message(5) + message(6, b"other")
    for damage in (b"", b"Z", b"ZCST", message(7)[:-1], b"\0" * 64, message(8, count=1 << 20)):
        record.seek(0)
        record.truncate()
        record.write(whole + damage)
        assert [each.values[0][0] for each in recorded_constants(os.getpid())] == [5, 6]
    assert recorded_constants(1 << 22) == ()  # no such process


def test_values_are_known_only_where_every_build_had_the_same():
    same, other = built_with({0: b"1"}), built_with({0: b"2"})
    elsewhere = built_with({0: b"3"}, b"other")
    assert recorded_build([elsewhere], SPIRV) is None
    assert recorded_build([same, elsewhere, built_with({0: b"1"})], SPIRV) == same
    assert recorded_build([same, other, elsewhere], SPIRV) == 2


@pytest.mark.parametrize(
    ("default", "values", "expected"),
    [
        (bytes(range(12)), {3: b"abcdefgh", 4: b"ABCDEFGH"}, b"abcd\4\5\6\7AB\x0a\x0b"),
        (bytes(range(12)), {4: b"ABCDEFGH"}, b"\0\1\2\3\4\5\6\7AB\x0a\x0b"),
        (None, {3: b"abcdefgh", 4: b"AB"}, b"abcd\0\0\0\0AB\0\0"),
        (None, {3: b"abcdefgh"}, None),
        (None, {3: b"ab", 4: b"AB"}, None),
    ],
)
def test_scalars_without_a_value_keep_their_default(default, values, expected):
    elements = (
        SpecializationConstantElement(3, 0, 4),
        SpecializationConstantElement(4, 8, 2),
        SpecializationConstantElement(PADDING, 10, 2),
    )
    constant = SpecializationConstant("c", elements, default)
    assert built_value(constant, built_with(values)) == expected


def test_a_buffer_is_laid_out_as_the_defaults_are():
    constants = [
        SpecializationConstant("a", (SpecializationConstantElement(0, 0, 2),), None, 0),
        SpecializationConstant("b", (SpecializationConstantElement(1, 0, 3),), None, 2),
    ]
    assert buffer_size(constants) == 5
    assert values_in_buffer(constants, b"xxyyy") == {"a": b"xx", "b": b"yyy"}


def argument(index, name, type_name, space="global"):
    declared = ArgumentInfo(index=index, name=name, type_name=type_name)
    entry = PayloadArgument(
        arg_type="arg_bypointer", offset=8 * index, size=8, arg_index=index, addrspace=space
    )
    return KernelArgument(index, declared, (entry,), None)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([argument(0, "_arg__specialization_constants_buffer", "char*")], 0),
        ([argument(0, "", "int*"), argument(1, "", "char*")], 1),
        ([argument(0, "", "int*")], None),
        ([argument(0, "text", "char*")], None),
        ([argument(0, "", "char*", "local")], None),
        ([], None),
    ],
)
def test_the_buffer_is_known_by_its_name_or_as_nameless_bytes_at_the_end(arguments, expected):
    found = _buffer_argument(arguments)
    assert (None if found is None else found.index) == expected


@pytest.mark.parametrize(
    ("message", "values"),
    [
        (struct.pack("<4sIIIQIIII8s", b"ZCST", 1, 1, 1, 9, 5, 0, 3, 4, b"abcdefgh"), {3: b"abcd"}),
        (struct.pack("<4sIIIQII", b"ZCST", 1, 1, 1 << 20, 9, 5, 0), None),
        (struct.pack("<4sIIIQII", b"ZCST", 1, 1, 2, 9, 5, 0), None),
        (struct.pack("<4sIIIQII", b"ZCST", 2, 1, 0, 9, 5, 0), None),
        (b"ZCST", None),
    ],
    ids=["whole", "too-many", "cut-short", "of-another-version", "no-header"],
)
def test_messages_of_constants_are_answered_and_damaged_ones_passed_over(message, values):
    received = []
    ended = threading.Event()
    server = HoldServer(lambda _program: ended.set(), received.append)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(20)
            client.connect(str(server.path))
            client.sendall(message)
            client.shutdown(socket.SHUT_WR)
            try:
                answer = client.recv(1)
            except ConnectionResetError:  # closed before everything was read
                answer = b""
    finally:
        server.close()
    assert not ended.is_set()
    assert answer == (b"\1" if values is not None else b"")
    assert [each.values for each in received] == ([values] if values is not None else [])
    assert all((each.pid, each.input_size) == (os.getpid(), 9) for each in received)
