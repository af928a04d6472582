"""Every instruction of every committed kernel, against iga64 and between the two decoders.

Of the modules of tests/kernels/corpus a default run takes a share, ``ZEDBG_FULL_CORPUS=1`` all;
those for Xe2 with an iga64 that knows it only (``ZEDBG_NEWEST_IGA64``).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.support.kernels import corpus
from tests.support.xe.decoded_text import native_lines, python_lines
from tests.support.xe.intel_disassembler import (
    NEWEST_IGA64,
    iga64,
    needs_iga64,
    normalised,
    sections,
    sections_of,
)
from tests.support.xe.newest_disassembly import read_kernels
from zedbg.xe.decoding import decode, decode_head
from zedbg.xe.disassembly import disassemble
from zedbg.xe.isa.platform import Platform

pytestmark = pytest.mark.cases(1)

CONFIGURATIONS = {
    Platform.XE_HPG: ("igc1-dg2-O0", "igc1-dg2-O2", "igc2-dg2-O0", "igc2-dg2-O2"),
    Platform.XE_HPC: ("igc1-pvc-O0", "igc1-pvc-O2", "igc2-pvc-O0", "igc2-pvc-O2"),
    Platform.XE2: ("igc2-bmg-O0", "igc2-bmg-O2"),
}
ALL = [name for names in CONFIGURATIONS.values() for name in names]
# Of a configuration, and of the share of its corpus.
FEWEST_INSTRUCTIONS, FEWEST_OF_SHARE = 7_000, 2_000
FULL = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
# Of the corpus, one module of so many in a default run; others in each configuration.
SHARE = 12


def configurations(*platforms: Platform) -> list[tuple[Platform, str]]:
    return [(platform, name) for platform in platforms for name in CONFIGURATIONS[platform]]


def label(address: int) -> str:
    return f"L{address}"


def check_text(
    platform: Platform,
    kernels: Iterable[tuple[str, bytes]],
    expected_of: Callable[[str, bytes], dict[int, str]],
) -> int:
    """How many instructions have the text of `expected_of`, of a section's name and code; else it
    fails."""
    differences = []
    instructions = 0
    for name, code in kernels:
        expected = expected_of(name, code)
        for instruction in disassemble(code, platform=platform, label=label):
            if not any(instruction.code) and instruction.size < 16:
                continue  # half an instruction of padding at the end, which iga64 leaves out
            instructions += 1
            text = normalised(instruction.text)
            if expected.get(instruction.address) != text:
                differences.append(
                    (name, instruction.address, expected.get(instruction.address), text)
                )
    assert not differences, f"{len(differences)} of {instructions}, such as {differences[:3]}"
    return instructions


@needs_iga64
@pytest.mark.parametrize(
    ("platform", "configuration"), configurations(Platform.XE_HPG, Platform.XE_HPC)
)
def test_text_is_that_of_iga64(platform: Platform, configuration: str) -> None:
    compared = check_text(platform, sections(configuration), lambda _, code: iga64(code, platform))
    assert compared > FEWEST_INSTRUCTIONS


@needs_iga64
@pytest.mark.parametrize(
    ("platform", "configuration"),
    configurations(
        Platform.XE_HPG, Platform.XE_HPC, *([Platform.XE2] if NEWEST_IGA64 is not None else [])
    ),
)
def test_text_of_the_corpus_is_that_of_iga64(
    platform: Platform, configuration: str, tmp_path: Path
) -> None:
    program = NEWEST_IGA64 if platform is Platform.XE2 and NEWEST_IGA64 else "iga64"
    modules = sorted(corpus.modules(configuration).values())
    share = modules if FULL else modules[ALL.index(configuration) :: SHARE]
    compared = check_text(
        platform, sections_of(share), lambda _, code: iga64(code, platform, program=program)
    )
    assert compared > (10 * FEWEST_INSTRUCTIONS if FULL else FEWEST_OF_SHARE)


@pytest.mark.parametrize("configuration", CONFIGURATIONS[Platform.XE2])
def test_text_is_that_of_the_newest_iga64(configuration: str) -> None:
    expected = read_kernels(configuration)
    compared = check_text(Platform.XE2, sections(configuration), lambda name, _: expected[name])
    assert compared > FEWEST_INSTRUCTIONS


@pytest.mark.parametrize(("platform", "configuration"), configurations(*Platform))
def test_native_decoder_sees_what_the_python_decoder_sees(
    platform: Platform, configuration: str
) -> None:
    for name, code in sections(configuration):
        assert native_lines(code, platform) == python_lines(code, platform), name


@pytest.mark.parametrize(
    ("platform", "configuration", "least"),
    [
        (Platform.XE_HPG, "igc2-dg2-O2", 0.3),
        (Platform.XE_HPC, "igc2-pvc-O2", 0.3),
        (Platform.XE2, "igc2-bmg-O2", 0.2),
    ],
)
def test_corpus_has_compacted_and_native_instructions(
    platform: Platform, configuration: str, least: float
) -> None:
    instructions = [
        instruction
        for _, code in sections(configuration)
        for instruction in disassemble(code, platform=platform)
    ]
    compacted = sum(instruction.is_compacted for instruction in instructions)
    assert least < compacted / len(instructions) < 0.5


@pytest.mark.parametrize("configuration", ["igc2-dg2-O2", "igc2-pvc-O2", "igc2-bmg-O2"])
def test_head_alone_has_opcode_and_length_of_the_whole(configuration: str) -> None:
    (platform,) = (each for each, names in CONFIGURATIONS.items() if configuration in names)
    compared = 0
    for name, code in sections(configuration):
        offset = 0
        while offset < len(code):
            whole = decode(platform, code[offset:])
            opcode, length = decode_head(platform, code[offset:])
            assert length == whole.length, (name, offset)
            assert opcode is whole.opcode or whole.invalid_reason is not None, (name, offset)
            offset += length
            compared += whole.invalid_reason is None
    assert compared > FEWEST_INSTRUCTIONS
