"""Variables of kernels that dpctl launches, and the SYCL runtime compiles from SPIR-V with ``-g``:
in each work-item what NumPy computes, or marked."""

from __future__ import annotations

import json
import os
import re
import subprocess

import numpy
import pytest

pytestmark = pytest.mark.skipif(
    os.environ.get("ZEDBG_FULL_CORPUS") != "1", reason="the full corpus is asked for by name"
)

ITEMS, N, F = 64, 3, 1.5
SOURCE = """
kernel void numbers(global const int *in, global float *out, int n, float f) {
  int i = (int)get_global_id(0);
  int x = in[i] * n;
  float y = x * f + 0.5f;
  short s = (short)(x ^ i);
  int4 v = (int4)(i, x, s, n);
  int sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += v.y * k + s;
  out[i] = y + sum + v.w;
}
"""
LINE = 11  # where all have been set
PROGRAM = """
import ctypes, dpctl, dpctl.program, dpctl.tensor as dpt
queue = dpctl.SyclQueue("level_zero:gpu")
code = open({path!r}, "rb").read()
program = dpctl.program.create_program_from_spirv(queue, code, {options!r})
kernel = program.get_sycl_kernel("numbers")
given = dpt.arange({items}, dtype="int32", sycl_queue=queue) * 5 - 40
out = dpt.zeros({items}, dtype="float32", sycl_queue=queue)
arguments = [given.usm_data, out.usm_data, ctypes.c_int({n}), ctypes.c_float({f})]
queue.submit(kernel, arguments, [{items}], [16]).wait()
print("out", *dpt.asnumpy(out).tolist(), flush=True)
"""


def truth():
    """What each variable has in each work-item, by NumPy."""
    i = numpy.arange(ITEMS, dtype=numpy.int32)
    x = (i * 5 - 40) * numpy.int32(N)
    y = (x * numpy.float32(F) + numpy.float32(0.5)).astype(numpy.float32)
    s = (x ^ i).astype(numpy.int16)
    total = (x * 3 + s.astype(numpy.int32) * 3).astype(numpy.int32)
    v = [list(each) for each in zip(i, x, s, [N] * ITEMS, strict=True)]
    return {"i": i, "x": x, "y": y, "s": s, "sum": total, "v": v}, y + total + N


@pytest.mark.parametrize("device", ["dg2", "pvc", "bmg"])
@pytest.mark.parametrize("options", ["-g -cl-opt-disable", "-g"])
def test_variables_are_what_numpy_computes(debugged, tmp_path, device, options):
    source = tmp_path / "numbers.cl"
    source.write_text(SOURCE.lstrip())
    compile_ = ["ocloc", "compile", "-spv_only", "-device", "dg2", "-options", options]
    subprocess.run(
        [*compile_, "-file", str(source), "-out_dir", str(tmp_path)],
        check=True,
        capture_output=True,
    )
    (spirv,) = tmp_path.glob("*.spv")
    program = PROGRAM.format(path=str(spirv), options=options, items=ITEMS, n=N, f=F)
    expected, result = truth()
    asked = [f"print/w {name}" for name in expected]
    stop = [f"break numbers.cl:{LINE - 1}", "run"]
    _, text = debugged(program, *stop, *asked, "delete", "continue", device=device)
    answers = [json.loads(line) for line in text.splitlines() if line.startswith('{"command"')]
    known = {
        each["line"].split()[-1]: [row for row in each["rows"] if "global_id" in row]
        for each in answers
        if each["command"] == "print"
    }
    assert set(known) == set(expected)
    right = 0
    for name, rows in known.items():
        assert len(rows) == ITEMS
        for row in rows:
            value, wanted = row["value"], expected[name][row["global_id"][0]]
            if "doubtful" in row or isinstance(value, dict):
                assert "opt-disable" not in options, (name, row)
                continue
            assert numpy.array_equal(numpy.asarray(value), numpy.asarray(wanted)), (name, row)
            right += 1
    assert right > 0.6 * ITEMS * len(expected)
    printed = re.search(r"\bout ([-0-9. ]+)", text)
    assert printed is not None, text
    assert numpy.allclose([float(each) for each in printed[1].split()], result)
