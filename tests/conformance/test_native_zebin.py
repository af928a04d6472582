"""The native loader reads modules as other readers do.

Oracles: PyYAML for .ze_info, readelf and llvm-dwarfdump for the debug image.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from elftools.elf.elffile import ELFFile
from native_programs import REPOSITORY, native_program

ZEBINS = sorted((REPOSITORY / "tests" / "kernels" / "zebin").glob("*/*.zebin"))
WITH_DEBUG_INFO = [path for path in ZEBINS if b".debug_line" in path.read_bytes()]
EXTERNALS = "Intel_Symbol_Table_Void_Program"

SYMBOL = struct.Struct("<IBBHQQ")


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


@pytest.mark.parametrize("path", ZEBINS, ids=name_of)
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
    assert all(value is None for value in found["relocated"].values())


def test_kernel_names_stay_strings(tmp_path: Path) -> None:
    """A kernel may be called `false`; unquoted, though YAML 1.1 reads a Boolean there."""
    source = next(path for path in ZEBINS if name_of(path) == "igc2-dg2-O0-saxpy")
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


def text_ranges(image: Path) -> dict[str, tuple[int, int]]:
    """Address ranges of the .text sections, as readelf sees the debug image."""
    listing = subprocess.run(
        ["readelf", "-SW", image], check=True, capture_output=True, text=True
    ).stdout
    rows = re.findall(r"\] \.text\.(\S+) +PROGBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)", listing)
    return {name: (int(start, 16), int(start, 16) + int(size, 16)) for name, start, size in rows}


@pytest.mark.parametrize("path", WITH_DEBUG_INFO, ids=name_of)
def test_debug_image_has_absolute_addresses(path: Path, tmp_path: Path) -> None:
    image = tmp_path / "image.elf"
    inspect(path, image)
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
    low_pcs = re.findall(r"DW_AT_low_pc \[DW_FORM_addr\]\s+\((0x[0-9a-f]+)\)", dump)
    assert low_pcs
    for low_pc in low_pcs:
        assert any(start <= int(low_pc, 16) < end for start, end in ranges.values())


@pytest.mark.parametrize("path", WITH_DEBUG_INFO, ids=name_of)
def test_lost_symbol_names_are_recovered(path: Path, tmp_path: Path) -> None:
    """The compiler loses names at random: without any, the debug sections come out the same."""
    with path.open("rb") as file:
        elf = ELFFile(file)
        table = elf.get_section_by_name(".symtab")
        start, count = table["sh_offset"], table.num_symbols()
        debug = {i for i, s in enumerate(elf.iter_sections()) if s.name.startswith(".debug_")}
        names = [s.name for s in elf.iter_sections() if s.name.startswith(".debug_")]
    content = bytearray(path.read_bytes())
    for at in itertools.islice(itertools.count(start, SYMBOL.size), count):
        fields = SYMBOL.unpack_from(content, at)
        if fields[3] in debug:
            SYMBOL.pack_into(content, at, 0, *fields[1:])
    nameless = tmp_path / "nameless.zebin"
    nameless.write_bytes(content)
    inspect(path, tmp_path / "named.elf")
    inspect(nameless, tmp_path / "nameless.elf")
    for name in names:
        assert section(tmp_path / "named.elf", name) == section(tmp_path / "nameless.elf", name)


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
    source = next(path for path in ZEBINS if path.stem == "vadd").read_bytes()
    path = tmp_path / "truncated.zebin"
    for size in range(0, len(source) - 1, 997):
        path.write_bytes(source[:size])
        error = inspect(path)["error"]
        assert error and "\n" not in error


@pytest.mark.parametrize("seed", range(4))
def test_damaged_modules_never_crash_the_loader(seed: int) -> None:
    sources = [path for path in ZEBINS if path.stem in {"private", "sha", "vadd"}]
    program = native_program("xesim_zebin_mutate")
    for path in sources[seed::4]:
        done = subprocess.run([program, path, str(seed), "400"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        refused = int(done.stdout.split()[1])
        assert refused > 40


pytestmark = pytest.mark.skipif(
    shutil.which("llvm-dwarfdump") is None or shutil.which("readelf") is None,
    reason="needs readelf and llvm-dwarfdump",
)
