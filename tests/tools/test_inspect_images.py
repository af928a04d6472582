"""``zedbg inspect`` of host programs: their device images as pages, and the code inside."""

import json
import struct
import subprocess
import sys

import pytest
import zstandard

from tests.support.packed_modules import ZEBINS
from tests.support.sycl.container_source import SourceEntry, offload_binary
from tests.support.sycl.host_source import SourceImage, SourceProperty, build_host, host_source

MODULE = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"
SPIRV = struct.pack("<5I", 0x07230203, 0x10400, 0, 1, 0)
KERNEL = "_ZTSN3lab6smoothIfEE"
SETS = [
    ("SYCL/kernel param opt", [SourceProperty(KERNEL, b"\x05", 4)]),
    (
        "SYCL/specialization constants",
        [
            SourceProperty("uid7ee68fa4af1a5a13____ZL5width", struct.pack("<3I", 0, 0, 4)),
            SourceProperty("uid7ee68fa4af1a5a13____ZL5depth", struct.pack("<3I", 1, 0, 8)),
        ],
    ),
    (
        "SYCL/specialization constants default values",
        [SourceProperty("all", struct.pack("<IQ", 640, 7))],
    ),
    ("SYCL/device requirements", [SourceProperty("aspects", struct.pack("<I", 6))]),
    ("SYCL/assert used", [SourceProperty(KERNEL, 1)]),
    ("lab/own set", [SourceProperty("colour", 3)]),
    ("SYCL/misc properties", [SourceProperty("optLevel", b"wrong")]),
]


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    images = [
        SourceImage(zstandard.compress(SPIRV), [KERNEL], SETS, format=4, compile_options="-O3"),
        SourceImage(MODULE.read_bytes(), ["vadd"], target="spir64_gen"),
    ]
    return build_host(tmp_path_factory.mktemp("host"), host_source([images], 3))


def inspect(*arguments):
    command = [sys.executable, "-m", "zedbg.frontends.main", "inspect", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_an_image_has_a_page_with_what_the_compiler_said_of_it(host):
    done = inspect(host, "--kernel", "lab::*")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0] == "image 0 for spir64"
    for line in (
        "options -O3",
        "kernel lab::smooth<float>",
        f"symbol {KERNEL}",
        "arguments 4 in the source; removed, counted from 0: 0, 2",
        "assertions it can fail one",
        "0 width 4 640",
        "1 depth 8 7",
        "aspects fp64",
        "[lab/own set]",
        "colour 3",
    ):
        assert line in lines
    (wrong,) = [line for line in lines if line.startswith("optLevel")]
    assert "expected" in wrong


def test_json_has_every_image_with_names_and_numbers(host):
    result = json.loads(inspect(host, "--json").stdout)
    file, first, second = result["rows"]
    assert "2 device images with 2 kernels" in file["details"]
    assert (first["kind"], first["compressed"], first["format"]) == ("image", True, "SPIR-V")
    assert first["kernels"][0]["removed"] == [0, 2]
    assert [constant["number"] for constant in first["constants"]] == [640, 7]
    assert (second["target"], second["format"]) == ("spir64_gen", "native module (zebin)")


def test_the_code_of_an_image_is_inspected_like_a_file(host):
    module = inspect(MODULE, "--kernel", "vadd").stdout
    assert inspect(host, "--image", 1, "--kernel", "vadd").stdout == module
    assert "SPIR-V, 20 bytes" in inspect(host, "--image", 0).stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--image", 2], "no image 2: there are 2"),
        (["--image", -1], "no image -1"),
        (["--kernel", "none"], "no kernel matches none"),
        (["--section", ".text"], "--image"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(host, arguments, says):
    done = inspect(host, *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr and done.stderr.count("\n") == 1


def test_many_images_are_one_table(tmp_path):
    images = [SourceImage(SPIRV, [f"_ZTS{len(f'k{n}')}k{n}"]) for n in range(9)]
    lines = inspect(build_host(tmp_path, host_source([images], 2))).stdout.splitlines()
    rows = [line.split() for line in lines[-9:]]
    assert [(row[0], row[-1]) for row in rows] == [(str(n), f"k{n}") for n in range(9)]


@pytest.mark.parametrize(
    "wrap", [zstandard.compress, lambda data: offload(data)], ids=["zstd", "offload"]
)
def test_kernels_that_a_container_does_not_list_are_those_of_its_code(wrap, tmp_path):
    path = tmp_path / "wrapped"
    path.write_bytes(wrap(MODULE.read_bytes()))
    done = inspect(path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 device image with 1 kernel\n" in done.stdout
    assert "--image NUMBER shows the code of one image" in done.stdout
    assert "kernel vadd\n" in inspect(path, "--kernel", "va*").stdout
    assert "kernel vadd" in inspect(path, "--image", "0").stdout


def test_code_that_is_damaged_in_a_container_is_said_where_its_kernels_would_be(tmp_path):
    path = tmp_path / "damaged.zst"
    path.write_bytes(zstandard.compress(MODULE.read_bytes()[:-200]))
    done = inspect(path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "kernels unknown, its code is damaged: truncated: " in done.stdout
    (image,) = json.loads(inspect(path, "--json").stdout)["rows"][1:]
    assert "expected" in image["damage"]


def offload(data):
    """An offload binary of one image."""
    return offload_binary([SourceEntry(data, {"triple": "spir64_gen", "arch": "dg2"})], 2)
