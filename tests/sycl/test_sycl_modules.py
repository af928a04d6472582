"""Device images as native modules: kernels and arguments found on both sides; object files."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.packed_modules import ZEBINS
from tests.support.sycl.container_source import SourceEntry, offload_binary
from tests.support.sycl.host_source import SourceImage, SourceProperty, build_host, host_source
from zedbg.sycl import ArgumentMap, HostProgram
from zedbg.zebin import Module
from zedbg.zebin.formats import FileFormat

BITCODE = b"BC\xc0\xde" + bytes(range(60))


@pytest.fixture(scope="module")
def zebins():
    found = sorted(ZEBINS.glob("igc2-dg2-O2/*.zebin"))
    assert found
    return found


def kernels_of(module):
    return [kernel.name for kernel in module.kernels]


def test_a_loaded_module_leads_to_its_image_and_back(zebins, tmp_path):
    modules = [Module.open(path) for path in zebins]
    images = [
        SourceImage(module.data, kernels_of(module), target="spir64_gen") for module in modules
    ]
    code = tmp_path / "code.bin"
    program = HostProgram.open(build_host(tmp_path, host_source([images], 3, code)))
    assert {image.format for image in program.images} == {FileFormat.ZEBIN}
    for module, image in zip(modules, program.images, strict=True):
        again = Module.from_bytes(image.data(), "image")
        assert kernels_of(again) == list(image.kernels)
        assert image in program.images_of_module(kernels_of(module))
        for name in image.kernels:
            assert image in program.images_with_kernel(name)
    assert program.images_of_module(["no such kernel"]) == ()


def test_an_image_of_which_a_module_has_only_some_kernels_is_not_its_own(tmp_path):
    images = [SourceImage(BITCODE, ["a", "b"]), SourceImage(BITCODE, ["a"])]
    program = HostProgram.open(build_host(tmp_path, host_source([images], 2)))
    both, one = program.images
    assert program.images_of_module(["a"]) == (one,)
    assert program.images_of_module(["a", "b", "c"]) == (both, one)


def test_an_exported_function_is_no_kernel(tmp_path):
    sets = [("SYCL/exported symbols", [SourceProperty("f", 1)])]
    source = host_source([[SourceImage(BITCODE, ["k", "f"], sets)]], 3)
    program = HostProgram.open(build_host(tmp_path, source))
    (image,) = program.images
    assert (image.entries, image.kernels) == (("k", "f"), ("k",))
    assert program.images_with_kernel("f") == ()
    assert program.images_of_module(["k"]) == (image,)


@pytest.mark.parametrize("name", ["vadd", "nbody", "structs"])
def test_an_argument_of_the_source_is_found_among_the_modules(name, tmp_path):
    """As if each kernel had had an argument in front of each that is left."""
    module = Module.open(ZEBINS / "igc2-dg2-O2" / f"{name}.zebin")
    for kernel in module.kernels:
        indices = sorted(
            argument.arg_index
            for argument in kernel.info.payload_arguments
            if argument.arg_type in ("arg_bypointer", "arg_byvalue")
        )
        assert indices
        count = max(indices) + 1
        mask = sum(1 << 2 * index for index in range(count))
        stored = mask.to_bytes((2 * count + 7) // 8, "little")
        sets = [("SYCL/kernel param opt", [SourceProperty(kernel.name, stored, 2 * count)])]
        source = host_source([[SourceImage(b"", [kernel.name], sets)]], 2)
        (image,) = HostProgram.open(build_host(tmp_path, source)).images
        arguments = ArgumentMap.of_kernel(image.property_sets, kernel.name)
        for index in indices:
            assert arguments.compiled_index(2 * index + 1) == index
            assert arguments.source_index(index) == 2 * index + 1
            assert arguments.compiled_index(2 * index) is None


def assembled(directory, text):
    (directory / "fat.s").write_text(text)
    subprocess.run(["as", "fat.s", "-o", "fat.o"], cwd=directory, check=True)
    return directory / "fat.o"


def test_object_files_of_the_new_offloading_model_are_opened(tmp_path):
    entries = [SourceEntry(BITCODE, {"triple": "spir64-unknown-unknown", "arch": "generic"}, 2)]
    (tmp_path / "b").write_bytes(offload_binary(entries, 1) + offload_binary(entries, 2))
    path = assembled(tmp_path, '.section .llvm.offloading,"e"\n.p2align 3\n.incbin "b"\n')
    images = HostProgram.open(path).images
    assert [image.target for image in images] == ["spir64-unknown-unknown"] * 2
    assert [image.data() for image in images] == [BITCODE] * 2
    assert [path.read_bytes()[image.offset :][: image.size] for image in images] == [BITCODE] * 2


def test_object_files_of_the_old_offloading_model_are_opened(tmp_path):
    (tmp_path / "b").write_bytes(BITCODE)
    path = assembled(
        tmp_path,
        '.section __CLANG_OFFLOAD_BUNDLE__sycl-spir64_gen-unknown-unknown-pvc,"e"\n.incbin "b"\n'
        '.section __CLANG_OFFLOAD_BUNDLE__host-x86_64-unknown-linux-gnu,"e"\n.byte 0\n'
        ".section .tgtsym\n"
        '.asciz "sycl-spir64_gen-unknown-unknown-pvc.f"\n'
        '.asciz "sycl-spir64_gen-unknown-unknown-pvc._ZTS1k"\n',
    )
    (image,) = HostProgram.open(path).images
    assert (image.target, image.data()) == ("spir64_gen-unknown-unknown-pvc", BITCODE)
    assert image.entries == ("f", "_ZTS1k")
