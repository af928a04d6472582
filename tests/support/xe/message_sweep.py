"""Sends for tests: those of the corpus, and every message that a descriptor can name."""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from tests.support.native_programs import native_program
from tests.support.packed_modules import ZEBINS

DG2_MODULES = sorted(ZEBINS.glob("*-dg2-*/*.zebin"))

INSTRUCTION_BYTES = 16
COMPACTED_BYTES = 8
SEND_OPCODES = (0x31, 0x32)


@dataclass(frozen=True)
class Probed:
    """What the execution unit says of one send."""

    verdict: str  # executed, unsupported, dynamic or invalid
    name: str
    report: str


def module_sends(zebin: Path) -> Iterator[bytes]:
    """The send instructions of all kernels of `zebin`, 16 bytes each."""
    with zebin.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            if not section.name.startswith(".text."):
                continue
            code = section.data()
            position = 0
            while position + COMPACTED_BYTES <= len(code):
                word = int.from_bytes(code[position : position + 4], "little")
                if word >> 29 & 1:
                    position += COMPACTED_BYTES
                    continue
                if word & 0x7F in SEND_OPCODES:
                    yield code[position : position + INSTRUCTION_BYTES]
                position += INSTRUCTION_BYTES


def without_scoreboard(instruction: bytes) -> bytes:
    """The instruction with its dependency information (SWSB, byte 1) cleared."""
    return instruction[:1] + b"\0" + instruction[2:]


def probe(instructions: Iterable[bytes]) -> list[Probed]:
    """What the execution unit says of each send instruction of 16 bytes."""
    lines = "".join(instruction.hex() + "\n" for instruction in instructions)
    run = subprocess.run(
        [native_program("xesim_eu_message_probe")],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    return [Probed(*line.split("\t")) for line in run.stdout.splitlines()]


# Where the pieces of a send's descriptor lie: (descriptor bit, width, instruction bit).
DESCRIPTOR_PIECES = ((0, 11, 81), (11, 9, 113), (20, 5, 51), (25, 4, 67), (29, 1, 71), (30, 2, 122))
SFID_BIT = 92
UGM, SLM, DC0, DC1 = 0xF, 0xE, 0xA, 0xC


def with_descriptor(template: bytes, function: int, descriptor: int) -> bytes:
    """`template` as a send to another shared function with another descriptor."""
    word = int.from_bytes(template, "little")
    for low, width, position in DESCRIPTOR_PIECES:
        mask = (1 << width) - 1
        word = word & ~(mask << position) | (descriptor >> low & mask) << position
    word = word & ~(0xF << SFID_BIT) | function << SFID_BIT
    return word.to_bytes(INSTRUCTION_BYTES, "little")


def message_template(sends: list[bytes]) -> bytes:
    """A send without registers in its descriptors, and with two sources."""
    for send in sends:
        word = int.from_bytes(send, "little")
        in_register = word >> 48 & 3
        if not in_register and word >> SFID_BIT & 0xF == UGM and word >> 99 & 0x1F:
            return send
    raise AssertionError("the corpus has no such send")


LENGTHS = 0x02100000  # one address register, one response register


def lsc_descriptors() -> Iterator[int]:
    """Every operation, address size, data size and vector of load/store messages."""
    operations = [*range(0x00, 0x03), *range(0x04, 0x07), *range(0x08, 0x1B)]
    for operation, address, data, vector in itertools.product(
        operations, (1, 2, 3), range(7), range(16)
    ):
        yield LENGTHS | operation | address << 7 | data << 9 | vector << 12
    for data, transposed, transformed in itertools.product(range(4), range(2), range(2)):
        yield LENGTHS | 0x03 | transformed << 7 | data << 9 | transposed << 15
        yield LENGTHS | 0x07 | data << 9 | transposed << 15
    for operation, cache in itertools.product((0x00, 0x04, 0x0C), range(8)):
        yield LENGTHS | operation | 2 << 7 | 2 << 9 | cache << 17
    for flush, scope in itertools.product(range(6), range(7)):
        yield LENGTHS | 0x1F | scope << 9 | flush << 12


def hdc_descriptors() -> Iterator[tuple[int, int]]:
    """Shared function and descriptor of every type and control of data cache messages."""
    dc0 = (0x00, 0x01, 0x03, 0x04, 0x05, 0x08, 0x0B, 0x0C, *range(0x10, 0x20))
    dc1 = (0x01, 0x02, 0x03, 0x09, *range(0x10, 0x16), *range(0x19, 0x1F))
    for kind, control in itertools.product(dc0, range(64)):
        yield DC0, LENGTHS | kind << 14 | control << 8 | 0xFF
    for kind, control in itertools.product(dc1, range(64)):
        yield DC1, LENGTHS | kind << 14 | control << 8 | 0xFF


# Descriptors with no meaning, where our names show that and iga64's do not.
MEANINGLESS = re.compile(
    "reserved|no component|not implemented|dual block|several dwords|SIMD4x2|status return"
)


def all_messages() -> list[Probed]:
    """Every message of the data ports that is no reserved one, as the execution unit names it."""
    corpus = sorted(
        {without_scoreboard(send) for zebin in DG2_MODULES for send in module_sends(zebin)}
    )
    base = message_template(corpus)
    swept = [
        *(
            with_descriptor(base, function, each)
            for function in (UGM, SLM)
            for each in lsc_descriptors()
        ),
        *(with_descriptor(base, function, each) for function, each in hdc_descriptors()),
    ]
    meaningless = re.compile(f"{MEANINGLESS.pattern}|this device has no")
    return [message for message in probe(swept) if not meaningless.search(message.report)]
