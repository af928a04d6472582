"""Formats beside zebin: recognised, explained, and opened where they hold native modules."""

import struct

import pytest
import zstandard

from tests.support.packed_modules import ZEBINS
from zedbg.tools.inspect.pages import Question, inspect_bytes
from zedbg.zebin import Module, ZebinError
from zedbg.zebin.fat_binary import FatBinary
from zedbg.zebin.formats import FileFormat, identify, not_zebin_reason
from zedbg.zebin.patch_tokens import read_patch_tokens
from zedbg.zebin.spirv import read_spirv

VADD = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"


def elf_header(bits=64, kind=1, machine=205):
    size = 64 if bits == 64 else 52
    start = b"\x7fELF" + bytes([2 if bits == 64 else 1, 1, 1]) + bytes(9)
    return (start + struct.pack("<HH", kind, machine)).ljust(size, b"\0")


DEBUG_DATA = struct.pack("<4s6I", b"CTNI", 1081, 0, 12, 9, 0, 0)


@pytest.mark.parametrize(
    ("data", "format_"),
    [
        (elf_header(), FileFormat.ZEBIN),
        (elf_header(32), FileFormat.ZEBIN),
        (elf_header(kind=0xFF04, machine=0), FileFormat.PATCH_TOKEN_PROGRAM),
        (elf_header(kind=2, machine=182), FileFormat.GEN_ELF),
        (elf_header(kind=3, machine=62), FileFormat.X86_64),
        (elf_header(kind=3, machine=183), FileFormat.OTHER_ELF),
        (b"CTNI" + struct.pack("<7I", 1081, 12, 8, 1, 9, 0, 0), FileFormat.PATCH_TOKENS),
        (DEBUG_DATA, FileFormat.PATCH_TOKEN_DEBUG),
        (b"!<arch>\n", FileFormat.FAT_BINARY),
        (b"\x03\x02\x23\x07", FileFormat.SPIRV),
        (b"\x07\x23\x02\x03", FileFormat.SPIRV),
        (b"\x28\xb5\x2f\xfd", FileFormat.ZSTD),
        (b"\x10\xff\x10\xad", FileFormat.OFFLOAD_BINARY),
        (b"IBYS", FileFormat.SYCLBIN),
        (b"BC\xc0\xde", FileFormat.BITCODE),
        (b"\x7fELF", FileFormat.UNKNOWN),
        (b"kernel void f() {}", FileFormat.UNKNOWN),
        (b"", FileFormat.UNKNOWN),
    ],
)
def test_formats_are_detected_and_all_but_zebin_are_explained(data, format_):
    assert identify(data) is format_
    assert (not_zebin_reason(data) is None) == (format_ is FileFormat.ZEBIN)


def archive(*members, long_names=b""):
    """An ``ar`` archive of (name field, data)."""
    whole = b"!<arch>\n"
    for name, data in ([(b"//", long_names)] if long_names else []) + list(members):
        whole += name.ljust(16) + b"0".ljust(12) + b"0".ljust(6) * 2 + b"644".ljust(8)
        whole += str(len(data)).encode().ljust(10) + b"`\n" + data + b"\n" * (len(data) % 2)
    return whole


def test_a_member_of_a_fat_binary_opens_as_the_module_that_it_is():
    module = VADD.read_bytes()
    data = archive((b"pad_0/", b"\0" * 3), (b"64.dg2/", module), (b"32.bmg/", b"x"))
    fat = FatBinary(data, "fat")
    assert [(m.name, m.target, m.pointer_bits) for m in fat.members] == [
        ("64.dg2", "dg2", 64),
        ("32.bmg", "bmg", 32),
    ]
    chosen = fat.member_bytes(fat.choose("dg2"))
    assert chosen == module
    assert Module.from_bytes(chosen, "fat(64.dg2)").kernel_names == ["vadd"]


def test_members_are_chosen_by_version_by_family_and_by_name():
    names = (b"64.12.55.8/", b"64.12.56.5/", b"64.9.0.9/", b"64.dg2-g10/")
    fat = FatBinary(archive(*((name, b"") for name in names)), "fat")
    assert fat.choose("12.56.5").name == "64.12.56.5"
    assert fat.choose("12.56").name == "64.12.56.5"
    assert fat.choose("64.9.0.9").name == "64.9.0.9"
    assert fat.choose("dg2").name == "64.dg2-g10"
    with pytest.raises(ZebinError, match=r"several members for 12: choose one of 12\.55\.8"):
        fat.choose("12")
    with pytest.raises(ZebinError, match=r"no member for pvc: choose one of 12\.55\.8, "):
        fat.choose("pvc")


