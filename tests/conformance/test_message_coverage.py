"""Every send of the kernel corpus is executed, or listed here with the reason why not.

The oracle for names is Intel's disassembler, iga64: what it says in a comment after a send and
what the execution unit calls the same message must agree.
"""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from native_programs import REPOSITORY, native_program

ZEBINS = sorted((REPOSITORY / "tests" / "kernels" / "zebin").glob("*-dg2-*/*.zebin"))

INSTRUCTION_BYTES = 16
COMPACTED_BYTES = 8
SEND_OPCODES = (0x31, 0x32)

# Messages of the corpus that are not executed: the execution unit's name, and why.
NOT_EXECUTED = {
    r"typed surface write": "image writes: no image surfaces yet",
    r"message to smpl": "image reads: no sampler yet",
}


@dataclass(frozen=True)
class Probed:
    """What the execution unit says of one send."""

    verdict: str  # executed, unsupported, dynamic or invalid
    name: str
    report: str


def _sends(zebin: Path) -> Iterator[bytes]:
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


def _without_scoreboard(instruction: bytes) -> bytes:
    """The instruction with its dependency information (SWSB, byte 1) cleared."""
    return instruction[:1] + b"\0" + instruction[2:]


def _probe(instructions: Iterable[bytes]) -> list[Probed]:
    lines = "".join(instruction.hex() + "\n" for instruction in instructions)
    run = subprocess.run(
        [native_program("xesim_eu_message_probe")],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    return [Probed(*line.split("\t")) for line in run.stdout.splitlines()]


def _iga_comments(instructions: list[bytes], scratch: Path) -> list[str]:
    """What iga64 says of each send after its lengths; empty where it says nothing."""
    if shutil.which("iga64") is None:
        pytest.skip("iga64 (Debian: libigc-tools) is not installed")
    binary = scratch / "sends.bin"
    binary.write_bytes(b"".join(instructions))
    run = subprocess.run(
        ["iga64", "-d", "-p=12p71", str(binary)], capture_output=True, text=True, check=False
    )
    lines = [line for line in run.stdout.splitlines() if "send" in line]
    assert len(lines) == len(instructions)
    comments = [re.search(r"// wr:[^;]*; (.*)$", line) for line in lines]
    return [match.group(1).strip() if match else "" for match in comments]


@pytest.fixture(scope="module")
def corpus_sends() -> list[bytes]:
    sends = {_without_scoreboard(send) for zebin in ZEBINS for send in _sends(zebin)}
    assert len(sends) > 1000
    return sorted(sends)


def test_every_send_of_the_corpus_is_executed_or_listed(corpus_sends: list[bytes]) -> None:
    probed = _probe(corpus_sends)
    assert len(probed) == len(corpus_sends)
    surprises = {
        (message.verdict, message.name, message.report)
        for message in probed
        if message.verdict not in ("executed", "dynamic")
        and not any(re.match(pattern, message.name) for pattern in NOT_EXECUTED)
    }
    assert surprises == set()
    assert sum(message.verdict == "executed" for message in probed) > 0.95 * len(probed)


def test_nothing_is_listed_that_is_executed(corpus_sends: list[bytes]) -> None:
    probed = _probe(corpus_sends)
    for pattern in NOT_EXECUTED:
        verdicts = {message.verdict for message in probed if re.match(pattern, message.name)}
        assert verdicts == {"unsupported"}, pattern


def test_descriptors_in_registers_occur_only_where_images_are_used() -> None:
    sends = [(zebin.stem, send) for zebin in ZEBINS for send in set(_sends(zebin))]
    probed = _probe(send for _, send in sends)
    users = {
        kernel
        for (kernel, _), message in zip(sends, probed, strict=True)
        if message.verdict == "dynamic"
    }
    assert users == {"image"}


def _comparable(iga: str) -> bool:
    """Whether iga64 gave the comment that names a message, not an error or nothing."""
    return iga != "" and not re.match(r"u(,v)?$|simd\d+ sample|fence invalid|typed", iga)


def _same_name(ours: str, iga: str) -> bool:
    # iga64 does not say how many elements each address of an a64 scatter or gather has.
    return re.sub(r"^(a64 [dq]word (?:gather|scatter)ing \w+) x\d+$", r"\1", ours) == iga


def test_names_in_the_corpus_are_those_of_iga64(corpus_sends: list[bytes], tmp_path: Path) -> None:
    names = [message.name for message in _probe(corpus_sends)]
    comments = _iga_comments(corpus_sends, tmp_path)
    compared = [pair for pair in zip(names, comments, strict=True) if _comparable(pair[1])]
    assert len(compared) > 0.95 * len(corpus_sends)
    assert {pair for pair in compared if not _same_name(*pair)} == set()


# Where the pieces of a send's descriptor lie: (descriptor bit, width, instruction bit).
DESCRIPTOR_PIECES = ((0, 11, 81), (11, 9, 113), (20, 5, 51), (25, 4, 67), (29, 1, 71), (30, 2, 122))
SFID_BIT = 92
UGM, SLM, DC0, DC1 = 0xF, 0xE, 0xA, 0xC


def _with_descriptor(template: bytes, function: int, descriptor: int) -> bytes:
    word = int.from_bytes(template, "little")
    for low, width, position in DESCRIPTOR_PIECES:
        mask = (1 << width) - 1
        word = word & ~(mask << position) | (descriptor >> low & mask) << position
    word = word & ~(0xF << SFID_BIT) | function << SFID_BIT
    return word.to_bytes(INSTRUCTION_BYTES, "little")


def _template(corpus_sends: list[bytes]) -> bytes:
    """A send without registers in its descriptors, and with two sources."""
    for send in corpus_sends:
        word = int.from_bytes(send, "little")
        in_register = word >> 48 & 3
        if not in_register and word >> SFID_BIT & 0xF == UGM and word >> 99 & 0x1F:
            return send
    raise AssertionError("the corpus has no such send")


LENGTHS = 0x02100000  # one address register, one response register


def _lsc_descriptors() -> Iterator[int]:
    operations = [*range(0x00, 0x03), *range(0x04, 0x07), *range(0x08, 0x1B)]
    for operation, address, data, vector in itertools.product(
        operations, (1, 2, 3), range(7), range(16)
    ):
        yield LENGTHS | operation | address << 7 | data << 9 | vector << 12
    for operation, cache in itertools.product((0x00, 0x04, 0x0C), range(8)):
        yield LENGTHS | operation | 2 << 7 | 2 << 9 | cache << 17
    for flush, scope in itertools.product(range(6), range(7)):
        yield LENGTHS | 0x1F | scope << 9 | flush << 12


def _hdc_descriptors() -> Iterator[tuple[int, int]]:
    dc0 = (0x00, 0x01, 0x03, 0x04, 0x08, 0x0B, 0x0C, *range(0x10, 0x20))
    dc1 = (0x01, 0x02, 0x09, 0x10, 0x11, 0x12, 0x14, 0x15, 0x19, 0x1A)
    for kind, control in itertools.product(dc0, range(64)):
        yield DC0, LENGTHS | kind << 14 | control << 8 | 0xFF
    for kind, control in itertools.product(dc1, range(64)):
        yield DC1, LENGTHS | kind << 14 | control << 8 | 0xFF


# Descriptors with no meaning, where our names show that and iga64's do not.
MEANINGLESS = re.compile(
    "reserved|no component|not implemented|dual block|several dwords|SIMD4x2|status return"
)


def _disagreements(sends: list[bytes], scratch: Path) -> tuple[set[tuple[str, str]], int]:
    """Names that differ among those messages that both sides know, and how many those are."""
    compared = [
        (message.name, comment)
        for message, comment in zip(_probe(sends), _iga_comments(sends, scratch), strict=True)
        if _comparable(comment) and not MEANINGLESS.search(message.report)
    ]
    return {pair for pair in compared if not _same_name(*pair)}, len(compared)


def test_names_of_all_lsc_messages_are_those_of_iga64(
    corpus_sends: list[bytes], tmp_path: Path
) -> None:
    template = _template(corpus_sends)
    sends = [
        _with_descriptor(template, function, descriptor)
        for function in (UGM, SLM)
        for descriptor in _lsc_descriptors()
    ]
    different, compared = _disagreements(sends, tmp_path)
    assert different == set()
    assert compared > 5000


def test_names_of_all_hdc_messages_are_those_of_iga64(
    corpus_sends: list[bytes], tmp_path: Path
) -> None:
    template = _template(corpus_sends)
    sends = [
        _with_descriptor(template, function, descriptor)
        for function, descriptor in _hdc_descriptors()
    ]
    different, compared = _disagreements(sends, tmp_path)
    assert different == set()
    assert compared > 700
