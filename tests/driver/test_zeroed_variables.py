"""Modules whose variables all start as zero: sections .bss.X without .data.X."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.frontends.debugger_process import Debugger
from tests.support.packed_modules import ZEBINS
from tests.support.places import REPOSITORY
from zedbg.zebin.module import Module

pytestmark = pytest.mark.native

SETS = tuple(f"igc2-{device}-{level}" for device in EACH_PLATFORM for level in ("O0", "O2"))

# Launches the kernels, and again in a new module, whose variables are zero again.
_LAUNCHES = """
import struct, sys
from pathlib import Path
from zedbg.levelzero.core_commands import ImmediateCommandList
from zedbg.levelzero.core_driver import drivers
from zedbg.levelzero.core_memory import Context, MemoryKind
from zedbg.levelzero.core_module import Module

driver = drivers()[0]
device = driver.devices[0]
context = Context(driver)
queue = ImmediateCommandList(context, device)
for repetition in range(2):
    module = Module(context, device, Path(sys.argv[1]).read_bytes())
    which = context.allocate(MemoryKind.SHARED, 256, device)
    out = context.allocate(MemoryKind.SHARED, 256, device)
    which.view()[:] = struct.pack("<64i", *(i // 4 for i in range(64)))

    def launch(name, *arguments):
        kernel = module.kernel(name)
        kernel.set_group_size(16)
        for index, argument in enumerate(arguments):
            kernel.set_argument_memory(index, argument)
        queue.append_launch(kernel, (4, 1, 1))
        return struct.unpack("<64i", out.view())

    assert launch("count", which, out) == tuple(range(64)), "zeros"
    expected = tuple(4 if i < 16 else 0 for i in range(64))
    assert launch("counted", out) == expected, "counters"
    assert set(launch("only_zeros", which, out)) == {1}, "zeros alone"
    module.close()
print("right")
"""


@pytest.mark.parametrize("name", SETS)
def test_kernels_reach_variables_without_values(
    name: str, simulator_environment: dict[str, str]
) -> None:
    module = ZEBINS / name / "zeroed.zebin"
    sections = {section.name for section in Module.open(module).sections}
    assert {".bss.const", ".bss.global"} <= sections
    assert not {".data.const", ".data.global"} & sections
    environment = simulator_environment | {
        "XESIM_DEVICE": name.split("-")[1],
        "PYTHONPATH": str(REPOSITORY),
    }
    done = subprocess.run(
        [sys.executable, "-c", _LAUNCHES, str(module)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.stdout == "right\n", done.stderr


@pytest.mark.parametrize("build", ("igc2-dg2-O0", "igc2-dg2-O2"))
def test_a_debugger_says_that_the_address_of_variables_is_not_known(
    build: str, debugger: Debugger, kernel_command: Callable[..., list[str]]
) -> None:
    """The image of the module has no address for them: 0 is none, and belongs to nothing."""
    program = kernel_command(
        *("zeroed", "--global", "64", "--local", "16", "i32[64]", "i32[64]"), build=build
    )
    program[2] += ":count"
    commands = ["print counters", "print &counters[1]", "x/2dw &counters", "info symbol 4"]
    objects = debugger.json(["break count", "run", *commands], program).objects
    said = {each["line"]: each for each in objects if each.get("line") in commands}
    reason = "the driver does not give the address of .bss.global, where it lies"
    for line in commands[:2]:
        assert said[line]["rows"][0]["value"] == {"missing": reason}, line
    assert said["x/2dw &counters"]["error"] == f"&counters has no value: {reason}."
    assert said["info symbol 4"]["error"] == "No symbol matches 0x4: nothing is mapped there."