def test_members_that_are_called_by_version_are_chosen_by_the_devices_of_their_modules():
    bmg = (VADD.parents[1] / "igc2-bmg-O0" / VADD.name).read_bytes()
    dg2 = VADD.read_bytes()
    members = ((b"64.12.55.8/", dg2), (b"64.12.56.5/", dg2), (b"64.20.1.0/", bmg))
    fat = FatBinary(archive(*members), "fat")
    assert fat.choose("bmg").name == fat.choose("bmg-g21").name == "64.20.1.0"
    with pytest.raises(ZebinError, match=r"choose one of 12\.55\.8 \(dg2\), 12\.56\.5 \(dg2\)$"):
        fat.choose("dg2")
    with pytest.raises(ZebinError, match=r"no member for pvc: .*, 20\.1\.0 \(bmg\)$"):
        fat.choose("pvc")


def test_long_member_names_are_found_in_their_table():
    long_names = b"64.some-device-with-a-long-name/\n"
    fat = FatBinary(archive((b"/0", b"x"), long_names=long_names), "fat")
    assert [m.target for m in fat.members] == ["some-device-with-a-long-name"]


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda data: data[:-3], "no such size"),
        (lambda data: data[:40], "no member header"),
        (lambda data: data.replace(b"`\n", b"!!", 1), "no member header"),
        (lambda data: data.replace(b"4         `", b"-4        `"), "no such size"),
    ],
)
def test_damaged_fat_binaries_name_the_byte(damage, problem):
    with pytest.raises(ZebinError, match=f"{problem} at byte 0x8"):
        FatBinary(damage(archive((b"64.dg2/", b"abcd"))), "fat")


def words(*values):
    return struct.pack(f"<{len(values)}I", *values)


def test_spirv_names_its_kernels_version_and_producer():
    name = b"vadd\0\0\0\0"
    module = words(0x07230203, 0x10400, 6 << 16 | 14, 9, 0)
    module += words(3 << 16 | 14, 2, 2)
    module += words((3 + len(name) // 4) << 16 | 15, 6, 1) + name
    spirv = read_spirv(module, "v.spv")
    assert (spirv.version, spirv.kernels, spirv.address_bits) == ("1.4", ("vadd",), 64)
    assert spirv.generator.startswith("Khronos LLVM/SPIR-V Translator")
    big = struct.pack(f">{len(module) // 4}I", *struct.unpack(f"<{len(module) // 4}I", module))
    assert read_spirv(big, "big").version == "1.4"
    with pytest.raises(ZebinError, match="of 0 words at byte 0x14, expected 1 to 1"):
        read_spirv(module[:20] + words(0), "v.spv")
    with pytest.raises(ZebinError, match="truncated or no SPIR-V at byte 0x0, expected a header"):
        read_spirv(module[:16], "v.spv")


def test_patch_tokens_name_their_kernels():
    name = b"vadd\0\0\0\0"
    program = struct.pack("<4s6I", b"CTNI", 1081, 12, 8, 1, 9, 0)
    kernel = struct.pack("<IQ7I", 0, 0, len(name), 3, 16, 0, 0, 0, 12) + name + bytes(19)
    read = read_patch_tokens(program + kernel, "old")
    assert [(k.name, k.size) for k in read.kernels] == [("vadd", 12)]
    assert (read.core_family, read.pointer_size) == (12, 8)
    with pytest.raises(ZebinError, match="cut off"):
        read_patch_tokens(program + kernel[:-1], "old")


def test_patch_token_debug_data_holds_an_elf_file_for_each_kernel():
    elf = elf_header(kind=2, machine=182)
    data = bytearray(DEBUG_DATA)
    struct.pack_into("<I", data, 24, 2)
    for name in (b"k\0\0\0", b"longer_name\0"):
        data += struct.pack("<III", len(name), len(elf), 0) + name + elf
    read = read_patch_tokens(bytes(data), "k.dbg")
    assert [k.name for k in read.kernels] == ["k", "longer_name"]
    for kernel in read.kernels:
        assert identify(bytes(data[kernel.offset : kernel.offset + kernel.size])) is (
            FileFormat.GEN_ELF
        )
    with pytest.raises(ZebinError, match="cut off"):
        read_patch_tokens(bytes(data[:-1]), "k.dbg")


def test_a_module_in_a_zstandard_frame_is_an_image_that_can_be_inspected():
    data = zstandard.compress(VADD.read_bytes())
    page = list(inspect_bytes(data, "packed", Question(image=0)))
    assert page == list(inspect_bytes(VADD.read_bytes(), "packed(image 0)", Question()))
    file, _image = inspect_bytes(data, "packed", Question())
    assert file.details[1] == "1 of native module (zebin), compressed, no target named"


def test_an_empty_file_is_called_empty():
    with pytest.raises(ZebinError, match=r"^nothing: the file is empty$"):
        inspect_bytes(b"", "nothing", Question())
