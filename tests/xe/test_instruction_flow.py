"""What instructions write, and from what, against the simulated GPU that executes them.

A default run takes few instructions of the committed kernels of few configurations, ``--all`` more.
"""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from tests.support.xe.execution_bench import Bench
from tests.support.xe.flow_oracle import (
    MachineState,
    Trial,
    address_something,
    execute,
    random_contents,
)
from tests.support.xe.intel_disassembler import sections
from zedbg.xe.decoding import decode
from zedbg.xe.devices import DEVICES
from zedbg.xe.disassembly import disassemble_one, instructions
from zedbg.xe.flow.instruction_flow import assignments
from zedbg.xe.isa.names import Predicate

pytestmark = [pytest.mark.native, pytest.mark.cases(2)]

SETS = {
    "igc1-dg2-O0": "dg2",
    "igc1-dg2-O2": "dg2",
    "igc2-dg2-O0": "dg2",
    "igc2-dg2-O2": "dg2",
    "igc1-pvc-O2": "pvc",
    "igc2-pvc-O0": "pvc",
    "igc2-pvc-O2": "pvc",
    "igc2-bmg-O0": "bmg",
    "igc2-bmg-O2": "bmg",
}
ATTEMPTS = 6  # to make payloads with which a message is executed
# Of an operation's source: so many other contents that change nothing show that it is none.
MANY_TRIES = 25
# The number of a comparison is 0 or 1, a constant shift leaves little: a few tries are too few.
CHANGES_SELDOM = {"rndd", "rnde", "rndz", "rndu"}


def sample(configuration: str, of_each: int) -> list[bytes]:
    """So many instructions of each operation, and of each kind of message."""
    platform = DEVICES[SETS[configuration]].platform
    found: defaultdict[str, set[bytes]] = defaultdict(set)
    for _, code in sections(configuration):
        for instruction in instructions(code, platform=platform):
            decoded, name = instruction.decoded, instruction.mnemonic
            send = decoded.send
            name += f" {decoded.condition.value} {decoded.predicate is not Predicate.NONE}"
            if send is not None and send.descriptor is not None:
                name += f" {send.descriptor & 0x7C000:#x} {send.descriptor & 0x803F:#x}"
            found[name].add(instruction.code)
    chance = random.Random(configuration)
    return [
        code
        for _, codes in sorted(found.items())
        for code in chance.sample(sorted(codes), min(of_each, len(codes)))
    ]


def executed(
    bench: Bench, chance: random.Random, code: bytes, device: str
) -> tuple[MachineState, MachineState] | None:
    """The state before and after, of a thread in which the instruction can be executed."""
    platform = DEVICES[device].platform
    decoded = decode(platform, code)
    if decoded.send is not None and decoded.send.descriptor is None:
        return None  # a0 would have to say what it is
    for _ in range(ATTEMPTS):
        lanes = chance.getrandbits(32) | 1 << decoded.channel_offset
        before = MachineState(device, lanes, random_contents(chance, platform))
        address_something(chance, decoded, before)
        outcome, after = execute(bench, code, before)
        if outcome in ("budget", "end"):
            return before, after
    return None


@pytest.mark.cases(1)
@pytest.mark.parametrize("configuration", SETS)
def test_what_is_written_and_read_is_what_is_said(
    configuration: str, request: pytest.FixtureRequest
) -> None:
    device = SETS[configuration]
    platform = DEVICES[device].platform
    chance = random.Random(configuration)
    codes = sample(configuration, 8 if request.config.getoption("--all") else 1)
    wrong: list[str] = []
    influence: defaultdict[tuple[str, int], list[bool]] = defaultdict(list)
    messages = done = 0
    with Bench() as bench:
        for code in codes:
            decoded = decode(platform, code)
            states = executed(bench, chance, code, device)
            if states is None:
                continue
            done += 1
            messages += decoded.send is not None
            trial = Trial(bench, chance, code, decoded, *states)
            every = assignments(decoded, states[0])
            text = disassemble_one(code, platform=platform).text
            wrong += (f"{text}: {each}" for each in trial.problems(every, influence))
    assert not wrong, f"{len(wrong)} of {len(codes)}:\n" + "\n".join(wrong[:20])
    without = [
        name
        for name, changes in influence.items()
        if len(changes) >= MANY_TRIES and not any(changes) and name[0] not in CHANGES_SELDOM
    ]
    assert not without, f"sources that change nothing: {without}"
    assert done > len(codes) // 2
    assert messages > 5
