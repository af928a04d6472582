"""The table of devices in docs/simulated-gpu.md says what the rows of zedbg/xe/devices.py say."""

from __future__ import annotations

from tests.support.device_table import PAGE, table
from zedbg.levelzero.selection import DEFAULT_SIM_DEVICE
from zedbg.xe.devices import DEFAULT_DEVICE


def test_the_page_lists_every_device() -> None:
    assert table() in PAGE.read_text(), (
        "zedbg/xe/devices.py says something else now: python -m tests.support.device_table"
    )


def test_the_default_is_the_same_in_both_places() -> None:
    assert DEFAULT_SIM_DEVICE == DEFAULT_DEVICE  # the former is in a layer that knows no devices
