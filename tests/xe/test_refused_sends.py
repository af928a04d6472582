"""Sends that are not executed: those of compilers, with random descriptors, registers, addresses.
The execution unit alone says why; zedbg names the addresses that are misaligned."""

from __future__ import annotations

import functools
import random
import re
import struct
from collections import Counter
from dataclasses import dataclass, field

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.packed_modules import ZEBINS
from tests.support.places import REPOSITORY
from tests.support.xe.execution_bench import REGISTER_BYTES, Bench
from tests.support.xe.message_sweep import (
    DC0,
    DC1,
    INSTRUCTION_BYTES,
    SLM,
    UGM,
    module_sends,
    with_descriptor,
    without_scoreboard,
)
from zedbg.engine.memory.misaligned_access import misaligned_access
from zedbg.levelzero.enums import Result
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.xe.decoding import decode
from zedbg.xe.devices import DEVICES
from zedbg.xe.isa.data_cache import DC0_MESSAGES, DC1_MESSAGES
from zedbg.xe.isa.platform import Platform
from zedbg.xe.registers import RegisterKind

pytestmark = pytest.mark.native

PLATFORMS = {device: DEVICES[device].platform for device in EACH_PLATFORM}
SENDS = 6000  # of each device
SAMPLER, GATEWAY, TGM = 0x2, 0x3, 0xD
FUNCTIONS = (UGM, UGM, UGM, SLM, TGM, DC0, DC1, DC1, SAMPLER, GATEWAY, 0, 6)
REGISTERS = 128
LANES = (1 << 32) - 1
STATED = re.compile(
    r'(?:unsupported = |unsupported\([\w.]+, |require\([^"]*|return (?="2D|"address))'
    r'"([^"]+)"\)?;'
)
EXECUTED, FAULTED = "executed", "faulted"
MISALIGNED = re.compile("address that is not a multiple of (?:its size|([0-9]+) bytes)")
SENTENCE = re.compile(r'"((?:[^"\\\n ]+ ){3,}[^"\n]*)"')  # four words or more
# Reasons that no message of this test can meet, and why.
NOT_MET = {
    "immediate offset beside an extended descriptor in a register": "no encoding has one",
    "atomic in memory that the host cannot lock": "it is how the host's memory lies",
    "a third signal at a barrier before the first is answered": "each message is the first",
    "atomic on an image whose texels are not one 32-bit value": "there are no images",
    "block of an image that is not two-dimensional": "there are no images",
    "payload that is not coordinates and data": "there are no images",
    "register payload shorter than its block": "there are no images",
}


@dataclass
class _Code:
    platform: Platform


@dataclass
class _Device:
    code: _Code


@dataclass
class _Thread:
    """A stopped thread, as far as :func:`refusal_at` looks at one. No memory can be read."""

    device: _Device
    active_lanes: int
    registers: dict[RegisterKind, bytes] = field(default_factory=dict)

    def read_registers(self, kind: RegisterKind) -> bytes:
        return self.registers[kind]

    def read_memory(self, space: object, address: int, size: int) -> bytes:
        raise LevelZeroError(Result.ERROR_INVALID_ARGUMENT, "read memory")


def templates(device: str) -> list[bytes]:
    """The different sends that compilers made for the device."""
    zebins = sorted(ZEBINS.glob(f"*-{device}-*/*.zebin"))
    return sorted({without_scoreboard(send) for zebin in zebins for send in module_sends(zebin)})


def random_message(randomly: random.Random) -> tuple[int, int]:
    """Shared function and descriptor: anything, or nearly what compilers make."""
    match randomly.randrange(9):
        case 0 | 7 | 8:  # a rectangle of a matrix
            operation, size = (
                randomly.choice((0x03, 0x03, 0x07)),
                randomly.choice((0, 1, 2, 2, 3, 4)),
            )
            rearranged = randomly.choice((0, 0, 1 << 7, 1 << 15, 1 << 15, 1 << 7 | 1 << 15))
            length = 1 << 25 | randomly.choice((0, 31, 31, 31)) << 20
            return UGM, length | operation | size << 9 | rearranged
        case 1:  # an atomic operation on flat addresses
            atomic = randomly.randint(0x08, 0x1A) | randomly.randint(1, 3) << 7
            return UGM, 4 << 25 | 4 << 20 | atomic | randomly.randint(0, 6) << 9
        case 2:  # the data cache, without a surface
            kind = randomly.randrange(0x40) << 14 | randomly.getrandbits(6) << 8  # with a header?
            return randomly.choice((DC0, DC1)), 2 << 25 | 4 << 20 | kind | 0xFF
        case 3:  # a barrier
            return GATEWAY, 1 << 25 | randomly.choice((4, 4, 4, 1))
        case 4:
            return randomly.choice(FUNCTIONS), randomly.getrandbits(32)
        case 5:  # elements that follow each other at flat addresses
            shape = randomly.randint(0, 6) << 9 | randomly.getrandbits(4) << 12
            return UGM, 4 << 25 | 4 << 20 | 3 << 7 | shape
    lengths = randomly.randint(1, 8) << 25 | randomly.randint(0, 9) << 20
    return randomly.choice(FUNCTIONS), randomly.getrandbits(32) & 0x600F_FFFF | lengths


def changed(template: bytes, randomly: random.Random) -> bytes:
    """The send with another descriptor, other register numbers, or a few other bits."""
    if randomly.random() < 0.8:
        template = with_descriptor(template, *random_message(randomly))
    word = int.from_bytes(template, "little")
    if randomly.random() < 0.2:
        word = word & ~(0xFF << 56) | randomly.choice((1, 40, 120, 127, 255)) << 56
    if randomly.random() < 0.2:
        for _ in range(2):
            word ^= 1 << randomly.randrange(32, 128)
    return word.to_bytes(INSTRUCTION_BYTES, "little")


