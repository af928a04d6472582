"""A program that ends while its kernel runs ends in silence, however that kernel uses memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.driver.program_debug_hosts import (
    ANSWER_SECONDS,
    debugger_environment,
    driver_environment,
)

# More buffers than a thread of the device remembers: it looks one up at each access.
SOURCE = """
kernel void many(global int *a, global int *b, global int *c, global int *d, global int *e,
                 global int *f, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    int at = (i + sum) & 63;
    sum ^= a[at] + b[at] + c[at] + d[at] + e[at] + f[at];
  }
  a[get_global_id(0)] = sum;
}
"""
# Says when the kernel runs; ends at the end of input.
HOST = """
import os, sys, threading
from pathlib import Path
from zedbg.levelzero.core_commands import ImmediateCommandList
from zedbg.levelzero.core_driver import drivers
from zedbg.levelzero.core_memory import Context, MemoryKind
from zedbg.levelzero.core_module import Module

driver = drivers()[0]
device = driver.devices[0]
context = Context(driver)
kernel = Module(context, device, Path(sys.argv[1]).read_bytes()).kernel("many")
kernel.set_group_size(64)
buffers = [context.allocate(MemoryKind.SHARED, 4096, device) for _ in range(6)]
for index, buffer in enumerate(buffers):
    kernel.set_argument_memory(index, buffer)
kernel.set_argument_bytes(6, (2**31 - 1).to_bytes(4, "little"))

def launch():
    ImmediateCommandList(context, device).append_launch(kernel, (16, 1, 1))

threading.Thread(target=launch, daemon=True).start()
threading.Event().wait(0.1)
print("launched", flush=True)
sys.stdin.read()
os._exit(0)
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("many")
    (directory / "many.cl").write_text(SOURCE)
    options = ["-internal_options", "-cl-intel-allow-zebin", "-output", "out", "-output_no_suffix"]
    command = ["ocloc", "compile", "-file", "many.cl", "-device", "dg2", *options]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    made = [path for path in (directory / "out", directory / "out.bin") if path.exists()]
    assert made, done.stdout + done.stderr
    return made[0]


@pytest.mark.parametrize("end", ["exit", "kill"])
def test_program_that_ends_during_a_kernel_says_nothing(
    module: Path, tmp_path: Path, end: str
) -> None:
    said = set()
    for _ in range(5):
        environment = driver_environment(tmp_path)
        driver = Path(environment["ZE_ENABLE_ALT_DRIVERS"])
        environment = environment | {"PYTHONPATH": debugger_environment(driver)["PYTHONPATH"]}
        with subprocess.Popen(
            [sys.executable, "-c", HOST, str(module)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as program:
            assert program.stdout is not None
            assert program.stdout.readline() == b"launched\n"
            if end == "kill":
                program.kill()
            _, errors = program.communicate(timeout=ANSWER_SECONDS)
        said.add(errors)
    assert said == {b""}
