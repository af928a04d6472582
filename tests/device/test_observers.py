"""Observers get what they subscribe to, whatever else others want. One that wants nothing is
as none: the launch uses several threads of the host."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.kernels.kernel_cases import CASES
from tests.support.kernels.kernel_words import launch_words
from tests.support.native_programs import native_program
from tests.support.packed_modules import ZEBINS

pytestmark = [pytest.mark.native, pytest.mark.cases(2)]

KINDS = ("threads", "instructions", "memory", "barriers")
WITH_BARRIERS = "transpose"


def calls(kernel: str, configuration: str, directory: Path) -> dict[str, dict[str, int]]:
    """The calls of each kind, and threads of the process, by what was subscribed to."""
    case = next(each for each in CASES if each.kernel == kernel)
    module = ZEBINS / configuration / f"{case.source}.zebin"
    words, _ = launch_words(case, module, directory)
    command = [str(native_program("xesim_device_observers")), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    counts = {}
    for line in done.stdout.splitlines():
        name, *numbers = line.split()
        counts[name] = dict(zip((*KINDS, "tasks"), map(int, numbers), strict=True))
    return counts


@pytest.mark.parametrize("configuration", ["igc2-dg2-O2", "igc1-dg2-O0", "igc2-bmg-O0"])
@pytest.mark.parametrize("kernel", ["vadd", WITH_BARRIERS])
def test_each_kind_of_call_reaches_its_subscribers(
    kernel: str, configuration: str, tmp_path: Path
) -> None:
    found = calls(kernel, configuration, tmp_path)
    everything = found["everything"]
    assert everything["instructions"] > everything["threads"] > 1 and everything["memory"] > 1
    assert bool(everything["barriers"]) == (kernel == WITH_BARRIERS)
    for kind in KINDS:
        assert found[kind][kind] == everything[kind]
    assert found["memory"]["instructions"] == found["barriers"]["instructions"] == 0
    assert found["threads"]["memory"] == found["instructions"]["memory"] == 0
    assert all(each["tasks"] == 1 for name, each in found.items() if name != "nothing")


@pytest.mark.parametrize("configuration", ["igc2-dg2-O2", "igc2-pvc-O0"])
def test_an_observer_of_nothing_is_as_none(configuration: str, tmp_path: Path) -> None:
    found = calls("vadd", configuration, tmp_path)["nothing"]
    assert found.pop("tasks") > 1
    assert not any(found.values())
