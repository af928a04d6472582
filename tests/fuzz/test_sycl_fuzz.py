"""Damaged host programs, containers and property sets: one typed error or a good answer, quickly.

Valid inputs are mutated: bytes changed, words replaced by telling numbers, parts cut out, repeated
or moved. Whatever comes out, only SyclError may be raised, and memory stays within ten times the
input (beyond what the interpreter takes for anything).
"""

from __future__ import annotations

import os
import struct
import time
import tracemalloc

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sycl.container_source import SourceEntry, SourceModule, offload_binary, syclbin_1, syclbin_2
from sycl.host_source import SourceImage, SourceProperty, build_host, host_source

from zedbg.sycl import HostProgram, SyclError, demangled, nested_images
from zedbg.sycl.property_sets import PropertySets, RawSet
from zedbg.sycl.property_text import parse_property_text, property_text
from zedbg.sycl.raw_property import byte_array, uint32

SPIRV = struct.pack("<5I", 0x07230203, 0x10400, 0, 1, 0) + bytes(range(200))
TEXT = property_text(
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
MODULE = SourceModule(TEXT, [(TEXT, SPIRV)], [(TEXT, zstandard.compress(SPIRV * 30))])
PROPERTIES = [
    SourceProperty("_ZTS1A", b"\5", 4),
    SourceProperty("aspects", struct.pack("<2I", 5, 6)),
    SourceProperty("optLevel", 3),
]
SETS = [(name, PROPERTIES) for name in ("SYCL/kernel param opt", "SYCL/device requirements", "x")]
TELLING = [0, 1, 2, 7, 8, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 40, (1 << 63), -1]
ALLOWANCE = 4 << 20  # bytes
SECONDS = 5.0


def containers():
    entries = [
        SourceEntry(SPIRV, {"triple": "spir64", "arch": "pvc"}),
        SourceEntry(syclbin_1(TEXT, [MODULE]), {"triple": "spir64"}),
    ]
    return {
        "syclbin-1": syclbin_1(TEXT, [MODULE]),
        "syclbin-2": syclbin_2(TEXT, [MODULE, MODULE]),
        "offload-1": offload_binary(entries[:1], 1) * 2,
        "offload-2": offload_binary(entries, 2),
        "offload-3": offload_binary(entries, 3),
        "offload-3-zstd": offload_binary(entries, 3, "zstd"),
        "offload-3-zlib": offload_binary(entries, 3, "zlib"),
        "zstd": zstandard.compress(offload_binary(entries, 2)),
    }


CONTAINERS = containers()


@pytest.fixture(scope="module")
def hosts(tmp_path_factory):
    images = [
        SourceImage(SPIRV, ["_ZTS1A"], SETS),
        SourceImage(zstandard.compress(SPIRV * 20), ["_ZTS1B", "f"], SETS[:1], format=4),
        SourceImage(CONTAINERS["syclbin-1"]),
    ]
    return [
        build_host(tmp_path_factory.mktemp("host"), host_source([images], version)).read_bytes()
        for version in (2, 3)
    ]


@st.composite
def mutations(draw):
    """Steps that change some bytes: each a place (as a fraction), a kind and a number."""
    step = st.tuples(
        st.floats(0, 1, exclude_max=True),
        st.sampled_from(["byte", "word", "cut", "end", "repeat"]),
        st.integers(0, 255),
        st.sampled_from(TELLING),
    )
    return draw(st.lists(step, min_size=1, max_size=6))


def mutated(data, steps):
    changed = bytearray(data)
    for place, kind, byte, word in steps:
        at = int(place * len(changed))
        if kind == "byte" and changed:
            changed[at] = byte
        elif kind == "word":
            aligned = at - at % 8
            stored = struct.pack("<q" if word < 0 else "<Q", word)
            changed[aligned : aligned + 8] = stored[: len(changed) - aligned]
        elif kind == "cut":
            del changed[at : at + byte]
        elif kind == "end":
            del changed[max(at, 64) :]
        elif kind == "repeat":
            changed[at:at] = changed[at : at + byte]
    return bytes(changed)


def everything_of(image):
    """Asks an image for all that it has."""
    for question in (
        lambda: image.format,
        image.data,
        lambda: image.entries,
        lambda: image.kernels,
        lambda: everything_in(image.property_sets),
        lambda: nested_images(image),
    ):
        try:
            question()
        except SyclError as error:
            assert "\n" not in str(error)


def everything_in(sets):
    assert all("\n" not in str(problem) for problem in sets.problems)
    return sets.aspects, sets.specialization_constants, sets.exported_symbols, sets.is_esimd


def hold(data, action):
    """Runs ``action``, which may raise SyclError, within its bounds of time and memory."""
    tracemalloc.start()
    begin = time.monotonic()
    try:
        action()
    except SyclError as error:
        assert "\n" not in str(error)
    finally:
        seconds = time.monotonic() - begin
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert seconds < SECONDS
    assert peak <= 10 * len(data) + ALLOWANCE


def open_all(data):
    program = HostProgram(data, "file")
    for image in program.images:
        everything_of(image)
    program.images_of_module(["_ZTS1A", "_ZTS1B", "f"])


FUZZ = settings(
    max_examples=1000 if os.environ.get("ZEDBG_FULL_CORPUS") == "1" else 60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.parametrize("name", CONTAINERS)
@FUZZ
@given(steps=mutations())
def test_damaged_containers(name, steps):
    data = mutated(CONTAINERS[name], steps)
    hold(data, lambda: open_all(data))


@pytest.mark.parametrize("index", [0, 1], ids=["v2", "v3"])
@FUZZ
@given(steps=mutations())
def test_damaged_host_programs(hosts, index, steps):
    data = mutated(hosts[index], steps)
    hold(data, lambda: open_all(data))


@pytest.mark.parametrize("index", [0, 1], ids=["v2", "v3"])
@FUZZ
@given(st.data())
def test_damaged_structures_of_host_programs(hosts, index, data):
    """Words of the writable data only, where the structures and their counts are."""
    program = bytearray(hosts[index])
    elf = HostProgram(hosts[index], "file").elf
    segment = max(
        (segment for segment in elf.segments if segment.writable), key=lambda segment: segment.size
    )
    table = data.draw(st.sampled_from(["structures", "relocations"]))
    if table == "structures":
        start, size = segment.offset, segment.size
    else:
        (section,) = elf.sections(".rela.dyn")
        start, size = section.offset, section.size
    for _ in range(data.draw(st.integers(1, 4))):
        at = start + 8 * data.draw(st.integers(0, size // 8 - 1))
        word = data.draw(st.sampled_from(TELLING) | st.integers(0, len(program)))
        program[at : at + 8] = struct.pack("<q" if word < 0 else "<Q", word)
    damaged = bytes(program)
    hold(damaged, lambda: open_all(damaged))


@FUZZ
@given(steps=mutations())
def test_damaged_property_text(steps):
    data = mutated(TEXT, steps)
    hold(data, lambda: everything_in(PropertySets(parse_property_text(data, "file"))))


@FUZZ
@given(
    st.text("_ZTSNLEIJXT0123456789abcdefghijklmnopqrstuvwxyzAKPRUl", max_size=200).map(
        lambda text: "_Z" + text
    )
)
def test_names_that_no_compiler_made(name):
    assert isinstance(demangled(name), str)
