"""Every row of zedbg/xe/devices.py is a device that runs what Intel's compiler makes for it.

Devices of an instruction set that others have too come with a few modules; what these compute is
what PoCL computes. The notes of the modules are what the compiler says of the device.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.devices import ALL, EACH_PLATFORM, builds_of
from tests.support.kernels.committed_kernels import expected, module_of, run
from tests.support.kernels.kernel_case import check_results
from tests.support.kernels.kernel_cases import CASES
from tests.support.packed_modules import ZEBINS
from zedbg.xe.devices import DEVICES
from zedbg.zebin import Module
from zedbg.zebin.products import instruction_set_of

pytestmark = pytest.mark.native

# The others run every kernel, in test_kernels_against_pocl.
LATER = [device for device in ALL if device not in EACH_PLATFORM]


@pytest.mark.parametrize("device", ALL)
def test_the_compiler_calls_the_device_what_its_row_does(device: str) -> None:
    row = DEVICES[device]
    builds = [build for build in builds_of(device) if build.startswith("igc2")]
    assert len(builds) == 2, f"tests/kernels/zebin has no modules of the newest compiler: {device}"
    for build in builds:
        notes = Module.open(ZEBINS / build / "vadd.zebin").notes
        assert notes.ip_version is not None
        assert notes.product_family == row.product_family
        assert notes.ip_version.architecture == row.ip_version[0]
        assert instruction_set_of(notes) is row.platform


@pytest.mark.parametrize(
    ("number", "configuration"),
    [
        pytest.param(number, configuration, id=f"{case.kernel}-{configuration}")
        for device in LATER
        for configuration in builds_of(device)
        for number, case in enumerate(CASES)
        if module_of(case, configuration).exists()
    ],
)
def test_results_equal_those_of_pocl(number: int, configuration: str, tmp_path: Path) -> None:
    case = CASES[number]
    report, found = run(case, configuration, tmp_path)
    assert report == ""
    check_results(case, found, expected(number, configuration))
