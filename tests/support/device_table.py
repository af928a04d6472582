"""The table of devices in docs/simulated-gpu.md, from the rows of zedbg/xe/devices.py.

``python -m tests.support.device_table`` writes it there; a test compares.
"""

from __future__ import annotations

import re

from tests.support.places import REPOSITORY
from zedbg.xe.devices import DEVICES, Device

PAGE = REPOSITORY / "docs" / "simulated-gpu.md"
_TABLE = re.compile(r"^\| name \|.*?\n(?=\n)", re.MULTILINE | re.DOTALL)


def _row(device: Device) -> str:
    shape = (
        device.slices,
        device.subslices_per_slice,
        device.eus_per_subslice,
        device.threads_per_eu,
    )
    name = device.name.removeprefix("Intel(R) ").removesuffix(" (simulated)").replace("(TM)", "")
    isa = device.platform.name.replace("_", "-")
    tiles = f", {device.tiles} tiles" if device.tiles > 1 else ""
    product = " x ".join(map(str, shape))
    size = f"{device.platform.grf_bytes} bytes"
    return (
        f"| `{device.key}` | {name}{tiles} | {isa} | {product} = {device.thread_count:,} | {size} |"
    )


def table() -> str:
    """The table in Markdown, with a newline at its end."""
    head = "| name | device | instruction set | slices x subslices x EUs x threads | registers |"
    return "\n".join([head, "|---|---|---|---|---|", *map(_row, DEVICES.values())]) + "\n"


def with_table(page: str) -> str:
    """The page with its table as the rows say."""
    return _TABLE.sub(lambda _: table(), page, count=1)


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text()))
