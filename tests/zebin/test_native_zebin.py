"""The native loader reads modules as other readers do.

Oracles: PyYAML for .ze_info; readelf, llvm-dwarfdump, pyelftools and zedbg's own relocation of a
module's file for the debug image.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from elftools.elf.elffile import ELFFile

from tests.support.dwarf.intel_debug_image import Segment, intel_debug_image
from tests.support.native_programs import native_program
from tests.support.packed_modules import MODULES, ZEBINS
from zedbg.dwarf.units.sections import DebugSections
from zedbg.zebin import Module

# `linked`: modules of functions, with DWARF 5; `cpp`: kernels whose linker names are mangled.
PATHS = [
    *sorted(ZEBINS.glob("*/*.zebin")),
    *sorted(MODULES.glob("linked/*/*.zebin")),
    *sorted(MODULES.glob("cpp/*.zebin")),
]
WITH_DEBUG_INFO = [path for path in PATHS if b".debug_line" in path.read_bytes()]
EXTERNALS = "Intel_Symbol_Table_Void_Program"
CROSS_THREAD_OFFSET = "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0"  # the driver's

DebugImage = Callable[[Path], Path]

SYMBOL = struct.Struct("<IBBHQQ")
ADDRESS_64 = 1  # a type of relocations
NAMES_OF_SECTIONS = (".text.", ".debug_")


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def inspect(path: Path, debug_image: Path | None = None) -> dict[str, Any]:
    program = native_program("xesim_zebin_inspect")
    options = [] if debug_image is None else ["--debug-image", str(debug_image)]
    done = subprocess.run([program, *options, path], check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def section(path: Path, name: str) -> bytes:
    with path.open("rb") as file:
        return ELFFile(file).get_section_by_name(name).data()


def as_int(node: dict[str, str], key: str, missing: int = 0) -> int:
    return int(node.get(key, missing))


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_zeinfo_is_read_as_yaml_reads_it(path: Path) -> None:
    document = yaml.load(section(path, ".ze_info"), Loader=yaml.CBaseLoader)
    expected = [kernel for kernel in document["kernels"] if kernel["name"] != EXTERNALS]
    found = inspect(path)
    assert "error" not in found
    assert [kernel["name"] for kernel in found["kernels"]] == [k["name"] for k in expected]
    for kernel, wanted in zip(found["kernels"], expected, strict=True):
        environment = wanted["execution_env"]
        for key in ("simd_size", "grf_count", "barrier_count", "slm_size"):
            assert kernel[key] == as_int(environment, key)
        assert kernel["private_size"] == as_int(environment, "private_size")
        assert kernel["inline_data_size"] == as_int(environment, "inline_data_payload_size")
        assert found["sections"][kernel["text_section"]] == f".text.{wanted['name']}"
        arguments = wanted.get("payload_arguments") or []
        assert len(kernel["arguments"]) == len(arguments)
        end = kernel["inline_data_size"]
        for argument, entry in zip(kernel["arguments"], arguments, strict=True):
            size = as_int(entry, "size")
            assert argument["arg_type"] == entry["arg_type"]
            assert argument["size"] == size
            assert argument["offset"] == (as_int(entry, "offset") if size else -1)
            assert argument["arg_index"] == as_int(entry, "arg_index", -1)
            end = max(end, argument["offset"] + size)
        assert kernel["cross_thread_size"] == -(-end // 32) * 32
        local_ids = sum(
            as_int(entry, "size") for entry in wanted.get("per_thread_payload_arguments") or []
        )
        assert kernel["local_id_size"] == local_ids
    unresolved = {name: error for name, error in found["relocated"].items() if error is not None}
    missing = imported_names(path)
    assert bool(unresolved) == bool(missing)
    for error in unresolved.values():
        assert any(f"undefined symbol `{name}`" in error for name in missing), error


def imported_names(path: Path) -> set[str]:
    """What the module wants of others."""
    with path.open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".symtab").iter_symbols()
        names = {s.name for s in symbols if s["st_shndx"] == "SHN_UNDEF" and s.name}
    return names - {CROSS_THREAD_OFFSET}


def test_kernel_names_stay_strings(tmp_path: Path) -> None:
    """A kernel may be called `false`; unquoted, though YAML 1.1 reads a Boolean there."""
    source = next(path for path in PATHS if name_of(path) == "igc2-dg2-O0-saxpy")
    damaged = tmp_path / "no.zebin"
    # Same length, so that nothing else of the file moves.
    for replacement in (b"false", b"'on' ", b"1e3  "):
        name = replacement.strip()
        content = source.read_bytes().replace(
            b"name:            saxpy", b"name:            " + replacement
        )
        section_name = b".text." + name.strip(b"'") + b"\0"
        content = content.replace(
            b".text.saxpy\0", section_name.ljust(len(b".text.saxpy\0"), b"\0")
        )
        damaged.write_bytes(content)
        names = [kernel["name"] for kernel in inspect(damaged)["kernels"]]
        assert names == [name.strip(b"'").decode()]


@pytest.fixture(scope="module")
def debug_image(tmp_path_factory: pytest.TempPathFactory) -> DebugImage:
    """Makes the debug image of a module, once for all tests."""
    folder = tmp_path_factory.mktemp("images")

    def image_of(path: Path) -> Path:
        image = folder / f"{name_of(path)}.elf"
        if not image.exists():
            inspect(path, image)
        return image

    return image_of


def text_ranges(image: Path) -> dict[str, tuple[int, int]]:
    """Address ranges of the .text sections, as readelf sees the debug image."""
    listing = subprocess.run(
        ["readelf", "-SW", image], check=True, capture_output=True, text=True
    ).stdout
    rows = re.findall(r"\] \.text\.(\S+) +PROGBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)", listing)
    return {name: (int(start, 16), int(start, 16) + int(size, 16)) for name, start, size in rows}


@pytest.mark.parametrize("path", WITH_DEBUG_INFO, ids=name_of)
def test_debug_image_has_absolute_addresses(path: Path, debug_image: DebugImage) -> None:
    image = debug_image(path)
    ranges = text_ranges(image)
    header = subprocess.run(["readelf", "-hlW", image], check=True, capture_output=True, text=True)
    assert "EXEC (Executable file)" in header.stdout
    loads = [int(address, 16) for address in re.findall(r"LOAD +0x\w+ 0x(\w+)", header.stdout)]
    assert {start for start, _ in ranges.values()} <= set(loads)

    dump = subprocess.run(
        ["llvm-dwarfdump", "--debug-line", "--debug-info", "--show-form", image],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    # Every row of every line table lies in a kernel, and every kernel has a line table.
    rows = [int(row, 16) for row in re.findall(r"^0x([0-9a-f]{16}) +\d+ +\d+", dump, re.M)]
    assert rows
    with_lines = set()
    for row in rows:
        owner = [name for name, (start, end) in ranges.items() if start <= row <= end]
        assert owner, hex(row)
        with_lines.update(owner)
    assert with_lines >= set(ranges) - {EXTERNALS}
    # Every subprogram's code is that of a kernel, and one of its subprograms has the kernel's name.
    low_pcs = re.findall(r"DW_AT_low_pc \[DW_FORM_addrx?\]\s+\(.*?(0x[0-9a-f]{16})\)", dump)
    assert len(low_pcs) == dump.count("DW_AT_low_pc")
    assert low_pcs
    for low_pc in low_pcs:
        assert any(start <= int(low_pc, 16) < end for start, end in ranges.values())


def segments_of(image: Path) -> dict[str, Segment]:
    """The sections that have addresses, and the bytes that are mapped for each."""
    with image.open("rb") as file:
        elf = ELFFile(file)
        mapped = {segment["p_vaddr"]: segment["p_memsz"] for segment in elf.iter_segments()}
        return {
            section.name: Segment(section["sh_addr"], mapped.get(section["sh_addr"], 0))
            for section in elf.iter_sections()
            if section["sh_addr"]
        }


def loads_of(image: Path) -> list[Any]:
    with image.open("rb") as file:
        return [segment.header for segment in ELFFile(file).iter_segments()]


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_debug_image_is_the_one_that_intels_driver_makes(
    path: Path, tmp_path: Path, debug_image: DebugImage
) -> None:
    """Byte by byte, but for code addresses in debug sections whose symbols have lost their names:
    the driver leaves those relative to 0."""
    image = debug_image(path)
    expected = tmp_path / "expected.elf"
    expected.write_bytes(intel_debug_image(path.read_bytes(), segments_of(image)))
    assert loads_of(image) == loads_of(expected)
    assert all(load["p_memsz"] >= load["p_filesz"] for load in loads_of(image))
    end = path.stat().st_size
    found, wanted = bytearray(image.read_bytes()[:end]), bytearray(expected.read_bytes()[:end])
    for content in (found, wanted):
        content[0x20:0x28] = bytes(8)  # where program headers are: after the rest
        for place in places_of_lost_names(path):
            content[place : place + 8] = bytes(8)
    assert found == wanted


def places_of_lost_names(path: Path) -> list[int]:
    """Offsets in the file of the 64-bit addresses in debug sections whose symbols name nothing."""
    places = []
    with path.open("rb") as file:
        elf = ELFFile(file)
        symbols = elf.get_section_by_name(".symtab")
        for relocations in elf.iter_sections("SHT_RELA"):
            target = elf.get_section(relocations["sh_info"])
            for entry in relocations.iter_relocations():
                name = symbols.get_symbol(entry["r_info_sym"]).name
                if entry["r_info_type"] == ADDRESS_64 and not name.startswith(NAMES_OF_SECTIONS):
                    places.append(target["sh_offset"] + entry["r_offset"])
    return places


def without_names_of_symbols(path: Path) -> bytes:
    """The module, without names of the symbols that its debug sections are relocated by."""
    with path.open("rb") as file:
        elf = ELFFile(file)
        table = elf.get_section_by_name(".symtab")
        start, count = table["sh_offset"], table.num_symbols()
        debug = {i for i, s in enumerate(elf.iter_sections()) if s.name.startswith(".debug_")}
    content = bytearray(path.read_bytes())
    for at in itertools.islice(itertools.count(start, SYMBOL.size), count):
        fields = SYMBOL.unpack_from(content, at)
        if fields[3] in debug:
            SYMBOL.pack_into(content, at, 0, *fields[1:])
    return bytes(content)


def debug_sections(image: Path) -> dict[str, tuple[int, bytes]]:
    """The debug sections of an image: address and bytes, by name."""
    with image.open("rb") as file:
        return {
            s.name: (s["sh_addr"], s.data())
            for s in ELFFile(file).iter_sections()
            if s.name.startswith(".debug_")
        }


@pytest.mark.parametrize("path", WITH_DEBUG_INFO, ids=name_of)
def test_lost_symbol_names_are_recovered(
    path: Path, tmp_path: Path, debug_image: DebugImage
) -> None:
    """The compiler loses names at random: without any, the debug sections come out the same."""
    nameless = tmp_path / "nameless.zebin"
    nameless.write_bytes(without_names_of_symbols(path))
    inspect(nameless, tmp_path / "nameless.elf")
    expected = debug_sections(debug_image(path))
    assert debug_sections(tmp_path / "nameless.elf") == expected

    # The debugger comes to the same: of files that it is given, and of the image that Intel's
    # driver makes.
    segments = segments_of(debug_image(path))
    placement = {name: segment.address for name, segment in segments.items()}
    of_driver = intel_debug_image(nameless.read_bytes(), segments)
    for module in (
        Module.open(path, placement),
        Module.open(nameless, placement),
        Module.from_bytes(of_driver, "an image of Intel's driver"),
    ):
        sections = DebugSections(module)
        for name, (_, content) in expected.items():
            assert sections.data(name) in (content, b""), (module.name, name)


@pytest.mark.parametrize(
    ("content", "report"),
    [
        (b"", "too few"),
        (b"\x03\x02\x23\x07" + bytes(100), "ELF magic"),
        (b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x01\x00\x3e\x00" + bytes(60), "machine 62"),
    ],
)
def test_what_is_no_module_is_refused_in_one_line(
    tmp_path: Path, content: bytes, report: str
) -> None:
    path = tmp_path / "x.zebin"
    path.write_bytes(content)
    error = inspect(path)["error"]
    assert report in error
    assert "\n" not in error


def test_truncation_anywhere_is_refused_in_one_line(tmp_path: Path) -> None:
    source = next(path for path in PATHS if path.stem == "vadd").read_bytes()
    path = tmp_path / "truncated.zebin"
    for size in range(0, len(source) - 1, 997):
        path.write_bytes(source[:size])
        error = inspect(path)["error"]
        assert error and "\n" not in error


@pytest.mark.parametrize("seed", range(4))
def test_damaged_modules_never_crash_the_loader(seed: int) -> None:
    sources = [path for path in PATHS if path.stem in {"private", "sha", "vadd"}]
    program = native_program("xesim_zebin_mutate")
    for path in sources[seed::4]:
        done = subprocess.run([program, path, str(seed), "400"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        refused = int(done.stdout.split()[1])
        assert refused > 40


pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(
        shutil.which("llvm-dwarfdump") is None or shutil.which("readelf") is None,
        reason="needs readelf and llvm-dwarfdump",
    ),
]
