"""What the simulated driver recorded of a launch: its profile and trace files, read into objects.

The files are described in docs/simulated-gpu.md: lines with fields separated by tabs, the first
one names the kind of file and its version.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from zedbg.user_error import UserError

PROFILE_VARIABLE = "XESIM_PROFILE"
TRACE_VARIABLE = "XESIM_TRACE"
LIMIT_VARIABLE = "XESIM_TRACE_LIMIT"
GROUP_VARIABLE = "XESIM_TRACE_GROUP"
THREAD_VARIABLE = "XESIM_TRACE_THREAD"

_PROFILE_HEADER = ["xesim-profile", "1"]
_TRACE_HEADER = ["xesim-trace", "1"]


class RecordingError(UserError):
    """There is no such file, or it cannot be read; the message is the line for the user."""


@dataclass(frozen=True)
class InstructionCount:
    """One instruction of a section: executions, and lanes of those that obey the mask."""

    offset: int  # bytes from the start of the section
    executions: int
    lanes: int  # that were enabled, over all executions
    slots: int  # that there were; 0 for an instruction that ignores the execution mask


@dataclass
class SectionProfile:
    """What was executed of one code section."""

    name: str
    size: int
    counts: list[InstructionCount] = field(default_factory=list)


@dataclass(frozen=True)
class TracedInstruction:
    """One executed instruction."""

    section: str
    offset: int  # bytes from the start of the section
    lanes: int  # a mask of those that it acted for
    group: tuple[int, int, int]
    thread: int  # in its work-group


@dataclass(frozen=True)
class Trace:
    """Executed instructions in their order, and how many more there were than were recorded."""

    instructions: list[TracedInstruction]
    omitted: int


def read_profile(path: Path) -> list[SectionProfile]:
    """The sections of the modules that were loaded.

    Raises:
        RecordingError: the driver wrote no profile, or not one that is known here.
    """
    sections: list[SectionProfile] = []
    for fields in _lines(path, _PROFILE_HEADER):
        match fields:
            case ["section", name, _start, size]:
                sections.append(SectionProfile(name, int(size)))
            case ["instruction", offset, executions, lanes, slots]:
                count = InstructionCount(int(offset), int(executions), int(lanes), int(slots))
                sections[-1].counts.append(count)
            case _:
                raise RecordingError(f"{path}: cannot read the line {fields!r}")
    return sections


def read_trace(path: Path) -> Trace:
    """The trace that the driver wrote.

    Raises:
        RecordingError: the driver wrote no trace, or not one that is known here.
    """
    sections: list[tuple[str, int, int]] = []
    instructions: list[TracedInstruction] = []
    omitted = 0
    for fields in _lines(path, _TRACE_HEADER):
        match fields:
            case ["section", name, start, size]:
                sections.insert(0, (name, int(start), int(size)))
            case ["instruction", ip, lanes, x, y, z, thread]:
                name, offset = _place(sections, int(ip))
                group = (int(x), int(y), int(z))
                each = TracedInstruction(name, offset, int(lanes, 16), group, int(thread))
                instructions.append(each)
            case ["omitted", count]:
                omitted = int(count)
            case _:
                raise RecordingError(f"{path}: cannot read the line {fields!r}")
    return Trace(instructions, omitted)


def _place(sections: list[tuple[str, int, int]], ip: int) -> tuple[str, int]:
    for name, start, size in sections:
        if start <= ip < start + size:
            return name, ip - start
    return "", ip


def _lines(path: Path, header: list[str]) -> Iterator[list[str]]:
    try:
        with path.open(encoding="utf-8") as file:
            first = file.readline().rstrip("\n").split("\t")
            if first != header:
                raise RecordingError(f"{path}: not a recording that is known here: {first!r}")
            for line in file:
                yield line.rstrip("\n").split("\t")
    except FileNotFoundError:
        raise RecordingError("the driver recorded nothing: only the simulated GPU does") from None
