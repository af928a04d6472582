"""Real SYCL libraries against independent readings of the same files.

Runs in the full corpus only (docs/testing.md): the libraries are fetched from PyPI into a cache.
"""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from zedbg.sycl import ArgumentMap, HostProgram, demangled
from zedbg.zebin.formats import FileFormat

pytestmark = pytest.mark.skipif(
    os.environ.get("ZEDBG_FULL_CORPUS") != "1", reason="the full corpus is asked for by name"
)
CACHE = Path(
    os.environ.get("ZEDBG_CORPUS_CACHE")
    or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "zedbg" / "sycl"
)


@dataclass(frozen=True)
class Library:
    """A shared library in a package, with the device images that were counted in it before."""

    package: str
    file: str  # the begin of its name
    images: int
    version: int  # of the image structures
    descriptors: int = 1

    def __str__(self):
        return self.file


DPCTL, DPNP = "dpctl==0.21.1", "dpnp==0.19.1"
LIBRARIES = [
    Library(DPCTL, "_tensor_linalg_impl", 768, 2),
    Library(DPCTL, "_tensor_impl", 4642, 2),
    Library(DPCTL, "_tensor_accumulation_impl", 1698, 2),
    Library(DPCTL, "_tensor_elementwise_impl", 3228, 2),
    Library(DPCTL, "_tensor_reductions_impl", 3744, 2),
    Library(DPCTL, "_tensor_sorting_impl", 2252, 2),
    Library(DPNP, "_statistics_impl", 256, 2),
    Library(DPNP, "_indexing_impl", 448, 2),
    Library(DPNP, "_ufunc_impl", 492, 2),
    Library(DPNP, "libdpnp_backend_c", 77, 2),
    Library("onemkl-sycl-dft==2026.2.0", "libmkl_sycl_dft", 236, 3, 27),
    Library("onemkl-sycl-stats==2026.2.0", "libmkl_sycl_stats", 960, 3, 29),
    Library("onemkl-sycl-blas==2026.2.0", "libmkl_sycl_blas", 3708, 3, 470),
    Library("onemkl-sycl-vm==2026.2.0", "libmkl_sycl_vm", 5573, 3),
]


def fetched(library):
    """The library's path in the cache, from PyPI when it is not there yet."""
    directory = CACHE / library.package
    if not directory.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        wheels = CACHE / f"{library.package}.wheels"
        subprocess.run(
            [
                *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"),
                *("--only-binary=:all:", "--python-version=3.11", "--dest", str(wheels)),
                library.package,
            ],
            check=True,
        )
        (wheel,) = wheels.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(wheels / "content")
        (wheels / "content").rename(directory)
        wheel.unlink()
        wheels.rmdir()
    (path,) = (path for path in directory.rglob(f"{library.file}.*") if ".so" in path.name)
    return path


@pytest.fixture(scope="module", params=LIBRARIES, ids=str)
def library(request):
    return request.param


@pytest.fixture(scope="module")
def path(library):
    return fetched(library)


@pytest.fixture(scope="module")
def program(path):
    return HostProgram.open(path)


def registered_ranges(path):
    """(file offset, size) of every image by the section `.tgtimg`: {address, size} of each.

    The size is the one that a compressed image has when it is decompressed.
    """
    with path.open("rb") as file:
        elf = ELFFile(file)
        table = elf.get_section_by_name(".tgtimg")
        address, data = table["sh_addr"], table.data()
        relocations = elf.get_section_by_name(".rela.dyn")
        at = {
            offset: addend
            for offset, _info, addend in struct.iter_unpack("<QQq", relocations.data())
            if address <= offset < address + len(data)
        }
        loaded = [segment.header for segment in elf.iter_segments("PT_LOAD")]
        for index, (in_place, size) in enumerate(struct.iter_unpack("<QQ", data)):
            start = at.get(address + 16 * index, in_place)
            (offset,) = (
                header.p_offset + start - header.p_vaddr
                for header in loaded
                if 0 <= start - header.p_vaddr < header.p_filesz
            )
            yield offset, size


