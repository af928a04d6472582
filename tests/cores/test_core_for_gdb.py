"""The notes of a core file that are for Intel's GDB, as readelf, GDB and zedbg itself read them."""

import itertools
import os
import re
import shlex
import struct
import subprocess
import xml.etree.ElementTree as ElementTree
from io import BytesIO

import pytest
from elftools.elf.elffile import ELFFile

REGISTERS = ["info registers r1", "info registers cr0 ce", "info registers r20"]
INTELS_GDB = shlex.split(os.environ.get("ZEDBG_INTEL_GDB", ""))


def notes_of(path):
    """Owner, type and contents of each note, by the ELF specification."""
    data = path.read_bytes()
    start, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    for index in range(count):
        kind, _, offset, _, _, size = struct.unpack_from("<IIQQQQ", data, start + 56 * index)
        at = offset
        while kind == 4 and at < offset + size:
            name, length, note = struct.unpack_from("<III", data, at)
            begin = at + 12 + (name + 3 & ~3)
            yield data[at + 12 : at + 12 + name], note, data[begin : begin + length]
            at = begin + (length + 3 & ~3)


def output(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


@pytest.fixture
def core(debugger, vadd):
    """A core of eight threads at a line, and what zedbg said of them."""
    commands = ["break vadd.cl:3", "run", "thread 1.3", *REGISTERS, "backtrace", "info modules"]
    live = debugger.json([*commands, "generate-core-file core"], vadd)
    return {each["line"]: each["rows"] for each in live.objects if "command" in each}


def test_intels_gdb_is_told_of_the_device_its_registers_and_its_modules(debugger, core):
    shown = output(["readelf", "-nW", "core"], debugger.folder)
    kinds = ["NT_PRPSINFO", "NT_PRSTATUS", "NT_FILE"]
    assert [len(re.findall(rf"^  CORE .*{kind}", shown, re.M)) for kind in kinds] == [1, 8, 1]
    (module,) = core["info modules"]
    with (debugger.folder / "core").open("rb") as file:
        elf = ELFFile(file)
        (segment,) = elf.iter_segments("PT_NOTE")
        (files,) = (each["n_desc"] for each in segment.iter_notes() if each["n_type"] == "NT_FILE")
        (place,) = files["Elf_Nt_File_Entry"]
        assert place["page_offset"] == 0 and files["page_size"] == 1
        assert [each.decode() for each in files["filename"]] == [f"module-{module['load']:#x}"]
        # The module's own ELF file is there.
        (held,) = (
            each
            for each in elf.iter_segments("PT_LOAD")
            if each["p_vaddr"]
            <= place["vm_start"]
            < place["vm_end"]
            <= each["p_vaddr"] + each["p_memsz"]
        )
        start = place["vm_start"] - held["p_vaddr"]
        image = ELFFile(BytesIO(held.data()[start : start + place["vm_end"] - place["vm_start"]]))
        code = image.get_section_by_name(".text.vadd")
        assert code["sh_addr"] == module["load"] or code["sh_addr"] > module["load"]
        assert image["e_machine"] == elf["e_machine"]

    notes = list(notes_of(debugger.folder / "core"))
    (device,) = (data for owner, kind, data in notes if (owner, kind) == (b"CORE\0", 3))
    name, description, rest = device.split(b"\0")
    assert (name, rest) == (b"GPU", b"")
    own = description.replace(b"<architecture>intelgt</architecture>\n", b"")
    (debugger.folder / "target.xml").write_bytes(own)
    # GDB reads it as its own, but for the architecture and the device, which only Intel's knows.
    words = ["gdb", "-nx", "-batch", "-ex", "maintenance print xml-tdesc target.xml"]
    done = subprocess.run(words, cwd=debugger.folder, capture_output=True, text=True, check=True)
    known = ElementTree.fromstring(done.stdout)
    registers = [(each.get("name"), int(each.get("bitsize"))) for each in known.iter("reg")]
    assert {"r0", "r127", "a0", "f1", "ce", "sr0", "cr0", "isabase"} <= {
        each for each, _ in registers
    }

    first = next(data for owner, kind, data in notes if (owner, kind) == (b"CORE\0", 1))
    thread, signal, _ = struct.unpack_from("<QII", first)
    assert (thread, signal) == (1, 5)
    values, at = {}, 16
    for register, bits in registers:
        values[register] = first[at : at + bits // 8]
        at += bits // 8
    assert at == len(first)
    # The first thread is the one that was focused.
    for row in itertools.chain.from_iterable(core[each] for each in REGISTERS):
        elements = row["value"] if isinstance(row["value"], list) else [row["value"]]
        size = row["bytes"] // len(elements)
        assert values[row["register"]] == b"".join(
            each.to_bytes(size, "little") for each in elements
        ), row["register"]


@pytest.mark.skipif(not INTELS_GDB, reason="Intel's GDB is asked for by name")
def test_intels_gdb_reads_it(debugger, core):
    commands = ["info threads", "backtrace", "output/x $r1"]
    words = [*INTELS_GDB, "-nx", "-batch", "-c", "core"]
    done = subprocess.run(
        [*words, *(word for each in commands for word in ("-ex", each))],
        cwd=debugger.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    *threads, frame, register = done.stdout.splitlines()
    assert sum(bool(re.match(r"[* ] \d+:\[.*\] +LWP \d+ +vadd", each)) for each in threads) == 8
    (row,) = core["backtrace"]
    assert row["arguments"] in frame and re.search(r" at (.*/)?vadd.cl:3$", frame)
    (row,) = core["info registers r1"]
    numbers = [int(each, 16) for each in re.findall("0x[0-9a-f]+", register)]
    size = row["bytes"] // len(row["value"])
    assert b"".join(each.to_bytes(row["bytes"] // len(numbers), "little") for each in numbers) == (
        b"".join(each.to_bytes(size, "little") for each in row["value"])
    )
