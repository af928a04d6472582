"""Memory of reading: at most ten times the input, for every reader and every page.

What the program fills once, whatever it reads (tables of the specifications, patterns, classes of
parsers), is there before: other inputs have been read. How much that is, and that it does not grow
with what is read, is a test of its own. So no allowance is needed that could hide growth.
"""

import gc
import json
import os
import struct
import subprocess
import sys
from contextlib import suppress

import pytest

from tests.support.fuzz_targets import PROPERTY_TEXT, SPIRV, TARGETS, modules, peak_of, warm
from tests.support.kernels.many_kernels import many_kernels
from tests.support.packed_modules import MODULES
from tests.support.places import REPOSITORY
from tests.support.reader_memory import ALLOWANCE, FACTOR, READINGS
from tests.support.sycl.container_source import SourceEntry, SourceModule, offload_binary, syclbin_1
from zedbg.dwarf import DebugInfoError
from zedbg.zebin import Module
from zedbg.zebin.file_errors import FileError

NEWEST = MODULES / "linked" / "igc2-bmg-O0" / "exports.zebin"  # DWARF 5
# Small, and their addresses have lost the names of what they count from.
NAMELESS = [MODULES / "linked" / f"igc2-{gpu}-O2" / "exports.zebin" for gpu in ("bmg", "dg2")]
SIZE = 200_000  # bytes at least of a large input
LONG = 20_000 if os.environ.get("ZEDBG_FULL_CORPUS") != "1" else 1 << 20  # bytes of a module
FIXED = 1 << 19  # bytes that the program fills once


def committed_modules():
    """Each file, the same sample each time: the smallest, the largest, and some between."""
    files = sorted(MODULES.rglob("*.zebin"), key=lambda path: (path.stat().st_size, path))
    assert len(files) > 500
    if os.environ.get("ZEDBG_FULL_CORPUS") == "1":
        return files
    return [*files[:4], *NAMELESS, *files[150::150], files[-1]]


def steady_peak(reading, allowed):
    """The most bytes that ``reading`` takes: measured again if it is more than ``allowed``, since a
    table of Python itself, as that of all names in the process, grows now and then, once."""
    peak = peak_of(reading)
    return peak if peak <= allowed else peak_of(reading)


@pytest.mark.parametrize("name", READINGS)
def test_modules_take_at_most_ten_times_their_size(name):
    reading = READINGS[name]
    for other in (*modules().values(), NEWEST.read_bytes()):  # of every version of DWARF
        reading(other)
    worst: dict[str, float] = {}  # parts of what is allowed
    paths = committed_modules()
    if "sections" in name:  # instruction by instruction, which takes long
        paths = [path for path in paths if path.stat().st_size < LONG]
    for path in paths:
        data = path.read_bytes()
        peak = steady_peak(lambda data=data: reading(data), FACTOR * len(data))
        worst[str(path.relative_to(MODULES))] = peak / (FACTOR * len(data))
    if "sections" not in name:  # which has nothing but more of the same
        data = module_of_many_kernels()
        allowed = FACTOR * len(data)
        worst["many kernels"] = steady_peak(lambda: reading(data), allowed) / allowed
    path = max(worst, key=worst.__getitem__)
    assert worst[path] <= 1, f"{path}: {worst[path]:.2f} times what is allowed"


MEASURED_COLD = """
import sys
from pathlib import Path
from tests.support.reader_memory import ALLOWANCE, FACTOR, READINGS
from tests.support.fuzz_targets import peak_of
from tests.support.reader_memory import READINGS
import importlib
import json
import pkgutil
# The program itself, which loads its modules when it uses them, is not what readings fill.
for package in ("commands", "dwarf", "sycl", "tools", "xe", "zebin"):
    folder = importlib.import_module(f"zedbg.{package}")
    for module in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
        importlib.import_module(module.name)
found = []
for path in sys.argv[1:]:
    data = Path(path).read_bytes()
    for reading in READINGS.values():
        found.append((peak_of(lambda: reading(data)), peak_of(lambda: reading(data))))
print(json.dumps(found))
"""


