"""Every instruction of every kernel of the corpus, against iga64 and between the two decoders."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from decoded_text import native_lines, python_lines
from intel_disassembler import iga64, needs_iga64, normalised, sections
from newest_disassembly import read_kernels

from zedbg.xe.disassembly import disassemble
from zedbg.xe.isa import Platform

CONFIGURATIONS = {
    Platform.XE_HPG: ("igc1-dg2-O0", "igc1-dg2-O2", "igc2-dg2-O0", "igc2-dg2-O2"),
    Platform.XE_HPC: ("igc1-pvc-O0", "igc1-pvc-O2", "igc2-pvc-O0", "igc2-pvc-O2"),
    Platform.XE2: ("igc2-bmg-O0", "igc2-bmg-O2"),
}
FEWEST_INSTRUCTIONS = 7_000  # of a configuration


def configurations(*platforms: Platform) -> list[tuple[Platform, str]]:
    return [(platform, name) for platform in platforms for name in CONFIGURATIONS[platform]]


def label(address: int) -> str:
    return f"L{address}"


def check_text(
    platform: Platform, configuration: str, expected_of: Callable[[str, bytes], dict[int, str]]
) -> None:
    """Fails where our text is not that of `expected_of`, which takes a section's name and code."""
    differences = []
    instructions = 0
    for name, code in sections(configuration):
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
    assert instructions > FEWEST_INSTRUCTIONS


@needs_iga64
@pytest.mark.parametrize(
    ("platform", "configuration"), configurations(Platform.XE_HPG, Platform.XE_HPC)
)
def test_text_is_that_of_iga64(platform: Platform, configuration: str) -> None:
    check_text(platform, configuration, lambda _, code: iga64(code, platform))


@pytest.mark.parametrize("configuration", CONFIGURATIONS[Platform.XE2])
def test_text_is_that_of_the_newest_iga64(configuration: str) -> None:
    expected = read_kernels(configuration)
    check_text(Platform.XE2, configuration, lambda name, _: expected[name])


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
