"""Times committed kernels on one OpenCL implementation, in a process of its own.

``python -m tests.bench.opencl_times LIBRARY OPTIONS REPETITIONS CASE...``: LIBRARY is the
installable client driver, OPTIONS are its compiler's, CASE is the number of a case in ALL_CASES of
tests/bench/corpus.py. Prints a line for each case when it is done: the marker, and a JSON list of
the case's number, the seconds of each launch and what it took of the processor; or of the number
and why the implementation cannot run it. The marker and the number come on the other stream as
well, after what was said of the case. One that takes longer than LIMIT ends the process with
SIGALRM.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

from .corpus import ALL_CASES, Case, Local, source_options, source_text

# Kernels and implementations print to the same stream.
MARKER = "@times "
LIMIT = 120  # seconds, of a case
# Asked for OpenCL C 2.0, PoCL 3.1 finds fewer overloads, and Oclgrind 21.10 meets casts that it
# does not execute; without it neither knows generic pointers.
STANDARDS = ("CL1.2", "CL2.0")


def main(library: str, options: str, repetitions: int, numbers: list[int]) -> None:
    with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as vendors:
        (Path(vendors) / "only.icd").write_text(library)
        os.environ["OCL_ICD_VENDORS"] = vendors
        os.environ["PYOPENCL_NO_CACHE"] = "1"
        import pyopencl as cl  # reads the variables

        context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
        for number in numbers:
            signal.alarm(LIMIT)
            try:
                found = _times(cl, context, ALL_CASES[number], options, repetitions)
            except cl.Error as error:
                found = [_reason(str(error))]
            signal.alarm(0)
            print(f"\n{MARKER}{json.dumps([number, *found])}", flush=True)
            print(f"\n{MARKER}{number}", file=sys.stderr, flush=True)
    os._exit(0)  # some end with a crash in their own destructors


def _reason(message: str) -> str:
    """The first error of a compiler's log, without its place, or what failed."""
    lines = message.splitlines()
    errors = [line.partition("error: ")[2] for line in lines if "error: " in line]
    if errors:
        return re.sub(r"^\S+:\d+:\d+(?: <.*>)?: ", "", errors[0]).strip()
    return lines[0].split(" - ")[0].strip()


def _kernel(cl, context, case: Case, options: str):
    """Raises cl.Error, that of the first standard, when none has the kernel."""
    text = source_text(case)
    words = [*options.split(), *source_options(text).split()]
    problem = None
    for standard in STANDARDS:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                program = cl.Program(context, text).build([f"-cl-std={standard}", *words])
                return cl.Kernel(program, case.kernel)
        except cl.Error as error:
            problem = problem or error
    raise problem


def _times(cl, context, case: Case, options: str, repetitions: int) -> list[list[float]]:
    queue = cl.CommandQueue(context)
    kernel = _kernel(cl, context, case, options)
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
    seconds, processor = [], []
    for _ in range(repetitions + 1):
        for buffer, value in buffers:
            cl.enqueue_copy(queue, buffer, value)
        queue.finish()
        begin, processor_begin = time.perf_counter(), time.process_time()
        cl.enqueue_nd_range_kernel(queue, kernel, case.size, case.group, case.offset or None)
        queue.finish()
        processor.append(time.process_time() - processor_begin)
        seconds.append(time.perf_counter() - begin)
    return [seconds[1:], processor[1:]]  # the first launch may compile


if __name__ == "__main__":
    library, options, repetitions, *numbers = sys.argv[1:]
    main(library, options, int(repetitions), [int(number) for number in numbers])
