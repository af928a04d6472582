"""Every opcode with every combination of types, against a model on Python's integers and rationals.

The model is in `arithmetic_model`, the instructions are in `arithmetic_sweep`.
"""

from __future__ import annotations

import math

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.xe.arithmetic_sweep import (
    DESTINATION_REGISTER,
    ELEMENTS,
    SOURCE_REGISTERS,
    Outcome,
    SweptInstruction,
    outcome,
    sweep,
)
from tests.support.xe.execution_bench import (
    REGISTER_BYTES,
    Bench,
    assemble,
    needs_iga64,
    new_thread,
)

pytestmark = [needs_iga64, pytest.mark.native]

ENABLED = 0xF7FDBEEF
FLAGS = 0x5A3CC3A6
BEFORE = 0xA5  # every byte of the destination
_IN_FLIGHT = 64  # instructions whose answers fit the pipe


def _as_expected(instruction: SweptInstruction, expected: Outcome, found: bytes) -> bool:
    """Whether the destination's bytes are; numbers that are none are all alike."""
    into = instruction.into
    untouched = bytearray(found)
    for lane, number in enumerate(expected.stored):
        if number is None:
            continue
        at = lane * instruction.stride * into.size
        bits = int.from_bytes(found[at : at + into.size], "little")
        untouched[at : at + into.size] = bytes([BEFORE]) * into.size
        if expected.raw:
            if bits != number:
                return False
            continue
        value = into.decode(bits)
        if isinstance(number, float) and math.isnan(number):
            if not math.isnan(value):
                return False
        elif value != number or math.copysign(1, value) != math.copysign(1, number):
            return False
    return untouched == bytes([BEFORE]) * len(found)


def _run(device: str, instructions: list[SweptInstruction]) -> list[str]:
    """What is wrong, a line for each instruction."""
    code = assemble("\n".join(each.text for each in instructions), device)
    assert len(code) == 16 * len(instructions)
    size = REGISTER_BYTES[device]
    wrong: list[str] = []
    with Bench() as bench:
        for start in range(0, len(instructions), _IN_FLIGHT):
            some = instructions[start : start + _IN_FLIGHT]
            lines: list[str] = []
            for number, each in enumerate(some, start):
                lines.append(new_thread(ENABLED, device))
                lines.append(f"code {code[16 * number : 16 * number + 16].hex()}")
                for register, source in zip(SOURCE_REGISTERS, each.sources, strict=False):
                    data = b"".join(
                        bits.to_bytes(source.type.size, "little") for bits in source.values
                    )
                    lines.append(f"set grf {register * size:x} {data.hex()}")
                length = 8 * 4 * 8
                place = DESTINATION_REGISTER * size
                lines.append(f"set grf {place:x} {bytes([BEFORE] * length).hex()}")
                lines.append(f"set flag 0 {FLAGS.to_bytes(4, 'little').hex() * 4}")
                lines += ["run 1 plain", f"get grf {place:x} {length:x}", "get flag 0 10"]
            answers = iter(bench.converse(lines, 3 * len(some)))
            for each in some:
                ran, found, flags = next(answers), next(answers), next(answers)
                expected = outcome(each, ENABLED, FLAGS)
                problem = _problem(each, expected, ran, bytes.fromhex(found), bytes.fromhex(flags))
                if problem:
                    wrong.append(f"{device}: {each.text}: {problem}")
    return wrong


def _problem(
    instruction: SweptInstruction, expected: Outcome, ran: str, found: bytes, flags: bytes
) -> str:
    if not ran.startswith("budget"):
        return ran
    if not _as_expected(instruction, expected, found):
        size = instruction.into.size
        step = instruction.stride * size
        shown = [
            instruction.into.decode(int.from_bytes(found[at : at + size], "little"))
            for at in range(0, instruction.lanes * step, step)
        ]
        operands = [
            [source.of_lane(lane).value for lane in range(instruction.lanes)]
            for source in instruction.sources
        ]
        return f"{operands} leaves {shown} instead of {expected.stored}"
    wanted = FLAGS
    for lane, truth in enumerate(expected.flags):
        if truth is not None:
            bit = 1 << instruction.first_channel + lane
            wanted = wanted | bit if truth else wanted & ~bit
    for number in range(4):
        value = int.from_bytes(flags[4 * number : 4 * number + 4], "little")
        if value != (wanted if number == instruction.flag[0] else FLAGS):
            return f"f{number} is {value:#x} instead of {wanted:#x}"
    return ""


@pytest.mark.parametrize("device", EACH_PLATFORM)
def test_every_operation_on_every_combination_of_types(device: str) -> None:
    assert max(SOURCE_REGISTERS) * REGISTER_BYTES[device] + 8 * ELEMENTS < (
        DESTINATION_REGISTER * REGISTER_BYTES[device]
    )
    wrong = _run(device, list(sweep(device, seed=0, repeat=2)))
    assert not wrong, f"{len(wrong)} instructions differ, such as\n" + "\n".join(wrong[:20])
