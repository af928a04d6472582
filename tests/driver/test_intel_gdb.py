"""Intel's GDB, unmodified, debugs kernels on the simulated GPU, and sees what zedbg sees; it is
asked for by name (tests/support/driver/intel_gdb.py)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.driver.intel_gdb import GDB, intel_gdb, intel_gdb_environment
from tests.support.driver.program_debug_hosts import debugger_environment
from tests.support.module_command import module_command
from tests.support.native_programs import native_program
from tests.support.packed_modules import ZEBINS
from tests.support.places import SUPPORT

pytestmark = pytest.mark.skipif(not GDB, reason="Intel's GDB is asked for by name")

SECONDS = 300.0
DEVICES = EACH_PLATFORM
REGISTERS = 128  # of r0 and so on, as a thread has by default

# Where a kernel stops, and its launch, as `zedbg kernel` has it.
CASES = {
    "vadd": ("vadd.cl:4", "--global 64 --local 16 f32[64]=iota f32[64]=2 f32[64] i32=36"),
    "saxpy": ("saxpy.cl:3", "--global 64 --local 16 f32[64]=iota f32[64]=iota f32=2.5 i32=64"),
}
# What one of the two cannot show: an expression that begins with the lane is an error in GDB, which
# knows nothing of what the compiler places nowhere; GDB shows the register that the compiler names,
# even where zedbg knows that it holds something else.
NOT_IN_GDB = ("Unhandled DWARF expression opcode", "value has been optimized out")
NOT_IN_ZEDBG = "overwritten"

Seen = dict[str, Any]


def seen_by_gdb(tmp_path: Path, device: str, line: str, launch: list[str]) -> Seen:
    """What intel_gdb_stops.py writes."""
    result = tmp_path / "stops.json"
    environment = {
        **intel_gdb_environment(native_program("libze_sim_gpu.so"), device, tmp_path),
        "BREAK": line,
        "STOPS": str(result),
        "REGISTERS": " ".join([*(f"r{number}" for number in range(REGISTERS)), "ce", "sr0"]),
    }
    script = str(SUPPORT / "driver" / "intel_gdb_stops.py")
    command = intel_gdb("--batch", "-x", script, "--args", *launch)
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert result.exists(), done.stdout + done.stderr
    return dict(json.loads(result.read_text()))


def seen_by_zedbg(device: str, line: str, launch: list[str]) -> dict[str, Seen]:
    """What intel_gdb_zedbg.py writes."""
    command = module_command("driver.intel_gdb_zedbg", device, line, *launch)
    done = subprocess.run(
        command,
        env=debugger_environment(native_program("libze_sim_gpu.so")),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    return dict(json.loads(done.stdout))


def equal_values(theirs: Seen, ours: Seen) -> int:
    """How many variables both show, in all lanes; each of them must be the same."""
    assert theirs.keys() == ours.keys()
    shown_by_both = 0
    for lane, values in theirs.items():
        assert values.keys() == ours[lane].keys()
        for name, value in values.items():
            own = ours[lane][name]
            if isinstance(value, list):
                is_known = any(reason in value[0] for reason in NOT_IN_GDB)
                assert is_known or isinstance(own, list), f"{name}: {value}, {own}"
            elif isinstance(own, list):
                assert NOT_IN_ZEDBG in own[0], f"{name}: {value}, {own}"
            else:
                assert value == own, f"{name} in lane {lane}"
                shown_by_both += 1
    return shown_by_both


@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("case", CASES)
def test_intels_gdb_sees_what_zedbg_sees(
    tmp_path: Path, case: str, device: str, level: str
) -> None:
    line, launch = CASES[case]
    module = ZEBINS / f"igc2-{device}-{level}" / f"{case}.zebin"
    program = [str(module), *launch.split()]
    host = [sys.executable, "-m", "zedbg.frontends.main", "kernel", *program]
    gdb = seen_by_gdb(tmp_path, device, line, host)
    ours = seen_by_zedbg(device, line, program)
    assert gdb["threads"].keys() >= ours.keys()
    shown_by_both = 0
    for place, own in ours.items():
        theirs = gdb["threads"][place]
        assert (theirs["pc"], theirs["line"]) == (own["pc"], own["line"])
        registers = theirs["registers"]
        together = "".join(registers[f"r{number}"] for number in range(REGISTERS))
        assert together == own["registers"]["GRF"][: len(together)]
        assert registers["ce"] == own["registers"]["CE"]
        assert registers["sr0"] == own["registers"]["SR"]
        shown_by_both += equal_values(theirs["lanes"], own["lanes"])
    assert shown_by_both > 0
    assert gdb["current"] in ours
    # Four instructions on, one after the other.
    places = [at for at, _ in gdb["instructions"]]
    assert places == sorted(set(places))
    assert gdb["end"] == "_exit"  # the kernel has run to its end
