"""Commands that show code, and where in it a place is."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.describe import places
from zedbg.commands.describe.host_code import (
    host_code,
    host_function,
    host_instruction_rows,
)
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.rows.row import Row, Text
from zedbg.commands.rows.session_rows import InstructionRow, SourceRow
from zedbg.commands.scripting.files import user_path
from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.modules.place_specs import (
    AddressSpec,
    EntrySpec,
    FunctionSpec,
    KernelSpec,
    LineSpec,
    parse_spec,
)
from zedbg.engine.threads.thread import HardwareThread
from zedbg.xe.coordinates import lanes_of
from zedbg.xe.disassembly import Instruction, disassemble_one, instruction_length
from zedbg.xe.instruction import NATIVE_LENGTH
from zedbg.xe.isa.names import Predicate
from zedbg.xe.registers import RegisterKind


def _modules(context: CommandContext) -> list[tuple[DeviceContents, LoadedModule]]:
    """The loaded modules, that of the focused thread first."""
    found: list[tuple[DeviceContents, LoadedModule]]
    found = [(device, module) for device in context.session.devices for module in device.modules]
    focus = context.session.focus
    if focus is not None:
        found.sort(key=lambda pair: pair[1] is not focus.thread.module)
    return found


def locate(context: CommandContext, text: str) -> tuple[DeviceContents, LoadedModule, CodeLocation]:
    """The first place that ``text`` (FILE:LINE, FUNCTION, *EXPRESSION) means in a loaded
    module. Raises CommandError."""
    text = places.resolved(context, text)
    spec = parse_spec(text)
    for device, module in _modules(context):
        places_found = module.resolve(spec)
        if places_found:
            return device, module, places_found[0]
    if not _modules(context):
        raise CommandError("No module is loaded: run the program first.")
    match spec:
        case FunctionSpec(name) | EntrySpec(name):
            raise CommandError(f'No function "{name}" in the loaded modules.')
        case KernelSpec(pattern):
            raise CommandError(f'No kernel "{pattern}" in the loaded modules.')
        case LineSpec():
            raise CommandError(f'No line "{text}" in the loaded modules.')
        case AddressSpec():
            raise CommandError(f"No code at {text[1:]}.")


@builtin.command(
    "directory",
    Category.FILES,
    "Search a directory for source files, too",
    aliases=("dir", "set directories"),
    arguments=(Argument("directory", Kind.FILE, "directory", rest=True),),
    example="directory ~/kernels",
)
def directory_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    path = user_path(invocation.text(0))
    if not path.is_dir():
        raise CommandError(f"{path}: no such directory.")
    context.sources.directories.insert(0, path.resolve())
    return []


@builtin.command(
    "show directories", Category.FILES, "List the directories that are searched for source files"
)
def show_directories_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    searched = ["$cdir", "$cwd", *map(str, context.sources.directories)]
    return [Text(f"Source directories searched: {':'.join(searched)}")]


@builtin.command(
    "disassemble",
    Category.DATA,
    "Show the instructions of a function",
    aliases=("disas",),
    arguments=(
        Argument(
            "place",
            Kind.LOCATION,
            "FUNCTION, *ADDRESS or FIRST,LAST addresses; default: the current function",
            optional=True,
            rest=True,
        ),
    ),
    flags="rsm",
    requires=Requirement.PROCESS,
    example="disassemble vadd",
    description="/s (or /m) shows the source lines between the instructions, /r the raw bytes. => "
    "marks the instruction that executes next, and says for which lanes; in a terminal, * marks "
    "breakpoints, and lines show where branches go. Addresses of the program on the processor are "
    "disassembled in Intel's syntax.",
)
def disassemble_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    start, comma, end = (text or "").partition(",")
    if comma:
        first = _address(context, start)
        length = end.strip().startswith("+")
        last = _address(context, end) + (first if length else 0)
        program = host_code(context, first)
        if program is not None:
            return host_instruction_rows(program, first, last, raw="r" in invocation.flags)
        device, module, place = locate(context, f"*{first:#x}")
        bounds = (first, last)
    elif text:
        if text.startswith("*"):
            address = _address(context, text[1:])
            program = host_code(context, address)
            if program is not None:
                bounds = host_function(program, address)
                return host_instruction_rows(program, *bounds, raw="r" in invocation.flags)
        device, module, place = locate(context, text)
        bounds = module.function_range_at(place.pc) or (place.pc, place.pc + 16)
    else:
        if context.session.focus is None:
            raise CommandError("No thread is stopped: name a function, as in: disassemble vadd")
        frame = context.frame
        device, module_here = context.thread.device, context.thread.module
        if module_here is None:
            raise CommandError(f"No module has code at {frame.pc:#x}.")
        module = module_here
        bounds = module.function_range_at(frame.pc) or (frame.pc, frame.pc + 16)
    rows = instruction_rows(context, device, module, *bounds, raw="r" in invocation.flags)
    with_source = "s" in invocation.flags or "m" in invocation.flags
    return _between_source(context, module, rows) if with_source else rows


def _between_source(
    context: CommandContext, module: LoadedModule, rows: list[InstructionRow]
) -> list[Row]:
    """``rows`` with the line of source before the instructions of each, as GDB shows them."""
    found: list[Row] = []
    last: tuple[str | None, int | None] = None, None
    for row in rows:
        location = module.locate(row.address)
        place = location.file, location.line
        if place != last and location.file is not None and location.line is not None:
            if location.file != last[0]:
                found.append(Text(f"{places.short_file(location.file)}:"))
            lines = context.sources.lines(location.file)
            known = lines is not None and 0 < location.line <= len(lines)
            text = lines[location.line - 1] if lines is not None and known else ""
            found.append(SourceRow(location.file, location.line, text, False))
            last = place
        found.append(row)
    return found


def _address(context: CommandContext, expression: str) -> int:
    """The address that an expression gives; a plain number needs no stopped thread."""
    try:
        return int(expression, 0)
    except ValueError:
        return places.address_of(context, expression.strip())


def instruction_rows(
    context: CommandContext,
    device: DeviceContents,
    module: LoadedModule,
    first: int,
    end: int,
    *,
    raw: bool = False,
    count: int | None = None,
) -> list[InstructionRow]:
    """The instructions in [``first``, ``end``), at most ``count``, as rows. They begin with the one
    that ``first`` is in. Raises CommandError."""
    if end <= first:
        raise CommandError(f"The range ends at {end:#x}, before it starts.")
    bounds = module.function_range_at(first)
    first = _instruction_start(device, bounds, first)
    # The last instruction as a whole.
    last = min(end + NATIVE_LENGTH, bounds[1]) if bounds and end <= bounds[1] else end
    code = device.read_memory(first, last - first)
    focus = context.session.focus
    thread = focus.thread if focus is not None and focus.thread.device is device else None
    own = bounds if bounds is not None and bounds[0] <= first < bounds[1] else None

    def label(target: int) -> str:
        inside = own is not None and own[0] <= target < own[1]
        return f"<+{target - own[0]}>" if inside and own else f"{target:#x}"

    function = module.locate(first).function
    marked = _breakpoints_in(context, device, first, end)
    rows: list[InstructionRow] = []
    offset = 0
    while offset < end - first and (count is None or len(rows) < count):
        # Decoded instructions are kept: to judge locations of variables takes them, too.
        address = first + offset
        window = code[offset : offset + NATIVE_LENGTH]
        one = disassemble_one(window, address, device.code.platform, label)
        if bounds is None or not bounds[0] <= address < bounds[1]:
            bounds = module.function_range_at(address)
            function = module.locate(address).function
        is_current = thread is not None and thread.pc == address
        rows.append(
            InstructionRow(
                address=address,
                function=function,
                offset=address - bounds[0] if bounds else None,
                text=one.text,
                current=is_current,
                breakpoint=address in marked,
                raw=" ".join(f"{byte:02x}" for byte in one.code) if raw else None,
                targets=one.branch_targets,
                lanes=_executing_lanes(thread, one) if is_current and thread is not None else None,
            )
        )
        offset += one.size
    return rows


def _instruction_start(device: DeviceContents, bounds: tuple[int, int] | None, address: int) -> int:
    """Where the instruction that ``address`` is in begins: they have two lengths, so that only from
    a function's start on is it known."""
    if bounds is None or not bounds[0] < address < bounds[1]:
        return address
    code = device.read_memory(bounds[0], address - bounds[0])
    offset = 0
    while offset < len(code):
        length = instruction_length(code[offset : offset + NATIVE_LENGTH], device.code.platform)
        if offset + length > len(code):
            break
        offset += length
    return bounds[0] + offset


def _executing_lanes(thread: HardwareThread, instruction: Instruction) -> tuple[int, ...] | None:
    """The lanes that ``instruction``, which is next, acts for; None where its predicate is not that
    of each lane alone."""
    decoded = instruction.decoded
    lanes = ((1 << decoded.execution_size) - 1) << decoded.channel_offset
    if not decoded.no_mask:
        lanes &= thread.active_lanes
    if decoded.predicate is Predicate.NONE:
        return tuple(lanes_of(lanes))
    if decoded.predicate is not Predicate.NORMAL:
        return None
    flags = thread.read_registers(RegisterKind.FLAG)
    start = decoded.flag_register * 4 + decoded.flag_subregister * 2
    true = int.from_bytes(flags[start : start + 4], "little")
    return tuple(lanes_of(lanes & (~true if decoded.predicate_inverted else true)))


def _breakpoints_in(
    context: CommandContext, device: DeviceContents, first: int, end: int
) -> set[int]:
    """The addresses in [``first``, ``end``) that have breakpoints of the user's."""
    return {
        place.address
        for each in context.session.breakpoints
        for place in each.locations
        if first <= place.address < end and each.is_at(device, place.address)
    }
