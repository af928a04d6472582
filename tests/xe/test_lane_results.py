"""What instructions compute for a lane, against the simulated GPU that executes them.

A default run takes few instructions of the committed kernels of few configurations, ``--all`` more.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import product

import numpy as np
import pytest

from tests.support.xe.execution_bench import Bench, assemble, needs_iga64
from tests.support.xe.flow_oracle import MachineState, execute, random_contents
from tests.support.xe.intel_disassembler import sections
from zedbg.xe.decoding import decode
from zedbg.xe.devices import DEVICES
from zedbg.xe.disassembly import disassemble_one, instructions
from zedbg.xe.flow.operands import element_offset
from zedbg.xe.instruction import Decoded, Operand, RegisterFile
from zedbg.xe.isa.platform import Platform
from zedbg.xe.lane_results import lane_result

pytestmark = [pytest.mark.native, pytest.mark.cases(1)]

SETS = {"igc1-dg2-O2": "dg2", "igc2-pvc-O2": "pvc", "igc2-bmg-O2": "bmg"}
COMPUTED = {"add", "add3", "and", "asr", "bfn", "mad", "mov", "mul", "not", "or", "shl", "shr"}


def place(operand: Operand, offset: int, platform: Platform) -> slice:
    """The bytes of the general registers that an element has."""
    first = operand.register_number * platform.grf_bytes + operand.byte_offset + offset
    return slice(first, first + operand.type.size)


def sources(decoded: Decoded, index: int, registers: bytearray, platform: Platform) -> list[int]:
    """The bits of an element of each source."""
    found = []
    for each in decoded.sources:
        if each.file is RegisterFile.IMMEDIATE:
            found.append(each.immediate & (1 << 8 * each.type.size) - 1)
        else:
            at = place(each, element_offset(each, index), platform)
            found.append(int.from_bytes(registers[at], "little"))
    return found


def sample(configuration: str, of_each: int) -> list[bytes]:
    """So many instructions of each operation with operands of the same types, of those that take
    nothing but registers and constants."""
    platform = DEVICES[SETS[configuration]].platform
    found: defaultdict[object, set[bytes]] = defaultdict(set)
    for _, code in sections(configuration):
        for instruction in instructions(code, platform=platform):
            decoded = instruction.decoded
            operands = [each for each in (decoded.destination, *decoded.sources) if each]
            if decoded.send is None and not any(
                each.indirect or each.file is RegisterFile.ARF for each in operands
            ):
                key = instruction.mnemonic, *(each.type for each in operands)
                found[key].add(instruction.code)
    chance = random.Random(configuration)
    return [
        code
        for _, codes in sorted(found.items(), key=lambda each: str(each[0]))
        for code in chance.sample(sorted(codes), min(of_each, len(codes)))
    ]


@pytest.mark.parametrize("configuration", SETS)
def test_results_are_what_the_device_computes(
    configuration: str, request: pytest.FixtureRequest
) -> None:
    device = SETS[configuration]
    platform = DEVICES[device].platform
    chance = random.Random(configuration)
    wrong: list[str] = []
    known: Counter[str] = Counter()
    with Bench() as bench:
        for code in sample(configuration, 40 if request.config.getoption("--all") else 2):
            decoded = decode(platform, code)
            before = MachineState(device, (1 << 32) - 1, random_contents(chance, platform))
            outcome, after = execute(bench, code, before)
            target = decoded.destination
            if outcome != "budget" or target is None:
                continue
            for index in range(decoded.execution_size):
                bits = lane_result(decoded, sources(decoded, index, before.files["grf"], platform))
                if bits is None:
                    continue
                known[decoded.opcode.value] += 1
                stride = max(target.region.horizontal, 1) * target.type.size
                at = place(target, index * stride, platform)
                result = int.from_bytes(after.files["grf"][at], "little")
                if bits != result:
                    text = disassemble_one(code, platform=platform).text
                    wrong.append(f"{text}: element {index}: {bits:#x}, {result:#x}")
    assert not wrong, f"{len(wrong)}:\n" + "\n".join(wrong[:20])
    assert set(known) >= COMPUTED


@needs_iga64
def test_the_smaller_and_the_larger_of_zeros_are_the_device_s() -> None:
    negative = 1 << 31
    with Bench() as bench:
        for condition, one, other in product(("lt", "ge"), (0, negative), (0, negative)):
            text = f"(W) sel (1|M0) ({condition})f0.0 r6.0<1>:f r2.0<0;1,0>:f r4.0<0;1,0>:f"
            code = assemble(text)
            bench.start(code)
            bench.write_grf(2, np.array([one], np.uint32))
            bench.write_grf(4, np.array([other], np.uint32))
            bench.run(1)
            computed = lane_result(decode(Platform.XE_HPG, code), [one, other])
            assert computed == bench.read_grf(6, np.uint32, 1)[0]
