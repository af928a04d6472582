"""Offload binaries, SYCLBIN files and bare images."""

from __future__ import annotations

import struct

import pytest
import zstandard

from tests.support.sycl.container_source import (
    SourceEntry,
    SourceModule,
    offload_binary,
    syclbin_1,
    syclbin_2,
)
from zedbg.sycl import HostProgram, SyclError, nested_images
from zedbg.sycl.byte_reader import ByteReader
from zedbg.sycl.containers import read_syclbin
from zedbg.sycl.property_sets import RawSet
from zedbg.sycl.property_text import Base64, property_text
from zedbg.sycl.property_values import BundleState
from zedbg.sycl.raw_property import byte_array, uint32
from zedbg.zebin.formats import FileFormat

SPIRV = struct.pack("<5I", 0x07230203, 0x10400, 0, 1, 0) + bytes(300)
BITCODE = b"BC\xc0\xde" + bytes(44)
ZEBIN = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HH", 1, 205) + bytes(40)
VERSIONS = [(1, None), (2, None), (3, None), (3, "zstd"), (3, "zlib")]


def opened(data):
    return HostProgram(data, "file").images


@pytest.mark.parametrize(("version", "compression"), VERSIONS)
def test_images_of_offload_binaries_are_listed_with_their_target(version, compression):
    entries = [
        SourceEntry(SPIRV, {"triple": "spir64-unknown-unknown", "arch": "generic"}, 6),
        SourceEntry(BITCODE, {"triple": "spir64_gen", "arch": "pvc", "compile-opts": "-g"}, 2),
    ]
    if version == 1:  # one image each, one binary after the other
        data = b"".join(offload_binary([entry], 1) for entry in entries)
    else:
        data = offload_binary(entries, version, compression)
    images = opened(data)
    assert [(image.target, image.description.arch) for image in images] == [
        ("spir64-unknown-unknown", "generic"),
        ("spir64_gen", "pvc"),
    ]
    assert [image.format for image in images] == [FileFormat.SPIRV, FileFormat.BITCODE]
    assert [image.data() for image in images] == [SPIRV, BITCODE]
    assert images[1].description.compile_options == "-g"
    if compression is None:
        assert [data[image.offset :][: image.size] for image in images] == [SPIRV, BITCODE]


def text(name, *properties):
    return property_text([RawSet(name, properties)], Base64.LOW_BITS_FIRST)


MODULES = [
    SourceModule(
        text("SYCL/kernel param opt", byte_array("_ZTS1A", b"\1", bits=2))
        + text("SYCL/program metadata", byte_array("_ZTS1B@work_group_num_dim", b"\1\0\0\0")),
        ir=[
            (
                text(
                    "SYCLBIN/ir module metadata", uint32("type", 0), byte_array("target", b"spir64")
                ),
                SPIRV,
            )
        ],
        native=[
            (
                text(
                    "SYCLBIN/native device code image metadata",
                    byte_array("arch", b"pvc"),
                    byte_array("target", b"spir64_gen"),
                ),
                ZEBIN,
            )
        ],
    ),
    SourceModule(text("SYCL/exported symbols", uint32("f", 1))),
]
GLOBAL = text("SYCLBIN/global metadata", uint32("state", 2))
SYCLBINS = {
    "1": syclbin_1(GLOBAL, MODULES),
    "1-in-offload-binary": offload_binary([SourceEntry(syclbin_1(GLOBAL, MODULES), {})], 1),
    "2": syclbin_2(GLOBAL, MODULES),
}


@pytest.mark.parametrize("form", SYCLBINS)
def test_a_syclbin_file_has_modules_with_properties_and_images(form):
    data = SYCLBINS[form]
    file = read_syclbin(ByteReader.whole(data, "file"))
    assert file.metadata.value("SYCLBIN/global metadata", "state") is BundleState.EXECUTABLE
    assert [len(module.images) for module in file.modules] == [2, 0]
    assert file.modules[1].metadata.exported_symbols == ("f",)
    spirv, zebin = opened(data)
    assert (spirv.target, spirv.format, spirv.data()) == ("spir64", FileFormat.SPIRV, SPIRV)
    assert (zebin.description.arch, zebin.format) == ("pvc", FileFormat.ZEBIN)
    assert zebin.data() == ZEBIN
    assert spirv.entries == ("_ZTS1A", "_ZTS1B")
    assert spirv.property_sets.eliminated_arguments("_ZTS1A").eliminated == (0,)


@pytest.mark.parametrize("compress", [False, True])
def test_containers_within_an_image_are_opened(compress):
    inner = SYCLBINS["1"]
    stored = zstandard.compress(inner) if compress else inner
    (image,) = opened(stored)[:1]
    if compress:
        assert image.format is FileFormat.SYCLBIN
        assert [nested.data() for nested in nested_images(image)] == [SPIRV, ZEBIN]
    else:
        assert nested_images(image) == []  # it is code already


@pytest.mark.parametrize(
    ("data", "problem", "expected"),
    [
        (b"", "not a file that holds device code", "a native module"),
        (b"int main() {}", "not a file that holds device code", "a native module"),
        (
            SYCLBINS["1"][:50],
            "SYCLBIN header: cut off, as its part of the file has 0x32 bytes",
            "56 bytes",
        ),
        (b"IBYS\2" + SYCLBINS["1"][5:], "SYCLBIN of version 2", "1 after this magic"),
        (SYCLBINS["2"][:-8], "offload binary: cut off", ""),
        (
            SYCLBINS["2"].replace(b"am_metadata", b"xm_metadata"),
            "found the role 'xm_metadata'",
            "global_metadata, am_metadata, ir or native",
        ),
        (
            offload_binary([SourceEntry(SPIRV, {})], 2).replace(b"\xad\2", b"\xad\x09", 1),
            "offload binary of version 9",
            "1 to 3",
        ),
        (b"\x7fELF\2\1\1" + bytes(9), "not a file that holds device code", "a native module"),
    ],
)
def test_damaged_and_foreign_files_are_refused_in_one_line(data, problem, expected):
    with pytest.raises(SyclError) as caught:
        _ = HostProgram(data, "file").images
    assert caught.value.problem.startswith(problem)
    assert caught.value.expected.startswith(expected) and caught.value.explains_itself
    assert "\n" not in str(caught.value)


def test_a_frame_that_claims_more_than_ten_times_its_file_is_refused():
    frame = zstandard.compress(bytes(1 << 25))
    (image,) = opened(frame)
    assert len(frame) < 1 << 20
    with pytest.raises(
        SyclError, match="declares 33554432 bytes at byte 0x0, expected at most 65536"
    ):
        image.data()


def test_a_frame_without_a_size_is_bounded_too():
    frame = zstandard.ZstdCompressor(write_content_size=False).compress(bytes(1 << 25))
    (image,) = opened(frame)
    with pytest.raises(SyclError, match="too much at byte 0x0, expected at most 65536"):
        image.data()


def test_a_cut_frame_is_refused():
    frame = zstandard.compress(SPIRV * 20)
    (image,) = opened(frame[:-9])
    with pytest.raises(SyclError, match="Zstandard frame"):
        image.data()