def filled_once(*paths):
    """Bytes that readings of files take for the first time, and never again, in a new process."""
    command = [sys.executable, "-c", MEASURED_COLD, *map(str, paths)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return sum(max(first - second, 0) for first, second in json.loads(done.stdout))


def test_what_the_program_fills_once_does_not_grow_with_what_it_reads():
    files = committed_modules()
    smallest = files[0].stat().st_size
    longer = next(path for path in files if path.stat().st_size > 2.5 * smallest)
    small, large = filled_once(files[0]), filled_once(longer)
    assert 0 < small <= FIXED
    assert 0 < large <= FIXED


def left_in_circles(reading):
    """The types of our objects that only the collector of cycles finds after ``reading``."""
    gc.collect()
    gc.disable()
    try:
        reading()
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        modules = {f"{type(each).__module__}.{type(each).__name__}" for each in gc.garbage}
        return {name for name in modules if name.startswith(("zedbg.", "elftools.", "yaml."))}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize("name", TARGETS)
def test_what_was_read_is_gone_without_a_collector_of_cycles(name):
    """When that runs depends on all that the process does."""
    target = TARGETS[name]
    warm(target)

    def reading():
        for seed in target.seeds()[:3]:
            for data in (seed, seed[: len(seed) * 3 // 4], seed.replace(b"\0\0\1", b"\0\1\1")):
                with suppress(FileError, DebugInfoError):
                    target.run(data)

    assert not left_in_circles(reading)


def repeated(data):
    return bytes(data) * (SIZE // len(data) + 1)


def section(name):
    module = Module.from_bytes(next(iter(modules().values())), "seed")
    return module.section_bytes(module.section(name))


def zeinfo_of_many_kernels():
    text = section(".ze_info").rstrip(b"\0")
    start, end = text.index(b"  - name:"), text.index(b"kernels_misc_info:")
    kernel = text[start:end]
    count = SIZE // len(kernel) + 1
    kernels = (kernel.replace(b"vadd", b"vadd%d" % number) for number in range(count))
    return text[:start] + b"".join(kernels) + b"...\n"


def module_of_many_kernels():
    (data,) = [data for name, data in modules().items() if name.endswith("vadd.zebin")]
    return many_kernels(data, 30)


def gtpin_of_many_accesses():
    count = SIZE // 8
    content = struct.pack("<I", count) + struct.pack("<IHH", 8, 0, 4) * count
    item = struct.pack("<II", 4, 8 + len(content)) + content
    return struct.pack("<5I", 5, 0, 0, 16, 1) + item


def syclbin_of_many_modules():
    module = SourceModule(PROPERTY_TEXT, [(PROPERTY_TEXT, SPIRV)], [(PROPERTY_TEXT, SPIRV * 30)])
    return syclbin_1(PROPERTY_TEXT, [module] * 25)


def offload_binary_of_many_images():
    return offload_binary([SourceEntry(SPIRV, {"triple": "spir64", "arch": "pvc"})] * 800, 2)


LARGE = {
    "zeinfo": ("zeinfo", zeinfo_of_many_kernels),
    "dwarf": ("dwarf", module_of_many_kernels),
    "notes": ("notes", lambda: repeated(section(".note.intelgt.compat"))),
    "gtpin": ("gtpin-info", gtpin_of_many_accesses),
    "properties": ("properties", lambda: repeated(PROPERTY_TEXT)),
    "syclbin": ("container", syclbin_of_many_modules),
    "offload-binary": ("container", offload_binary_of_many_images),
    "kernel-name": ("kernel-name", lambda: b"N" + repeated(b"3abc") + b"E"),
}


@pytest.mark.parametrize("name", LARGE)
def test_reading_takes_at_most_ten_times_a_large_input(name):
    target, make = LARGE[name]
    data = make()
    assert len(data) >= SIZE
    reader = TARGETS[target]
    warm(reader)
    peak = peak_of(lambda: reader.run(data))
    assert peak <= FACTOR * len(data) + ALLOWANCE, f"{peak / len(data):.1f} times"
