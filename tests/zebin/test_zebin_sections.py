"""Sections that only some modules have, as the page shows them: real ones, and made ones."""

import re
import struct

import pytest

from tests.support.packed_modules import MODULES
from zedbg.frontends.text import text_modules  # noqa: F401 - importing declares renderers
from zedbg.frontends.text.rendering import render
from zedbg.tools.inspect.pages import Question, inspect_bytes
from zedbg.zebin import Module, ZebinError
from zedbg.zebin.gtpin_info import IndirectAccess, RegisterBytes, read_gtpin_info

INSTRUMENTED = MODULES / "instrumented" / "indirect.zebin"
GTPIN_TYPE, VISA_TYPE, ZEINFO_TYPE = 0xFF000012, 0xFF000013, 0xFF000011


def shown(data, section):
    return "\n".join(render(list(inspect_bytes(data, "module", Question(section=section)))))


def module(bits, *sections):
    """A native module of ``bits`` with (name, type, flags, bytes) as its sections."""
    names, body, headers = b"\0", b"", []
    header_size, entry = (64, "<IIQQQQIIQQ") if bits == 64 else (52, "<IIIIIIIIII")
    for name, kind, flags, data in [*sections, (".shstrtab", 3, 0, b"")]:
        at = header_size + len(body)
        if name == ".shstrtab":
            data = names + name.encode() + b"\0"
        headers.append((len(names), kind, flags, 0, at, len(data), 0, 0, 1, 0))
        names += name.encode() + b"\0"
        body += data
    table = b"".join(struct.pack(entry, *header) for header in [(0,) * 10, *headers])
    start = b"\x7fELF" + bytes([bits // 32, 1, 1]) + bytes(9)
    end = (0, header_size, 0, 0, struct.calcsize(entry), len(headers) + 1, len(headers))
    words = "<HHIQQQIHHHHHH" if bits == 64 else "<HHIIIIIHHHHHH"
    place = header_size + len(body)
    return start + struct.pack(words, 1, 205, 1, 0, 0, place, *end) + body + table


def gtpin(*items, version=5):
    request = struct.pack("<I", version) + bytes({0: 4, 1: 8, 2: 8}.get(version, 12))
    parts = [struct.pack("<II", number, 8 + len(content)) + content for number, content in items]
    return request + struct.pack("<I", len(items)) + b"".join(parts)


def test_the_compilers_gtpin_info_names_the_instructions_that_address_registers_indirectly():
    opened = Module.open(INSTRUMENTED)
    section = opened.section(".gtpin_info.indirect")
    info = read_gtpin_info(opened.section_bytes(section), "indirect")
    kernel = opened.kernel("indirect")
    code = shown(INSTRUMENTED.read_bytes(), ".text.indirect")
    indirect = {
        int(address, 16) - kernel.address
        for address in re.findall(r"^0x([0-9a-f]+):.*r\[a0", code, re.MULTILINE)
    }
    assert indirect
    assert {access.offset for access in info.indirect_accesses} == indirect
    assert info.grf_count == kernel.info.execution.grf_count


def test_the_compilers_visa_assembly_is_shown_as_text():
    text = shown(INSTRUMENTED.read_bytes(), ".visaasm")
    assert '.kernel "indirect"' in text
    assert "vISA assembly" in text


def test_all_items_of_gtpin_info_are_read():
    free = struct.pack("<IIHHHHI", 0xDEADD00D, 2, 64, 32, 4000, 96, 0xDEADBEEF)
    data = gtpin(
        (0, free),
        (1, struct.pack("<II", 0x40, 1024)),
        (2, struct.pack("<II", 192, 64)),
        (3, struct.pack("<I", 256)),
        (4, struct.pack("<IIHH", 1, 0x308, 3040, 512)),
        (9, b"abc"),
    )
    info = read_gtpin_info(data, "k")
    assert list(info.free_registers) == [RegisterBytes(64, 32), RegisterBytes(4000, 96)]
    assert list(info.indirect_accesses) == [IndirectAccess(0x308, RegisterBytes(3040, 512))]
    text = shown(module(64, (".gtpin_info.k", GTPIN_TYPE, 0, data)), ".gtpin*")
    for line in (
        "GTPin interface version 5",
        "GRFs of a thread: 256",
        "payload prologs: per thread 192 bytes, cross-thread 64 bytes",
        "scratch kept for GTPin: 1024 bytes at 0x40",
        "  64..95, 4000..4095",
        "  instruction at 0x308: GRF bytes 3040..3551",
        "item 9: 616263",
    ):
        assert line in text.splitlines()


@pytest.mark.parametrize(("version", "size"), [(1, 0x20), (2, 0x20), (3, 0x1020), (5, 0x1020)])
def test_a_scratch_area_of_gtpin_has_one_byte_of_size_before_version_3(version, size):
    data = gtpin((1, struct.pack("<II", 64, 0x1020)), version=version)
    assert read_gtpin_info(data, "k").scratch_size == size


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\5", "at byte 0x0, expected a 32-bit number"),
        (gtpin()[:-1], "at byte 0x10, expected a 32-bit number"),
        (gtpin((3, b"\1\0\0\0"))[:-1], "no such size as 12 at byte 0x14"),
        (gtpin((3, b"\1\0"))[:22], "at byte 0x14, expected 1 items"),
        (gtpin((3, b"\1\0")), "at byte 0x1c, expected a 32-bit number"),
        (gtpin((0, bytes(12))), "do not begin at byte 0x1c, expected 0xdeadd00d"),
        (
            gtpin((0, struct.pack("<III", 0xDEADD00D, 0, 1))),
            "do not end at byte 0x24, expected 0xdeadbeef",
        ),
        (gtpin((0, struct.pack("<II", 0xDEADD00D, 1 << 31))), "too short for its 2147483648"),
        (gtpin((4, struct.pack("<I", 2) + bytes(8))), "too short for its 2 entries at byte 0x1c"),
    ],
)
def test_damaged_gtpin_info_names_the_byte(data, problem):
    with pytest.raises(ZebinError, match=f"module: .gtpin_info.k: .*{problem}"):
        shown(module(64, (".gtpin_info.k", GTPIN_TYPE, 0, data)), ".gtpin*")


