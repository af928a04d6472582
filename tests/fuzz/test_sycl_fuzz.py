"""Damaged host programs, containers and property sets: one typed error or a good answer, quickly.

Valid inputs are mutated: bytes changed, words replaced by telling numbers, parts cut out, repeated
or moved. What comes out keeps the bounds of ``fuzz_targets``, whose inputs these are.
"""

from __future__ import annotations

import os
import struct

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.fuzz_targets import PROPERTY_TEXT, SPIRV, TARGETS, containers, hold
from tests.support.sycl.host_source import SourceImage, SourceProperty, build_host, host_source
from zedbg.sycl import HostProgram, demangled

CONTAINERS = containers()
PROPERTIES = [
    SourceProperty("_ZTS1A", b"\5", 4),
    SourceProperty("aspects", struct.pack("<2I", 5, 6)),
    SourceProperty("optLevel", 3),
]
SETS = [(name, PROPERTIES) for name in ("SYCL/kernel param opt", "SYCL/device requirements", "x")]
TELLING = [0, 1, 2, 7, 8, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 40, (1 << 63), -1]


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
    hold(TARGETS["container"], data)


@pytest.mark.parametrize("index", [0, 1], ids=["v2", "v3"])
@FUZZ
@given(steps=mutations())
def test_damaged_host_programs(hosts, index, steps):
    data = mutated(hosts[index], steps)
    hold(TARGETS["container"], data)


@pytest.mark.parametrize("index", [0, 1], ids=["v2", "v3"])
@FUZZ
@given(st.data())
def test_damaged_structures_of_host_programs(hosts, index, data):
    """Words of the writable data only, where the structures and their counts are."""
    program = bytearray(hosts[index])
    elf = HostProgram(hosts[index], "file").elf
    segment = max(
        (segment for segment in elf.segments if segment.is_writable),
        key=lambda segment: segment.size,
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
    hold(TARGETS["container"], damaged)


@FUZZ
@given(steps=mutations())
def test_damaged_property_text(steps):
    data = mutated(PROPERTY_TEXT, steps)
    hold(TARGETS["properties"], data)


@FUZZ
@given(
    st.text("_ZTSNLEIJXT0123456789abcdefghijklmnopqrstuvwxyzAKPRUl", max_size=200).map(
        lambda text: "_Z" + text
    )
)
def test_names_that_no_compiler_made(name):
    assert isinstance(demangled(name), str)
