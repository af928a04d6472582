"""Every instruction of every kernel of the corpus, against iga64 and between the two decoders."""

from __future__ import annotations

import pytest
from decoded_text import native_lines, python_lines
from intel_disassembler import iga64, needs_iga64, normalised, sections

from zedbg.xe.disassembly import disassemble

CONFIGURATIONS = ("igc1-dg2-O0", "igc1-dg2-O2", "igc2-dg2-O0", "igc2-dg2-O2")


def label(address: int) -> str:
    return f"L{address}"


@needs_iga64
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_text_is_that_of_iga64(configuration: str) -> None:
    differences = []
    instructions = 0
    for name, code in sections(configuration):
        expected = iga64(code)
        for instruction in disassemble(code, label=label):
            if not any(instruction.code) and instruction.size < 16:
                continue  # half an instruction of padding at the end, which iga64 leaves out
            instructions += 1
            text = normalised(instruction.text)
            if expected.get(instruction.address) != text:
                differences.append(
                    (name, instruction.address, expected.get(instruction.address), text)
                )
    assert not differences, f"{len(differences)} of {instructions}, such as {differences[:3]}"
    assert instructions > 10_000


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_native_decoder_sees_what_the_python_decoder_sees(configuration: str) -> None:
    for name, code in sections(configuration):
        assert native_lines(code) == python_lines(code), name


def test_corpus_has_compacted_and_native_instructions() -> None:
    instructions = [
        instruction for _, code in sections("igc2-dg2-O2") for instruction in disassemble(code)
    ]
    compacted = sum(instruction.is_compacted for instruction in instructions)
    assert 0.3 < compacted / len(instructions) < 0.45
