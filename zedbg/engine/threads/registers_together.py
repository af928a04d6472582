"""Registers of many threads of a device, read without work in between: that takes a fraction of
reading them one by one. What the driver refuses is asked for again when it is needed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence

from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.threads.thread_registers import ThreadRegisters
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.xe.registers import RegisterKind, RegisterSet


def read_together(
    device: DeviceContents, threads: Sequence[ThreadRegisters], *kinds: RegisterKind
) -> None:
    """Reads whole sets of registers of all of ``threads``.

    General registers are many, and not all threads have as many: see :func:`read_headers` and
    :func:`read_general_registers`.
    """
    for kind in kinds:
        registers = device.register_layout.get(kind)
        if registers is not None:
            wanted = [thread for thread in threads if thread.lacks(kind)]
            _read(device, wanted, registers, registers.count, ThreadRegisters.take_registers)


def read_headers(device: DeviceContents, threads: Sequence[ThreadRegisters]) -> None:
    """Reads the first general register of all of ``threads``."""
    registers = device.register_layout.get(RegisterKind.GRF)
    wanted = [thread for thread in threads if thread.lacks_first(RegisterKind.GRF)]
    if registers is not None:
        _read(device, wanted, registers, 1, ThreadRegisters.take_first_register)


def read_general_registers(device: DeviceContents, threads: Iterable[ThreadRegisters]) -> None:
    """Reads all general registers of all of ``threads``."""
    by_set: dict[RegisterSet, list[ThreadRegisters]] = {}
    for thread in threads:
        with contextlib.suppress(LevelZeroError):  # one that is gone
            registers = thread.register_layout.get(RegisterKind.GRF)
            if registers is not None and thread.lacks(RegisterKind.GRF):
                by_set.setdefault(registers, []).append(thread)
    for registers, wanted in by_set.items():
        _read(device, wanted, registers, registers.count, ThreadRegisters.take_registers)


def _read(
    device: DeviceContents,
    threads: Sequence[ThreadRegisters],
    registers: RegisterSet,
    count: int,
    take: Callable[[ThreadRegisters, RegisterKind, bytes], None],
) -> None:
    """Has each of ``threads`` ``take`` its first ``count`` ones of ``registers``."""
    if not threads:
        return
    kind = registers.kind
    places = [thread.place.fields for thread in threads]
    found = device.debug.read_registers_of(places, kind, count, registers.byte_size)
    for thread, data in zip(threads, found, strict=True):
        if data is not None:
            take(thread, kind, data)
