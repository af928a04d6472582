"""What a session knows, as words for completion."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from zedbg.commands.framework.completion import Part
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Kind
from zedbg.commands.framework.pane_names import BUILTIN_PANES
from zedbg.commands.framework.scopes import selected_scope
from zedbg.dwarf import DebugInfo
from zedbg.dwarf.lines.line_table import SourceFile
from zedbg.dwarf.types.program_types import PointerType, StructType
from zedbg.dwarf.units.units import Unit
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.place_specs import parse_spec
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.sycl.kernel_names import demangled
from zedbg.user_error import UserError
from zedbg.values.expressions.api import Expression
from zedbg.values.operands.dollar import ELEMENT_TYPES
from zedbg.values.source.frame_context import visible_variables
from zedbg.xe.coordinates import lanes_of

# Names that say where in the work the focus is; documented in the guide.
WORK_NAMES = (
    "pc",
    "ip",
    "_lane",
    "_global_id",
    "_local_id",
    "_workgroup",
    "_local_size",
    "_global_size",
    "_num_groups",
    "_thread",
    "_device",
    "_kernel",
    "_simd_width",
    "_exitcode",
)
# For so long one keystroke reads units of a module; the next one goes on.
_READING_SECONDS = 0.01


class _ReadUnits:
    """The units of a module as far as they have been read: those of a thousand kernels take longer
    than a keystroke may."""

    def __init__(self, info: DebugInfo | None) -> None:
        self._rest = iter(()) if info is None else info.units_one_by_one()
        self._units: list[Unit] = []
        self._lines: dict[tuple[Unit, SourceFile], set[int]] = {}

    def read_on(self) -> None:
        """Reads some more."""
        end = time.monotonic() + _READING_SECONDS
        while time.monotonic() < end:
            unit = next(self._rest, None)
            if unit is None:
                return
            self._units.append(unit)

    @property
    def file_names(self) -> set[str]:
        """Without their folders."""
        return {Path(file.name).name for unit in self._units for file in unit.files.values()}

    def lines(self, name: str) -> set[int]:
        """The lines of the file ``name`` that have code."""
        end = time.monotonic() + _READING_SECONDS
        found: set[int] = set()
        for unit in self._units:
            for file in unit.files.values():
                if not file.matches(name):
                    continue
                if (unit, file) not in self._lines:
                    if time.monotonic() > end:
                        continue  # the next keystroke
                    rows = (row for sequence in unit.sequences for row in sequence.rows)
                    self._lines[unit, file] = {
                        row.line for row in rows if row.file == file and row.line and not row.end
                    }
                found |= self._lines[unit, file]
        return found


class SessionVocabulary:
    """The words of each kind that exist now. What is read for them is what a stop reads anyway."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context
        self._functions: dict[LoadedModule, tuple[str, ...]] = {}
        self._units: dict[LoadedModule, _ReadUnits] = {}

    def of_kind(self, kind: Kind | Part, of: str = "", prefix: str = "") -> Iterable[str]:
        """Every word of ``kind``; empty when nothing is known."""
        try:
            return list(self._words(kind, of, prefix))
        except (UserError, OSError, ValueError):
            return []

    def _words(self, kind: Kind | Part, of: str, prefix: str) -> Iterator[str]:
        session = self._context.session
        match kind:
            case Kind.KERNEL:
                for module in self._modules():
                    yield from map(demangled, module.kernel_names)
            case Kind.LOCATION:
                for module in self._modules():
                    yield from self._functions_of(module)
                    yield from (f"{name}:" for name in self._units_of(module).file_names)
            case Kind.THREAD:
                yield from (thread.id for thread in session.stopped_threads())
            case Kind.LANE:
                yield from map(str, lanes_of(self._context.thread.active_lanes))
            case Kind.WORK_ITEM:
                yield from self._work_items()
            case Kind.REGISTER:
                sign = "$" if prefix.startswith("$") else ""
                yield from (sign + name for name in (*self._registers(), "all", "grf", "arf"))
            case Kind.EXPRESSION:
                yield from self._variables()
                yield from (f"${name}" for name in self._registers())
            case Kind.BREAKPOINT:
                yield from (str(each.number) for each in session.breakpoints)
            case Kind.SETTING:
                yield from self._context.settings.known
            case Kind.COMMAND:
                yield from self._context.registry.names
            case Kind.PANE:
                yield from (*BUILTIN_PANES, *self._context.hooks.panes, "off")
            case Kind.PROCESS:
                yield from (path.name for path in Path("/proc").glob("[0-9]*"))
            case Kind.FILE:
                yield from _paths(prefix)
            case Part.COMPLETER:
                yield from self._completed(of, prefix)
            case Part.MEMBER:
                yield from self._members(of)
            case Part.VARIABLE:
                yield from self._variables_at(of)
            case Part.LINE:
                yield from self._lines(of)
            case Part.LANE:
                lanes = lanes_of(self._thread(of).active_lanes)
                yield from (f"{of}:{lane}" for lane in lanes)
            case Part.DOLLAR:
                history = range(1, len(session.variables.history) + 1)
                yield from (f"${name}" for name in (*WORK_NAMES, *self._registers(), *history))
                yield from (f"${name}" for name in session.variables.names)

    def _completed(self, line: str, prefix: str) -> Iterator[str]:
        """What the command of ``line`` says itself that may follow."""
        declaration, count = self._context.registry.find(line.split())
        text = re.sub(rf"^\s*(?:\S+\s*){{{count}}}", "", line, count=1)
        if declaration.completer is not None:
            found = declaration.completer(self._context, text, prefix)
            yield from self._words(found, "", prefix) if isinstance(found, Kind) else found

    # --- the program ---------------------------------------------------------------------------

    def _modules(self) -> list[LoadedModule]:
        return [module for device in self._context.session.devices for module in device.modules]

    def _functions_of(self, module: LoadedModule) -> tuple[str, ...]:
        """Names of kernels and functions, from the symbols: to read every unit takes too long."""
        if module not in self._functions:
            symbols = module.image.functions if module.image is not None else []
            names = [*module.kernel_names, *(symbol.name for symbol in symbols)]
            self._functions[module] = tuple(dict.fromkeys(map(demangled, names)))
        return self._functions[module]

    def _units_of(self, module: LoadedModule) -> _ReadUnits:
        if module not in self._units:
            self._units[module] = _ReadUnits(module.debug_info)
        units = self._units[module]
        units.read_on()
        return units

    def _lines(self, file: str) -> Iterator[str]:
        for module in self._modules():
            for line in sorted(self._units_of(module).lines(file)):
                yield f"{file}:{line}"

    def _variables_at(self, place: str) -> Iterator[str]:
        """The variables of a place in code; of the focus where the place is not known."""
        if place.isdecimal() and self._context.session.focus is not None:
            place = f"{self._context.frame.location.file}:{place}"
        if place:
            spec = parse_spec(place)
            for module in self._modules():
                for found in module.resolve(spec)[:1] if module.debug_info is not None else ():
                    assert module.debug_info is not None
                    visible = module.debug_info.variables_at(found.pc)
                    yield from (each.name for _, each in visible if each.name)
                    return
        yield from self._variables()

    # --- the focus -----------------------------------------------------------------------------

    @property
    def _is_stopped(self) -> bool:
        session = self._context.session
        return session.state is SessionState.STOPPED and session.focus is not None

    def _registers(self) -> Iterator[str]:
        for device in self._context.session.devices[:1]:
            yield from (each.name for each in device.register_layout.registers())

    def _variables(self) -> Iterator[str]:
        if not self._is_stopped:
            return
        scope = selected_scope(self._context.session, self._context.frame_level)
        yield from (each.name for _, each in visible_variables(scope) if each.name)

    def _members(self, structure: str) -> Iterator[str]:
        """The members of a structure, or the element types that a register can be seen as."""
        if structure.startswith("$"):
            yield from (each.suffix for each in ELEMENT_TYPES)
            return
        scope = selected_scope(self._context.session, self._context.frame_level)
        found = Expression(structure, scope.debug_info).type(scope).stripped()
        if isinstance(found, PointerType):
            found = found.target.stripped()
        if isinstance(found, StructType):
            yield from _member_names(found)

    def _thread(self, name: str) -> HardwareThread:
        device, _, number = name.rpartition(".")
        return self._context.session.thread(int(device or 1), int(number))

    def _work_items(self) -> Iterator[str]:
        """Those of the focused thread."""
        thread = self._context.thread
        ids = thread.global_ids()
        if not isinstance(ids, Missing):
            yield from (",".join(map(str, ids[lane])) for lane in lanes_of(thread.dispatch_lanes))


def _member_names(structure: StructType) -> Iterator[str]:
    """Its members by name; those of bases and of anonymous structures are its own."""
    for member in structure.members:
        inner = member.type.stripped()
        if isinstance(inner, StructType) and (member.is_base or not member.name):
            yield from _member_names(inner)
        elif member.name:
            yield member.name


def _paths(prefix: str) -> Iterator[str]:
    """Files and folders that begin with ``prefix``, which is kept as it was typed."""
    folder, slash, _ = prefix.rpartition("/")
    place = Path(folder + slash).expanduser() if prefix else Path()
    hidden = prefix.rpartition("/")[2].startswith(".")
    with os.scandir(place) as entries:
        for entry in entries:
            if hidden or not entry.name.startswith("."):
                yield folder + slash + entry.name + ("/" if entry.is_dir() else "")
