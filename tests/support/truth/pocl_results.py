"""What PoCL gives for a random kernel's twin: an oracle that shares no compiler and no device.

FOLDER NAME...: FOLDER has twins ``NAME.zebin``. Prints, as JSON, the names of the kernels of which
the simulated GPU computes another result, or writes down another record, than PoCL does from the
same text. A process of its own, since one process has one device.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

from tests.support.kernels.pocl import cl
from tests.support.truth.variable_kernels import FACTOR, GROUP, ITEMS, LOG_WORDS, N
from tests.support.truth.variable_truth import command, input_words, kernel_of, write_inputs


def pocl_record(source: str) -> tuple[bytes, bytes]:
    """The output of a twin, and what it writes down."""
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    program = cl.Program(context, source).build("-cl-std=CL2.0 -cl-opt-disable")
    read_only = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    inputs = cl.Buffer(context, read_only, hostbuf=numpy.array(input_words(), numpy.int32))
    found = numpy.zeros(ITEMS, numpy.int32), numpy.zeros(ITEMS * LOG_WORDS, numpy.uint64)
    writes = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffers = [cl.Buffer(context, writes, hostbuf=each) for each in found]
    arguments = inputs, buffers[0], numpy.int32(N), numpy.float32(FACTOR), buffers[1]
    program.k(queue, (ITEMS,), (GROUP,), *arguments)
    for host, device in zip(found, buffers, strict=True):
        cl.enqueue_copy(queue, host, device)
    queue.finish()
    return found[0].tobytes(), found[1].tobytes()


def simulated_record(twin: Path, folder: Path) -> tuple[bytes, bytes]:
    """The same by the simulated GPU."""
    output, record = folder / "out.bin", folder / "log.bin"
    line = command(twin, str(record), record=True, result=str(output))
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return output.read_bytes(), record.read_bytes()


def records(log: bytes) -> list[tuple[int, ...]]:
    """What each work-item wrote down."""
    words = struct.unpack(f"<{len(log) // 8}Q", log)
    logs = [words[item * LOG_WORDS : (item + 1) * LOG_WORDS] for item in range(ITEMS)]
    return [each[: each[0]] for each in logs]


def main(twins: str, *names: str) -> None:
    different, folder = [], Path(twins).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        write_inputs()
        for name in names:
            ours = simulated_record(folder / f"{name}.zebin", Path(scratch))
            theirs = pocl_record(kernel_of(name).twin)
            if ours[0] != theirs[0] or records(ours[1]) != records(theirs[1]):
                different.append(name)
    print(json.dumps(different))


if __name__ == "__main__":
    main(*sys.argv[1:])
