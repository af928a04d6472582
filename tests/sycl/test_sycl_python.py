"""Programs with dpctl and dpnp, real SYCL libraries, under zedbg on the simulated GPU.

What Python computed on the host is what the stopped kernels' arguments and memory have to show.
The libraries' device code is SPIR-V newer than a distribution's compiler reads: ZEDBG_NEWEST_OCLOC
names one that does. Their runtime takes the newest Level Zero loader, which its own dynamic linker
starts.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from zedbg.tools.gdb_plugin.main import plugin_file

SECONDS = 180
LAUNCH = "zeCommandListAppendLaunchKernel"

pytestmark = pytest.mark.skipif(
    os.environ.get("ZEDBG_FULL_CORPUS") != "1", reason="the full corpus is asked for by name"
)

DPCTL = """
import dpctl.tensor as dpt
a = dpt.arange(3, 103, 5, dtype="int32", device="level_zero:gpu")
b = dpt.full(20, 7, dtype="int32", sycl_queue=a.sycl_queue)
print("addresses", a.usm_data._pointer, b.usm_data._pointer, flush=True)
print("sums", *dpt.asnumpy(a + b).tolist(), flush=True)
"""
DPNP = """
import dpnp, numpy
x = dpnp.arange(64, dtype="float32").reshape(8, 8)
host = numpy.arange(64, dtype="float32").reshape(8, 8)
y, small = dpnp.asarray([5, 3, 9, 1, 7], dtype="int32"), numpy.asarray([5, 3, 9, 1, 7])
three = dpnp.full(8, 3, dtype="float32")
for name, ours, theirs in (
    ("sin", dpnp.sin(x), numpy.sin(host)),
    ("sum", dpnp.sum(x), host.sum()),
    ("max", dpnp.max(x, axis=0), host.max(axis=0)),
    ("sort", dpnp.sort(y), numpy.sort(small)),
    ("argsort", dpnp.argsort(y), numpy.argsort(small)),
    ("slice", x[2:5, ::2], host[2:5, ::2]),
    ("cumsum", dpnp.cumsum(y), numpy.cumsum(small)),
    ("where", dpnp.where(y > 4, y, -y), numpy.where(small > 4, small, -small)),
    ("matmul", dpnp.matmul(x, x), host @ host),
    ("i0", dpnp.i0(x[0]), numpy.i0(host[0])),
    ("histogram", dpnp.histogram(x.ravel(), bins=4)[0], numpy.histogram(host, bins=4)[0]),
    ("fmod", dpnp.fmod(x[1], three), numpy.fmod(host[1], 3)),
):
    same = numpy.allclose(dpnp.asnumpy(ours), theirs, rtol=1e-5, atol=1e-6)
    print("ok" if same else f"WRONG {dpnp.asnumpy(ours)} {theirs}", name, flush=True)
"""
SQUARES = """
int square(int v) {
  int r = v * v;
  return r;
}
kernel void squares(global int *out, int n) {
  int i = (int)get_global_id(0);
  int x = i + n;
  for (int k = 0; k < 2; ++k)
    x += square(k + 2);
  out[i] = x;
}
"""
FROM_SPIRV = """
import ctypes, sys, dpctl, dpctl.program, dpctl.tensor as dpt
queue = dpctl.SyclQueue("level_zero:gpu")
options = "-g -cl-opt-disable"
code = open({path!r}, "rb").read()
kernel = dpctl.program.create_program_from_spirv(queue, code, options).get_sycl_kernel("squares")
out = dpt.zeros(32, dtype="int32", sycl_queue=queue)
queue.submit(kernel, [out.usm_data, ctypes.c_int(5)], [32], [16]).wait()
print("squares", *dpt.asnumpy(out).tolist(), flush=True)
"""
# The transform of a plane takes lengths and factors of its passes as specialization constants.
DFT = """
import dpnp, numpy
for rows, columns in {planes}:
    host = (numpy.arange(rows * columns) % 7).astype("complex64").reshape(rows, columns)
    ours, theirs = dpnp.fft.fftn(dpnp.asarray(host)), numpy.fft.fftn(host)
    same = numpy.allclose(dpnp.asnumpy(ours), theirs, rtol=1e-4, atol=1e-2)
    print("ok" if same else "WRONG", "plane", rows, columns, flush=True)
