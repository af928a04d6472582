"""What is fuzzed: readers of untrusted bytes, what each may raise, and inputs to begin with.

Each target runs within bounds: only its typed errors, of one line, that say where or at what the
reading failed; a few seconds; and memory of ten times the input, beyond what any input takes.
"""

from __future__ import annotations

import gc
import re
import struct
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache

import zstandard

from tests.support.packed_modules import MODULES, ZEBINS
from tests.support.sycl.container_source import (
    SourceEntry,
    SourceModule,
    offload_binary,
    syclbin_1,
    syclbin_2,
)
from zedbg.commands.rows.row import Row
from zedbg.dwarf import CodePlaces, DebugInfo, DebugInfoError
from zedbg.sycl import HostProgram, demangled, nested_images, property_words
from zedbg.sycl.compression import size_bound
from zedbg.sycl.property_sets import PropertySets, RawSet
from zedbg.sycl.property_text import parse_property_text, property_text
from zedbg.sycl.raw_property import byte_array, uint32
from zedbg.tools.inspect.gtpin import gtpin_lines
from zedbg.tools.inspect.output import page_json, page_text
from zedbg.tools.inspect.pages import Question, inspect_bytes
from zedbg.zebin import Module
from zedbg.zebin.arguments import kernel_arguments
from zedbg.zebin.file_errors import FileError
from zedbg.zebin.gtpin_info import read_gtpin_info
from zedbg.zebin.notes import parse_notes
from zedbg.zebin.payload import payload_map
from zedbg.zebin.resources import kernel_resources
from zedbg.zebin.zeinfo_check import check
from zedbg.zebin.zeinfo_reader import ZeInfo

_MODULES = ("igc2-dg2-O0/vadd.zebin", "igc1-dg2-O0/image.zebin", "igc2-dg2-O2/printf.zebin")
_ERRORS = (FileError, DebugInfoError)
# Rejected debug information names an offset, or the part of it.
_NAMES_A_PLACE = re.compile(r"\d|\.debug")
# Bytes that a reading takes whatever the input: a page's head, an error. What the program fills
# once, whatever it reads, is there before: the seeds have been read.
_ALLOWANCE = 64 << 10
_FACTOR = 10  # times the input
_SECONDS = 5.0


@dataclass(frozen=True)
class Target:
    """One reader: ``run`` reads an input in every way; ``seeds`` are inputs to begin with."""

    name: str
    run: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]
    decompresses: bool = False  # whether what an input may decompress to counts as the input


class BoundsError(AssertionError):
    """An input that breaks what is promised for all inputs."""


@cache
def warm(target: Target) -> None:
    """Has the program fill what it fills once, by reading the seeds."""
    for seed in target.seeds():
        with suppress(*_ERRORS):
            target.run(seed)


def hold(target: Target, data: bytes, memory: bool = True) -> str | None:
    """Runs ``target``; the rejection it ended with. Raises BoundsError beyond a bound."""
    if memory:
        warm(target)
        size = size_bound(len(data)) if target.decompresses else len(data)
        peak = peak_of(lambda: _rejection(target, data))
        if peak > _FACTOR * size + _ALLOWANCE:
            raise BoundsError(f"took {peak} bytes for {len(data)}")
    begin = time.process_time()
    message = _rejection(target, data)
    seconds = time.process_time() - begin
    if seconds > _SECONDS:
        raise BoundsError(f"took {seconds:.1f} s")
    return message


def peak_of(reading: Callable[[], object]) -> int:
    """The most bytes that ``reading`` takes while nothing collects its cyclic garbage.

    When that is collected depends on all that the process has done; so whatever a reader leaves
    in cycles counts, each time.
    """
    enabled = gc.isenabled()
    gc.disable()
    tracemalloc.start()
    try:
        reading()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        if enabled:
            gc.enable()


def _rejection(target: Target, data: bytes) -> str | None:
    """What ``target`` says of data it rejects; None when it reads them."""
    try:
        target.run(data)
    except _ERRORS as error:
        check_rejection(error)
        return str(error)
    return None


def check_rejection(error: FileError | DebugInfoError) -> None:
    """Raises BoundsError unless ``error`` is one line that says where, and what was expected."""
    message = str(error)
    if not (message and message.isprintable()):
        raise BoundsError(f"not one line: {message!r}")
    if isinstance(error, FileError):
        if not error.explains_itself:
            raise BoundsError(f"names no place, or not what was expected there: {message}")
    elif not _NAMES_A_PLACE.search(message):
        raise BoundsError(f"names no place: {message}")


