"""Reading a module of many kernels: to a breakpoint by name, all of zeinfo, and memory.

Held against a full read of the same file with PyYAML and pyelftools, and against GDB finding one
symbol's line. ocloc makes the module once, in the user's cache; ZEDBG_BENCH_MODULE names another
one, such as one with debug information, which Debian's ocloc does not write into zebins.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import yaml
from elftools.elf.elffile import ELFFile

from zedbg.engine.breakpoints import parse_spec
from zedbg.engine.modules import LoadedModule
from zedbg.zebin import Module

from .measure import Cell, Table, Timing

KERNELS = 1000
REPETITIONS = 5
_TYPES = ("int", "float", "uint", "long", "short", "uchar")
_PREFIX = "kernel_"


def run(kernels: int = KERNELS, repetitions: int = REPETITIONS) -> Table:
    """Measures one module; a row is a reading of it, with its time against the full read's."""
    path = _module(kernels)
    data = path.read_bytes()
    module = Module.from_bytes(data, path.name)
    middle = module.kernel_names[len(module.kernel_names) // 2]
    section = module.section(".ze_info")
    zeinfo_megabytes = 0.0 if section is None else section.size / 1e6
    full = _time(lambda: _full_read(data), max(repetitions // 2, 1))
    readings: list[tuple[str, Timing]] = [
        ("PyYAML and pyelftools, everything", full),
        ("kernel by name", _time(lambda: _kernel(data, middle), repetitions)),
        ("breakpoint by kernel name", _time(lambda: _breakpoint(data, middle), repetitions)),
    ]
    gdb = shutil.which("gdb")
    if gdb is not None:
        command = [gdb, "-batch", "-nx", "-ex", f"info line {middle}", str(path)]
        readings.append(("gdb: info line", _time(lambda: _quietly(command), repetitions)))
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


def _breakpoint(data: bytes, name: str) -> object:
    image = Module.from_bytes(data, "module")
    # Resolving needs nothing of the device that the module is loaded on.
    loaded = LoadedModule(1, None, 0, len(data), 0, image)  # type: ignore[arg-type]
    (place,) = loaded.resolve(parse_spec(name))
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


def _quietly(command: list[str]) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def _module(kernels: int) -> Path:
    """The module to read; made when it is not there yet."""
    given = os.environ.get("ZEDBG_BENCH_MODULE")
    if given:
        return Path(given)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "zedbg-bench"
    path = cache / f"kernels{kernels}.zebin"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        source = path.with_suffix(".cl")
        source.write_text("".join(_source(number) for number in range(kernels)))
        command = ["ocloc", "compile", "-q", "-file", source.name, "-device", "dg2"]
        command += ["-options", "-g", "-internal_options", "-cl-intel-allow-zebin"]
        command += ["-output", "made", "-output_no_suffix"]
        subprocess.run(command, cwd=cache, check=True, stdout=subprocess.DEVNULL)
        (cache / "made").rename(path)
    return path


def _source(number: int) -> str:
    """A kernel unlike its neighbours: in its arguments' types and number, and in its work."""
    kind = _TYPES[number % len(_TYPES)]
    other = _TYPES[number // len(_TYPES) % len(_TYPES)]
    count = number % 5
    more = "".join(f", {_TYPES[(number + i) % len(_TYPES)]} p{i}" for i in range(count))
    sums = "".join(f" + ({kind})p{i}" for i in range(count))
    return (
        f"kernel void {_PREFIX}{number}(global {kind}* a_{number}, global const {other}* b{more}, "
        f"int n) {{\n  int i = get_global_id(0);\n"
        f"  {kind} x = a_{number}[i] + ({kind})b[i]{sums};\n"
        f"  if (i < n)\n    a_{number}[i] = x * {number % 7 + 1};\n}}\n"
    )
