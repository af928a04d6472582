"""Where threads are: frames, source lines and short file names for rows."""

from __future__ import annotations

import re
from pathlib import PurePath

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.scopes import argument_list
from zedbg.commands.rows.session_rows import FrameRow, SourceRow
from zedbg.dwarf.types.program_types import ArrayType, FunctionType, PointerType
from zedbg.engine.engine_errors import EngineError
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.modules.place_specs import EntrySpec, parse_spec
from zedbg.engine.threads.thread import HardwareThread
from zedbg.user_error import UserError
from zedbg.values.threads.context import MemorySpace
from zedbg.values.typed.homes import MemoryHome
from zedbg.values.typed.locate import memory_home


def short_file(path: str | None) -> str | None:
    """A file as location lines show it: its last part."""
    return PurePath(path).name if path else None


def place_of(context: CommandContext, expression: str) -> MemoryHome:
    """The place in memory that ``expression`` means: an array's or a function's own, or the one
    that it is the address of. CommandError when its value is no address."""
    value = context.evaluate(expression)
    kind = value.type.stripped()
    if isinstance(kind, FunctionType | ArrayType) and value.home is not None:
        if isinstance(value.home, MemoryHome):
            return value.home
        raise CommandError(f"{expression} is not in memory.")
    if not value.is_scalar or not float(value.number).is_integer():
        raise CommandError(f"{expression} is not an address.")
    address_class = kind.address_class if isinstance(kind, PointerType) else None
    return memory_home(int(value.number), address_class)


def address_of(context: CommandContext, expression: str) -> int:
    """The address in global memory that ``expression`` means; CommandError when it means none."""
    place = place_of(context, expression)
    if place.space is MemorySpace.SLM:
        raise CommandError(f"{expression} is in shared local memory, at offset {place.address:#x}.")
    return place.address


def resolved(context: CommandContext, place: str) -> str:
    """``place`` as people name it, where ``*EXPRESSION`` has become ``*ADDRESS``; what begins with
    a function's name stays, for that moves from run to run."""
    text = place.strip()
    if not text.startswith("*"):
        return place
    try:
        int(text[1:].strip(), 0)
    except ValueError:
        if _names_function(context, text):
            return text
        return f"*{address_of(context, text[1:].strip()):#x}"
    return text


def _names_function(context: CommandContext, text: str) -> bool:
    """Whether ``text`` is ``*NAME+OFFSET`` of a function, or no module is loaded that may have
    one of this name."""
    try:
        spec = parse_spec(text)
    except EngineError:
        return False
    if not isinstance(spec, EntrySpec):
        return False
    try:
        return isinstance(context.evaluate(spec.name).type.stripped(), FunctionType)
    except UserError:
        return not any(device.modules for device in context.session.devices)


def named_place(context: CommandContext, text: str) -> str:
    """``text`` as people type it at a place: ``17``, ``+2``, ``*EXPRESSION``, with what it leaves
    out. Raises CommandError."""
    where = text.strip()
    offset = re.fullmatch(r"([+-])\s*(\d+)", where)
    if offset is not None:
        here = context.frame.location
        if here.file is None or here.line is None:
            raise CommandError(f"No source line is current: {where} means nothing here.")
        line = here.line + int(offset[1] + offset[2])
        if line < 1:
            raise CommandError(f"There is no line {line} of {short_file(here.file)}.")
        return f"{here.file}:{line}"
    if where.isdecimal():
        return f"{current_file(context)}:{where}"
    return resolved(context, where)


def current_file(context: CommandContext) -> str:
    """The file that a line number alone means: where we are, else the only one there is.

    CommandError when it is not known.
    """
    if context.session.focus is not None:
        file = context.frame.location.file
        if file:
            return file
    files = {
        source.path
        for device in context.session.devices
        for module in device.modules
        if module.debug_info is not None
        for source in module.debug_info.lines.files
    }
    if len(files) == 1:
        return files.pop()
    raise CommandError("No source file is current. Name one, as in: break vadd.cl:3")


def frame_row(
    context: CommandContext,
    thread: HardwareThread,
    location: CodeLocation,
    level: int = 0,
    arguments: str | None = None,
) -> FrameRow:
    """The frame at ``location``, with its arguments in the focused lane."""
    return FrameRow(
        level=level,
        pc=location.pc,
        function=location.function,
        kernel=location.kernel,
        arguments=argument_list(thread, level) if arguments is None else arguments,
        file=short_file(location.file),
        line=location.line,
    )


def source_around(
    context: CommandContext, location: CodeLocation, count: int
) -> tuple[SourceRow, ...]:
    """The line at ``location`` with ``count`` lines before and after it; none when its text is
    nowhere."""
    file, line = location.file, location.line
    lines = context.sources.lines(file) if file else None
    if file is None or line is None or lines is None or not 0 < line <= len(lines):
        return ()
    first, last = max(line - count, 1), min(line + count, len(lines))
    return tuple(
        SourceRow(file, number, lines[number - 1], number == line)
        for number in range(first, last + 1)
    )


def source_row(
    context: CommandContext, thread: HardwareThread, location: CodeLocation
) -> SourceRow | None:
    """The source line at ``location``, None when its text is nowhere."""
    if location.file is None or location.line is None:
        return None
    lines = context.sources.lines(location.file)
    if lines is None or not 0 < location.line <= len(lines):
        return None
    context.listed = None
    return SourceRow(location.file, location.line, lines[location.line - 1], True)
