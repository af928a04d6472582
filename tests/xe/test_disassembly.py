"""Disassembly: what a debugger asks of instruction bytes."""

from __future__ import annotations

import pytest

from zedbg.xe.disassembly import (
    breakpoint_bit,
    disassemble,
    disassemble_one,
    instruction_length,
)
from zedbg.xe.instruction import RegisterFile
from zedbg.xe.isa.names import DataType
from zedbg.xe.isa.platform import Platform

# Bytes as iga64 of libigc-tools assembles the text beside them.
ADD = bytes.fromhex("400003 00 a00a0505 0407000a 04090000".replace(" ", ""))
ADD_TEXT = "add (8|M0) r5.0<1>:f r7.0<0;1,0>:f r9.0<0;1,0>:f"
COMPACTED_ADD = bytes.fromhex("4000052000070009")
COMPACTED_ADD_TEXT = "add (16|M0) r5.0<1>:f r7.0<1;1,0>:f r9.0<1;1,0>:f {Compacted}"
GOTO = bytes.fromhex("2e00030100c00000 2000000010000000".replace(" ", ""))
SEND_EOT = bytes.fromhex("3100030004000000 0c7f203000000000".replace(" ", ""))


def test_native_and_compacted_instructions_follow_each_other() -> None:
    lines = disassemble(COMPACTED_ADD + ADD + COMPACTED_ADD, 0x1000)
    assert [(line.address, line.size, line.text) for line in lines] == [
        (0x1000, 8, COMPACTED_ADD_TEXT),
        (0x1008, 16, ADD_TEXT),
        (0x1018, 8, COMPACTED_ADD_TEXT),
    ]


def test_operands_are_typed() -> None:
    destination, first, second = disassemble_one(ADD).operands
    assert (destination.file, destination.register_number) == (RegisterFile.GRF, 5)
    assert (first.register_number, second.register_number) == (7, 9)
    assert {destination.type, first.type, second.type} == {DataType.F}


@pytest.mark.parametrize(("code", "position"), [(ADD, 30), (COMPACTED_ADD, 7)])
def test_breakpoint_bit_of_each_form(code: bytes, position: int) -> None:
    assert breakpoint_bit(code) == position
    stopped = (int.from_bytes(code, "little") | 1 << position).to_bytes(len(code), "little")
    instruction = disassemble_one(stopped)
    assert instruction.breakpoint
    assert "Breakpoint" in instruction.text
    assert instruction.mnemonic == "add"


def test_length_needs_only_the_first_half() -> None:
    assert instruction_length(ADD[:8]) == 16
    assert instruction_length(COMPACTED_ADD) == 8


def test_branch_targets_are_addresses() -> None:
    instruction = disassemble_one(GOTO, 0x400)
    assert instruction.branch_targets == (0x410, 0x420)
    assert instruction.text == "(f0.0) goto (8|M0) 0x410 0x420"
    named = disassemble_one(GOTO, 0x400, label={0x410: "<k+16>", 0x420: "<k+32>"}.__getitem__)
    assert named.text == "(f0.0) goto (8|M0) <k+16> <k+32>"


def test_end_of_thread() -> None:
    assert disassemble_one(SEND_EOT).is_end_of_thread
    assert disassemble_one(SEND_EOT).mnemonic == "send.gtwy"
    assert not disassemble_one(ADD).is_end_of_thread


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (bytes(16), "illegal"),
        (b"\x02" + bytes(15), "illegal {0x00000002 0x00000000 0x00000000 0x00000000}"),
        (ADD[:12], "illegal {0x00030040 0x05050aa0 0x0a000704}"),
        (b"\x40", "illegal {0x40}"),
        (b"\x31\0\0\x20" + bytes(4), "illegal {0x20000031 0x00000000}"),  # no compacted send
    ],
)
def test_what_is_no_instruction_is_shown_as_words(code: bytes, text: str) -> None:
    instruction = disassemble_one(code)
    assert instruction.is_illegal
    assert instruction.text.split(" //")[0] == text


@pytest.mark.parametrize("platform", Platform)
def test_every_platform_has_a_decoder(platform: Platform) -> None:
    nop = disassemble_one(b"\x60" + bytes(15), platform=platform)
    assert nop.text == "nop"
