"""Launches a kernel on the bare simulated device, without a driver, and on PoCL."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import yaml
from elftools.elf.elffile import ELFFile

from tests.support.devices import EACH_PLATFORM
from tests.support.kernels.kernel_case import Array, Case, Local
from tests.support.kernels.kernel_words import launch_words
from tests.support.kernels.pocl import cl
from tests.support.native_programs import native_program

os.environ.setdefault("PYOPENCL_NO_CACHE", "1")

CONFIGURATIONS = tuple(
    f"{compiler}-{device}-{level}"
    for device in EACH_PLATFORM
    for compiler in ("igc2", "igc1")
    for level in ("O0", "O2")
    if (compiler, device) != ("igc1", "bmg")  # which that compiler does not know
)


@dataclass(frozen=True)
class Launch:
    """What a launch on the simulated device left."""

    report: str  # why it did not complete; empty: it did
    buffers: list[Array]  # in the order of the arguments


def run_simulated(
    case: Case,
    module: Path,
    directory: Path,
    options: Sequence[str] = (),
) -> Launch:
    """Runs ``case`` on the device that ``module`` is for, with files in ``directory``.

    ``options``: more words for the native program.
    """
    words, files = launch_words(case, module, directory)
    command = [str(native_program("xesim_device_run_kernel")), *words, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    arrays = [value for value in case.arguments if isinstance(value, np.ndarray)]
    results = [
        np.fromfile(path, dtype=value.dtype) for path, value in zip(files, arrays, strict=True)
    ]
    return Launch(done.stderr, results)


@functools.cache
def _pocl() -> object:
    platforms = [p for p in cl.get_platforms() if "Portable Computing Language" in p.name]
    if not platforms:
        pytest.skip("no PoCL")
    return cl.Context(platforms[0].get_devices())


def run_pocl(case: Case, source: str, options: str = "", standard: str = "CL2.0") -> list[Array]:
    """The buffers of ``case`` after PoCL ran it."""
    context = _pocl()
    program = cl.Program(context, source).build([f"-cl-std={standard}", *options.split()])
    queue = cl.CommandQueue(context)
    buffers: list[tuple[object, Array]] = []
    arguments: list[object] = []
    for value in case.arguments:
        if isinstance(value, Local):
            arguments.append(cl.LocalMemory(value.size))
        elif isinstance(value, np.ndarray):
            flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
            arguments.append(cl.Buffer(context, flags, hostbuf=value))
            buffers.append((arguments[-1], value))
        else:
            arguments.append(value)
    kernel = getattr(program, case.kernel)
    kernel.set_args(*arguments)
    offset = case.offset or None
    cl.enqueue_nd_range_kernel(queue, kernel, case.size, case.group, offset)
    results = []
    for buffer, value in buffers:
        result = np.empty_like(value)
        cl.enqueue_copy(queue, result, buffer)
        results.append(result)
    return results


def run_model(case: Case, lanes: int) -> list[Array]:
    """The buffers of ``case`` as its NumPy model leaves them."""
    assert case.reference is not None
    arguments = [value.copy() if hasattr(value, "copy") else value for value in case.arguments]
    case.reference(arguments, lanes)
    return [value for value in arguments if isinstance(value, np.ndarray)]


def lanes_of(module: Path, kernel: str) -> int:
    """Lanes of a hardware thread that runs ``kernel``."""
    with module.open("rb") as file:
        text = ELFFile(file).get_section_by_name(".ze_info").data()
    kernels = yaml.load(text, Loader=yaml.CBaseLoader)["kernels"]
    entry: Sequence[dict[str, dict[str, str]]] = [
        each for each in kernels if each["name"] == kernel
    ]
    return int(entry[0]["execution_env"]["simd_size"])
