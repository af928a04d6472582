"""Modules as files and as debuggees' images; names, placement, other formats, damage."""

import random
import re
import struct

import pytest

from tests.support.packed_modules import ZEBINS
from zedbg.dwarf import CodePlaces, DebugInfo, DebugInfoError
from zedbg.zebin import Module, ZebinError
from zedbg.zebin.zeinfo_reader import ZeInfo

VADD = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"
PRIVATE = ZEBINS / "igc2-dg2-O0" / "private.zebin"


def zeinfo(*names):
    entries = "".join(
        f"  - name:            {name}\n    execution_env:\n      grf_count:       128\n"
        "      simd_size:       16\n"
        for name in names
    )
    return ZeInfo(f"---\nversion:         '1.73'\nkernels:\n{entries}...\n", "test")


def test_kernels_whose_names_look_like_yaml_constants_keep_them():
    info = zeinfo("no", "on", "yes", "off", "NO", "'null'", "'n$a'", "_Z3addPf")
    assert info.kernel_names == ["no", "on", "yes", "off", "NO", "null", "n$a", "_Z3addPf"]
    assert info.kernel("no").name == "no"
    assert info.kernel("null").execution.simd_size == 16
    assert info.kernel("nothing") is None


def test_a_document_of_another_shape_is_read_whole():
    text = "version: '1.9'\nkernels: [{name: a, execution_env: {grf_count: 256, simd_size: 8}}]\n"
    info = ZeInfo(text, "test")
    assert info.kernel_names == ["a"]
    assert info.kernel("a").execution.grf_count == 256


def test_keys_that_are_not_known_are_kept():
    info = ZeInfo(
        "version: '1.99'\nkernels:\n  - name: a\n    execution_env:\n      simd_size: 8\n"
        "      warp_drive: true\n    crew: [ 1, 2 ]\n",
        "test",
    )
    assert info.kernel("a").execution.extra == {"warp_drive": "true"}
    assert info.kernel("a").extra == {"crew": ["1", "2"]}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("kernels:\n  - name: a\n    execution_env:\n      simd_size: many\n", "simd_size"),
        ("kernels:\n  - name: a\n    execution_env: [ 3 ]\n", "ExecutionEnvironment"),
        ("kernels:\n  - name: a\n    payload_arguments: 7\n", "PayloadArgument"),
        ("kernels:\n  - name: a\n    x: [\n", "not YAML"),
    ],
)
def test_a_damaged_entry_is_one_clear_line(text, problem):
    with pytest.raises(ZebinError, match=problem) as caught:
        ZeInfo(text, "k.zebin").kernel("a")
    assert str(caught.value).startswith("k.zebin: .ze_info: ")
    assert "\n" not in str(caught.value)


def test_a_number_that_is_none_is_reported_with_its_line():
    module = Module.open(ZEBINS / "igc1-dg2-O0" / "image.zebin")
    lines = module.section_bytes(module.section(".ze_info")).rstrip(b"\0").decode().split("\n")
    numbered = [
        (index, match)
        for index, line in enumerate(lines)
        if (match := re.fullmatch(r"(\s+(?:- )?(\w+):\s*)(\d+)", line))
    ]
    assert len(numbered) > 40
    for index, match in numbered:
        changed = "\n".join([*lines[:index], match[1] + "bad", *lines[index + 1 :]])
        with pytest.raises(ZebinError) as caught:
            ZeInfo(changed, "k.zebin").kernel(module.kernel_names[0])
        expected = (
            rf"k\.zebin: \.ze_info: line {index + 1}: kernel \w+: {match[2]} is 'bad', expected a"
        )
        assert re.match(expected, str(caught.value)), caught.value


def test_code_of_a_file_is_laid_out_without_overlap():
    module = Module.open(PRIVATE)
    first, second = sorted(module.kernels, key=lambda kernel: kernel.address)
    assert first.address == 0
    assert second.address >= first.end


def test_placement_moves_code_symbols_and_debug_information():
    base = 0x8000_0010_0000
    module = Module.open(PRIVATE, {".text.priv": base, ".text.privsmall": base + 0x10000})
    assert module.kernel("priv").address == base
    assert module.kernel_at(base + 0x10010).name == "privsmall"
    assert {s.address for s in module.symbols_named("privsmall")} == {base + 0x10000}
    functions = DebugInfo.of(module).functions
    assert [(f.name, f.low) for f in functions] == [
        ("priv", base),
        ("privsmall", base + 0x10000),
    ]


