"""Devices, and what is loaded on them, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zedbg.commands.rows import session_rows
from zedbg.frontends.text.rendering import plain, renders, table

# Of one module in a line of a table; modules of libraries have hundreds.
_MOST_CONSTANTS = 4
_MOST_KERNELS = 8


@renders(session_rows.DeviceRow)
def _devices(rows: list[session_rows.DeviceRow]) -> Iterator[str]:
    yield from table(
        ("Num", "Device Name", "Vendor Id", "Device Id", "Slices", "EUs", "Threads", "State"),
        (
            (
                str(row.number),
                row.name,
                f"{row.vendor_id:#06x}",
                f"{row.device_id:#06x}",
                str(row.slices),
                str(row.slices * row.subslices * row.eus),
                str(row.threads),
                row.state,
            )
            for row in rows
        ),
    )


@renders(session_rows.ModuleRow)
def _modules(rows: list[session_rows.ModuleRow]) -> Iterator[str]:
    constants = any(row.constants for row in rows)
    yield from table(
        (
            "Num",
            "Load Address",
            "Debug Info",
            "Device Image",
            *(["Constants"] if constants else []),
            "Kernels",
        ),
        (
            (
                str(row.number),
                f"{row.load:#018x}",
                "yes" if row.debug_info else f"no ({row.debug_info_advice})",
                row.image or "-",
                *([_constants_text(row) or "-"] if constants else []),
                _first_few(row.kernels, _MOST_KERNELS, "info kernels"),
            )
            for row in rows
        ),
    )


def _constants_text(row: session_rows.ModuleRow) -> str:
    constants = [f"{name}={plain(value)}" for name, value in row.constants.items()]
    return _first_few(constants, _MOST_CONSTANTS, "zeinfo")


def _first_few(texts: Sequence[str], most: int, command: str) -> str:
    """``texts``, or the first ones of ``most`` and what lists all of them."""
    left = len(texts) - most
    return ", ".join(texts if left <= 0 else [*texts[:most], f"and {left} more ({command})"])


@renders(session_rows.KernelRow)
def _kernels(rows: list[session_rows.KernelRow]) -> Iterator[str]:
    yield from table(
        ("Kernel", "Module", "Address", "Size", "SIMD", "GRF", "SLM", "Barriers", "Private",
         "Spill", "Args"),
        (
            (
                row.name,
                str(row.module),
                f"{row.address:#018x}",
                *(
                    str(each)
                    for each in (row.size, row.simd, row.grf, row.slm, row.barriers, row.private,
                                 row.spill, row.arguments)
                ),
            )
            for row in rows
        ),
    )  # fmt: skip
