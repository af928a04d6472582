"""Commands that show code, and where in it a place is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from zedbg.commands.describe import places
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
from zedbg.commands.rows.row import Row
from zedbg.commands.rows.session_rows import InstructionRow
from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.modules.place_specs import (
    AddressSpec,
    FunctionSpec,
    KernelSpec,
    LineSpec,
    parse_spec,
)
from zedbg.xe.disassembly import Instruction, instructions


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
        case FunctionSpec(name):
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
    aliases=("dir",),
    arguments=(Argument("directory", Kind.FILE, "directory", rest=True),),
    example="directory ~/kernels",
)
def directory_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    from pathlib import Path

    path = Path(invocation.text(0)).expanduser()
    if not path.is_dir():
        raise CommandError(f"{path}: no such directory.")
    context.sources.directories.insert(0, path.resolve())
    return []


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
    flags="r",
    requires=Requirement.PROCESS,
    example="disassemble vadd",
    description="/r shows the raw bytes too. => marks the instruction that executes next.",
)
def disassemble_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    start, comma, end = (text or "").partition(",")
    if comma:
        first = _address(context, start)
        length = end.strip().startswith("+")
        last = _address(context, end) + (first if length else 0)
        device, module, place = locate(context, f"*{first:#x}")
        bounds = (first, last)
    elif text:
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
    return instruction_rows(context, device, module, *bounds, raw="r" in invocation.flags)


def _address(context: CommandContext, expression: str) -> int:
    """The address that an expression gives; a plain number needs no stopped thread."""
    try:
        return int(expression, 0)
    except ValueError:
        return int(context.evaluate(expression).number)


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
    """The instructions in [``first``, ``end``), at most ``count``, as rows. Raises CommandError."""
    if end <= first:
        raise CommandError(f"The range ends at {end:#x}, before it starts.")
    code = device.read_memory(first, end - first)
    focus = context.session.focus
    pc = focus.thread.pc if focus is not None else None
    start = module.function_range_at(first)

    def label(target: int) -> str:
        inside = start is not None and start[0] <= target < start[1]
        return f"<+{target - start[0]}>" if inside and start else f"{target:#x}"

    rows = []
    for one in islice(instructions(code, first, device.code.platform, label), count):
        bounds = module.function_range_at(one.address)
        location = module.locate(one.address)
        rows.append(
            InstructionRow(
                address=one.address,
                function=location.function,
                offset=one.address - bounds[0] if bounds else None,
                text=one.text,
                current=one.address == pc,
                breakpoint=_has_breakpoint(context, device, one),
                raw=" ".join(f"{byte:02x}" for byte in one.code) if raw else None,
            )
        )
    return rows


def _has_breakpoint(
    context: CommandContext, device: DeviceContents, instruction: Instruction
) -> bool:
    return any(each.is_at(device, instruction.address) for each in context.session.breakpoints)