@pytest.mark.parametrize("bits", [32, 64])
def test_sections_are_decoded_whatever_the_class_of_the_file(bits):
    zeinfo = (
        b"version: '1.65'\nkernels:\n  - name: k\n    execution_env:\n"
        b"      grf_count: 128\n      simd_size: 8\n"
    )
    data = module(
        bits,
        (".text.k", 1, 6, bytes(64)),
        (".ze_info", ZEINFO_TYPE, 0, zeinfo),
        (".visaasm.k", VISA_TYPE, 0, b'.version 4.2\n.kernel "k"\n'),
        (".data.const.string", 1, 2, b"%d items\0\0end\0"),
        (".gtpin_info.k", GTPIN_TYPE, 0, gtpin((3, b"\x80\0\0\0"))),
        (".note.intelgt.metrics", 7, 0, bytes(3)),
    )
    opened = Module.from_bytes(data, "module")
    assert opened.address_bits == bits
    assert opened.kernel_names == ["k"]
    assert '.kernel "k"' in shown(data, ".visaasm*").splitlines()
    assert "GRFs of a thread: 128" in shown(data, ".gtpin*")
    strings = re.findall('0x[0-9a-f]+:  (".*")', shown(data, ".data.const.string"))
    assert strings == ['"%d items"', '"end"']
    assert "no metrics were recorded" in shown(data, ".note.intelgt.metrics")
    page = "\n".join(render(list(inspect_bytes(data, "module", Question()))))
    for words in (f"{bits}-bit", "GTPin info", "vISA assembly", ".ze_info"):
        assert words in page


def test_metrics_that_were_recorded_are_shown_as_bytes():
    text = shown(module(64, (".note.intelgt.metrics", 7, 0, b"\1\2\3")), ".note*")
    assert "01 02 03" in text
    assert "no metrics" not in text
