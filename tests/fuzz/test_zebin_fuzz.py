"""Damaged modules and containers: nothing but the typed error, in bounded memory and time."""

import json
import struct
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.fuzz_targets import check_rejection, modules
from zedbg.dwarf import DebugInfoError
from zedbg.frontends.text.rendering import render
from zedbg.tools.inspect.pages import Question, inspect_bytes
from zedbg.zebin import Module, ZebinError
from zedbg.zebin.arguments import kernel_arguments
from zedbg.zebin.elf import native_module
from zedbg.zebin.fat_binary import FatBinary
from zedbg.zebin.file_errors import FileError
from zedbg.zebin.formats import identify, not_zebin_reason
from zedbg.zebin.notes import parse_notes
from zedbg.zebin.patch_tokens import read_patch_tokens
from zedbg.zebin.payload import payload_map
from zedbg.zebin.resources import kernel_resources
from zedbg.zebin.spirv import read_spirv
from zedbg.zebin.zeinfo_check import check
from zedbg.zebin.zeinfo_reader import ZeInfo

pytestmark = pytest.mark.cases(1)

MODULES = modules()
ZEINFO = {
    name: module.section_bytes(module.section(".ze_info"))
    for name, data in MODULES.items()
    for module in [Module.from_bytes(data, name)]
}
MAGICS = [b"\x7fELF", b"CTNI", b"!<arch>\n", b"\x03\x02\x23\x07", b"\x10\xff\x10\xad", b"IBYS"]
RELAXED = settings(max_examples=100, deadline=5000, suppress_health_check=list(HealthCheck))

changes = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=8)), max_size=6
)
# Interesting numbers make sizes, counts and offsets that lead astray.
numbers = st.sampled_from([0, 1, 2, 0x7F, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 40, (1 << 64) - 1])
fields = st.lists(st.tuples(st.floats(0, 1, exclude_max=True), numbers), max_size=4)


def damaged(data, changed, astray, cut):
    """``data`` with bytes and aligned fields overwritten, and its end cut off."""
    copy = bytearray(data[: len(data) - int(cut * len(data))])
    for place, new in changed:
        start = int(place * len(copy))
        copy[start : start + len(new)] = new[: len(copy) - start]
    for place, number in astray:
        start = int(place * len(copy)) & ~7
        if start + 8 <= len(copy):
            struct.pack_into("<Q", copy, start, number)
    return bytes(copy)


def one_line(action, *errors):
    """Runs ``action``; one of ``errors`` may end it, in one line."""
    try:
        return action()
    except errors as error:
        check_rejection(error)
        return None


def everything(data):
    """All that ``zedbg inspect`` can say of ``data``, as text and as JSON."""
    questions = [Question(), Question(section="*"), Question(kernel="*"), Question(check=True)]
    for question in [*questions, Question(place="0x10"), Question(place="vadd")]:
        rows = one_line(
            lambda question=question: list(inspect_bytes(data, "damaged", question)),
            FileError,
            DebugInfoError,
        )
        if rows is not None:
            render(rows)
            json.dumps([row.to_json() for row in rows], allow_nan=False)


@pytest.mark.parametrize("name", MODULES)
@RELAXED
@given(changed=changes, astray=fields, cut=st.sampled_from([0, 0, 0, 0.01, 0.3, 0.9]))
def test_a_damaged_module_ends_in_one_line(name, changed, astray, cut):
    everything(damaged(MODULES[name], changed, astray, cut))


@pytest.mark.parametrize("name", MODULES)
@RELAXED
@given(data=st.data())
def test_section_headers_that_lead_astray_end_in_one_line(name, data):
    module = bytearray(MODULES[name])
    table = struct.unpack_from("<Q", module, 0x28)[0]
    count = struct.unpack_from("<H", module, 0x3C)[0]
    for _ in range(data.draw(st.integers(1, 3))):
        header = table + 64 * data.draw(st.integers(0, count - 1))
        field, size = data.draw(st.sampled_from([(0, 4), (4, 4), (24, 8), (32, 8), (40, 4)]))
        number = data.draw(numbers) & ((1 << 8 * size) - 1)
        module[header + field : header + field + size] = number.to_bytes(size, "little")
    everything(bytes(module))


def test_sections_without_bytes_end_in_one_line():
    module = MODULES["igc2-dg2-O2/printf.zebin"]
    table = struct.unpack_from("<Q", module, 0x28)[0]
    count = struct.unpack_from("<H", module, 0x3C)[0]
    for section in range(count):
        emptied = bytearray(module)
        struct.pack_into("<Q", emptied, table + 64 * section + 32, 0)
        everything(bytes(emptied))


