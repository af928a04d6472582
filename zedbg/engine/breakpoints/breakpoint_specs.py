"""What breakpoints and catchpoints are asked to stop at, as data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from zedbg.engine.engine_errors import BreakpointError
from zedbg.engine.events.stops import StopReason


@dataclass(frozen=True)
class LineSpec:
    """``FILE:LINE``, or ``LINE`` alone (``file`` None: every file)."""

    file: str | None
    line: int


@dataclass(frozen=True)
class FunctionSpec:
    """A kernel, or a function that kernels call."""

    name: str


@dataclass(frozen=True)
class AddressSpec:
    """``*ADDRESS`` on every device that has code there."""

    address: int


@dataclass(frozen=True)
class KernelSpec:
    """``kernel GLOB``: every kernel whose name fits, ``*`` and ``?`` as in file names."""

    pattern: str


@dataclass(frozen=True)
class LaunchSpec:
    """The first thread of every launch of a kernel whose name fits ``pattern``."""

    pattern: str


class ModuleChange(Enum):
    """What happens to a module."""

    LOAD = "load"
    UNLOAD = "unload"

    @property
    def reason(self) -> StopReason:
        """The reason of a stop at it."""
        return StopReason.MODULE_LOAD if self is ModuleChange.LOAD else StopReason.MODULE_UNLOAD


@dataclass(frozen=True)
class ModuleSpec:
    """A module that comes or goes, and that has a kernel whose name fits ``pattern``."""

    change: ModuleChange
    pattern: str


@dataclass(frozen=True)
class ExceptionSpec:
    """An exception of a thread. It stops the thread in any case; the catchpoint counts it."""

    reason: StopReason


@dataclass(frozen=True)
class WatchSpec:
    """A value instead of a place: what ``watch`` watches."""

    expression: str


PlaceSpec = LineSpec | FunctionSpec | AddressSpec | KernelSpec
"""What people name places in code by."""

CodeSpec = PlaceSpec | LaunchSpec
"""What becomes places in code."""

BreakpointSpec = CodeSpec | ModuleSpec | ExceptionSpec | WatchSpec


def parse_spec(text: str) -> PlaceSpec:
    """Reads ``FILE:LINE``, ``LINE``, ``NAME``, ``*ADDRESS`` or ``kernel GLOB``, in single quotes or
    without; BreakpointError when it is none."""
    text = text.strip()
    if not text:
        raise BreakpointError("A breakpoint needs FILE:LINE, a function, or *ADDRESS.")
    if text.startswith("*"):
        try:
            return AddressSpec(int(text[1:].strip(), 0))
        except ValueError:
            raise BreakpointError(f'"{text[1:].strip()}" is not an address.') from None
    quoted = re.fullmatch(r"'([^']+)'", text)
    text = quoted[1] if quoted else text
    kernel = re.fullmatch(r"kernel\s+(\S.*)", text)
    if kernel:
        return KernelSpec(kernel[1])
    if re.fullmatch(r"\d+", text):
        return LineSpec(None, int(text))
    match = re.fullmatch(r"(.+):(\d+)", text)
    if match:
        return LineSpec(match[1], int(match[2]))
    if re.fullmatch(r"[A-Za-z_$<][\w$:<>,.*& ()~\[\]-]*(?<!:)", text):
        return FunctionSpec(text)
    raise BreakpointError(f'"{text}" is no FILE:LINE, function or *ADDRESS.')
