"""Reading a module of many kernels with -g: to a breakpoint, all of zeinfo, and memory.

Every reading starts from the file's bytes. Compared with a full read of the same file with PyYAML
and pyelftools, and against GDB finding one symbol's line. The module is put together from one of
the test kernels; ZEDBG_BENCH_MODULE names another one to measure.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import yaml
from elftools.elf.elffile import ELFFile

from tests.support.kernels.many_kernels import debug_image, many_kernels
from tests.support.packed_modules import ZEBINS
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.modules.module_code import ModuleCode
from zedbg.engine.modules.place_specs import parse_spec
from zedbg.zebin import Module

from .measure import Cell, Table, Timing

KERNELS = 1000
REPETITIONS = 5
_TEMPLATE = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"


def run(kernels: int = KERNELS, repetitions: int = REPETITIONS) -> Table:
    """Measures one module; a row is a reading of it, with its time against the full read's."""
    given = os.environ.get("ZEDBG_BENCH_MODULE")
    data = Path(given).read_bytes() if given else many_kernels(_TEMPLATE.read_bytes(), kernels)
    image = debug_image(data)
    module = Module.from_bytes(data, "module")
    middle = module.kernel_names[len(module.kernel_names) // 2]
    # Every fourth kernel's addresses have lost their names: of such a one, too.
    unnamed = module.kernel_names[len(module.kernel_names) // 2 // 4 * 4 + 3]
    found = _breakpoint(data, middle)
    place = f"{Path(found.file).name}:{found.line}" if found.file else middle
    section = module.section(".ze_info")
    zeinfo_megabytes = 0.0 if section is None else section.size / 1e6
    full = _time(lambda: _full_read(data), max(repetitions // 2, 1))
    readings: list[tuple[str, Timing]] = [
        ("PyYAML and pyelftools, everything", full),
        ("kernel by name", _time(lambda: _kernel(data, middle), repetitions)),
        ("breakpoint by kernel name", _time(lambda: _breakpoint(data, middle), repetitions)),
        ("  of lost addresses", _time(lambda: _breakpoint(data, unnamed), repetitions)),
        ("  in a debuggee's image", _time(lambda: _breakpoint(image, middle), repetitions)),
        ("breakpoint by file and line", _time(lambda: _breakpoint(data, place), repetitions)),
    ]
    gdb = shutil.which("gdb")
    if gdb is not None:
        readings.append(("gdb: info line", _gdb(gdb, image, middle, repetitions)))
    zeinfo = _time(lambda: _all_of_zeinfo(data), repetitions)
    rows: list[list[Cell]] = [
        [name, timing, timing.median / full.median, "-", "-"] for name, timing in readings
    ]
    rate = zeinfo_megabytes / min(zeinfo.seconds)
    share = zeinfo.median / full.median
    rows.append(["all of zeinfo", zeinfo, share, rate, _memory(data) / len(data)])
    note = (
        f"{len(module.kernel_names)} kernels, {len(data) / 1e6:.1f} MB, zeinfo "
        f"{zeinfo_megabytes:.1f} MB, {'with' if module.has_debug_info else 'without'} DWARF"
    )
    columns = ("reading", "time", "of the full read", "zeinfo MB/s", "memory / file")
    return Table("module", note, columns, rows)


def _time(action: Callable[[], object], repetitions: int) -> Timing:
    seconds = []
    for _ in range(repetitions):
        begin = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - begin)
    return Timing(tuple(seconds))


def _full_read(data: bytes) -> object:
    elf = ELFFile(io.BytesIO(data))
    sections = {section.name: section for section in elf.iter_sections()}
    symbols = [symbol.name for symbol in sections[".symtab"].iter_symbols()]
    return symbols, yaml.safe_load(sections[".ze_info"].data())


def _kernel(data: bytes, name: str) -> object:
    kernel = Module.from_bytes(data, "module").kernel(name)
    assert kernel is not None and kernel.info is not None
    return kernel.entry


def _breakpoint(data: bytes, name: str) -> CodeLocation:
    """The place after the prologue of the kernel ``name``, or of the line FILE:LINE."""
    image = Module.from_bytes(data, "module")
    (place,) = ModuleCode(image).resolve(parse_spec(name))
    assert place.line or not image.has_debug_info
    return place


def _all_of_zeinfo(data: bytes) -> object:
    module = Module.from_bytes(data, "module")
    return [module.zeinfo.kernel(name) for name in module.zeinfo.kernel_names]


def _memory(data: bytes) -> int:
    """Peak bytes that everything about the module takes, the file itself included."""
    tracemalloc.start()
    try:
        module = Module.from_bytes(data, "module")
        kept = (module.kernels, module.symbols, module.relocations)
        peak = tracemalloc.get_traced_memory()[1]
        del kept
    finally:
        tracemalloc.stop()
    return peak + len(data)


def _gdb(gdb: str, image: bytes, name: str, repetitions: int) -> Timing:
    """GDB's time for one symbol's line; it cannot relocate modules, and reads the debug image."""
    with tempfile.NamedTemporaryFile(prefix="zedbg-bench-") as file:
        file.write(image)
        file.flush()
        command = [gdb, "-batch", "-nx", "-ex", f"info line {name}", file.name]
        kernel = Module.from_bytes(image, "module").kernel(name)
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert kernel is not None and f"{kernel.address:#x} <{name}>" in answer, answer
        return _time(lambda: subprocess.run(command, capture_output=True, check=True), repetitions)
