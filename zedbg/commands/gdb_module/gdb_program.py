"""The program as GDB's scripts see it: frames, threads, the inferior, symbols."""

from __future__ import annotations

from typing import Any

from zedbg.commands.extending.plugin import running_plugin
from zedbg.commands.gdb_module.gdb_errors import as_gdb, error
from zedbg.commands.gdb_module.gdb_plugin import Printers
from zedbg.commands.gdb_module.gdb_type import Type, debug_info, lookup_type
from zedbg.commands.gdb_module.gdb_value import Value, here
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.threads import frames as engine
from zedbg.engine.threads.frame_contexts import frame_context
from zedbg.engine.threads.thread import HardwareThread
from zedbg.values.source.frame_context import visible_variables
from zedbg.xe.coordinates import lanes_of


class Symtab:
    """``gdb.Symtab``: a source file."""

    def __init__(self, path: str) -> None:
        self.filename = path
        self.objfile = None

    def fullname(self) -> str:
        return self.filename

    def is_valid(self) -> bool:
        return True


class SymtabAndLine:
    """``gdb.Symtab_and_line``."""

    def __init__(self, location: CodeLocation) -> None:
        self.pc = location.pc
        self.line = location.line or 0
        self.symtab = Symtab(location.file) if location.file else None

    def is_valid(self) -> bool:
        return True


class Symbol:
    """``gdb.Symbol``: a function or a variable; ``type`` is None for a function."""

    def __init__(self, name: str, kind: Type | None, location: CodeLocation | None = None) -> None:
        self.name = self.linkage_name = self.print_name = name
        self.type = kind
        self.line = (location.line if location else None) or 0
        self.symtab = Symtab(location.file) if location and location.file else None
        self.is_function = kind is None
        self.is_variable = kind is not None
        self.is_argument = self.is_constant = False
        self.needs_frame = True

    def value(self, frame: Frame | None = None) -> Value:
        within = frame.context() if frame is not None else here()
        return Value.evaluated(self.name, *within)

    def is_valid(self) -> bool:
        return True

    def __str__(self) -> str:
        return self.name


class Block:
    """``gdb.Block``: the variables in scope, as its symbols."""

    def __init__(self, frame: Frame) -> None:
        self.function = frame.function()
        self.superblock = None
        self.is_global = self.is_static = False
        context, _ = frame.context()
        self._symbols = [
            Symbol(each.name, Type(each.type)) for _, each in visible_variables(context)
        ]

    def __iter__(self) -> Any:  # noqa: ANN401
        return iter(self._symbols)

    def is_valid(self) -> bool:
        return True


class Architecture:
    """``gdb.Architecture``: what kernels are compiled for."""

    def name(self) -> str:
        return "intelgt"


class Frame:
    """``gdb.Frame`` of the focused thread."""

    def __init__(self, thread: HardwareThread, frame: engine.Frame, lane: int) -> None:
        self._thread, self._frame, self._lane = thread, frame, lane

    def context(self) -> Any:  # noqa: ANN401 - what evaluation takes
        """What an expression sees in it, and the lane."""
        return frame_context(self._thread, self._frame), self._lane

    def name(self) -> str | None:
        return self._frame.location.function

    def pc(self) -> int:
        return self._frame.pc

    def level(self) -> int:
        return self._frame.level

    def is_valid(self) -> bool:
        return self._thread.is_stopped

    def older(self) -> Frame | None:
        return self._other(1)

    def newer(self) -> Frame | None:
        return self._other(-1)

    def _other(self, distance: int) -> Frame | None:
        level = self.level() + distance
        frames = engine.backtrace(self._thread).frames
        inside = 0 <= level < len(frames)
        return Frame(self._thread, frames[level], self._lane) if inside else None

    def function(self) -> Symbol | None:
        name = self.name()
        return Symbol(name, None, self._frame.location) if name else None

    def architecture(self) -> Architecture:
        return Architecture()

    def find_sal(self) -> SymtabAndLine:
        return SymtabAndLine(self._frame.location)

    def block(self) -> Block:
        return Block(self)

    @as_gdb
    def read_var(self, name: str | Symbol, block: object = None) -> Value:
        return Value.evaluated(str(name), *self.context())

    @as_gdb
    def read_register(self, name: str) -> Value:
        return Value.evaluated(f"${name}", *self.context())

    def select(self) -> None:
        running_plugin().context.frame_level = self.level()

    def type(self) -> int:
        unwound = self._frame.unwound
        return 1 if unwound is not None and unwound.is_inlined else 0

    def unwind_stop_reason(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Frame) and other._thread is self._thread
        return same and isinstance(other, Frame) and other.level() == self.level()

    def __hash__(self) -> int:
        return hash((id(self._thread), self.level()))


@as_gdb
def selected_frame() -> Frame:
    context = running_plugin().context
    return Frame(context.thread, context.frame, context.focus.lane)