"""


def test_arguments_and_memory_of_a_dpctl_kernel_are_what_python_passed(debugged):
    rows, text = debugged(
        DPCTL,
        "break kernel *add_contig_kernel<int, int, int*",
        "run",
        "info modules",
        "info kernels *add*",
        "info args",
        "zeinfo",
        "continue",
    )
    addresses = [int(each) for each in re.search(r"addresses (\d+) (\d+)", text).groups()]
    a, b, _result, count = [row["value"] for row in rows["info args"]]
    assert ([a, b], count) == (addresses, 20)
    assert [row["source_index"] for row in rows["info args"]] == [0, 1, 2, 3]
    (kernel,) = rows["info kernels"]
    assert kernel["name"].startswith("dpctl::tensor::kernels::add::add_contig_kernel<int, int, int")
    images = [row["image"] for row in rows["info modules"]]
    assert all(re.fullmatch(r"_tensor_\w+\.cpython-\S+\.so, image \d+", each) for each in images)
    page, image = rows["zeinfo"]
    assert image["kernels"][0]["name"] == kernel["name"]
    assert image["kernels"][0]["arguments"] == len(page["arguments"]) == 4
    assert f"sums {' '.join(str(each + 7) for each in range(3, 103, 5))}" in text


def test_memory_that_a_dpctl_kernel_reads_is_what_python_put_there(debugged):
    kernel = "break kernel *add_contig_kernel<int, int, int*"
    rows, _text = debugged(DPCTL, kernel, "run", "info args")
    address = rows["info args"][0]["value"]
    # Addresses are the same in each run.
    rows, _text = debugged(DPCTL, kernel, "run", f"x/20dw {address:#x}")
    shown = [value for row in rows["x"] for value in row["values"]]
    assert shown == list(range(3, 103, 5))


def test_dpnp_computes_as_numpy_does_while_zedbg_stops_its_kernels(debugged):
    rows, text = debugged(
        DPNP,
        "break kernel *fmod_contig_kernel*",
        "run",
        "info args",
        "info kernels *",
        "continue",
        "continue",
    )
    assert "WRONG" not in text and text.count("ok ") == 12, text
    values = [row["value"] for row in rows["info args"] if row["kind"] == "value"]
    assert 8 in values  # elements
    names = [row["name"] for row in rows["info kernels"]]
    assert not [name for name in names if name.startswith("_Z")]
    assert len(names) > 12


def test_kernels_that_the_sycl_runtime_compiles_step_through_their_source(debugged, tmp_path):
    source = tmp_path / "squares.cl"
    source.write_text(SQUARES.lstrip())
    compile_ = ["ocloc", "compile", "-spv_only", "-device", "dg2", "-options", "-g"]
    subprocess.run(
        [*compile_, "-file", str(source), "-out_dir", str(tmp_path)],
        check=True,
        capture_output=True,
    )
    (spirv,) = tmp_path.glob("*.spv")
    walk = ["next", "next", "step", "step", "print/l v", "finish", "delete", "continue"]
    rows, text = debugged(FROM_SPIRV.format(path=str(spirv)), "break squares", "run", *walk)
    stops = [json.loads(line) for line in text.splitlines() if line.startswith('{"event": "stop"')]
    lines = [(stop["function"], stop["line"]) for stop in stops]
    assert lines == [
        *[("squares", line) for line in (6, 7, 8, 9)],  # of squares.cl
        ("square", 2),
        ("squares", 9),
    ]
    assert [row["value"] for row in rows["print"]] == [2] * 8
    assert f"squares {' '.join(str(each + 18) for each in range(32))}" in text


def test_specialization_constants_of_a_transform_are_those_of_its_size(debugged):
    """oneMKL chooses them: the factors of a pass's length, and how far transforms are apart."""
    planes = ((64, 64), (128, 256))
    commands = ["break kernel *dft_esimd*", "run", "info args", "info modules", "zeinfo"]
    rows, text = debugged(DFT.format(planes=planes[:1]), *commands, device="pvc")
    constants = constants_of(rows["info args"])
    assert len(constants) == 22
    expect_row_pass(constants, 64)
    stopped = [row for row in rows["info modules"] if row["constants"] == constants]
    assert stopped and all("libmkl_sycl_dft" in row["image"] for row in stopped), text
    _page, image = rows["zeinfo"]
    shown = {row["name"]: row["value_number"] for row in image["constants"]}
    assert shown == constants

    rows, _text = debugged(DFT.format(planes=planes[1:]), *commands[:3], device="pvc")
    expect_row_pass(constants_of(rows["info args"]), 256)


def test_transforms_of_planes_are_those_of_numpy(debugged):
    """Their kernels are SIMD1 with several threads in a work-group, one work-item in each."""
    rows, text = debugged(
        DFT.format(planes=((64, 64), (128, 256))),
        "break kernel *dft_esimd*<float, 0, (fft_algo)1, *",
        "run",
        "thread 1.3",
        "print $_workitem_local_id",
        "delete",
        "continue",
        device="pvc",
    )
    assert "WRONG" not in text and text.count("ok plane") == 2, text
    (shown,) = rows["print"]
    assert shown["value"] == [2, 0, 0]