def debug_image(path, base):
    """What a driver announces, made from a file: final addresses, ET_EXEC, relocated sections."""
    from zedbg.dwarf.units.sections import DebugSections

    names = [s.name for s in Module.open(path).sections if s.name.startswith(".text.")]
    placement = {name: base + index * 0x10000 for index, name in enumerate(names)}
    placed = Module.open(path, placement)
    sections = DebugSections(placed)
    data = bytearray(placed.data)
    struct.pack_into("<H", data, 16, 2)
    table = struct.unpack_from("<Q", data, 0x28)[0]
    for section in placed.sections:
        struct.pack_into("<Q", data, table + section.index * 64 + 16, section.address)
        if section.name.startswith(".debug"):
            data[section.offset : section.offset + section.size] = sections.data(section.name)
        if section.name == ".symtab":
            for entry in range(section.offset, section.offset + section.size, 24):
                owner = struct.unpack_from("<H", data, entry + 6)[0]
                if 0 < owner < len(placed.sections):
                    value = struct.unpack_from("<Q", data, entry + 8)[0]
                    value += placed.sections[owner].address
                    struct.pack_into("<Q", data, entry + 8, value)
    return bytes(data), placed


def test_a_debuggees_image_is_not_relocated_again():
    data, placed = debug_image(PRIVATE, 0x8000_0020_0000)
    image = Module.from_bytes(data, "image")
    assert not image.is_relocatable
    assert [k.address for k in image.kernels] == [k.address for k in placed.kernels]
    assert [(s.name, s.address) for s in image.symbols if s.is_function] == [
        (s.name, s.address) for s in placed.symbols if s.is_function
    ]
    ours, theirs = DebugInfo.of(image), DebugInfo.of(placed)
    assert [row.address for row in ours.lines.rows] == [row.address for row in theirs.lines.rows]
    assert [(f.name, f.low, f.high) for f in ours.functions] == [
        (f.name, f.low, f.high) for f in theirs.functions
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "ELF magic"),
        (b"\x7fELF", "truncated"),
        (b"!<arch>\npad_0/", "fat binary"),
        (b"CTNI" + bytes(60), "patch-token"),
        (b"\x03\x02\x23\x07" + bytes(60), "SPIR-V"),
        (b"BC\xc0\xde" + bytes(60), "bitcode"),
        (b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x01\x00\x3e\x00" + bytes(44), "x86-64 code"),
        (b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x01\x00\x08\x00" + bytes(44), "machine 8 where"),
        (b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x04\xff\x00\x00" + bytes(44), "patch-token"),
    ],
)
def test_other_formats_are_named(data, words):
    with pytest.raises(ZebinError, match=words):
        Module.from_bytes(data, "thing")


def everything(data):
    """Asks a module everything that it can be asked."""
    module = Module.from_bytes(data, "damaged")
    for section in module.sections:
        module.section_bytes(section)
    for kernel in module.kernels:
        module.symbol_at(kernel.address)
    assert module.notes is not None
    module.build_options  # noqa: B018
    info = DebugInfo.of(module)
    if info is None:
        return
    info.lines.rows  # noqa: B018
    info.globals  # noqa: B018
    info.frames.entries  # noqa: B018
    info.type_named("S")
    for function in info.functions:
        CodePlaces(info).after_prologue(function)
        for _scope, variable in info.variables_at(function.low):
            assert isinstance(variable.type.name, str)


@pytest.mark.parametrize("name", ["structs", "calls", "private"])
def test_truncated_and_corrupted_modules_raise_nothing_but_their_own_errors(name):
    whole = (ZEBINS / "igc2-dg2-O0" / f"{name}.zebin").read_bytes()
    everything(whole)
    chance = random.Random(name)
    refused = 0
    for attempt in range(150):
        data = bytearray(whole)
        if attempt % 3 == 0:
            del data[chance.randrange(len(data)) :]
        else:
            for _ in range(chance.choice([1, 4, 20])):
                # The last part of the file holds all that is parsed; code comes first.
                data[chance.randrange(len(data) // 2, len(data))] = chance.randrange(256)
        try:
            everything(bytes(data))
        except (ZebinError, DebugInfoError) as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 30
