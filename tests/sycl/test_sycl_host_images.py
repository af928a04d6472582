"""Device images in host programs, against what a C compiler laid out."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest
import zstandard

from tests.support.sycl.host_source import (
    Linking,
    SourceImage,
    SourceProperty,
    build_host,
    host_source,
)
from zedbg.sycl import HostProgram, SyclError
from zedbg.sycl.device_image import DeclaredFormat
from zedbg.sycl.property_values import EliminatedArguments
from zedbg.zebin.formats import FileFormat

SPIRV = struct.pack("<5I", 0x07230203, 0x10400, 0, 1, 0) + bytes(44)
COMPRESSED = zstandard.compress(SPIRV * 100)
KERNEL = "_ZTSZ4mainEUlvE_"
SETS = (
    ("SYCL/kernel param opt", [SourceProperty(KERNEL, b"\x05", 4)]),
    (
        "SYCL/device requirements",
        [
            SourceProperty("aspects", struct.pack("<2I", 5, 6)),
            SourceProperty("reqd_sub_group_size", 16),
        ],
    ),
    ("Vendor/things", [SourceProperty("depth", 7), SourceProperty("blob", b"\1\2\3")]),
)
IMAGES = [
    SourceImage(SPIRV, [KERNEL], SETS, compile_options="-g"),
    SourceImage(COMPRESSED, ["_ZTS1K", "plain"], format=4),
    SourceImage(b"BC\xc0\xde" + bytes(12), [], target="spir64_x86_64"),
]


@pytest.fixture(scope="module", params=[2, 3], ids=["v2", "v3"])
def version(request):
    return request.param


@pytest.fixture(scope="module", params=Linking, ids=lambda linking: linking.name.lower())
def path(request, version, tmp_path_factory):
    source = host_source([IMAGES, [SourceImage(SPIRV, ["third"])]], version)
    return build_host(tmp_path_factory.mktemp("host"), source, request.param)


@pytest.fixture
def program(path):
    return HostProgram.open(path)


def test_every_image_of_every_descriptor_is_found_in_order(program, version):
    assert [descriptor.version for descriptor in program.descriptors] == [version, version]
    assert [descriptor.count for descriptor in program.descriptors] == [3, 1]
    images = program.images
    assert [image.entries for image in images] == [(KERNEL,), ("_ZTS1K", "plain"), (), ("third",)]
    assert [image.target for image in images] == ["spir64", "spir64", "spir64_x86_64", "spir64"]
    assert images[0].description.compile_options == "-g"
    assert images[1].description.declared_format == DeclaredFormat.COMPRESSED


def test_code_is_given_decompressed_and_named_for_what_it_is(program):
    first, second, third, _ = program.images
    assert (first.data(), first.is_compressed, first.format) == (SPIRV, False, FileFormat.SPIRV)
    assert (second.data(), second.is_compressed) == (SPIRV * 100, True)
    assert (second.size, second.format) == (len(COMPRESSED), FileFormat.SPIRV)
    assert third.format is FileFormat.BITCODE


def test_known_properties_are_typed_and_unknown_ones_are_kept(program, version):
    sets = program.images[0].property_sets
    assert list(sets) == [name for name, _ in SETS]
    assert sets.problems == []
    assert sets.eliminated_arguments(KERNEL) == EliminatedArguments(4, 5)
    assert [aspect.name for aspect in sets.aspects] == ["fp16", "fp64"]
    assert sets.value("SYCL/device requirements", "reqd_sub_group_size") == (16,)
    vendor = sets["Vendor/things"]
    assert vendor["depth"].raw.integer == 7
    assert vendor["blob"].raw.stored[8:] == b"\1\2\3"
    assert vendor["depth"].row is None


def test_a_wrong_value_is_reported_with_its_set_property_and_place(tmp_path, version):
    wrong = [
        ("SYCL/device globals", [SourceProperty("g", b"\1\0\0\0")]),
        ("SYCL/misc properties", [SourceProperty("optLevel", b"\1"), SourceProperty("sanUsed", 3)]),
        ("SYCL/kernel param opt", [SourceProperty("k", b"\xff\xff", 4)]),
    ]
    path = build_host(tmp_path, host_source([[SourceImage(SPIRV, ["k"], wrong)]], version))
    problems = HostProgram.open(path).images[0].property_sets.problems
    assert [(problem.set_name, problem.name) for problem in problems] == [
        ("SYCL/device globals", "g"),
        ("SYCL/misc properties", "optLevel"),
        ("SYCL/misc properties", "sanUsed"),
        ("SYCL/kernel param opt", "k"),
    ]
    assert [problem.what for problem in problems] == [
        "expected 8 bytes (size, device image scope), found 4",
        "expected a 32-bit integer, found a byte array",
        "expected a byte array, found a 32-bit integer",
        "length says 4 bits, found 2 bytes",
    ]
    data = path.read_bytes()
    for problem in problems:  # each offset is that of the property structure
        assert struct.unpack_from("<I", data, problem.offset + 16)[0] in (1, 2)


def test_an_image_version_that_is_not_known_is_named(tmp_path):
    source = host_source([[SourceImage(SPIRV, ["k"])]], 3).replace("{3, 4, 0", "{9, 4, 0")
    with pytest.raises(
        SyclError, match=r"device images of version 9 at byte 0x[0-9a-f]+, expected version 2 or 3"
    ):
        HostProgram.open(build_host(tmp_path, source))


def test_pointers_to_symbols_that_others_could_replace_are_followed(tmp_path, version):
    source = host_source([IMAGES], version).replace("static const unsigned", "const unsigned")
    path = build_host(tmp_path, source)
    relocations = subprocess.run(["readelf", "-rW", path], check=True, capture_output=True).stdout
    assert b"R_X86_64_64" in relocations
    images = HostProgram.open(path).images
    assert [image.data() for image in images] == [SPIRV, SPIRV * 100, IMAGES[2].data]
    assert images[0].property_sets.eliminated_arguments(KERNEL) == EliminatedArguments(4, 5)


def test_a_library_without_device_code_has_no_images(tmp_path):
    assert HostProgram.open(build_host(tmp_path, "int x;")).images == ()


def test_programs_of_the_system_have_no_device_images():
    programs = [path for path in sorted(Path("/usr/bin").iterdir()) if path.is_file()][:300]
    found = 0
    for path in programs:
        data = path.read_bytes()
        if data.startswith(b"\x7fELF"):
            found += 1
            assert HostProgram(data, path.name).images == ()
    assert found > 20