HARNESS = """
import json, os, re
import pytest

KERNEL = "add_contig_kernel<int, int, int"


@pytest.mark.gpu("dg2")
@pytest.mark.zedbg_time_limit(150)
def test_sum_gets_what_python_passed(zedbg_session):
    session = zedbg_session(json.loads(os.environ["DPCTL_PROGRAM"]))
    session.breakpoints.add_launch("*" + KERNEL + "*")
    stop = session.continue_()
    assert KERNEL in stop.location
    written = re.search(r"addresses (\\d+) (\\d+)", zedbg_session.output(session))
    first, second = (int(each) for each in written.groups())
    values = session.memory[first : first + 80]
    assert [int.from_bytes(values[n : n + 4], "little") for n in range(0, 80, 4)] == list(
        range(3, 103, 5)
    )
    assert session.memory[second : second + 4] == (7).to_bytes(4, "little")
    session.breakpoints.clear()
    assert session.continue_().code == 0
    assert "sums 10 15 20" in zedbg_session.output(session)


@pytest.mark.gpu("dg2")
@pytest.mark.zedbg_time_limit(150)
def test_that_fails_says_where_the_threads_were(zedbg_session):
    session = zedbg_session(json.loads(os.environ["DPCTL_PROGRAM"]))
    session.breakpoints.add_launch("*" + KERNEL + "*")
    assert session.continue_().location == "nowhere"
"""


def test_pytest_debugs_a_dpctl_program(python_prefix, driver_library, tmp_path):
    ocloc = os.environ.get("ZEDBG_NEWEST_OCLOC")
    assert ocloc, "ZEDBG_NEWEST_OCLOC has to name a compiler that reads SPIR-V 1.4"
    program = tmp_path / "program.py"
    program.write_text(DPCTL)
    (tmp_path / "test_sum.py").write_text(HARNESS)
    given = {"XESIM_OCLOC": ocloc, "DPCTL_PROGRAM": json.dumps([*python_prefix, str(program)])}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env=os.environ | given,
        capture_output=True,
        text=True,
        timeout=2 * SECONDS,
    )
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    _, _, report = done.stdout.partition("zedbg: ")
    assert re.search(r"\d+ threads?, \d+ lanes?, ", report), done.stdout
    assert "#0  dpctl::tensor::kernels::add::add_contig_kernel<int, int, int" in report


def test_gdb_with_the_plugin_stops_python_and_its_kernel(python_prefix, tmp_path):
    ocloc = os.environ.get("ZEDBG_NEWEST_OCLOC")
    assert ocloc, "ZEDBG_NEWEST_OCLOC has to name a compiler that reads SPIR-V 1.4"
    program = tmp_path / "program.py"
    program.write_text(DPCTL)
    commands = (
        "set width 0",
        "set auto-load off",
        "set zedbg sim dg2",
        f"set environment XESIM_OCLOC = {ocloc}",
        "set breakpoint pending on",
        f"tbreak {LAUNCH}",
        "run",
        "zedbg break kernel *add_contig_kernel<int, int, int*",
        "delete",
        "continue",
        "zedbg info args",
        "continue",
    )
    words = ["gdb", "-nx", "-q", "-batch", "-x", str(plugin_file())]
    words += [word for command in commands for word in ("-ex", command)]
    done = subprocess.run(
        [*words, "--args", *python_prefix, str(program)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    text = done.stdout
    assert re.search(rf"hit Temporary breakpoint 1.* {LAUNCH}", text), text + done.stderr
    assert re.search(r"^Thread 1\.1 hit Breakpoint 1, with lanes .*add_contig_kernel", text, re.M)
    addresses = [int(each) for each in re.search(r"^addresses (\d+) (\d+)", text, re.M).groups()]
    shown = re.findall(r"^arg[01] = (0x[0-9a-f]+) ", text, re.M)
    assert [int(each, 16) for each in shown] == addresses
    assert "sums 10 15 20" in text and "exited normally" in text


def constants_of(rows):
    """The specialization constants among the rows of ``info args``, by name."""
    return {row["name"]: row["value_number"] for row in rows if "value_number" in row}


def expect_row_pass(constants, length):
    """The first pass transforms rows, which lie one after the other."""
    found = {name.removeprefix("dft_spec_const_"): value for name, value in constants.items()}
    assert found["fact0"] * found["fact1"] == length
    assert found["fwd_dist"] == found["bwd_dist"] == length
    assert found["dft_stride_to_next_elem"] == 1
