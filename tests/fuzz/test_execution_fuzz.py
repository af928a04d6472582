"""Mutated kernels on the execution unit: every run ends within its budget, with a report where it
stopped, in bounded memory.

The same program, built with sanitizers, is what long runs use: see docs/testing.md.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.devices import EACH_PLATFORM, builds_of
from tests.support.native_programs import native_program
from tests.support.xe.intel_disassembler import sections
from zedbg.xe.devices import DEVICES

pytestmark = pytest.mark.native

MUTANTS = int(os.environ.get("ZEDBG_EXECUTION_MUTANTS", "4000"))  # for each device
SEED = int(os.environ.get("ZEDBG_EXECUTION_SEED", "1"))
SLOWEST_SECONDS = 2.0  # of 400 instructions, on a machine that does other things too
MOST_MEMORY_KILOBYTES = 600_000  # with the quarantine of an address sanitizer
CONFIGURATIONS = {device: builds_of(device) for device in EACH_PLATFORM}


def write_corpus(directory: Path, device: str) -> list[Path]:
    """The machine code of every committed kernel for a device, one file each."""
    paths = []
    for configuration in CONFIGURATIONS[device]:
        for number, (_, code) in enumerate(sections(configuration)):
            path = directory / f"{configuration}-{number}.bin"
            path.write_bytes(code)
            paths.append(path)
    return paths


def run_mutants(device: str, seed: int, count: int, corpus: list[Path]) -> str:
    platform = DEVICES[device].platform.name.lower()
    command = [native_program("xesim_eu_fuzz_words"), platform, str(seed), str(count), *corpus]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("device", CONFIGURATIONS)
def test_mutated_kernels_end_with_a_report_and_in_bounded_memory(
    device: str, tmp_path: Path
) -> None:
    corpus = write_corpus(tmp_path, device)
    assert len(corpus) > 60
    counts = dict(pair.split("=") for pair in run_mutants(device, SEED, MUTANTS, corpus).split())
    for outcome in ("budget", "barrier", "end", "faults", "illegal"):
        assert int(counts[outcome]) > MUTANTS // 100, (outcome, counts)
    assert int(counts["slowest_microseconds"]) < SLOWEST_SECONDS * 1e6, counts
    assert int(counts["peak_kilobytes"]) < MOST_MEMORY_KILOBYTES, counts


def test_the_same_seed_makes_the_same_mutants(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, "bmg")

    def outcomes(seed: int) -> str:
        return run_mutants("bmg", seed, 300, corpus).split(" peak_")[0].split(" slowest_")[0]

    assert outcomes(7) == outcomes(7) != outcomes(1000)
