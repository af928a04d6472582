"""Times kernels of the corpus on one OpenCL implementation, in a process of its own.

``python -m tests.bench.opencl_times LIBRARY OPTIONS REPETITIONS CASE...``: LIBRARY is the
installable client driver, OPTIONS are its compiler's, CASE is the number of a case of
tests/conformance/kernel_cases.py. Prints a line for each case when it is done: the marker, and a
JSON list of the case's number and the seconds of each launch, or null where the implementation
cannot run it.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

from .corpus import CASES, SOURCES, Case, Local

# Kernels and implementations print to the same stream.
MARKER = "@times "


def main(library: str, options: str, repetitions: int, numbers: list[int]) -> None:
    with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as vendors:
        (Path(vendors) / "only.icd").write_text(library)
        os.environ["OCL_ICD_VENDORS"] = vendors
        os.environ["PYOPENCL_NO_CACHE"] = "1"
        import pyopencl as cl  # reads the variables

        context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
        for number in numbers:
            seconds = None
            try:
                seconds = _times(cl, context, CASES[number], options, repetitions)
            except cl.Error as error:
                print(f"{CASES[number].kernel}: {str(error).splitlines()[0]}", file=sys.stderr)
            print(f"\n{MARKER}{json.dumps([number, seconds])}", flush=True)
    os._exit(0)  # some end with a crash in their own destructors


def _times(cl, context, case: Case, options: str, repetitions: int) -> list[float]:
    queue = cl.CommandQueue(context)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = cl.Program(context, (SOURCES / f"{case.source}.cl").read_text())
        kernel = getattr(program.build(options.split()), case.kernel)
    buffers = [
        (cl.Buffer(context, cl.mem_flags.READ_WRITE, value.nbytes), value)
        for value in case.arguments
        if isinstance(value, np.ndarray)
    ]
    places = iter(buffers)
    kernel.set_args(
        *(
            cl.LocalMemory(value.size)
            if isinstance(value, Local)
            else next(places)[0]
            if isinstance(value, np.ndarray)
            else value
            for value in case.arguments
        )
    )
    seconds = []
    for _ in range(repetitions + 1):
        for buffer, value in buffers:
            cl.enqueue_copy(queue, buffer, value)
        queue.finish()
        begin = time.perf_counter()
        cl.enqueue_nd_range_kernel(queue, kernel, case.size, case.group)
        queue.finish()
        seconds.append(time.perf_counter() - begin)
    return seconds[1:]  # the first launch may compile


if __name__ == "__main__":
    library, options, repetitions, *numbers = sys.argv[1:]
    main(library, options, int(repetitions), [int(number) for number in numbers])
