"""What the simulated GPU computes is what PoCL computes from the same source and inputs.

The native modules of four compiler and optimisation pairs for each device run on the bare device,
without a driver.
Where PoCL cannot build a source, kernel_references says what its kernel computes.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import yaml
from elftools.elf.elffile import ELFFile
from kernel_cases import CASES, Array, Case, Local
from native_programs import REPOSITORY, native_program

KERNELS = REPOSITORY / "tests" / "kernels"
CONFIGURATIONS = tuple(
    f"{compiler}-{device}-{level}"
    for device in ("dg2", "pvc", "bmg")
    for compiler in ("igc2", "igc1")
    for level in ("O0", "O2")
    if (compiler, device) != ("igc1", "bmg")  # which that compiler does not know
)

os.environ.setdefault("OCL_ICD_VENDORS", "/etc/OpenCL/vendors/pocl.icd")
os.environ.setdefault("PYOPENCL_NO_CACHE", "1")
cl = pytest.importorskip("pyopencl")


@functools.cache
def _pocl() -> object:
    platforms = [p for p in cl.get_platforms() if "Portable Computing Language" in p.name]
    if not platforms:
        pytest.skip("no PoCL")
    return cl.Context(platforms[0].get_devices())


def expected(number: int, configuration: str) -> list[Array]:
    """The buffers of case `number` as they should be after the launch."""
    case = CASES[number]
    if case.reference is None:
        return by_pocl(number)
    arguments = [value.copy() if hasattr(value, "copy") else value for value in case.arguments]
    case.reference(arguments, lanes(case, configuration))
    return [value for value in arguments if isinstance(value, np.ndarray)]


def lanes(case: Case, configuration: str) -> int:
    """Lanes of a hardware thread that runs the kernel."""
    with (KERNELS / "zebin" / configuration / f"{case.source}.zebin").open("rb") as file:
        text = ELFFile(file).get_section_by_name(".ze_info").data()
    kernels = yaml.load(text, Loader=yaml.CBaseLoader)["kernels"]
    kernel = next(entry for entry in kernels if entry["name"] == case.kernel)
    return int(kernel["execution_env"]["simd_size"])


@functools.cache
def by_pocl(number: int) -> list[Array]:
    """The buffers of case `number` after PoCL ran it."""
    case = CASES[number]
    context = _pocl()
    source = (KERNELS / "src" / f"{case.source}.cl").read_text()
    program = cl.Program(context, source).build(["-cl-std=CL2.0"])
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
    cl.enqueue_nd_range_kernel(queue, kernel, case.size, case.group)
    results = []
    for buffer, value in buffers:
        result = np.empty_like(value)
        cl.enqueue_copy(queue, result, buffer)
        results.append(result)
    return results


def run(case: Case, configuration: str, directory: Path) -> tuple[str, list[Array]]:
    """Runs `case` on the simulated GPU: why it did not complete (or nothing), and the buffers."""
    module = KERNELS / "zebin" / configuration / f"{case.source}.zebin"
    groups = [size // group for size, group in zip(case.size, case.group, strict=True)]
    command = [
        str(native_program("xesim_device_run_kernel")),
        *(str(module), case.kernel),
        *("--groups", ",".join(map(str, groups))),
        *("--size", ",".join(map(str, case.group))),
    ]
    buffers: list[tuple[Path, Array]] = []
    for index, value in enumerate(case.arguments):
        if isinstance(value, Local):
            command.append(f"local:{value.size}")
        elif isinstance(value, np.ndarray):
            path = directory / f"argument{index}.bin"
            path.write_bytes(value.tobytes())
            buffers.append((path, value))
            command.append(f"buf:{path}")
        else:
            raw = value if isinstance(value, bytes) else value.tobytes()
            command.append(f"val:{raw.hex()}")
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    return done.stderr, [np.fromfile(path, dtype=value.dtype) for path, value in buffers]


@pytest.mark.parametrize(
    ("number", "configuration"),
    [
        pytest.param(number, configuration, id=f"{case.kernel}-{configuration}")
        for number, case in enumerate(CASES)
        for configuration in CONFIGURATIONS
        if not (case.doubles and "-dg2-" in configuration)  # has no 64-bit floating point
    ],
)
def test_results_equal_those_of_pocl(number: int, configuration: str, tmp_path: Path) -> None:
    case = CASES[number]
    places = [i for i, value in enumerate(case.arguments) if isinstance(value, np.ndarray)]
    report, found = run(case, configuration, tmp_path)
    assert report == ""
    for place, result, wanted in zip(places, found, expected(number, configuration), strict=True):
        if place in case.unordered:
            result, wanted = np.sort(result), np.sort(wanted)
        if result.dtype.kind == "f":
            np.testing.assert_allclose(
                result, wanted, rtol=case.relative, atol=case.absolute, err_msg=f"argument {place}"
            )
        else:
            np.testing.assert_array_equal(result, wanted, err_msg=f"argument {place}")


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_recursion_returns(configuration: str, tmp_path: Path) -> None:
    """PoCL cannot recurse, and deeper results read what was never written: compare the leaves."""
    depth = np.arange(64, dtype=np.int32) & 7
    case = Case("rec", "recurse", (64,), (16,), [depth])
    report, first = run(case, configuration, tmp_path)
    assert report == ""
    np.testing.assert_array_equal(first[0][depth < 2], depth[depth < 2])
    _, second = run(case, configuration, tmp_path)
    np.testing.assert_array_equal(first[0], second[0])


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_a_partial_last_thread_runs_only_its_lanes(configuration: str, tmp_path: Path) -> None:
    """A work-group of 37 leaves lanes over in its last thread; they must not write."""
    a, b = np.arange(111, dtype=np.float32), np.ones(111, np.float32)
    c = np.full(128, -1, np.float32)
    case = Case("vadd", "vadd", (111,), (37,), [a, b, c, np.int32(128)])
    report, (_, _, result) = run(case, configuration, tmp_path)
    assert report == ""
    np.testing.assert_array_equal(result[:111], a + b)
    np.testing.assert_array_equal(result[111:], c[111:])


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_more_groups_than_the_device_holds(configuration: str, tmp_path: Path) -> None:
    count = 1 << 18
    a = np.arange(count, dtype=np.float32)
    case = Case("vadd", "vadd", (count,), (256,), [a, a, np.zeros_like(a), np.int32(count)])
    report, (_, _, result) = run(case, configuration, tmp_path)
    assert report == ""
    np.testing.assert_array_equal(result, a + a)


def test_a_fault_names_kernel_thread_and_address(tmp_path: Path) -> None:
    c = np.zeros(16, np.float32)
    case = Case("vadd", "vadd", (16,), (16,), [c, c, np.uint64(0x1000), np.int32(16)])
    report, _ = run(case, "igc2-dg2-O0", tmp_path)
    assert re.search(
        r"^kernel vadd, thread 0\.0\.0\.0, work-group \(0,0,0\), ip 0x\w+ \(kernel \+ 0x\w+\): "
        r"page fault writing global memory at 0x1000$",
        report.strip(),
    )


def test_an_image_kernel_is_refused_by_name(tmp_path: Path) -> None:
    c = np.zeros(16, np.float32)
    case = Case("img", "image", (16,), (16,), [c, c, c, c])
    report, _ = run(case, "igc2-dg2-O0", tmp_path)
    assert "kernel img:" in report and "not supported" in report
