"""Rows about a session: devices, modules, threads, lanes, breakpoints, frames, settings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from zedbg.commands.rows.row import Row
from zedbg.missing import Missing


@dataclass(frozen=True)
class CommandHelp(Row):
    """A command as ``help`` lists it."""

    name: str
    aliases: tuple[str, ...]
    category: str
    summary: str


@dataclass(frozen=True, kw_only=True)
class DeviceRow(Row):
    """A device under debug (``info devices``)."""

    number: int
    name: str
    vendor_id: int
    device_id: int
    slices: int
    subslices: int
    eus: int
    threads_per_eu: int
    threads: int
    state: str


@dataclass(frozen=True, kw_only=True)
class ModuleRow(Row):
    """A module that is loaded (``info modules``).

    ``kernels`` are as in the source; ``image``: the device image of the program (file and number)
    that it was made from, None when it was made from none that is known. ``constants``: its
    specialization constants with their values in the program, numbers or hexadecimal bytes.
    ``debug_info_advice``: what to do to have debug information, None where there is some.
    """

    number: int
    device: int
    load: int
    size: int
    kernels: tuple[str, ...]
    debug_info: bool
    debug_info_advice: str | None = None
    build_options: str | None
    image: str | None = None
    constants: Mapping[str, int | str | Missing | None] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class KernelRow(Row):
    """A kernel of a loaded module (``info kernels``); sizes in bytes."""

    name: str  # as in the source
    module: int
    address: int
    size: int
    simd: int
    grf: int
    slm: int
    barriers: int
    private: int
    spill: int
    arguments: int
    symbol: str  # as in the module


@dataclass(frozen=True, kw_only=True)
class ThreadRow(Row):
    """A hardware thread (``info threads``)."""

    id: str
    name: str
    state: str
    kernel: str | None
    workgroup: tuple[int, int, int] | Missing
    lanes: tuple[int, ...]
    pc: int | Missing
    function: str | None
    file: str | None
    line: int | None
    focused: bool
    focused_lane: int | None
    title: str | None = None  # what the user calls it


@dataclass(frozen=True)
class WorkgroupSpan:
    """``count`` work-groups, from the lowest ``first`` to the highest ``last``."""

    count: int
    first: tuple[int, int, int]
    last: tuple[int, int, int]

    @classmethod
    def of(cls, groups: Collection[tuple[int, int, int]]) -> WorkgroupSpan | None:
        """All of ``groups``; None when there are none."""
        return cls(len(groups), min(groups), max(groups)) if groups else None


@dataclass(frozen=True, kw_only=True)
class ThreadGroupRow(Row):
    """The threads that are at one place of one kernel in one state (``info threads/g``).

    ``ids``: ranges of them, as commands take them; ``lanes``: how many are active in all of them.
    """

    count: int
    ids: tuple[str, ...]
    state: str
    kernel: str | None
    lanes: int | None
    workgroups: WorkgroupSpan | None
    pc: int | Missing
    function: str | None
    file: str | None
    line: int | None
    focused: bool


@dataclass(frozen=True, kw_only=True)
class WorkgroupRow(Row):
    """A work-group of which threads are stopped (``info workgroups``).

    ``threads``: how many it has, None where that is not known; ``lanes``: active ones of those that
    are stopped; ``places``: where they are, as ``FILE:LINE (COUNT)``.
    """

    workgroup: tuple[int, int, int]
    kernel: str | None
    stopped: int
    threads: int | None
    lanes: int
    ids: tuple[str, ...]
    places: tuple[str, ...]
    focused: bool


@dataclass(frozen=True, kw_only=True)
class LaneRow(Row):
    """A lane of a hardware thread (``info lanes``).

    ``dispatched``: whether it holds a work-item. ``pc`` and ``place`` are where it executes, None
    while it does not: lanes wait for each other where their paths meet again, and no register says
    where that is.
    """

    lane: int
    active: bool
    dispatched: bool
    global_id: tuple[int, int, int] | Missing
    local_id: tuple[int, int, int] | Missing
    pc: int | None
    place: str | None
    focused: bool


@dataclass(frozen=True)
class BreakpointLocationRow(Row):
    """One place of a breakpoint."""

    address: int
    kernel: str | None
    function: str | None
    file: str | None
    line: int | None
    enabled: bool


@dataclass(frozen=True, kw_only=True)
class BreakpointRow(Row):
    """A breakpoint (``break``, ``info breakpoints``). ``hits``: how many stops it made;
    ``threads``: of how many threads, those that were ignored too; ``log``: the text that it says
    instead of stopping; ``printf``: the format and arguments of a dprintf."""

    number: int
    type: str
    disposition: str
    enabled: bool
    spec: str
    condition: str | None
    hits: int
    ignore: int
    pending: bool
    locations: tuple[BreakpointLocationRow, ...]
    note: str | None
    log: str | None = None
    restriction: str | None = None
    stops_left: int | None = None
    commands: tuple[str, ...] = ()
    printf: str | None = None
    threads: int = 0
    why_pending: str | None = None


@dataclass(frozen=True)
class SkipRow(Row):
    """What steps do not stop in (``info skip``). ``glob``, ``pattern``: how the names are meant."""

    number: int
    enabled: bool
    file: str | None
    glob: bool
    function: str | None
    pattern: bool


@dataclass(frozen=True)
class LineRow(Row):
    """The code of a source line (``info line``): ``end`` is the address after its last
    instruction. A line without code has both where the next line that has code begins."""

    file: str
    line: int
    start: int
    end: int
    function: str | None


@dataclass(frozen=True)
class SourceFileRow(Row):
    """A source file (``info source``); ``found`` is where its text is."""

    file: str
    directory: str
    found: str | None
    lines: int | None
    functions: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class FrameRow(Row):
    """A frame (``backtrace``, and where a stop is)."""

    level: int
    pc: int
    function: str | None
    kernel: str | None
    arguments: str
    file: str | None
    line: int | None
    focused: bool = False


@dataclass(frozen=True, kw_only=True)
class FrameInfoRow(Row):
    """A frame in detail (``info frame``). ``lanes``: those that execute it; ``address``: its
    canonical frame address; ``caller_pc``: where it returns to; ``saved``: registers of its caller
    that it saved."""

    level: int
    pc: int
    function: str | None
    kernel: str | None
    file: str | None
    line: int | None
    inlined: bool
    lanes: tuple[int, ...]
    address: int | Missing
    caller: str | None
    caller_pc: int | Missing
    saved: tuple[str, ...]


@dataclass(frozen=True)
class SourceRow(Row):
    """A line of source (``list``, and under a stop)."""

    file: str
    line: int
    text: str
    current: bool


@dataclass(frozen=True, kw_only=True)
class InstructionRow(Row):
    """An instruction (``disassemble``, ``x/i``). ``targets``: where it may branch to; ``lanes``:
    those that the one that executes next acts for, None for the others."""

    address: int
    function: str | None
    offset: int | None
    text: str
    current: bool
    breakpoint: bool
    raw: str | None = None
    targets: tuple[int, ...] = ()
    lanes: tuple[int, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class FocusRow(Row):
    """The thread and lane that commands look at, and their work."""

    id: str
    name: str
    lane: int | None
    kernel: str | None
    workgroup: tuple[int, int, int] | Missing
    global_id: tuple[int, int, int] | Missing | None
    local_id: tuple[int, int, int] | Missing | None


@dataclass(frozen=True)
class ExceptionKindRow(Row):
    """What zedbg does at an exception of a kernel (``info signals``), named as ``catch`` has it.

    ``stops``: whether the thread stops; ``passed``: whether the program takes it when it goes on.
    """

    name: str
    stops: bool
    passed: bool
    summary: str


@dataclass(frozen=True)
class SettingRow(Row):
    """A setting (``set``, ``show``)."""

    name: str
    value: str
    summary: str


@dataclass(frozen=True)
class PluginRow(Row):
    """A plugin (``plugin list``). ``adds``: what it adds to the session; ``fault``: what switched
    it off."""

    name: str
    state: str
    adds: tuple[str, ...]
    origin: str
    fault: str | None
