"""OpenCL for tests that compare with PoCL: ``cl`` is pyopencl, and PoCL its only platform."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ.setdefault("OCL_ICD_VENDORS", "/etc/OpenCL/vendors/pocl.icd")
# PoCL asks /sys for cores and memory, and gives up where it is not mounted, as in a plain chroot.
if not Path("/sys/devices/system/cpu").exists():
    os.environ.setdefault("HWLOC_SYNTHETIC", f"numa:1(memory={8 << 30}) pu:2")

cl = pytest.importorskip("pyopencl")
