"""Specialization constants of modules: the values that a program gave them when it built each one.

A driver compiles SPIR-V with the values that the program passes (``ze_module_constants_t``), and
nothing of them is left in the module: they are known only where ``libzedbg_hold.so``
(native/launch) is in the program. It reports each call to the debugger that started the program,
and keeps the report for one that is attached later: :mod:`zedbg.engine.process.constants_message`.
Modules that were compiled ahead read the values from a buffer that SYCL programs pass as an
argument of the kernel: :func:`values_in_buffer`.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # most programs have no such constants
    from zedbg.sycl.property_values import SpecializationConstant


@dataclass(frozen=True)
class ModuleConstants:
    """What process ``pid`` gave a module when it built it from SPIR-V.

    ``values`` are the first bytes of each value (up to eight, as the call does not have its size)
    by the constant's SPIR-V id; ``input_size`` (bytes) and ``input_crc`` (CRC-32) name the SPIR-V.
    """

    pid: int
    input_size: int
    input_crc: int
    values: Mapping[int, bytes]


class BuiltModules:
    """The constants of the modules that a process built, in the order of the builds."""

    def __init__(self) -> None:
        self._built: list[tuple[int, ModuleConstants]] = []

    def add(self, constants: ModuleConstants, loaded: int) -> None:
        """Remembers a build, at whose beginning ``loaded`` modules had been loaded."""
        self._built.append((loaded, constants))

    def clear(self) -> None:
        """The process is gone."""
        self._built.clear()

    def of_module(self, number: int, pid: int, spirv: bytes) -> ModuleConstants | None:
        """What module ``number`` was given, which process ``pid`` built from ``spirv``.

        The latest build of it that began before the module was loaded; None when there is none.
        """
        identity = (pid, len(spirv), zlib.crc32(spirv))
        fitting = (
            each
            for loaded, each in reversed(self._built)
            if loaded < number and (each.pid, each.input_size, each.input_crc) == identity
        )
        return next(fitting, None)


def recorded_build(
    recorded: Sequence[ModuleConstants], spirv: bytes
) -> ModuleConstants | int | None:
    """What the modules that a program built from ``spirv`` were given, by its record.

    None when it built none; the number of builds, when these were given different values: the
    record does not say which module was which.
    """
    crc = zlib.crc32(spirv)
    builds = [each for each in recorded if (each.input_size, each.input_crc) == (len(spirv), crc)]
    if any(each.values != builds[0].values for each in builds):
        return len(builds)
    return builds[0] if builds else None


def built_value(constant: SpecializationConstant, built: ModuleConstants) -> bytes | None:
    """The bytes of ``constant`` in a module that was built with ``built``.

    Scalars that were given no value keep their default; None when one has neither.
    """
    value = bytearray(constant.size)
    known = constant.default if constant.default is not None else b""
    value[: len(known)] = known[: constant.size]
    for element in constant.elements:
        if element.is_padding:
            continue
        given = built.values.get(element.id, b"")
        if len(given) >= element.size:
            value[element.offset : element.offset + element.size] = given[: element.size]
        elif len(known) < element.offset + element.size:
            return None
    return bytes(value)


def values_in_buffer(
    constants: Sequence[SpecializationConstant], buffer: bytes
) -> dict[str, bytes]:
    """The bytes of each constant, by its name, in the buffer that a program passes to kernels.

    The buffer is laid out as the block of the defaults is: one constant after the other, in the
    order of their descriptors.
    """
    return {
        constant.name: buffer[constant.offset : constant.offset + constant.size]
        for constant in constants
    }


def buffer_size(constants: Sequence[SpecializationConstant]) -> int:
    """Bytes of that buffer."""
    return max((constant.offset + constant.size for constant in constants), default=0)
