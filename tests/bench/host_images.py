"""Listing the device images of a large SYCL library, against `readelf -a` of the same file.

The listing is timed within a fresh process, from opening the file to the last row; the whole
process, with starting Python and importing, is shown beside it. The library is laid out by the C
compiler like a real one; the real one that the full corpus has fetched is measured as well.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.sycl.host_source import SourceImage, SourceProperty, build_host, host_source

from .measure import Cell, Table, Timing

IMAGES = 4642
CODE_SIZE = 6800  # bytes of an image: 30 MB in all
REPETITIONS = 5
_REAL_LIBRARY = "_tensor_impl.*.so"
_PROGRAM = """
import sys, time
from zedbg.sycl import HostProgram
begin = time.perf_counter()
images = HostProgram.open(sys.argv[1]).images
rows = [(image.target, image.format, image.size, image.entries) for image in images]
print(len(rows), time.perf_counter() - begin)
"""


def run(images: int = IMAGES, repetitions: int = REPETITIONS) -> Table:
    rows: list[list[Cell]] = []
    with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as directory:
        for name, path in _libraries(Path(directory), images):
            listing = [sys.executable, "-c", _PROGRAM, str(path)]
            printed, process = _times(listing, repetitions)
            ours = Timing(tuple(float(line.split()[1]) for line in printed))
            _, theirs = _times(["readelf", "-a", str(path)], repetitions)
            megabytes = path.stat().st_size / 1e6
            count = int(printed[0].split()[0])
            ratio = ours.median / theirs.median
            rows.append([name, count, megabytes, ours, theirs, ratio, process])
    return Table(
        "host_images",
        "list every device image: target, format, size and kernels",
        ("library", "images", "MB", "zedbg", "readelf -a", "zedbg / readelf", "whole process"),
        rows,
    )


def _libraries(directory: Path, images: int) -> Iterator[tuple[str, Path]]:
    yield "laid out", _laid_out(directory, images)
    cache = os.environ.get("ZEDBG_CORPUS_CACHE")
    for path in sorted(Path(cache).rglob(_REAL_LIBRARY)) if cache else ():
        yield path.name.partition(".")[0], path


def _laid_out(directory: Path, images: int) -> Path:
    """A library with as many properties and arguments in each image as dpctl's have."""
    code = random.Random(1)
    source = host_source(
        [
            [
                SourceImage(
                    b"\x03\x02\x23\x07" + code.randbytes(CODE_SIZE - 4),
                    [name := f"_ZTSN5bench6kernelILi{index}EEE"],
                    (
                        ("SYCL/devicelib req mask", [SourceProperty("DeviceLibReqMask", 0)]),
                        ("SYCL/device requirements", [SourceProperty("aspects", b"\6\0\0\0")]),
                        ("SYCL/kernel param opt", [SourceProperty(name, b"\5", 4)]),
                        ("SYCL/misc properties", [SourceProperty("optLevel", 3)]),
                    ),
                )
                for index in range(images)
            ]
        ],
        2,
        directory / "code.bin",
    )
    return build_host(directory, source)


def _times(command: Sequence[str], repetitions: int) -> tuple[list[str], Timing]:
    """What ``command`` printed each time, and how long it took; a first, cold run is left out."""
    seconds, printed = [], []
    for _ in range(repetitions + 1):
        begin = time.perf_counter()
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        seconds.append(time.perf_counter() - begin)
        printed.append(done.stdout)
    return printed[1:], Timing(tuple(seconds[1:]))