def random_registers(size: int, randomly: random.Random) -> bytes:
    """Addresses, most of them multiples of 8, or what describes a matrix, or a barrier."""
    kind = randomly.random()
    if kind < 0.5:
        return random_matrix(randomly) * (REGISTERS * size // 32)
    if kind < 0.6:
        barrier = randomly.choice((1, 31, 32)) | randomly.randrange(4) << 14
        return struct.pack("<8I", *[barrier] * 8) * (REGISTERS * size // 32)
    step = randomly.choice((1, 2, 4, 8, 8, 64))
    quadwords = [randomly.randrange(0, 1 << 20) * step for _ in range(REGISTERS * size // 8)]
    return struct.pack(f"<{len(quadwords)}Q", *quadwords)


def random_matrix(randomly: random.Random) -> bytes:
    """A matrix and a rectangle as compilers make them, but for one property or none."""
    base, width, height, pitch = 1 << 20, 256, 64, 512
    columns, rows, blocks = randomly.choice((4, 8, 16)), randomly.choice((1, 8, 8, 32)), 1
    match randomly.randrange(8):
        case 0:
            base += randomly.choice((1, 8, 32))
        case 1:
            width = randomly.choice((60, 255))
        case 2:
            pitch = randomly.choice((250, 514))
        case 3:
            columns = randomly.choice((1, 2, 64))
        case 4:
            rows = randomly.choice((9, 33, 64))
        case 5:
            blocks = randomly.choice((2, 4))
    shape = columns - 1 | rows - 1 << 8 | blocks - 1 << 16
    return struct.pack("<Q6I", base, width - 1, height - 1, pitch - 1, 0, 0, shape)


def said_by_unit(report: str) -> str:
    """The reason in the report of an illegal instruction, or how else the instruction ended."""
    if "(desc " in report:
        return report.split("): ", 1)[1]
    return FAULTED if "page fault" in report else EXECUTED


@functools.cache
def compared(device: str) -> Counter[str]:
    """For which reason, and how often, the unit refused a send: zedbg found the misaligned ones."""
    randomly, made, seen = random.Random(11), templates(device), Counter[str]()
    code = _Device(_Code(PLATFORMS[device]))
    with Bench() as bench:
        for number in range(SENDS):
            send = changed(randomly.choice(made), randomly)
            decoded = decode(PLATFORMS[device], send)
            grf = random_registers(REGISTER_BYTES[device], randomly)
            address = struct.pack("<8I", *(randomly.getrandbits(32) for _ in range(8)))
            if decoded.send is None:
                continue
            bench.start(send, LANES, device)
            bench.write("grf", 0, grf)
            bench.write("address", 0, address)
            unit = said_by_unit(bench.run(1).report)
            seen[unit] += 1
            thread = _Thread(code, LANES)
            thread.registers = {
                RegisterKind.GRF: grf,
                RegisterKind.ADDR: address,
                RegisterKind.SBA: bytes(256),
                RegisterKind.FLAG: bytes(16),
            }
            found = misaligned_access(thread, decoded)
            refused = MISALIGNED.search(unit)
            if refused is not None:
                assert found is not None, (number, send.hex(), unit)
                assert found.address % found.alignment
                assert found.alignment == int(refused[1] or found.size)
            elif unit == EXECUTED:
                assert found is None, (number, send.hex(), found)
    return seen


def reasons_in_sources() -> set[str]:
    """Every reason for which the execution unit refuses a message."""
    sources = REPOSITORY / "native" / "eu"
    folders = (sources / "messages", sources / "images")
    texts = [each.read_text() for folder in folders for each in folder.glob("*.cpp")]
    found = {reason for text in texts for reason in STATED.findall(text)}
    assert len(found) > 50
    return found


def without_names(text: str) -> str:
    """Without the names of messages, which both languages have from one table."""
    for message in (*DC0_MESSAGES, *DC1_MESSAGES):
        if message is not None:
            text = text.replace(f'"{message.name}"', "")
    return text


@pytest.mark.cases(1)
@pytest.mark.parametrize("device", PLATFORMS)
def test_misaligned_addresses_are_those_that_the_unit_refuses(device: str) -> None:
    seen = compared(device)
    assert seen[EXECUTED] + seen[FAULTED] > SENDS // 20
    assert sum(seen[reason] for reason in seen if MISALIGNED.search(reason)) > SENDS // 50


@pytest.mark.cases(0)
def test_every_reason_is_met() -> None:
    seen = sum((compared(device) for device in PLATFORMS), Counter[str]())
    assert reasons_in_sources() - set(seen) == NOT_MET.keys()


def test_no_reason_is_stated_by_the_debugger() -> None:
    """What the simulated GPU does not execute, real devices may: only its driver says so."""
    sources = (REPOSITORY / "native" / "eu").rglob("*.cpp")
    # What an encoding reserves is in the documents, and both decoders say it.
    executing = [each for each in sources if each.parent.name not in ("decode", "tests")]
    said = {text for each in executing for text in SENTENCE.findall(each.read_text())}
    assert len(said) > 50
    debugger = [without_names(each.read_text()) for each in (REPOSITORY / "zedbg").rglob("*.py")]
    for reason in reasons_in_sources() | said:
        assert not any(reason in text for text in debugger), reason
