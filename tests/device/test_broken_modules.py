"""Machine code that no compiler made: each way to break it ends in a report with thread, place
and source line, on every device; and in an error without a debugger. Nothing crashes.
"""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.packed_modules import ZEBINS
from zedbg.dwarf import DebugInfo
from zedbg.zebin import Module

LINE = 4  # of vadd.cl: the loads, the sum and the store
DEVICES = EACH_PLATFORM
WORD_BYTES = 16
ITEMS = 16
RESERVED_OPCODE = 0x7F
SEND_OPCODE = 0x31


def field(word: int, low: int, bits: int, value: int) -> int:
    """``word`` with bits [low, low + bits) replaced."""
    mask = ((1 << bits) - 1) << low
    return word & ~mask | value << low & mask


def reserved_opcode(word: int) -> int:
    return field(word, 0, 7, RESERVED_OPCODE)


def noise(word: int) -> int:
    return 0xDEADBEEF_0BADF00D_FEEDFACE_8AFE007A


def jump(distance: int) -> int:
    """(W) jmpi (1|M0): a scalar jump by that many bytes; the same words on all devices."""
    word = field(0, 0, 7, 0x20)
    word = field(word, 31, 1, 1)  # (W)
    word = field(word, 46, 1, 1)  # the target is an immediate
    return field(word, 96, 32, distance)


def jump_away(word: int) -> int:
    return jump(0x100000)


def jump_between(word: int) -> int:
    return jump(4)


def too_long_response(word: int) -> int:
    """The destination in the last register: the response does not fit."""
    return field(word, 56, 8, 127)


def reserved_message(word: int) -> int:
    """A shared function that no device has, in a message that the debug information knows."""
    return field(word, 92, 4, 7)


@dataclass(frozen=True)
class Damage:
    change: Callable[[int], int]  # of the instruction's words, as one number
    debugged: str  # what a debugger says of the stop, besides its reason
    lost: str  # the error that the program gets without one
    reason: str = "illegal-instruction"
    of_send: bool = False  # of the line's first send, not of its first instruction
    leaves: bool = False  # the pc is no longer in the kernel


DAMAGES = {
    "reserved opcode": Damage(reserved_opcode, "reserved opcode", "reserved opcode"),
    "noise": Damage(noise, "reserved execution size", "reserved"),
    "jump out of the kernel": Damage(
        jump_away, "no code at the pc", "page fault fetching", reason="page-fault", leaves=True
    ),
    "jump between instructions": Damage(jump_between, "illegal", "no code here"),
    "response beyond the registers": Damage(
        too_long_response,
        "payload beyond the register",
        "payload beyond the register",
        of_send=True,
    ),
    "message of no shared function": Damage(
        reserved_message, "shared function not", "shared function not", of_send=True
    ),
}
# Starting the debugger is slow: the other devices differ in nothing but their words.
DEBUGGED = [("dg2", name) for name in DAMAGES] + [("pvc", "noise"), ("bmg", "reserved opcode")]
DEBUGGED += [(device, "response beyond the registers") for device in ("pvc", "bmg")]


def damaged(device: str, damage: Damage) -> tuple[bytes, int]:
    """vadd for the device with one instruction of the line changed, and its place in the kernel."""
    path = ZEBINS / f"igc2-{device}-O0" / "vadd.zebin"
    data = bytearray(path.read_bytes())
    module = Module.open(path)
    info = DebugInfo.of(module)
    assert info is not None
    (code,) = [each for each in module.code_sections if each.name == ".text.vadd"]
    rows = info.lines.rows
    start = next(row.address for row in rows if row.line == LINE and row.is_stmt)
    at = start - code.address + code.offset
    if damage.of_send:
        while data[at] & 0x7F != SEND_OPCODE:
            at += WORD_BYTES
    word = int.from_bytes(data[at : at + WORD_BYTES], "little")
    data[at : at + WORD_BYTES] = damage.change(word).to_bytes(WORD_BYTES, "little")
    return bytes(data), at - code.offset