def _attempt(action: Callable[[], object]) -> None:
    """Runs one of several questions: its rejection does not keep the others from being asked."""
    try:
        action()
    except _ERRORS as error:
        check_rejection(error)


_QUESTIONS = (
    Question(every_kernel=True),
    Question(section="*"),
    Question(kernel="*"),
    Question(check=True),
    Question(place="0x10"),
    Question(place="vadd"),
    Question(place="vadd.cl:3"),
    Question(image=0),
)


def _inspect(data: bytes) -> None:
    for question in _QUESTIONS:
        for page in (page_text, page_json):
            _attempt(lambda question=question, page=page: _shown(data, question, page))


def _shown(data: bytes, question: Question, page: Callable[[Iterable[Row]], Iterator[str]]) -> None:
    for _piece in page(inspect_bytes(data, "fuzzed", question)):
        pass


def _dwarf(data: bytes) -> None:
    module = Module.from_bytes(data, "fuzzed")
    info = DebugInfo.of(module)
    if info is None:
        return
    with closing(info):
        _debug_information(info, module.kernel_names[:4])


def _debug_information(info: DebugInfo, kernels: list[str]) -> None:
    _attempt(lambda: info.functions)
    _attempt(lambda: info.lines.rows)
    _attempt(lambda: info.globals)
    _attempt(lambda: info.named_types)
    _attempt(lambda: info.frames.entry_at(0))
    for name in kernels:
        _attempt(
            lambda name=name: list(map(CodePlaces(info).after_prologue, info.functions_named(name)))
        )


