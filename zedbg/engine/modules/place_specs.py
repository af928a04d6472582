"""What people name places in code by, as data."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zedbg.engine.engine_errors import BreakpointError

_ENTRY = re.compile(
    r"\*\s*&?\s*([A-Za-z_]\w*(?:::\w+)*)\s*(?:([+-])\s*(0x[0-9a-fA-F]+|0|[1-9]\d*))?"
)


@dataclass(frozen=True)
class LineSpec:
    """``FILE:LINE``, or ``LINE`` alone (``file`` None: every file)."""

    file: str | None
    line: int


@dataclass(frozen=True)
class FunctionSpec:
    """A kernel, or a function that kernels call; ``file`` (None: any) is the one that has it."""

    name: str
    file: str | None = None


@dataclass(frozen=True)
class AddressSpec:
    """``*ADDRESS`` on every device that has code there."""

    address: int


@dataclass(frozen=True)
class EntrySpec:
    """``*NAME``, ``*&NAME`` or ``*NAME+OFFSET``: ``offset`` bytes from the first instruction of a
    function, wherever that is loaded."""

    name: str
    offset: int = 0


@dataclass(frozen=True)
class KernelSpec:
    """``kernel GLOB``: every kernel whose name fits, ``*`` and ``?`` as in file names."""

    pattern: str


PlaceSpec = LineSpec | FunctionSpec | AddressSpec | EntrySpec | KernelSpec
"""What people name places in code by."""


def parse_spec(text: str) -> PlaceSpec:
    """Reads ``FILE:LINE``, ``LINE``, ``NAME``, ``FILE:NAME``, ``*ADDRESS``, ``*NAME+OFFSET`` or
    ``kernel GLOB``, in single quotes or without; BreakpointError when it is none."""
    text = text.strip()
    if not text:
        raise BreakpointError("A breakpoint needs FILE:LINE, a function, or *ADDRESS.")
    if text.startswith("*"):
        try:
            return AddressSpec(int(text[1:].strip(), 0))
        except ValueError:
            entry = _ENTRY.fullmatch(text)
            if entry is not None:
                return EntrySpec(entry[1], int("".join(entry.group(2, 3)), 0) if entry[2] else 0)
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
    match = re.fullmatch(r"([^:]+\.\w+):([A-Za-z_]\w*(?:::\w+)*)", text)
    if match:
        return FunctionSpec(match[2], match[1])
    if re.fullmatch(r"[A-Za-z_$<][\w$:<>,.*& ()~\[\]-]*(?<!:)", text):
        return FunctionSpec(text)
    raise BreakpointError(f'"{text}" is no FILE:LINE, function or *ADDRESS.')