def program(path: Path) -> list[str]:
    sizes = ["--global", str(ITEMS), "--local", str(ITEMS)]
    arguments = [f"f32[{ITEMS}]=iota", f"f32[{ITEMS}]=2", f"f32[{ITEMS}]", f"i32={ITEMS}"]
    return ["kernel", str(path), *sizes, *arguments]


def run_kernel(device: str, path: Path) -> subprocess.CompletedProcess[str]:
    """What ``zedbg kernel`` does with the module on the device, without a debugger."""
    words = [sys.executable, "-m", "zedbg.frontends.main", *program(path), "--device", device]
    return subprocess.run(words, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(("device", "name"), DEBUGGED)
def test_damage_is_reported_at_its_instruction_and_line(debugger, tmp_path, device, name):
    damage = DAMAGES[name]
    contents, _ = damaged(device, damage)
    path = tmp_path / "vadd.zebin"
    path.write_bytes(contents)
    words = ["--batch", f"--sim={device}", "--json", "-ex", "run", "--", "zedbg", *program(path)]
    stop = next(each for each in debugger.run(*words).objects if each.get("event") == "stop")
    assert stop["reason"] == damage.reason
    assert stop["threads"] and damage.debugged in stop["exception"]["text"]
    assert (stop["kernel"], stop["line"]) == ((None, None) if damage.leaves else ("vadd", LINE))


@pytest.mark.parametrize("device", DEVICES)
def test_an_illegal_opcode_is_caught_by_every_thread(debugger, tmp_path, device):
    contents, _ = damaged(device, DAMAGES["reserved opcode"])
    path = tmp_path / "vadd.zebin"
    path.write_bytes(contents)
    commands = ["catch assert", "catch illegal-opcode", "run", "info breakpoints"]
    words = [word for command in commands for word in ("-ex", command)]
    words = ["--batch", f"--sim={device}", "--json", *words, "--", "zedbg", *program(path)]
    objects = debugger.run(*words).objects
    (stop,) = (each for each in objects if each.get("event") == "stop")
    assert (stop["reason"], stop["breakpoint"]) == ("illegal-instruction", 2)
    assert (stop["kernel"], stop["line"]) == ("vadd", LINE)
    assert sum(len(each["lanes"]) for each in stop["threads"]) == ITEMS
    (table,) = (each for each in objects if each.get("command") == "info breakpoints")
    assert [row["hits"] for row in table["rows"]] == [0, 1]
    assert [row["threads"] for row in table["rows"]] == [0, len(stop["threads"])]
    assert stop["exception"]["kind"] == "illegal-opcode"
    assert "reserved opcode" in stop["exception"]["text"]
    assert stop["exception"]["work_items"][0] == [0, 0, 0]


@pytest.mark.cases(1)
@pytest.mark.parametrize("device", DEVICES)
def test_without_a_debugger_the_device_is_lost_and_the_program_gets_the_error(tmp_path, device):
    for name, damage in DAMAGES.items():
        contents, place = damaged(device, damage)
        path = tmp_path / f"{name}.zebin"
        path.write_bytes(contents)
        done = run_kernel(device, path)
        assert done.returncode == 1, name
        assert "kernel vadd, thread 0.0.0.0, work-group (0,0,0)" in done.stderr, name
        assert damage.lost in done.stderr, name
        if damage.change not in (jump_away, jump_between):
            assert f"(kernel + {place:#x})" in done.stderr, name


@pytest.mark.parametrize("device", DEVICES)
def test_a_module_for_another_device_is_refused_with_its_name(device):
    other = "pvc" if device != "pvc" else "dg2"
    done = run_kernel(device, ZEBINS / f"igc2-{other}-O0" / "vadd.zebin")
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    assert "compiled for another device: the module was compiled for IP" in done.stderr
    assert f"but this device is {device}" in done.stderr