def spirv_parameters(code):
    """The number of parameters of every entry point in the SPIR-V module ``code``, by name."""
    words = struct.unpack(f"<{len(code) // 4}I", code)
    names, parameters = {}, {}
    function, position = None, 5
    while position < len(words):
        length, opcode = words[position] >> 16, words[position] & 0xFFFF
        if opcode == 15:  # OpEntryPoint: model, function, name
            text = struct.pack(f"<{length - 3}I", *words[position + 3 : position + length])
            names[words[position + 2]] = text.split(b"\0")[0].decode()
        elif opcode == 54:  # OpFunction: type, result
            function = words[position + 2]
            parameters[function] = 0
        elif opcode == 55:  # OpFunctionParameter
            parameters[function] += 1
        position += length
    return {name: parameters[function] for function, name in names.items()}


def test_every_registered_image_is_found(library, path, program):
    ranges = list(registered_ranges(path))
    found = [(image.offset, len(image.data())) for image in program.images]
    assert len(found) == len(set(ranges)) == library.images
    assert set(found) ^ set(ranges) == set()
    assert {image.is_compressed for image in program.images} <= {False, library.version == 3}
    assert len(program.descriptors) == library.descriptors
    assert {descriptor.version for descriptor in program.descriptors} == {library.version}


def test_every_property_is_known_and_right(program):
    unknown = set()
    for image in program.images:
        assert image.property_sets.problems == []
        for name, properties in image.property_sets.items():
            unknown.update((name, p.name) for p in properties.values() if p.row is None)
    assert unknown <= {("SYCL/devicelib metadata", "bfloat16")}


def test_aspects_have_the_names_of_the_compilers_own_numbering(program):
    for image in program.images:
        names = [aspect.name for aspect in image.property_sets.aspects]
        assert None not in names
        assert image.property_sets.is_esimd == ("ext_intel_esimd" in names)


def test_code_is_spirv_whose_entry_points_are_the_kernels(program):
    """And the mask of removed arguments leaves as many as the compiled kernel has."""
    for image in program.images:
        assert image.format is FileFormat.SPIRV
        kernels = spirv_parameters(image.data())
        assert set(image.kernels) <= set(kernels)
        assert set(image.entries) - set(image.kernels) <= set(image.property_sets.exported_symbols)
        for name in image.kernels:
            mask = image.property_sets.eliminated_arguments(name)
            if mask is not None:
                assert len(mask.remaining) == kernels[name]
                arguments = ArgumentMap(mask)
                compiled = [arguments.compiled_index(index) for index in range(mask.count)]
                assert [i for i in compiled if i is not None] == list(range(kernels[name]))


def test_defaults_of_specialization_constants_fill_their_block(program):
    for image in program.images:
        sets = image.property_sets
        constants = sets.specialization_constants
        if constants:
            block = sets.value("SYCL/specialization constants default values", "all")
            assert b"".join(constant.default for constant in constants) == block


def test_a_kernel_leads_to_its_images_and_a_modules_kernels_to_its_image(program):
    for image in program.images[:: max(1, len(program.images) // 50)]:
        for name in image.kernels:
            assert image in program.images_with_kernel(name)
        if image.kernels:
            assert image in program.images_of_module(image.kernels)


LAMBDA = re.compile(r"\{lambda(\([^{}]*\))#(\d+)\}")


def as_llvm_spells_lambdas(text):
    while (spelled := LAMBDA.sub(_llvm_lambda, text)) != text:
        text = spelled
    return text


def _llvm_lambda(match):
    number = int(match[2])
    return f"'lambda{number - 2 if number > 1 else ''}'{match[1]}"


def is_shortened(short, text):
    """Whether ``short`` is ``text`` with some of its characters left out."""
    rest = iter(text)
    return all(character in rest for character in short)


def filtered(tool, names):
    """What ``tool`` makes of ``names``, of a type's name the type."""
    done = subprocess.run(
        [tool], input="\n".join(names) + "\n", check=True, capture_output=True, text=True
    )
    return [line.removeprefix("typeinfo name for ") for line in done.stdout.splitlines()]


def test_names_of_kernels_are_those_of_cxxfilt(program):
    """c++filt leaves out the result type of a function that a local type lies in, LLVM does not.

    Blanks between operators do not count.
    """
    names = sorted({name for image in program.images for name in image.entries})
    ours = [demangled(name) for name in names]
    llvm = [text.replace(" ", "") for text in filtered("llvm-cxxfilt", names)]
    assert [as_llvm_spells_lambdas(text).replace(" ", "") for text in ours] == llvm
    for name, text, theirs in zip(names, ours, filtered("c++filt", names), strict=True):
        if "{lambda(" in theirs:
            assert is_shortened(theirs, text), name
        else:
            assert text == theirs