@pytest.mark.parametrize("name", ZEINFO)
@RELAXED
@given(changed=changes, cut=st.sampled_from([0, 0, 0.1, 0.6]))
def test_damaged_zeinfo_ends_in_one_line_and_is_always_checked(name, changed, cut):
    text = damaged(ZEINFO[name], changed, [], cut).decode("utf-8", "replace")
    for finding in check(text):
        assert finding.line >= 1
        assert "\n" not in str(finding)

    def read():
        info = ZeInfo(text, "damaged")
        for kernel in map(info.kernel, info.kernel_names):
            kernel_arguments(kernel)
            payload_map(kernel, 32)
            kernel_resources(kernel)
        return info.functions, info.host_accesses, info.costs

    one_line(read, ZebinError)


@RELAXED
@given(st.sampled_from(MAGICS), st.binary(max_size=400))
def test_bytes_after_any_magic_end_in_one_line(magic, data):
    data = magic + data
    identify(data)
    not_zebin_reason(data)
    parse_notes(data)
    for read in (Module.from_bytes, FatBinary, read_patch_tokens, read_spirv):
        one_line(lambda read=read: read(data, "damaged"), ZebinError)
    everything(data)


def test_a_small_file_cannot_ask_for_much_memory():
    """Sections without bytes, overlapping tables and shared names claim more than the file has."""
    data = bytearray(MODULES["igc2-dg2-O0/vadd.zebin"])
    table = struct.unpack_from("<Q", data, 0x28)[0]
    count = struct.unpack_from("<H", data, 0x3C)[0]
    for index in range(1, count):
        struct.pack_into("<I", data, table + 64 * index + 4, 8)
        struct.pack_into("<Q", data, table + 64 * index + 32, 1 << 40)
    tracemalloc.start()
    try:
        everything(bytes(data))
        assert tracemalloc.get_traced_memory()[1] < 10 * len(data)
    finally:
        tracemalloc.stop()


def crowded(symbols, name_bytes):
    """A module whose symbols' names are the ends of one long string."""
    names = b"\0" + b"n" * name_bytes + b"\0"
    entries = b"".join(struct.pack("<IBBHQQ", 1 + i, 0, 0, 1, 0, 0) for i in range(symbols))
    header = struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    at = 64
    sections = header
    for kind, body, link in ((3, names, 0), (2, entries, 1)):
        sections += struct.pack("<IIQQQQIIQQ", 0, kind, 0, 0, at, len(body), link, 0, 0, 0)
        at += len(body)
    start = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    elf = start + struct.pack("<HHIQQQIHHHHHH", 1, 205, 1, 0, 0, at, 0, 64, 0, 0, 64, 3, 1)
    return elf + names + entries + sections


def test_names_that_share_one_long_string_are_refused_before_they_fill_memory():
    data = crowded(20_000, 200_000)
    tracemalloc.start()
    try:
        with pytest.raises(ZebinError, match="name of symbol"):
            native_module(data, "crowded").symbols  # noqa: B018
        assert tracemalloc.get_traced_memory()[1] < 10 * len(data)
    finally:
        tracemalloc.stop()
    assert len(native_module(crowded(20, 100), "sane").symbols) == 20


def test_deep_nesting_is_refused():
    text = "version: '1.65'\nkernels: " + "[" * 5000
    assert check(text)
    assert one_line(lambda: ZeInfo(text, "deep").kernel_names, ZebinError) is None
    assert "12000 brackets" in check("a: " + "[[{a: " * 4000)[0].problem
    assert "nested" in check("a: " + "{a: " * 300 + "b" * 4000)[0].problem
    assert "nested" in check("".join(f"{' ' * depth}a:\n" for depth in range(300)))[0].problem


def test_sections_that_are_all_the_whole_file_are_refused():
    """Showing each would take as many times the file as it has sections."""
    data = bytearray(MODULES["igc2-dg2-O0/vadd.zebin"])
    table = struct.unpack_from("<Q", data, 0x28)[0]
    count = struct.unpack_from("<H", data, 0x3C)[0]
    names = struct.unpack_from("<H", data, 0x3E)[0]
    for index in set(range(1, count)) - {names}:
        struct.pack_into("<QQ", data, table + 64 * index + 24, 0, len(data))
    with pytest.raises(ZebinError, match="sections overlap each other"):
        Module.from_bytes(bytes(data), "overlapping")
