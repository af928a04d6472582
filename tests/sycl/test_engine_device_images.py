"""From a loaded module to the device image in a file that the program has mapped."""

import mmap
import os
from contextlib import contextmanager

import pytest

from tests.support.sycl.host_source import SourceImage, SourceProperty, build_host, host_source
from zedbg.engine.modules.device_images import image_of_module

CODE = b"BC\xc0\xde" + bytes(range(200))
FIRST, SECOND = "_ZTSN3lab5firstE", "_ZTSN3lab6secondE"
SETS = [("SYCL/kernel param opt", [SourceProperty(SECOND, b"\x05", 5)])]


@contextmanager
def mapped(path):
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ):
        yield


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    images = [SourceImage(CODE, [FIRST]), SourceImage(CODE, [SECOND], SETS)]
    return build_host(tmp_path_factory.mktemp("library"), host_source([images], 3))


def test_the_image_is_found_in_the_mapped_file_that_has_the_kernels(library):
    with mapped(library):
        for number, kernel in enumerate((FIRST, SECOND)):
            found = image_of_module(os.getpid(), [kernel])
            assert (found.path, found.number, found.image.kernels) == (library, number, (kernel,))
    assert image_of_module(os.getpid(), [FIRST]) is None, "it is no longer mapped"


def test_arguments_are_counted_as_in_the_source(library):
    with mapped(library):
        found = image_of_module(os.getpid(), [SECOND])
        none_removed = image_of_module(os.getpid(), [FIRST])
    assert [found.source_argument(SECOND, index) for index in range(4)] == [1, 3, 4, None]
    assert [none_removed.source_argument(FIRST, index) for index in range(2)] == [0, 1]


def test_kernels_of_other_languages_and_processes_that_are_gone_have_no_image(library):
    with mapped(library):
        assert image_of_module(os.getpid(), ["vadd"]) is None
        assert image_of_module(1 << 22, [FIRST]) is None


def test_a_damaged_library_counts_as_having_none(library, tmp_path):
    damaged = tmp_path / "damaged.so"
    data = library.read_bytes()
    damaged.write_bytes(data[: len(data) // 2])
    with mapped(damaged):
        assert image_of_module(os.getpid(), [FIRST]) is None
