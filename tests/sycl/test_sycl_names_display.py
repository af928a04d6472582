"""Kernels of SYCL programs are called as in the source wherever a session names them.

The compiler names them after types, in debug information too.
"""

import re
import shutil

import pytest

from tests.support.sycl.host_source import SourceImage, build_host, host_source
from tests.support.sycl.ocloc import compiled

KERNEL = "_ZTSN5bench5scaleE"
NAME = "bench::scale"
SOURCE = f"""
ulong scaled(ulong id, uint factor) {{
  return factor * id;
}}
__kernel void {KERNEL}(__global ulong* out, __global uint* constants) {{
  __local ulong shared[4];
  ulong id = get_global_id(0);
  shared[get_local_id(0)] = scaled(id, constants[0]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[id] = shared[get_local_id(0)];
}}
"""
ZEBIN = ("-options", "-g -cl-opt-disable", "-internal_options", "-cl-intel-allow-zebin")


@pytest.fixture(scope="module")
def program(tmp_path_factory, host_program):
    if shutil.which("ocloc") is None:
        pytest.skip("ocloc is not installed")
    folder = tmp_path_factory.mktemp("names")
    module = folder / "module.zebin"
    module.write_bytes(compiled(folder, SOURCE, *ZEBIN))
    image = SourceImage(module.read_bytes(), [KERNEL], [], target="spir64")
    library = build_host(folder / "host", host_source([[image]], 3))
    host = str(host_program("constants"))
    return [host, str(library), str(module), KERNEL, "buffer", "7:4"]


COMMANDS = [
    "catch load bench::*",
    "catch launch *scale",
    "run",
    "continue",
    "info breakpoints",
    "info threads",
    "thread",
    "thread 1.2",
    "frame",
    "info frame",
    "info line",
    "info symbol $pc",
    "info scope",
    f"break {NAME}",
    f"break kernel {NAME}",
    "break scaled",
    "continue",
    "backtrace",
    "up",
    "info frame",
    "info args",
    "skip function",
    "finish",
    "next",
    "x/2i $pc",
    "watch shared[0]",
    "info kernels",
    "info modules",
    "continue",
]


def test_lines_of_a_session_call_kernels_as_the_source_does(debugger, program):
    done = debugger.batch(COMMANDS, program)
    assert "_ZTS" not in done.out + done.err
    lines = [" ".join(line.split()) for line in done.lines]
    assert f"Catchpoint 1 (loaded module 1: {NAME})" in lines
    launched = rf"Thread 1\.\d hit Catchpoint 2 \(launched {NAME}\), with lanes .*, {NAME} \(out="
    assert re.search(launched, done.out)
    assert any(line.startswith("* 1.1:") and f"{NAME} at kernel.cl:" in line for line in lines)
    assert any(f", kernel {NAME}, work-group (0,0,0)" in line for line in lines)
    assert any(line.startswith(f"kernel {NAME}, executed by lanes") for line in lines)
    assert any(re.match(rf"#1 {NAME} \(out=\S+, constants=\S+\) at kernel.cl:8", x) for x in lines)
    assert f"Function {NAME} will be skipped when stepping." in lines


def test_json_has_the_linkers_name_of_the_kernel_and_the_sources_of_the_function(debugger, program):
    done = debugger.json(["catch launch *", "run", "info kernels", "backtrace"], program)
    (stop,) = [each for each in done.objects if each.get("event") == "stop"]
    assert (stop["kernel"], stop["function"]) == (KERNEL, NAME)
    rows = {each["command"]: each["rows"] for each in done.objects if each.get("rows")}
    assert (rows["info kernels"][0]["name"], rows["info kernels"][0]["symbol"]) == (NAME, KERNEL)
    assert rows["backtrace"][0]["function"] == NAME