@as_gdb
def newest_frame() -> Frame:
    context = running_plugin().context
    frame = engine.backtrace(context.thread, 1).frames[0]
    return Frame(context.thread, frame, context.focus.lane)


class InferiorThread:
    """``gdb.InferiorThread``: a hardware thread. ``num`` is its number on its device."""

    def __init__(self, thread: HardwareThread) -> None:
        self._thread = thread
        self.num = self.global_num = thread.number
        self.name = thread.name
        self.ptid = (running_pid(), thread.number, 0)
        self.inferior = Inferior()

    def is_valid(self) -> bool:
        return self._thread.is_stopped

    def is_stopped(self) -> bool:
        return self._thread.is_stopped

    def is_running(self) -> bool:
        return not self._thread.is_stopped

    def is_exited(self) -> bool:
        return False

    @as_gdb
    def switch(self) -> None:
        running_plugin().context.session.select(self._thread)


def running_pid() -> int:
    process = running_plugin().context.process
    return process.pid if process is not None else 0


@as_gdb
def selected_thread() -> InferiorThread | None:
    focus = running_plugin().context.session.focus
    return InferiorThread(focus.thread) if focus is not None else None


class Inferior:
    """``gdb.Inferior``: the program; its memory is the device's."""

    num = 1
    was_attached = False

    @property
    def pid(self) -> int:
        return running_pid()

    @property
    def progspace(self) -> Progspace:
        return Progspace()

    def is_valid(self) -> bool:
        return True

    @as_gdb
    def threads(self) -> tuple[InferiorThread, ...]:
        return tuple(map(InferiorThread, running_plugin().context.session.stopped_threads()))

    @as_gdb
    def read_memory(self, address: object, length: object) -> memoryview:
        start, size = int(address), int(length)  # type: ignore[call-overload]
        context, _ = here()
        return memoryview(context.read_memory(MemorySpace.GLOBAL, start, size))

    @as_gdb
    def write_memory(self, address: object, data: Any, length: object = None) -> None:  # noqa: ANN401
        written = data.encode() if isinstance(data, str) else bytes(data)
        size = len(written) if length is None else int(length)  # type: ignore[call-overload]
        context, _ = here()
        context.write_memory(MemorySpace.GLOBAL, int(address), written[:size])  # type: ignore[call-overload]

    @as_gdb
    def search_memory(self, address: object, length: object, pattern: Any) -> int | None:  # noqa: ANN401
        wanted = pattern.encode() if isinstance(pattern, str) else bytes(pattern)
        found = bytes(self.read_memory(address, length)).find(wanted)
        return None if found < 0 else int(address) + found  # type: ignore[call-overload]


class Progspace:
    """``gdb.Progspace``: the program's modules together."""

    filename = None

    def __init__(self) -> None:
        self.pretty_printers = Printers("pretty_printers")
        self.type_printers = Printers("type_printers")
        self.frame_filters = Printers("frame_filters")
        self.frame_unwinders: list[object] = []
        self.xmethods: list[object] = []

    def is_valid(self) -> bool:
        return True

    def objfiles(self) -> list[Objfile]:
        return objfiles()


class Objfile(Progspace):
    """``gdb.Objfile``: a module."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.filename = self.username = name  # type: ignore[assignment]
        self.progspace = None

    def lookup_global_symbol(self, name: str, domain: int = 0) -> Symbol | None:
        return lookup_global_symbol(name)


def objfiles() -> list[Objfile]:
    devices = running_plugin().context.session.devices
    return [Objfile(f"module {each.number}") for device in devices for each in device.modules]


@as_gdb
def lookup_symbol(name: str, block: object = None, domain: int = 0) -> tuple[Symbol | None, bool]:
    """A variable in scope, a global one or a function."""
    context, _ = here()
    for _, each in visible_variables(context):
        if each.name == name:
            return Symbol(name, Type(each.type)), False
    return lookup_global_symbol(name), False


@as_gdb
def lookup_global_symbol(name: str, domain: int = 0) -> Symbol | None:
    """A global variable or a function."""
    info = debug_info()
    if info is None:
        return None
    for each in info.globals:
        if each.name == name:
            return Symbol(name, Type(each.type))
    if info.functions_named(name):
        return Symbol(name, None)
    try:
        return Symbol(name, lookup_type(name))
    except error:
        return None


@as_gdb
def find_pc_line(pc: int) -> SymtabAndLine:
    for device in running_plugin().context.session.devices:
        for module in device.modules:
            if module.contains(int(pc)):
                return SymtabAndLine(module.locate(int(pc)))
    return SymtabAndLine(CodeLocation(int(pc)))


def lanes() -> list[int]:
    """zedbg's own: the active lanes of the focused thread."""
    return lanes_of(running_plugin().context.thread.active_lanes)