def _zeinfo(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for finding in check(text):
        assert finding.line >= 1
        assert "\n" not in str(finding)
    info = ZeInfo(text, "fuzzed")
    for name in info.kernel_names:
        _attempt(lambda name=name: _kernel(info, name))
    _attempt(lambda: (info.functions, info.host_accesses, info.costs))


def _kernel(info: ZeInfo, name: str) -> None:
    kernel = info.kernel(name)
    if kernel is not None:
        kernel_arguments(kernel)
        payload_map(kernel, 32)
        kernel_resources(kernel)


def _host_program(data: bytes) -> None:
    program = HostProgram(data, "fuzzed")
    for image in program.images:
        for question in (
            lambda image=image: image.format,
            lambda image=image: image.data(),
            lambda image=image: image.kernels,
            lambda image=image: image.entries,
            lambda image=image: _all_words(image.property_sets),
            lambda image=image: list(nested_images(image)),
        ):
            _attempt(question)
    program.images_of_module(["_ZTS1A", "_ZTS1B", "f"])


def _property_text(data: bytes) -> None:
    _all_words(PropertySets(parse_property_text(data, "fuzzed")))


def _all_words(sets: PropertySets) -> None:
    for each in sets.values():
        for found in each.values():
            assert "\n" not in property_words(found)
    assert all("\n" not in str(problem) for problem in sets.problems)
    # Made of several properties together.
    _ = sets.aspects, sets.specialization_constants, sets.exported_symbols, sets.is_esimd


def _name(data: bytes) -> None:
    assert isinstance(demangled("_Z" + data.decode("latin-1")), str)


def _notes(data: bytes) -> None:
    parse_notes(data)


def _gtpin(data: bytes) -> None:
    for line in gtpin_lines(read_gtpin_info(data, "fuzzed")):
        assert "\n" not in line


def _gtpin_seeds() -> list[bytes]:
    module = Module.open(MODULES / "instrumented" / "indirect.zebin")
    section = module.section(".gtpin_info.indirect")
    assert section is not None
    free = struct.pack("<4IHHI", 0, 24, 0xDEADD00D, 1, 64, 32, 0xDEADBEEF)
    return [module.section_bytes(section), struct.pack("<5I", 5, 0, 0, 16, 1) + free]


@cache
def modules() -> dict[str, bytes]:
    """Modules of both compilers, by name."""
    return {name: (ZEBINS / name).read_bytes() for name in _MODULES}


def _module_bytes() -> list[bytes]:
    return list(modules().values())


def _sections(name: str) -> list[bytes]:
    found = []
    for data in _module_bytes():
        module = Module.from_bytes(data, "seed")
        section = module.section(name)
        if section is not None:
            found.append(module.section_bytes(section))
    return found


SPIRV = struct.pack("<5I", 0x07230203, 0x10400, 0, 1, 0) + bytes(range(200))
PROPERTY_TEXT = property_text(
    [
        RawSet("SYCL/kernel param opt", [byte_array("_ZTS1A", b"\x7e\x06", bits=11)]),
        RawSet("SYCL/specialization constants", [byte_array("c", struct.pack("<6I", *range(6)))]),
        RawSet("SYCL/specialization constants default values", [byte_array("all", bytes(20))]),
        RawSet("SYCL/device globals", [byte_array("g", struct.pack("<2I", 8, 1))]),
        RawSet(
            "SYCL/device requirements",
            [
                byte_array("aspects", struct.pack("<3I", 5, 6, 49)),
                byte_array("joint_matrix", b"t,use::a,1,2;u,use::b,3,4"),
                byte_array("joint_matrix_mad", b"a,b,c,d,1,2,3"),
                byte_array("reqd_work_group_size_uint64_t", bytes(16)),
            ],
        ),
        RawSet("SYCL/misc properties", [uint32("optLevel", 3), byte_array("sanUsed", b"asan")]),
        RawSet("SYCL/host pipes", [byte_array("p", b"\4\0\0\0")]),
    ]
)


@cache
def containers() -> dict[str, bytes]:
    """Every kind of container of device images, by name."""
    module = SourceModule(
        PROPERTY_TEXT, [(PROPERTY_TEXT, SPIRV)], [(PROPERTY_TEXT, zstandard.compress(SPIRV * 30))]
    )
    entries = [
        SourceEntry(SPIRV, {"triple": "spir64", "arch": "pvc"}),
        SourceEntry(syclbin_1(PROPERTY_TEXT, [module]), {"triple": "spir64"}),
    ]
    return {
        "syclbin-1": syclbin_1(PROPERTY_TEXT, [module]),
        "syclbin-2": syclbin_2(PROPERTY_TEXT, [module, module]),
        "offload-1": offload_binary(entries[:1], 1) * 2,
        "offload-2": offload_binary(entries, 2),
        "offload-3": offload_binary(entries, 3),
        "offload-3-zstd": offload_binary(entries, 3, "zstd"),
        "offload-3-zlib": offload_binary(entries, 3, "zlib"),
        "zstd": zstandard.compress(offload_binary(entries, 2)),
    }


def _containers() -> list[bytes]:
    return list(containers().values())


def _other_formats() -> list[bytes]:
    """Beginnings of the older and neighbouring formats."""
    archive = b"!<arch>\n" + b"64.dg2/".ljust(48) + b"8".ljust(10) + b"`\n" + b"CTNI\0\0\0\0"
    return [
        archive,
        b"CTNI" + struct.pack("<6I", 1081, 0xC07, 8, 1, 0, 0) + bytes(64),
        b"CTNI" + struct.pack("<7I", 1081, 0, 0xC07, 0, 0, 1, 8) + bytes(64),
        SPIRV,
    ]


TARGETS = {
    target.name: target
    for target in (
        Target("module", _inspect, lambda: [*_module_bytes(), *_other_formats()]),
        Target("dwarf", _dwarf, _module_bytes),
        Target("zeinfo", _zeinfo, lambda: _sections(".ze_info")),
        Target("notes", _notes, lambda: _sections(".note.intelgt.compat")),
        Target("gtpin-info", _gtpin, _gtpin_seeds),
        Target("container", _host_program, _containers, True),
        Target("inspected-container", _inspect, _containers, True),
        Target("properties", _property_text, lambda: [bytes(PROPERTY_TEXT)]),
        Target("kernel-name", _name, lambda: [b"TSN5bench6kernelILi7EEE", b"1fPKc"]),
    )
}


def of_all(data: bytes) -> tuple[Target, bytes]:
    """One of the targets, which the first byte chooses, and the rest as its input."""
    return list(TARGETS.values())[data[0] % len(TARGETS) if data else 0], data[1:]


def seeds_of_all() -> list[bytes]:
    """Inputs for :func:`of_all`."""
    targets = enumerate(TARGETS.values())
    return [bytes([index]) + seed for index, target in targets for seed in target.seeds()]
