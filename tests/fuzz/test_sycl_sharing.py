"""Small files whose structures all name the same parts: reading them would take forever."""

from __future__ import annotations

import struct
import time
import tracemalloc

import pytest

from tests.support.sycl.container_source import SourceEntry, SourceModule, offload_binary, syclbin_1
from tests.support.sycl.host_source import DECLARATIONS, build_host
from zedbg.sycl import HostProgram, SyclError

COUNT = 3000
ALLOWANCE = 4 << 20  # bytes
SECONDS = 5.0
REFUSED = "its structures name more than [0-9]+ bytes at byte 0x[0-9a-f]+, expected each once"


def refuses(data):
    """Whether opening everything is refused, within bounds of time and memory."""
    tracemalloc.start()
    begin = time.process_time()
    try:
        with pytest.raises(SyclError, match=REFUSED):
            for image in HostProgram(data, "file").images:
                _ = image.entries, image.property_sets
    finally:
        seconds = time.process_time() - begin
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert seconds < SECONDS
    assert peak <= 10 * len(data) + ALLOWANCE


def test_modules_that_all_have_all_images():
    data = bytearray(syclbin_1(b"", [SourceModule(b"", [(b"", b"")])] * COUNT))
    for index in range(COUNT):  # number and first index of the IR modules
        struct.pack_into("<II", data, 56 + 32 * index + 16, COUNT, 0)
    refuses(bytes(data))


def test_modules_that_all_have_the_same_long_properties():
    text = b"[s]\n" + (b"k" * 60 + b"=1|1\n") * 1000
    data = bytearray(syclbin_1(text, [SourceModule(b"")] * COUNT))
    for index in range(COUNT):
        struct.pack_into("<QQ", data, 56 + 32 * index, 0, len(text))
    refuses(bytes(data))


def test_entries_that_all_have_the_same_long_strings():
    strings = {f"k{number}": "v" * 1000 for number in range(100)}
    entries = [SourceEntry(b"", strings), *[SourceEntry(b"", {})] * COUNT]
    data = bytearray(offload_binary(entries, 2))
    first = struct.unpack_from("<QQ", data, 32 + 8)
    for index in range(COUNT + 1):
        struct.pack_into("<QQ", data, 32 + 40 * index + 8, *first)
    refuses(bytes(data))


SHARED_IMAGES = f"""
static const unsigned char code[8];
REGISTERED const struct image3 images[{COUNT}] = {{
  [0 ... {COUNT - 1}] = {{3, 4, 0, "spir64", "", "", code, code + 8, 0, 0, 0, 0}}
}};
REGISTERED const struct descriptor descriptors[{COUNT}] = {{
  [0 ... {COUNT - 1}] = {{1, {COUNT}, images, 0, 0}}
}};
"""
SHARED_ENTRIES = f"""
static const unsigned char code[8];
REGISTERED const struct entry entries[{COUNT}] = {{
  [0 ... {COUNT - 1}] = {{0, "kernel", 0, 0, 0}}
}};
REGISTERED const struct property_set sets[1];
REGISTERED const struct image3 images[{COUNT}] = {{
  [0 ... {COUNT - 1}] = {{
    3, 4, 0, "spir64", "", "", code, code + 8, entries, entries + {COUNT}, sets, sets
  }}
}};
REGISTERED const struct descriptor descriptor = {{1, {COUNT}, images, 0, 0}};
"""
SHARED_PROPERTIES = f"""
static const unsigned char code[8], value[100000] = {{160, 52, 12}};
REGISTERED const struct property properties[{COUNT}] = {{
  [0 ... {COUNT - 1}] = {{"name", value, 2, 100000}}
}};
REGISTERED const struct property_set sets[{COUNT}] = {{
  [0 ... {COUNT - 1}] = {{"set", properties, properties + {COUNT}}}
}};
REGISTERED const struct image3 images[1] = {{
  {{3, 4, 0, "spir64", "", "", code, code + 8, 0, 0, sets, sets + {COUNT}}}
}};
REGISTERED const struct descriptor descriptor = {{1, 1, images, 0, 0}};
"""


@pytest.mark.parametrize(
    "source",
    [SHARED_IMAGES, SHARED_ENTRIES, SHARED_PROPERTIES],
    ids=["images", "entries", "properties"],
)
def test_structures_of_a_host_program_that_are_shared(tmp_path, source):
    refuses(build_host(tmp_path, DECLARATIONS + source).read_bytes())


def test_segments_that_are_all_the_whole_file():
    size = 64 + 56 * COUNT
    header = struct.pack(
        "<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 3, 62, 1, 0, 64, 0, 0, 64, 56, COUNT, 0, 0, 0
    )
    segment = struct.pack("<IIQQQQQQ", 1, 6, 0, 0, 0, size, size, 8)
    refuses(header + segment * COUNT)
